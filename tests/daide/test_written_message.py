"""One message to many peers: its frame is made once for each dialect, and in that dialect."""

import pytest

from daide.connection import Connection, TokensReceived, WrittenMessage
from daide.frames import MAX_TOKENS, DiplomacyMessage, InitialMessage, LocalProtocolError
from grammar.dialects import Dialect
from grammar.text import from_text

TEXTS = ("OFF", "TME ( 30 )", "YES ( NME ( 'Bot' ) ( '1' ) )", "MIS", "ADM ( 'a' ) ( 'b' )")


def joined(dialect: Dialect) -> tuple[Connection, Connection]:
    """Return server and client after IM and RM."""
    server, client = Connection.server(dialect=dialect), Connection.client(dialect=dialect)
    for event in server.receive(client.initiate()):
        client.receive(event.reply)  # type: ignore[union-attr]  # an Opened
    return server, client


@pytest.mark.parametrize("dialect", list(Dialect))
def test_what_is_written_once_is_read_by_peers_of_every_dialect(dialect: Dialect) -> None:
    server, client = joined(dialect)
    messages = [WrittenMessage(from_text(text)) for text in TEXTS]
    for _ in range(2):  # the second time from what was kept
        events = client.receive(server.send_messages(messages))
        assert events == [TokensReceived(tuple(from_text(text))) for text in TEXTS]


def test_the_frame_is_made_once_and_the_same_for_all_of_a_dialect() -> None:
    message = WrittenMessage(from_text("TME ( 30 )"))
    assert message.plain is None, "not before somebody asks"
    for dialect in Dialect:
        assert message.frame(dialect) is message.frame(dialect)
    assert message.plain is message.frame()


def test_the_body_is_the_frame_without_its_header() -> None:
    tokens = tuple(from_text("MIS"))
    assert WrittenMessage(tokens).body == DiplomacyMessage(tokens).to_bytes()[4:]


@pytest.mark.parametrize("length", [0, MAX_TOKENS + 1])
def test_what_no_frame_can_hold_is_not_sent(length: int) -> None:
    server, _ = joined(Dialect.REFERENCE)
    with pytest.raises(LocalProtocolError, match="a message has 1 to"):
        server.send_messages([WrittenMessage((0x4800,) * length)])


def test_nothing_is_sent_before_the_im_nor_after_the_end() -> None:
    server = Connection.server()
    message = WrittenMessage(from_text("OFF"))
    with pytest.raises(LocalProtocolError):
        server.send_messages([message])
    server.receive(InitialMessage().to_bytes())
    assert server.send_messages([message, message]) == message.frame() * 2
    server.close()
    with pytest.raises(LocalProtocolError):
        server.send_messages([message])
