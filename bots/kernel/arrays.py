"""The arrays of the rules' kernel, plain for the plain modules here.

`_compiled/arrays.py` is its twin for the compiled ones, so that either set finds its own.
"""

from rules.kernel.legality import long_integers
from rules.kernel.state import doubles, integers, short_integers, zeros

__all__ = ["doubles", "integers", "long_integers", "short_integers", "zeros"]
