"""Input that a person has to mend, and input that we have mended."""


class BadInputError(ValueError):
    """Input that cannot be used; its text is one sentence that names the place and the fix.

    Every command shows that sentence on standard error and exits with 2.
    """


def unreadable(place: object, error: Exception) -> BadInputError:
    """Return what is to be said of a file that cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        return BadInputError(f"{place}: cannot be read: it is no text in UTF-8")
    why = error.strerror if isinstance(error, OSError) else None
    return BadInputError(f"{place}: cannot be read: {why or error}")


def unwritable(place: object, error: OSError, cure: str = "") -> BadInputError:
    """Return what is to be said of a file that cannot be written, and what to do about it."""
    hint = f"; {cure}" if cure else ""
    return BadInputError(f"{place}: cannot be written: {error.strerror or error}{hint}")


class MendedInputWarning(UserWarning):
    """Input with a fault that does no harm and was mended; its text names the place, as above."""
