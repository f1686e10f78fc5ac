"""Runs the page's server: on a port of its own, until it is told to end."""

import asyncio
import contextlib
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import cast
from urllib.parse import quote

import uvicorn
from starlette.types import ASGIApp

from rules.errors import BadInputError
from server.addresses import reached_at
from spectator.web.connections import Asking, BrowserLink, Socket, is_our_failure


def bind(host: str, port: int) -> socket.socket:
    """Take a port; raises BadInputError if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(1024)
    except (OSError, OverflowError) as error:
        bound.close()
        why = error.strerror if isinstance(error, OSError) else str(error)
        sentence = f"the page cannot listen on {host}:{port}: {why}; choose another port"
        raise BadInputError(sentence) from None
    bound.setblocking(False)  # noqa: FBT003 - the socket's own way
    return bound


class _Server(uvicorn.Server):
    """Leaves signals to us."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing: our own command says what a signal means."""
        yield


@asynccontextmanager
async def serving(
    app: ASGIApp, bound: socket.socket, asking: Asking | None = None
) -> AsyncIterator[None]:
    """Serve on a socket while the block runs."""
    request = partial(BrowserLink, asking=asking or Asking())
    config = uvicorn.Config(
        app,
        http=cast("type[BrowserLink]", request),
        ws=Socket,
        ws_per_message_deflate=False,
        ws_max_size=64_000,
        ws_ping_interval=None,
        lifespan="off",
        access_log=False,
        log_level="error",
        server_header=False,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=32_000,
    )
    logging.getLogger("uvicorn.error").addFilter(is_our_failure)
    server = _Server(config)
    running = asyncio.create_task(server.serve(sockets=[bound]), name="page.serve")
    try:
        yield
    finally:
        server.should_exit = True
        await asyncio.wait([running])
        bound.close()


def address_of(bound: socket.socket, game: str | None = None, secret: str | None = None) -> str:
    """Return what to type into a browser: the lobby or a game, with a secret behind `#`."""
    host, port = bound.getsockname()[:2]
    host = reached_at(host)
    shown = f"[{host}]" if ":" in host else host
    path = "" if game is None else f"g/{quote(game, safe='')}"
    return f"http://{shown}:{port}/{path}" + (f"#{secret}" if secret else "")


def open_browser(address: str) -> None:
    """Show an address if there is a desktop to show it on."""
    has_desktop = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if has_desktop:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)
