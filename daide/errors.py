"""What can go wrong for the author of a client, apart from the network itself (OSError)."""


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


class NoSuchGameError(ClientError):
    """The server does not have the game that was chosen."""
