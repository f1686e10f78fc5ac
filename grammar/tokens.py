"""Tokens: the symbols of the DAIDE language, 16 bits each.

The high byte is the category, the low byte the number in it. Integers, text and brackets are
tokens like any other. Powers and provinces depend on the map: see `representation`.

Where programs disagree about the number of a word we follow the reference server and the bots
that are still run (FCT 0x4A06, FOR 0x4A07, FWD 0x4A08, CCL 0x4A25, NAR 0x4A26); `dialects`
translates for peers that use other numbers.
"""

import sys
from array import array
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import TypeAlias

Token: TypeAlias = int
Tokens: TypeAlias = tuple[Token, ...]

SMALLEST_INTEGER = -8192
LARGEST_INTEGER = 8191


class Category(IntEnum):
    """The high byte of a token; integers and provinces fill several."""

    MISCELLANEOUS = 0x40
    POWER = 0x41
    UNIT_KIND = 0x42
    ORDER = 0x43
    ORDER_NOTE = 0x44
    RESULT = 0x45
    COAST = 0x46
    SEASON = 0x47
    COMMAND = 0x48
    PARAMETER = 0x49
    PRESS = 0x4A
    TEXT = 0x4B
    EXPERIMENTAL = 0x4E
    FIRST_PROVINCE = 0x50
    LAST_PROVINCE = 0x57
    FIRST_RESERVED = 0x58  # for the inner use of a program, never on the wire
    LAST_RESERVED = 0x5F


class Word(IntEnum):
    """Every word of the language with its number."""

    # Brackets
    BRA = 0x4000
    KET = 0x4001
    # Unit kinds
    AMY = 0x4200
    FLT = 0x4201
    # Orders: 0x2x in movement, 0x4x in retreat, 0x8x in adjustment turns
    CTO = 0x4320
    CVY = 0x4321
    HLD = 0x4322
    MTO = 0x4323
    SUP = 0x4324
    VIA = 0x4325
    DSB = 0x4340
    RTO = 0x4341
    BLD = 0x4380
    REM = 0x4381
    WVE = 0x4382
    # Order notes, in THX
    MBV = 0x4400
    BPR = 0x4401  # withdrawn: read, never sent
    CST = 0x4402
    ESC = 0x4403
    FAR = 0x4404
    HSC = 0x4405
    NAS = 0x4406
    NMB = 0x4407
    NMR = 0x4408
    NRN = 0x4409
    NRS = 0x440A
    NSA = 0x440B
    NSC = 0x440C
    NSF = 0x440D
    NSP = 0x440E
    NST = 0x440F  # withdrawn: read, never sent
    NSU = 0x4410
    NVR = 0x4411
    NYU = 0x4412
    YSC = 0x4413
    # Results, in ORD
    SUC = 0x4500
    BNC = 0x4501
    CUT = 0x4502
    DSR = 0x4503
    FLD = 0x4504  # withdrawn: read, never sent
    NSO = 0x4505
    RET = 0x4506
    # Coasts, clockwise from north
    NCS = 0x4600
    NEC = 0x4602
    ECS = 0x4604
    SEC = 0x4606
    SCS = 0x4608
    SWC = 0x460A
    WCS = 0x460C
    NWC = 0x460E
    # Seasons in order of play
    SPR = 0x4700
    SUM = 0x4701
    FAL = 0x4702
    AUT = 0x4703
    WIN = 0x4704
    # Commands
    CCD = 0x4800
    DRW = 0x4801
    FRM = 0x4802
    GOF = 0x4803
    HLO = 0x4804
    HST = 0x4805
    HUH = 0x4806
    IAM = 0x4807
    LOD = 0x4808
    MAP = 0x4809
    MDF = 0x480A
    MIS = 0x480B
    NME = 0x480C
    NOT = 0x480D
    NOW = 0x480E
    OBS = 0x480F
    OFF = 0x4810
    ORD = 0x4811
    OUT = 0x4812
    PRN = 0x4813
    REJ = 0x4814
    SCO = 0x4815
    SLO = 0x4816
    SND = 0x4817
    SUB = 0x4818
    SVE = 0x4819
    THX = 0x481A
    TME = 0x481B
    YES = 0x481C
    ADM = 0x481D
    SMR = 0x481E
    # Parameters
    AOA = 0x4900
    BTL = 0x4901
    ERR = 0x4902
    LVL = 0x4903
    MRT = 0x4904
    MTL = 0x4905
    NPB = 0x4906
    NPR = 0x4907
    PDA = 0x4908
    PTL = 0x4909
    RTL = 0x490A
    UNO = 0x490B
    WRT = 0x490C  # withdrawn: read, never sent
    DSD = 0x490D
    # Press
    ALY = 0x4A00
    AND = 0x4A01
    BWX = 0x4A02
    DMZ = 0x4A03
    ELS = 0x4A04
    EXP = 0x4A05
    FCT = 0x4A06
    FOR = 0x4A07
    FWD = 0x4A08
    HOW = 0x4A09
    IDK = 0x4A0A
    IFF = 0x4A0B
    INS = 0x4A0C
    IOU = 0x4A0D  # withdrawn: read, never sent
    OCC = 0x4A0E
    ORR = 0x4A0F
    PCE = 0x4A10
    POB = 0x4A11
    PPT = 0x4A12  # withdrawn: read, never sent
    PRP = 0x4A13
    QRY = 0x4A14
    SCD = 0x4A15
    SRY = 0x4A16
    SUG = 0x4A17
    THK = 0x4A18
    THN = 0x4A19
    TRY = 0x4A1A
    UOM = 0x4A1B  # withdrawn: read, never sent
    VSS = 0x4A1C
    WHT = 0x4A1D
    WHY = 0x4A1E
    XDO = 0x4A1F
    XOY = 0x4A20
    YDO = 0x4A21
    CHO = 0x4A22
    BCC = 0x4A23
    UNT = 0x4A24
    CCL = 0x4A25
    NAR = 0x4A26
    # Parlance's own: never sent to a client that has not used them first
    LST = 0x4E02
    SEL = 0x4E03
    PNG = 0x4E04
    PRB = 0x4E05
    PRF = 0x4E06
    VAR = 0x4E07


def is_integer(token: Token) -> bool:
    """Whether the token is a number."""
    return token < 0x4000


def is_text(token: Token) -> bool:
    """Whether the token is one byte of a string."""
    return token >> 8 == Category.TEXT


def is_province(token: Token) -> bool:
    """Whether the token names a province of some map."""
    return Category.FIRST_PROVINCE <= token >> 8 <= Category.LAST_PROVINCE


def integer_token(number: int) -> Token:
    """Return the token of a number: 14 bits, two's complement."""
    if not SMALLEST_INTEGER <= number <= LARGEST_INTEGER:
        raise ValueError(f"a DAIDE number is from -8192 to 8191, not {number}")
    return number & 0x3FFF


def integer_value(token: Token) -> int:
    """Return the number that a token stands for."""
    return token - 0x4000 if token & 0x2000 else token


def text_tokens(text: str) -> Tokens:
    """Return a string as tokens, one for each byte of its UTF-8 form."""
    return tuple(0x4B00 | byte for byte in text.encode("utf-8", "surrogateescape"))


def text_value(tokens: Iterable[Token]) -> str:
    """Return the string that text tokens spell.

    Bytes that are not UTF-8 survive as lone surrogates, so that `text_tokens` gives them back.
    """
    return bytes(token & 0xFF for token in tokens).decode("utf-8", "surrogateescape")


LONG = 128
"""Tokens in a message of which many may lie about in a flood."""
# Each number once: a long message would be a megabyte of small objects otherwise, and what hundreds
# of them leave behind is in too many places to be given back.
_SAME: dict[Token, Token] = {}


def tokens_from_bytes(data: bytes) -> Tokens:
    """Return the tokens that stand in the body of a frame: 16 bits each, big-endian."""
    tokens = array("H", data)
    if sys.byteorder == "little":
        tokens.byteswap()
    if len(tokens) < LONG:
        return tuple(tokens)
    return tuple(map(_SAME.setdefault, tokens, tokens))


def first_unbalanced(tokens: Sequence[Token]) -> int | None:
    """Return the place of the bracket that has no partner, or None if all have.

    For a bracket that is never closed that is the end of the message.
    """
    depth = 0
    for place, token in enumerate(tokens):
        if token == _OPEN:
            depth += 1
        elif token == _CLOSE:
            depth -= 1
            if depth < 0:
                return place
    return len(tokens) if depth else None


_OPEN, _CLOSE = int(Word.BRA), int(Word.KET)
