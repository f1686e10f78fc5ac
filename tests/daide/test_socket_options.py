"""The options of sockets as the system tells them, and peers that have gone."""

import select
import socket
from collections.abc import Iterator

import pytest

from daide.socket_options import has_gone, prepare


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        client = socket.create_connection(listening.getsockname())
        server, _ = listening.accept()
    with client, server:
        yield client, server


def test_small_messages_go_at_once_and_silent_peers_are_found(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    _, server = pair
    prepare(server, unread_timeout=50_000)
    assert server.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert server.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        assert server.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 50_000
    if hasattr(socket, "TCP_KEEPIDLE"):
        idle = server.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
        step = server.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL)
        probes = server.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT)
        assert idle + step * probes <= 60, "within a minute"


@pytest.mark.skipif(not hasattr(select, "POLLRDHUP"), reason="this system cannot tell")
def test_a_peer_that_has_closed_is_gone_whether_or_not_it_said_something(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    client, server = pair
    assert not has_gone(server)
    client.sendall(b"half a message")
    assert not has_gone(server)
    client.close()
    for _ in range(100):
        if has_gone(server):
            break
        select.select([], [], [], 0.01)
    assert has_gone(server)
    assert server.recv(100) == b"half a message"
