"""The page's server: documents, the page itself, one socket a tab, and what a seat does."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from traceback import format_exception
from typing import Any, TypeAlias

import structlog
from attrs import Factory, define
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from daide import __version__
from rules.board import Board
from rules.maps import load_map, map_names
from rules.position_json import PositionJson, position_from_json
from spectator.drawings import drawing_of
from spectator.web.board_document import board_document, legal_of
from spectator.web.chronicle import Chronicle
from spectator.web.keys import bearer
from spectator.web.library import MOST_KEPT, Document, answer, encode
from spectator.web.origins import Origins, answer_headers
from spectator.web.site import RefusedError, Site
from spectator.web.socket import serve_socket
from spectator.web.views import PUBLIC

PAGE = Path(__file__).parent.parent / "page"
LONGEST_BODY = 64_000
COMPRESSED_FROM = 2_000

ANSWERS = ("http.response.start", "websocket.http.response.start")

log = structlog.get_logger(__name__)

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]


@define
class Documents:
    """Answers whoever reads."""

    site: Site
    _boards: dict[str, Document] = Factory(dict)
    _legal: dict[str, tuple[object, Document]] = Factory(dict)
    """By game, with when they are legal."""

    async def lobby(self, request: Request) -> Response:
        """Tell of all games."""
        return _send(request, self.site.library.lobby(f"daide {__version__}"))

    async def game(self, request: Request) -> Response:
        """Tell everything of a game that the reader may know."""
        chronicle, who = await self.opened(request)
        return _send(request, self.site.library.document(chronicle, who))

    async def turn(self, request: Request) -> Response:
        """Tell of one turn."""
        chronicle, who = await self.opened(request)
        code = request.path_params["turn"]
        found = self.site.library.turn(chronicle, who, code)
        if found is None:
            raise RefusedError(404, f"no turn {code!r} was played in {chronicle.name!r}")
        return _send(request, found)

    async def legal(self, request: Request) -> Response:
        """Tell which orders are legal now, of all powers."""
        chronicle, _ = await self.opened(request)
        now = chronicle.views[PUBLIC].document.get("now")
        when = chronicle.run, now and now["turn"]
        known = self._legal.get(chronicle.name)
        if known is None or known[0] != when:
            known = self._legal[chronicle.name] = when, _legal(chronicle)
            if len(self._legal) > MOST_KEPT:
                del self._legal[next(iter(self._legal))]
        return _send(request, known[1])

    async def board(self, request: Request) -> Response:
        """Tell of a board that is ours, or that a game is played on."""
        board = self._known_board(request.path_params["variant"])
        return _send(request, answer(board_document(board)))

    async def drawing(self, request: Request) -> Response:
        """Give the drawing of a board."""
        name = request.path_params["variant"]
        if name not in self._boards:
            board = self._known_board(name)
            self._boards[name] = answer(await asyncio.to_thread(drawing_of, board))
        return _send(request, self._boards[name])

    def _known_board(self, name: str) -> Board:
        for chronicle in self.site.library.games.values():
            if name == chronicle.variant:
                return chronicle.board
        if name not in map_names():
            raise RefusedError(404, f"there is no board {name!r}")
        return load_map(name)

    async def opened(self, request: Request) -> tuple[Chronicle, str]:
        """Return the game of a request, and as whom it is read."""
        name = request.path_params["game"]
        chronicle = await self.site.library.find(name)
        if chronicle is None:
            raise RefusedError(404, f"there is no game {name!r}")
        who = self.site.reader_of(bearer(request.headers), name)
        if who is None:
            await self.site.slow_down(request.client.host if request.client else "")
            raise RefusedError(403, "this link does not open this game")
        return chronicle, who


def _legal(chronicle: Chronicle) -> Document:
    position: PositionJson | None = chronicle.position
    now = chronicle.views[PUBLIC].document.get("now")
    if position is None or now is None:
        return answer({"legal": {}})
    board = chronicle.board
    standing = position_from_json(board, position)
    return answer(
        {
            "turn": position["turn"],
            "phase": now["phase"],
            "legal": {power.name: legal_of(board, standing, power) for power in board.powers},
        }
    )


def _send(request: Request, told: Document) -> Response:
    headers = {"ETag": told.tag}
    if told.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if len(told.body) < COMPRESSED_FROM or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(told.body, media_type="application/json", headers=headers)
    headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(told.packed(), media_type="application/json", headers=headers)


async def body_of(request: Request) -> dict[str, Any]:
    """Return the object that a request brings."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedError(400, "send Content-Type: application/json")
    body = b""
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > LONGEST_BODY:
                raise RefusedError(400, "that is too long")
    except ClientDisconnect:
        raise RefusedError(400, "that ended too early") from None
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        raise RefusedError(400, "that is not JSON") from None
    if not isinstance(read, dict):
        raise RefusedError(400, "send a JSON object")
    return read


# --- around every request -------------------------------------------------------------------------


class Guard:
    """Refuses what is not addressed to us or comes from elsewhere; adds what browsers must obey."""

    def __init__(self, app: ASGIApp, origins: Origins) -> None:
        self._app, self._origins = app, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        asked = HTTPConnection(scope)
        host = asked.headers.get("host", "")
        headers = answer_headers(host if self._origins.is_ours(host) else "")

        async def send_guarded(message: Message) -> None:
            if message["type"] in ANSWERS:
                message["headers"] = [*message.get("headers", ()), *headers]
            await send(message)

        if scope["type"] == "websocket":
            await self._app(scope, receive, send_guarded)
            return
        why = self._refusal(Request(scope), host)
        app = self._app if why is None else _refusal(403, why)
        await app(scope, receive, send_guarded)

    def _refusal(self, request: Request, host: str) -> str | None:
        if not self._origins.is_ours(host):
            return "this server does not answer to that name; see --web-name"
        is_change = request.method not in ("GET", "HEAD")
        if is_change and not self._origins.is_same(request.headers.get("origin"), host):
            return "requests that change something must come from our own page"
        return None


def _refusal(status: int, why: str) -> Response:
    body = encode({"error": why, "lobby": "/"})
    return Response(body, status_code=status, media_type="application/json")


async def _on_refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return _refusal(error.status, error.why)


async def _on_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    why = "there is nothing here" if error.status_code == 404 else error.detail
    return _refusal(error.status_code, why)


async def _on_failure(_: Request, error: Exception) -> Response:
    # Told plainly: with all its values it is work for a minute, and the values are secrets.
    told = "".join(format_exception(error))
    log.error("request failed", why=f"{type(error).__name__}: {error}", exception=told)
    return _refusal(500, "something went wrong in the server; it is in its log")


async def _page(_: Request) -> Response:
    return FileResponse(PAGE / "index.html", media_type="text/html; charset=utf-8")


def make_app(site: Site, more: list[Route] | None = None) -> ASGIApp:
    """Return the whole site as an ASGI application."""
    documents = Documents(site)

    async def socket(connection: WebSocket) -> None:
        await serve_socket(site, connection)

    game = "/api/games/{game}"
    app = Starlette(
        routes=[
            Route("/", _page),
            Route("/g/{game}", _page),
            Route("/g/{game}/{turn}", _page),
            Route("/api/lobby", documents.lobby),
            Route("/api/boards/{variant}", documents.board),
            *(more or ()),
            Route(game, documents.game),
            Route(f"{game}/turns/{{turn}}", documents.turn),
            Route(f"{game}/legal", documents.legal),
            WebSocketRoute("/api/live", socket),
            Route("/page/maps/{variant}.json", documents.drawing),
            Mount("/page", StaticFiles(directory=PAGE)),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM, compresslevel=5)],
        exception_handlers={
            RefusedError: _on_refused,
            HTTPException: _on_http,
            Exception: _on_failure,
        },
    )
    # Outside of everything, so that no answer is without its headers.
    return Guard(app, site.origins)
