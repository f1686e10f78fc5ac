from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from daide.connection import Connection, Event, ProtocolFault
from daide.frames import DiplomacyMessage, ErrorMessage, RepresentationMessage

IM = bytes.fromhex("0000 0004 0001 da10")

headers = st.builds(
    lambda kind, pad, length: bytes([kind, pad]) + length.to_bytes(2, "big"),
    st.integers(0, 6),
    st.integers(0, 255),
    st.sampled_from([0, 1, 2, 3, 4, 6, 12, 0x0400, 0xFFFE, 0xFFFF]),
)
tokens = st.integers(0, 0xFFFF).filter(lambda token: not 0x58 <= token >> 8 <= 0x5F)
frames = st.one_of(
    st.just(IM),
    st.lists(tokens, min_size=1, max_size=9).map(lambda t: DiplomacyMessage(tuple(t)).to_bytes()),
    st.integers(0, 20).map(lambda code: ErrorMessage(code).to_bytes()),
    st.integers(0, 3).map(lambda n: RepresentationMessage(((0x4100, "AUS"),) * n).to_bytes()),
)
streams = st.tuples(
    st.sampled_from([b"", IM, bytes.fromhex("0100 0000")]),
    st.lists(st.one_of(frames, frames, frames, headers, st.binary(max_size=9)), max_size=8),
).map(lambda parts: parts[0] + b"".join(parts[1]))


def a_server() -> Connection:
    return Connection.server()


def a_client() -> Connection:
    connection = Connection.client()
    connection.initiate()
    return connection


def events_of(connection: Connection, chunks: list[bytes]) -> list[Event]:
    events = [event for chunk in chunks for event in connection.receive(chunk)]
    return events + connection.receive_eof()


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({place % (len(stream) + 1) for place in places})
    starts = [0, *ends]
    return [stream[start:end] for start, end in zip(starts, [*ends, len(stream)], strict=True)]


@given(streams, st.lists(st.integers(0, 10_000), max_size=6), st.sampled_from([a_server, a_client]))
def test_events_do_not_depend_on_how_the_stream_is_cut(
    stream: bytes, places: list[int], make: Callable[[], Connection]
) -> None:
    whole = events_of(make(), [stream])
    assert events_of(make(), [bytes([byte]) for byte in stream]) == whole
    assert events_of(make(), cut(stream, places)) == whole


@given(st.binary(max_size=200), st.sampled_from([a_server, a_client]))
def test_noise_is_at_most_a_fault(noise: bytes, make: Callable[[], Connection]) -> None:
    connection = make()
    events = events_of(connection, [noise])
    assert connection.is_closed
    assert len([event for event in events if isinstance(event, ProtocolFault)]) <= 1


@given(st.binary(max_size=40))
def test_a_client_after_its_initial_message_may_send_any_noise(noise: bytes) -> None:
    whole = events_of(a_server(), [IM + noise])
    assert events_of(a_server(), [IM, *(bytes([byte]) for byte in noise)]) == whole


@given(st.lists(tokens, min_size=1, max_size=300))
def test_tokens_arrive_as_they_were_sent(sent: list[int]) -> None:
    server, client = a_server(), a_client()
    server.receive(IM)
    [received] = server.receive(client.send_tokens(sent))
    assert received.tokens == tuple(sent)  # type: ignore[union-attr]  # tokens came
