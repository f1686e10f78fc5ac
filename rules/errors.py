"""Input that a person has to mend, and input that we have mended."""


class BadInputError(ValueError):
    """Input that cannot be used; its text is one sentence that names the place and the fix.

    Every command shows that sentence on standard error and exits with 2.
    """


class MendedInputWarning(UserWarning):
    """Input with a fault that does no harm and was mended; its text names the place, as above."""
