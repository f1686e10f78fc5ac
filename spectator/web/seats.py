"""All those who play in the browser, and the requests with which they do it."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import structlog
from attrs import Factory, define
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cli.whole_files import PRIVATE, write_whole
from rules.board import Board
from rules.maps import load_map
from server.limits import TokenBucket
from server.passcodes import LARGEST_PASSCODE
from server.write_ahead_log import keep_copy
from spectator.web.app import body_of
from spectator.web.hub import Place
from spectator.web.keys import SeatKey, bearer, new_secret
from spectator.web.library import encode
from spectator.web.seat_client import SeatClient, Server
from spectator.web.site import RefusedError, Site

LONGEST_NAME = 40
NEWS_TAKE = 10.0
"""How long the news of a new game may be on their way, in seconds."""
MOST_SEATS = 500
"""So many people play at a time."""
ACTS_PER_SECOND, ACTS_AT_ONCE = 20.0, 60.0
"""What a seat may do; the game itself would take more for a flood, and send it away."""
JOINS_PER_SECOND, JOINS_AT_ONCE = 2.0, 30.0

log = structlog.get_logger(__name__)

Act: TypeAlias = Callable[[SeatClient, dict[str, Any]], Awaitable[dict[str, Any]]]


@define
class Seats:
    """Opens seats, and passes on what is done in them."""

    site: Site
    server: Server | None
    """Where the games are played; None if nobody may play here."""
    board: Board = Factory(lambda: load_map("standard"))
    file: Path | None = None
    """Where the seats are kept, so that they survive us."""
    clients: dict[str, SeatClient] = Factory(dict)
    """By secret, as all that follows."""
    _tasks: dict[str, asyncio.Task[None]] = Factory(dict)
    _acts: dict[str, TokenBucket] = Factory(dict)
    _joins: TokenBucket = Factory(lambda: TokenBucket(JOINS_PER_SECOND, JOINS_AT_ONCE))

    def __attrs_post_init__(self) -> None:
        self.site.library.free_seats = self._free
        self.site.library.on_forgotten = self._forget_game
        self.site.library.may_play = self.server is not None

    def _free(self, game: str) -> int:
        chronicle = self.site.library.games.get(game)
        lobby = chronicle.lobby if chronicle is not None else None
        if lobby is None or lobby.stage != "forming" or self.server is None:
            return 0
        return max(0, lobby.seats - lobby.players)

    # --- opening ----------------------------------------------------------------------------------

    async def open(
        self, name: str, game: str | None = None, back: tuple[str, int] | None = None
    ) -> tuple[str, SeatClient]:
        """Take a place for somebody; return its secret."""
        if len(self._tasks) >= MOST_SEATS or not self._joins.take(time.monotonic()):
            raise RefusedError(429, "too many people come at once; try again later")
        secret, client = self.prepare(name, game, back)
        try:
            game = await client.joined()
        except TimeoutError:
            self._tasks[secret].cancel()
            self._forget(secret)
            raise RefusedError(409, "there is no place: the server does not answer") from None
        await self._hear_of(game)
        self.site.keys.seats[secret] = SeatKey(game, back[0] if back else None)
        return secret, client

    async def _hear_of(self, game: str) -> None:
        """Wait for the news of a game that began with us: they come on another way than we did."""
        with suppress(TimeoutError):
            async with asyncio.timeout(NEWS_TAKE):
                while await self.site.library.find(game) is None:  # noqa: ASYNC110 - no event
                    await asyncio.sleep(0.02)

    def prepare(
        self, name: str, game: str | None, back: tuple[str, int] | None = None
    ) -> tuple[str, SeatClient]:
        """Make a seat that will take its place as soon as the server lets it."""
        if self.server is None:
            raise RefusedError(409, "nobody can play through this page: the server speaks TLS")
        secret = new_secret()
        client = SeatClient(self.board, self._changed)
        if game is not None:
            self.site.keys.seats[secret] = SeatKey(game, None)
        self._start(secret, client, name, game, back)
        return secret, client

    def _start(
        self,
        secret: str,
        client: SeatClient,
        name: str,
        game: str | None,
        back: tuple[str, int] | None,
    ) -> None:
        self.clients[secret] = client
        assert self.server is not None
        running = client.run(self.server, name, game, back)
        task = self._tasks[secret] = asyncio.create_task(running, name="seat.run")
        task.add_done_callback(lambda _: self._tasks.pop(secret))

    def close(self) -> None:
        """Leave all games; the seats stay those of their people."""
        for task in self._tasks.values():
            task.cancel()

    def _forget(self, secret: str) -> None:
        """Let a secret open nothing any more."""
        for known in (self.site.keys.seats, self.clients, self._acts):
            known.pop(secret, None)

    def _forget_game(self, game: str) -> None:
        for secret, key in tuple(self.site.keys.seats.items()):
            if key.game == game:
                self._forget(secret)
        self._keep()

    def restore(self) -> None:
        """Take up the seats of those who played when we ended."""
        if self.file is None or self.server is None or not self.file.exists():
            return
        for secret, (game, power, passcode) in self._read(self.file).items():
            client = SeatClient(self.board, self._changed)
            self.site.keys.seats[secret] = SeatKey(game, power)
            self._start(secret, client, "", game, (power, passcode))

    def _read(self, file: Path) -> dict[str, tuple[str, str, int]]:
        """Return game, power and passcode by secret; what is damaged is said and left out."""
        found: dict[str, tuple[str, str, int]] = {}
        try:
            kept = json.loads(file.read_text())
        except (OSError, ValueError, RecursionError):
            kept = None
        is_damaged = not isinstance(kept, dict)
        powers = {power.name for power in self.board.powers}
        for secret, seat in () if is_damaged else kept.items():
            match seat:
                case {"game": str(game), "power": str(power), "passcode": int(passcode)} if (
                    power in powers and 0 < passcode <= LARGEST_PASSCODE
                ):
                    found[secret] = game, power, passcode
                case _:
                    is_damaged = True
        if is_damaged:
            copy = keep_copy(str(file))
            log.error(
                "page: seats cannot be read; their people are absent", path=str(file), copy=copy
            )
        return found

    def _changed(self, client: SeatClient) -> None:
        """Tell the pages of a seat how it stands."""
        secret = next((each for each, known in self.clients.items() if known is client), None)
        if secret is None:
            return  # its game is gone
        if client.is_refused:
            self._forget(secret)
            self._keep()
            return
        power = client.table.power
        key = self.site.keys.seats.get(secret)
        if power is None or client.game is None:
            return
        if key is None or key.power is None:
            self.site.keys.seats[secret] = SeatKey(client.game, power.name)
            self._keep()
        told = {
            "game": client.game,
            "event": "seat",
            "seat": client.table.to_json(with_legal=False),
        }
        self.site.hub.tell(Place(client.game, power.name), told)

    def _keep(self) -> None:
        if self.file is None:
            return
        kept = {
            secret: {
                "game": client.game,
                "power": client.table.power.name,
                "passcode": client.table.hello.passcode,
            }
            for secret, client in self.clients.items()
            if client.table.hello is not None and client.table.power is not None
        }
        try:
            write_whole(self.file, json.dumps(kept), mode=PRIVATE, survives_power_loss=True)
        except OSError as error:
            # With the next change it is tried again; until then only a restart would miss it.
            log.error("page: seats cannot be kept", path=str(self.file), why=str(error))  # noqa: TRY400 - why says it

    # --- requests ---------------------------------------------------------------------------------

    def routes(self) -> list[Route]:
        """Return the addresses of what people do."""
        seat = "/api/games/{game}/seat"
        acts: dict[str, Act] = {
            "check": self._check,
            "orders": self._orders,
            "withdraw": _withdraw,
            "ready": _ready,
            "draw": _draw,
            "press/check": _draft,
            "press": _press,
        }
        return [
            Route("/api/seats", self._join_any, methods=["POST"]),
            Route("/api/games/{game}/seats", self._join, methods=["POST"]),
            Route(seat, self._seat),
            *(
                Route(f"{seat}/{name}", self._acting(act), methods=["POST"])
                for name, act in acts.items()
            ),
        ]

    async def _join_any(self, request: Request) -> Response:
        return await self._sit_down(request, None)

    async def _join(self, request: Request) -> Response:
        game = request.path_params["game"]
        if await self.site.library.find(game) is None:
            raise RefusedError(404, f"there is no game {game!r}")
        if not self._free(game):
            raise RefusedError(409, "all seats of this game are taken")
        return await self._sit_down(request, game)

    async def _sit_down(self, request: Request, game: str | None) -> Response:
        body = await body_of(request)
        name = body.get("name") or "human"
        if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable():
            raise RefusedError(400, f"name: send up to {LONGEST_NAME} characters")
        if not name.isascii():
            raise RefusedError(400, "name: the protocol knows ASCII characters only")
        secret, client = await self.open(name, game)
        return _json({"game": client.game, "secret": secret} | client.table.to_json())

    async def _seat(self, request: Request) -> Response:
        return _json((await self._client(request)).table.to_json())

    async def _client(self, request: Request) -> SeatClient:
        """Return the seat that a request has the secret of."""
        secret, game = bearer(request.headers), request.path_params["game"]
        key = self.site.keys.seat(secret)
        if secret is None or key is None or key.game != game:
            await self.site.slow_down(request.client.host if request.client else "")
            raise RefusedError(403, "this link does not open a seat of this game")
        return self.clients[secret]

    def _slow(self, secret: str) -> None:
        """Refuse what comes faster than anybody can click."""
        if secret not in self._acts:
            self._acts[secret] = TokenBucket(ACTS_PER_SECOND, ACTS_AT_ONCE)
        if not self._acts[secret].take(time.monotonic()):
            raise RefusedError(429, "that is too fast")

    def _acting(self, act: Act) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            client = await self._client(request)
            self._slow(bearer(request.headers) or "")
            return _json(await act(client, await body_of(request)))

        return handle

    async def _check(self, client: SeatClient, body: dict[str, Any]) -> dict[str, Any]:
        orders = client.read_orders(body)
        return {"orders": client.judged(orders), "breaks": self._breaks(client, orders)}

    async def _orders(self, client: SeatClient, body: dict[str, Any]) -> dict[str, Any]:
        orders = client.read_orders(body)
        breaks = self._breaks(client, orders)
        told = await client.submit(orders)
        return {"orders": told, "breaks": breaks, "seat": client.table.to_json(with_legal=False)}

    def _breaks(self, client: SeatClient, orders: list[Any]) -> list[dict[str, Any]]:
        chronicle = self.site.library.games.get(client.game or "")
        power = client.table.power
        if chronicle is None or power is None:
            return []
        return chronicle.broken_by(power, client.all_with(orders))


async def _withdraw(client: SeatClient, body: dict[str, Any]) -> dict[str, Any]:
    orders = client.read_orders(body)
    await client.withdraw(orders if "orders" in body else None)
    return {"seat": client.table.to_json(with_legal=False)}


async def _ready(client: SeatClient, body: dict[str, Any]) -> dict[str, Any]:
    client.read_orders({"turn": body.get("turn")})
    await client.ready(wanted=_flag(body, "ready"))
    return {"seat": client.table.to_json(with_legal=False)}


async def _draw(client: SeatClient, body: dict[str, Any]) -> dict[str, Any]:
    powers = body.get("powers")
    if powers is not None and not isinstance(powers, list):
        raise RefusedError(400, "powers: send a list of powers")
    await client.vote(powers, wanted=_flag(body, "draw"))
    return {"seat": client.table.to_json(with_legal=False)}


async def _draft(client: SeatClient, body: dict[str, Any]) -> dict[str, Any]:
    return client.draft(body)[0]


async def _press(client: SeatClient, body: dict[str, Any]) -> dict[str, Any]:
    told, message = client.draft(body)
    if message is None:
        return told | {"sent": False}
    is_taken = await client.say(message)
    return told | ({"sent": True} if is_taken else {"sent": False, "why": "the game refused it"})


def _flag(body: dict[str, Any], name: str) -> bool:
    value = body.get(name)
    if not isinstance(value, bool):
        raise RefusedError(400, f"{name}: send true or false")
    return value


def _json(fields: dict[str, Any]) -> Response:
    return Response(encode(fields), media_type="application/json")
