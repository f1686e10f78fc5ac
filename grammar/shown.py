"""Texts of strangers, made harmless for those who read them on a terminal, in a log or a page."""


def shown(text: str) -> str:
    """Return a text with everything escaped that is not seen as what it is.

    That is control characters, those of 0x80 to 0x9F among them, which terminals obey; characters
    that turn the direction of writing or take no room; and bytes that are no UTF-8.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
