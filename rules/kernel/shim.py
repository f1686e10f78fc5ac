"""Stand in for the module `cython` where it is not installed and nothing is compiled."""

from contextlib import nullcontext

nogil = nullcontext()
compiled = False
