"""Ports that lead to one game each, beside the port that leads to all of them."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from server.room import Room

log = structlog.get_logger(__name__)


class GamePorts:
    """Opens a port for a game when it begins, and closes it when the game is over."""

    def __init__(
        self,
        address: str,
        accept_all: Callable[[socket.socket, Room], Coroutine[Any, Any, None]],
    ) -> None:
        self._address = address
        self._accept_all = accept_all
        self._sockets: dict[Room, socket.socket] = {}
        self._tasks: dict[Room, asyncio.Task[None]] = {}

    def open(self, room: Room) -> None:
        """Take any free port; whoever connects is answered once `serve` is called.

        A game for which there is none can still be reached at the common port.
        """
        family = socket.AF_INET6 if ":" in self._address else socket.AF_INET
        try:
            taken = socket.create_server((self._address, 0), family=family)
        except OSError as error:
            log.error("no port for the game", game=room.game.name, why=str(error))  # noqa: TRY400 - the text says it all
            return
        self._sockets[room] = taken
        room.port = taken.getsockname()[1]

    def serve(self, room: Room) -> None:
        """Accept connections to a game that has a port."""
        taken = self._sockets.get(room)
        if taken is not None:
            self._tasks[room] = asyncio.get_running_loop().create_task(
                self._accept_all(taken, room), name=f"{room.game.name}.accept"
            )

    def close(self, room: Room) -> None:
        """Give the port of a game back."""
        task, taken = self._tasks.pop(room, None), self._sockets.pop(room, None)
        if task is not None and taken is not None:
            # Not before asyncio has let go of it: the next connection may get its number.
            task.add_done_callback(lambda _: taken.close())
            task.cancel()
        elif taken is not None:
            taken.close()
