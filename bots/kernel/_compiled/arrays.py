"""The arrays of the compiled rules' kernel, for the compiled modules here."""

from rules.kernel._compiled.legality import long_integers
from rules.kernel._compiled.state import integers, zeros

__all__ = ["integers", "long_integers", "zeros"]
