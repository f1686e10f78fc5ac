"""The words of press: at which level each begins, and which of them old programs do not know."""

from grammar.tokens import Token, Tokens, Word

TRY_LEVELS: dict[str, int] = {
    word: level
    for level, words in {
        10: "PRP PCE ALY VSS DRW SLO NOT NAR YES REJ BWX CCL FCT",
        20: "XDO DMZ",
        30: "AND ORR",
        40: "SCD OCC",
        50: "CHO",
        60: "INS QRY THK IDK SUG",
        70: "WHT HOW",
        80: "EXP SRY",
        90: "FOR",
        100: "IFF THN ELS",
        110: "XOY YDO",
        120: "FRM FWD BCC SND",
        130: "WHY POB",
    }.items()
    for word in words.split()
}
"""The lowest level at which a word may be listed in TRY."""

NEWER_WORDS: frozenset[Token] = frozenset(
    map(int, (Word.CHO, Word.BCC, Word.UNT, Word.CCL, Word.NAR))
)
"""Words that came after the original documents. Programs of that time take them for a broken
protocol and leave the game, so they are said only to those who have said them first."""


def newer_words_in(tokens: Tokens) -> frozenset[Token]:
    """Return the words in a message that old programs do not know."""
    return NEWER_WORDS.intersection(tokens)
