import pytest

from daide.frames import (
    MAX_TOKENS,
    DiplomacyMessage,
    ErrorCode,
    ErrorMessage,
    FinalMessage,
    Frame,
    FrameKind,
    InitialMessage,
    LocalProtocolError,
    RepresentationMessage,
    decode_frame,
    decode_header,
    fits,
)

INVENTED_MAP = (
    (0x4100, "NRD"),
    (0x4101, "SUD"),
    (0x5100, "ALF"),
    (0x5201, "BTA"),
    (0x5502, "GMM"),
)
HELLO_TO_AN_OBSERVER = (
    *(0x4804, 0x4000, 0x490B, 0x4001, 0x4000, 0, 0x4001),
    *(0x4000, 0x4000, 0x4903, 0, 0x4001, 0x4001),
)
WORKED_SEQUENCES: list[tuple[str, Frame]] = [
    ("0000 0004 0001 da10", InitialMessage()),
    ("0100 0000", RepresentationMessage()),
    (
        "0100 001e 4100 4e52 4400 4101 5355 4400 5100 414c 4600 5201 4254 4100 5502 474d 4d00",
        RepresentationMessage(INVENTED_MAP),
    ),
    ("0200 0002 480f", DiplomacyMessage((0x480F,))),
    (
        "0200 0008 481c 4000 480f 4001",
        DiplomacyMessage((0x481C, 0x4000, 0x480F, 0x4001)),
    ),
    (
        "0200 000e 4807 4000 4106 4001 4000 0084 4001",
        DiplomacyMessage((0x4807, 0x4000, 0x4106, 0x4001, 0x4000, 132, 0x4001)),
    ),
    (
        "0200 0008 480b 4000 3fff 4001",
        DiplomacyMessage((0x480B, 0x4000, 0x3FFF, 0x4001)),
    ),
    (
        "0200 001a 4804 4000 490b 4001 4000 0000 4001 4000 4000 4903 0000 4001 4001",
        DiplomacyMessage(HELLO_TO_AN_OBSERVER),
    ),
    ("0300 0000", FinalMessage()),
    ("0400 0002 0004", ErrorMessage(ErrorCode.WRONG_MAGIC)),
]


@pytest.mark.parametrize(("text", "frame"), WORKED_SEQUENCES)
def test_worked_sequences_are_written_and_read(text: str, frame: Frame) -> None:
    data = bytes.fromhex(text)
    assert frame.to_bytes() == data
    kind, length = decode_header(data)
    assert length == len(data) - 4
    assert fits(FrameKind(kind), length)
    assert decode_frame(FrameKind(kind), data[4:]) == frame


def test_the_longest_message_fills_the_length_field() -> None:
    assert DiplomacyMessage((1,) * MAX_TOKENS).to_bytes()[:4] == bytes.fromhex("0200 fffe")


@pytest.mark.parametrize(
    "tokens", [(), (1,) * (MAX_TOKENS + 1), (0x10000,), (-1,), (0x4810, 0x5800), (0x5FFF,)]
)
def test_what_a_peer_would_refuse_is_not_sent(tokens: tuple[int, ...]) -> None:
    with pytest.raises(LocalProtocolError):
        DiplomacyMessage(tokens).to_bytes()


@pytest.mark.parametrize("entry", [(0x4100, "LONG"), (0x4100, "É10"), (0x10000, "AUS")])
def test_an_entry_is_a_token_and_three_letters(entry: tuple[int, str]) -> None:
    with pytest.raises(LocalProtocolError):
        RepresentationMessage((entry,)).to_bytes()


def test_a_representation_is_bounded_by_the_length_field() -> None:
    with pytest.raises(LocalProtocolError, match="at most 65535"):
        RepresentationMessage(((0x4100, "AUS"),) * 10923).to_bytes()


def test_names_are_read_without_regard_to_case() -> None:
    body = bytes.fromhex("4100 6175 7300")
    assert decode_frame(FrameKind.REPRESENTATION, body) == RepresentationMessage(((0x4100, "AUS"),))


def test_every_error_code_has_its_number_and_a_meaning() -> None:
    assert [code.value for code in ErrorCode] == list(range(1, 15))
    assert all(code.meaning for code in ErrorCode)
