"""What can go wrong for the author of a client, apart from the network itself (OSError)."""

import os
import socket


class ClientError(Exception):
    """Any of the following."""


class JoinRefusedError(ClientError):
    """The server does not let us in: the game is full, has begun, or the passcode is wrong."""


class ConnectionEndedError(ClientError):
    """There is no connection any more, and none is coming."""


class ConnectionLostError(ConnectionEndedError):
    """The connection broke in the middle of a game and could not be made again."""


class OutboxFullError(ClientError):
    """Too many messages wait for a server that is away."""


class NoServerError(ClientError):
    """Nobody answers at the address; the text says so, and what to do."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        why = (os.strerror(error.errno) if error.errno else str(error)) or type(error).__name__
        if isinstance(error, socket.gaierror):
            why = error.strerror or str(error)
        super().__init__(
            f"no server answers at {host}:{port} ({why.lower()}); is it started, on that port?"
        )


class NoSuchGameError(ClientError):
    """The server does not have the game that was chosen."""
