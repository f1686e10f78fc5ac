"""The one exception for input that a person has to mend."""


class BadInputError(ValueError):
    """Input that cannot be used; its text is one sentence that names the place and the fix.

    Every command shows that sentence on standard error and exits with 2.
    """
