"""The options of a DAIDE connection's socket, the same at both ends."""

import select
import socket

# Without them the first probe goes out after two hours; with them a peer is given up in a minute.
_KEEP_ALIVE = (("TCP_KEEPIDLE", 20), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3))


def prepare(
    connected: socket.socket, *, unread_timeout: int | None = None, unread: int | None = None
) -> None:
    """Send small messages at once, and notice a peer that has silently gone.

    After `unread_timeout` milliseconds in which the peer confirms nothing it counts as gone. The
    system keeps about `unread` bytes for it, and would keep some megabytes otherwise.
    """
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if unread is not None:
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, unread)
    timeout = () if unread_timeout is None else (("TCP_USER_TIMEOUT", unread_timeout),)
    for option, value in (*_KEEP_ALIVE, *timeout):
        # Not every system has these.
        if hasattr(socket, option):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def has_gone(connected: socket.socket) -> bool:
    """Tell whether the peer has closed, also where bytes of it are still to be read."""
    if not hasattr(select, "POLLRDHUP"):
        return False  # it is found out by reading
    poll = select.poll()
    poll.register(connected, select.POLLRDHUP)
    return bool(poll.poll(0))
