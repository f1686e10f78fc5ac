"""Ports that lead to one game each, beside the port that leads to all of them."""

import asyncio
import socket
import ssl
from collections.abc import Callable

import structlog

from server.room import Room

log = structlog.get_logger(__name__)


class GamePorts:
    """Opens a port for a game when it begins, and closes it when the game is over."""

    def __init__(
        self,
        address: str,
        make_link: Callable[[Room], asyncio.Protocol],
        tls: ssl.SSLContext | None,
    ) -> None:
        self._address = address
        self._make_link = make_link
        self._tls = tls
        self._sockets: dict[Room, socket.socket] = {}
        self._servers: dict[Room, asyncio.Server] = {}

    def open(self, room: Room) -> None:
        """Take any free port; whoever connects is answered once `serve` is called.

        A game for which there is none can still be reached at the common port.
        """
        family = socket.AF_INET6 if ":" in self._address else socket.AF_INET
        try:
            taken = socket.create_server((self._address, 0), family=family)
        except OSError as error:
            log.error("no port for the game", game=room.game.name, why=str(error))  # noqa: TRY400
            return
        self._sockets[room] = taken
        room.port = taken.getsockname()[1]

    async def serve(self, room: Room) -> None:
        """Accept connections to a game that has a port."""
        taken = self._sockets.get(room)
        if taken is not None:
            self._servers[room] = await asyncio.get_running_loop().create_server(
                lambda: self._make_link(room), sock=taken, ssl=self._tls
            )

    def close(self, room: Room) -> None:
        """Give the port of a game back."""
        server, taken = self._servers.pop(room, None), self._sockets.pop(room, None)
        if server is not None:
            server.close()
        elif taken is not None:
            taken.close()
