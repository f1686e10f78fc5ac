from collections.abc import Callable

import pytest

from daide.connection import (
    CloseReason,
    Connection,
    Event,
    Opened,
    PeerClosed,
    ProtocolFault,
    RepresentationReceived,
    TokensReceived,
    WrittenMessage,
)
from daide.frames import MAX_BODY_LENGTH, ErrorCode, LocalProtocolError
from grammar.dialects import Dialect

IM = bytes.fromhex("0000 0004 0001 da10")
RM = bytes.fromhex("0100 0000")
OBS = bytes.fromhex("0200 0002 480f")
OFF = bytes.fromhex("0200 0002 4810")
FM = bytes.fromhex("0300 0000")
OPENED = Opened(RM)
ENTRIES = ((0x4100, "NRD"), (0x5100, "ALF"))


def a_serving_connection() -> Connection:
    connection = Connection.server()
    assert connection.receive(IM) == [OPENED]
    return connection


def a_joined_connection() -> Connection:
    connection = an_initiated_connection()
    assert connection.receive(RM) == [RepresentationReceived(())]
    return connection


def an_initiated_connection() -> Connection:
    connection = Connection.client()
    assert connection.initiate() == IM
    return connection


def assert_fault(connection: Connection, events: list[Event], code: int) -> None:
    expected = ProtocolFault(ErrorCode(code), bytes([4, 0, 0, 2, 0, code]))
    assert events == [expected]
    assert connection.is_closed
    assert connection.receive(IM + OBS) == []
    assert connection.receive_eof() == []
    assert connection.im_timed_out() == []
    assert connection.body_timed_out() == []
    assert connection.close() == b""
    with pytest.raises(LocalProtocolError):
        connection.send_tokens((0x4810,))


@pytest.mark.parametrize(
    ("code", "first"),
    [
        (0x02, "0200 0002 480f"),
        (0x02, "0200 0000"),
        (0x02, "0100 0000"),
        (0x02, "0500 0000"),
        (0x02, "4745 5420"),
        (0x03, "0000 0400"),
        (0x03, "0000 0400 0100 10da"),
        (0x03, "0000 0004 0100 10da"),
        (0x03, "0000 0004 0001 10da"),
        (0x04, "0000 0004 0001 da11"),
        (0x04, "0000 0004 0002 0000"),
        (0x05, "0000 0004 0002 da10"),
        (0x05, "0000 0004 0100 da10"),
        (0x09, "0000 0000"),
        (0x09, "0000 0005"),
        (0x09, "0000 ffff"),
    ],
)
def test_the_first_frame_of_a_client_is_judged_by_the_book(code: int, first: str) -> None:
    connection = Connection.server()
    assert_fault(connection, connection.receive(bytes.fromhex(first)), code)


@pytest.mark.parametrize(
    ("code", "frame"),
    [
        (0x06, "0000 0004 0001 da10"),
        (0x06, "0000 0007"),
        (0x08, "0500 0000"),
        (0x08, "ff00 0004"),
        (0x09, "0200 0000"),
        (0x09, "0200 0003"),
        (0x09, "0300 0001"),
        (0x09, "0400 0001"),
        (0x0D, "0100 0000"),
        (0x0D, "0100 0001"),
        (0x0E, "0200 0004 480f 5800"),
        (0x0E, "0200 0002 5fff"),
    ],
)
def test_a_client_that_breaks_the_protocol_later_gets_its_code(code: int, frame: str) -> None:
    connection = a_serving_connection()
    assert_fault(connection, connection.receive(bytes.fromhex(frame)), code)


@pytest.mark.parametrize(
    ("code", "first"),
    [
        (0x07, "0000 0004 0001 da10"),
        (0x09, "0100 0005"),
        (0x0B, "0200 0002 4810"),
        (0x0B, "0900 0000"),
    ],
)
def test_the_first_frame_of_a_server_is_judged_by_the_book(code: int, first: str) -> None:
    connection = an_initiated_connection()
    assert_fault(connection, connection.receive(bytes.fromhex(first)), code)


@pytest.mark.parametrize(
    ("code", "frame"),
    [
        (0x07, "0000 0004"),
        (0x08, "0600 0000"),
        (0x09, "0200 0001"),
        (0x0C, "0100 0000"),
        (0x0E, "0200 0002 5a00"),
    ],
)
def test_a_server_that_breaks_the_protocol_later_gets_its_code(code: int, frame: str) -> None:
    connection = a_joined_connection()
    assert_fault(connection, connection.receive(bytes.fromhex(frame)), code)


def test_silence_before_the_initial_message_has_a_code() -> None:
    connection = Connection.server()
    connection.receive(IM[:5])
    assert_fault(connection, connection.im_timed_out(), 0x01)


def test_the_timer_of_the_initial_message_is_void_once_it_has_come() -> None:
    assert a_serving_connection().im_timed_out() == []


def test_a_body_that_stays_incomplete_has_a_code() -> None:
    connection = a_serving_connection()
    connection.receive(bytes.fromhex("0200 fffe 48"))
    assert_fault(connection, connection.body_timed_out(), 0x09)


def test_a_frame_keeps_its_number_while_it_trickles_in() -> None:
    connection = a_serving_connection()
    assert connection.unfinished_frame is None
    assert connection.body_timed_out() == []
    connection.receive(OBS[:1])
    number = connection.unfinished_frame
    connection.receive(OBS[1:4])
    assert connection.unfinished_frame == number
    connection.receive(OBS[4:] + OBS[:1])
    assert connection.unfinished_frame not in (None, number)


def test_an_early_message_waits_behind_the_representation() -> None:
    assert Connection.server().receive(IM + OBS) == [OPENED, TokensReceived((0x480F,))]


def test_the_pad_byte_is_ignored() -> None:
    padded = bytes.fromhex("009e 0004 0001 da10 0214 0002 480f 03fc 0000")
    assert Connection.server().receive(padded) == [
        OPENED,
        TokensReceived((0x480F,)),
        PeerClosed(CloseReason.FINAL_MESSAGE),
    ]


def test_a_captured_opening_is_understood_by_both_sides() -> None:
    name = bytes.fromhex(
        "0200 0022 480c 4000 4b68 4b6f 4b6c 4b64 4b62 4b6f 4b74 4001 4000 4b30 4b30 4b2e 4b30 4b31"
        "4001"
    )
    hello = bytes.fromhex(
        "0210 001a 4804 4000 4105 4001 4000 1313 4001 4000 4000 4903 0000 4001 4001"
    )
    opened, named = Connection.server().receive(IM + name)
    assert opened == OPENED
    assert isinstance(named, TokensReceived)
    assert len(named.tokens) == 17
    received = an_initiated_connection().receive(RM + hello)
    assert received[0] == RepresentationReceived(())
    assert isinstance(received[1], TokensReceived)
    assert received[1].tokens[5] == 4883


def test_unknown_tokens_outside_the_reserved_categories_are_let_through() -> None:
    connection = a_serving_connection()
    data = bytes.fromhex("0200 0008 fffe 4c00 6000 4aff")
    assert connection.receive(data) == [TokensReceived((0xFFFE, 0x4C00, 0x6000, 0x4AFF))]


@pytest.mark.parametrize(
    ("last", "reason", "code"),
    [
        ("", CloseReason.END_OF_FILE, None),
        ("02", CloseReason.END_OF_FILE, None),
        ("0200 00", CloseReason.END_OF_FILE, None),
        ("0200 0004 480f", CloseReason.TRUNCATED, None),
        ("0200 0004", CloseReason.TRUNCATED, None),
        ("03", CloseReason.FINAL_MESSAGE, None),
        ("0400 0002 0e", CloseReason.ERROR_MESSAGE, 0x0E),
        ("0400 0002 00", CloseReason.ERROR_MESSAGE, None),
        ("0400 0002", CloseReason.ERROR_MESSAGE, None),
    ],
)
def test_the_end_of_the_stream_is_a_disconnection(
    last: str, reason: CloseReason, code: int | None
) -> None:
    connection = a_serving_connection()
    assert connection.receive(bytes.fromhex(last)) == []
    assert connection.receive_eof() == [PeerClosed(reason, code)]
    assert connection.receive_eof() == []


def test_the_one_byte_final_message_counts_even_without_end_of_file() -> None:
    connection = a_serving_connection()
    connection.receive(b"\x03")
    assert connection.body_timed_out() == [PeerClosed(CloseReason.FINAL_MESSAGE)]


@pytest.mark.parametrize("make", [Connection.server, an_initiated_connection])
@pytest.mark.parametrize(
    ("first", "reason", "code"),
    [
        ("0300 0000", CloseReason.FINAL_MESSAGE, None),
        ("0300 0003", CloseReason.FINAL_MESSAGE, None),
        ("0400 0002 0004", CloseReason.ERROR_MESSAGE, 4),
        ("0400 0002 0000", CloseReason.ERROR_MESSAGE, 0),
        ("0400 0009", CloseReason.ERROR_MESSAGE, None),
    ],
)
def test_a_farewell_as_first_frame_just_closes(
    make: Callable[[], Connection], first: str, reason: CloseReason, code: int | None
) -> None:
    connection = make()
    assert connection.receive(bytes.fromhex(first) + OBS) == [PeerClosed(reason, code)]
    assert connection.close() == b""


def test_nothing_is_read_or_sent_after_our_own_farewell() -> None:
    connection = a_serving_connection()
    assert connection.close() == FM
    assert connection.receive(OBS) == []
    assert connection.close() == b""
    with pytest.raises(LocalProtocolError):
        connection.send_tokens((0x4810,))


def test_two_connections_talk_back_to_back() -> None:
    server, client = Connection.server(ENTRIES), Connection.client()
    # The client does not wait for the RM, as most real ones do not.
    [opened, named] = server.receive(client.initiate() + client.send_tokens((0x480F,)))
    assert isinstance(opened, Opened)
    assert named == TokensReceived((0x480F,))
    answer = server.send_tokens((0x481C, 0x4000, 0x480F, 0x4001))
    assert client.receive(opened.reply + answer) == [
        RepresentationReceived(ENTRIES),
        TokensReceived((0x481C, 0x4000, 0x480F, 0x4001)),
    ]
    assert server.is_open
    assert client.is_open
    assert server.receive(client.close()) == [PeerClosed(CloseReason.FINAL_MESSAGE)]


def test_entries_that_cannot_be_written_are_refused_before_a_peer_comes() -> None:
    with pytest.raises(LocalProtocolError):
        Connection.server(((0x4100, "LONG"),))


def test_a_server_does_not_speak_before_its_representation() -> None:
    with pytest.raises(LocalProtocolError):
        Connection.server().send_tokens((0x4810,))


def test_a_client_begins_with_its_initial_message_and_sends_one() -> None:
    with pytest.raises(LocalProtocolError):
        Connection.client().send_tokens((0x480F,))
    with pytest.raises(LocalProtocolError):
        Connection.client().receive(RM)
    with pytest.raises(LocalProtocolError):
        an_initiated_connection().initiate()


def test_no_more_than_one_frame_is_ever_kept() -> None:
    connection = a_serving_connection()
    longest = bytes.fromhex("0200 fffe") + bytes(0xFFFE)
    connection.receive(longest * 20 + longest[:-1])
    assert len(connection._buffer) <= MAX_BODY_LENGTH


def test_a_dialect_is_translated_in_both_directions() -> None:
    fact, forward = 0x4A06, 0x4A08
    connection = Connection.server(dialect=Dialect.DOCUMENT)
    connection.receive(IM)
    assert connection.send_tokens((fact,)) == bytes.fromhex("0200 0002 4a07")
    assert connection.receive(bytes.fromhex("0200 0002 4a06")) == [TokensReceived((forward,))]
    connection.dialect = Dialect.REFERENCE
    assert connection.send_tokens((fact,)) == bytes.fromhex("0200 0002 4a06")


def test_one_written_message_goes_to_peers_of_several_dialects() -> None:
    message = WrittenMessage((0x4A06, 0x4000))
    sent = []
    for dialect in (Dialect.REFERENCE, Dialect.DOCUMENT):
        connection = Connection.server(dialect=dialect)
        connection.receive(IM)
        sent.append(connection.send_messages([message, message]).hex())
    assert sent == ["020000044a064000" * 2, "020000044a074000" * 2]
    assert message.body.hex() == "4a064000"
