"""The arrays of the compiled rules' kernel, for the compiled modules here."""

from rules.kernel._compiled.legality import long_integers
from rules.kernel._compiled.state import doubles, integers, short_integers, zeros

__all__ = ["doubles", "integers", "long_integers", "short_integers", "zeros"]
