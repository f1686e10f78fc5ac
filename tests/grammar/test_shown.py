import pytest

from grammar.shown import shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zoë <b>", "Zoë <b>"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\x9b2Jb", "a\\x9b2Jb"),
        ("FRA\u202eGNE", "FRA\\u202eGNE"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        (b"\x9b".decode("utf-8", "surrogateescape"), "\\udc9b"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text: str, expected: str) -> None:
    assert shown(text) == expected
