"""Somebody who plays in the browser, as the game sees them: a client of the server's port.

What they do becomes DAIDE messages, and nothing is said to be done before the game has answered.
Raises RefusedError for what is not possible, with a sentence for the page.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import structlog
from attrs import frozen

from daide.client import Client, connect
from daide.errors import ClientError, JoinRefusedError, NoSuchGameError
from grammar.dialects import Dialect
from grammar.english import describe
from grammar.messages import (
    CancelDraw,
    CancelGo,
    CancelOrders,
    ClientMessage,
    Go,
    Hello,
    Huh,
    OrderAnswer,
    PressReceived,
    Prn,
    Rej,
    RequestDraw,
    SelectGame,
    SendPress,
    ServerMessage,
    SubmitOrders,
    Yes,
)
from grammar.parse import Garbled, reader_for
from grammar.tables import LEVELS
from grammar.text import NotTextError, from_text, to_text
from grammar.write import write_press
from rules.board import Board
from rules.errors import BadInputError
from rules.legality import judge_order
from rules.notation import OrderReader, format_order
from rules.orders import Order, OrderNote
from rules.places import Power
from rules.position_json import turn_to_json
from rules.turns import Turn
from spectator.web.seat_table import SeatTable
from spectator.web.site import RefusedError

PATIENCE = 10.0
MOST_ORDERS = 100
LONGEST_PRESS = 4_000
NOTES = {
    OrderNote.NOT_ADJACENT: "that cannot be reached",
    OrderNote.NO_SUCH_UNIT: "there is no such unit",
    OrderNote.NOT_YOUR_UNIT: "that is not your unit",
    OrderNote.NO_SUCH_FLEET: "there is no such fleet",
    OrderNote.NO_SUCH_ARMY: "only an army can be convoyed",
    OrderNote.NOT_AT_SEA: "only a fleet at sea can convoy",
}

log = structlog.get_logger(__name__)


@frozen
class Server:
    """Where games are played."""

    port: int
    host: str = "127.0.0.1"
    dialect: Dialect = Dialect.REFERENCE


class SeatClient:
    """One person's connection to one game."""

    def __init__(self, board: Board, on_change: Callable[["SeatClient"], None]) -> None:
        self.table = SeatTable(board)
        self.game: str | None = None
        self.is_refused = False
        """Whether the server has no place for us, and will not have one."""
        self._on_change = on_change
        self._client: Client | None = None
        self._waiting: list[tuple[Callable[[ServerMessage], bool], asyncio.Future[Any]]] = []
        self._acting = asyncio.Lock()
        self._joined: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    # --- the connection ---------------------------------------------------------------------------

    async def run(
        self, server: Server, name: str, game: str | None, back: tuple[str, int] | None
    ) -> None:
        """Play until the game is over; `joined` tells when there is a place."""
        try:
            async with connect(
                server.host, server.port, dialect=server.dialect, waits_for_server=True
            ) as client:
                self._client = client
                await self._take_place(client, name, game, back)
                async for message in client:
                    await self._on_message(client, message)
                    if self.table.is_over:
                        break
        except (ClientError, OSError) as error:
            self.is_refused = isinstance(error, JoinRefusedError | NoSuchGameError)
            if not self._joined.done():
                self._joined.set_exception(RefusedError(409, f"there is no place: {error}"))
                self._joined.exception()  # seen, also if nobody waits for it
            log.info("seat lost", game=self.game, why=str(error))
        finally:
            self._client = None
            self.table.leave()
            self._on_change(self)

    async def _take_place(
        self, client: Client, name: str, game: str | None, back: tuple[str, int] | None
    ) -> None:
        if game is not None:
            await client.select(game)
        if back is not None:
            power, passcode = back
            await client.rejoin(self.table.board.power(power), passcode)
        else:
            await client.join(name, "web")
        if game is None:
            await client.send(SelectGame())
        else:
            self._enter(game)

    def _enter(self, game: str) -> None:
        self.game = game
        if not self._joined.done():
            self._joined.set_result(game)

    async def joined(self) -> str:
        """Wait for a place; return the name of the game."""
        return await asyncio.wait_for(asyncio.shield(self._joined), PATIENCE)

    async def _on_message(self, client: Client, message: ServerMessage) -> None:
        if isinstance(message, SelectGame) and message.game is not None:
            self._enter(message.game)
        begins = self.table.learn(message)
        for waiting in tuple(self._waiting):
            is_answer, future = waiting
            if is_answer(message):
                self._waiting.remove(waiting)
                if not future.done():
                    future.set_result(message)
                break
        if begins and self.table.has_something_due:
            # Or the turn might run in the moment in which the last order arrives.
            await client.send(CancelGo())
        if begins or isinstance(message, Hello | Yes | OrderAnswer | PressReceived):
            self._on_change(self)

    async def _ask(
        self, message: ClientMessage, *answers: Callable[[ServerMessage], bool]
    ) -> list[Any]:
        """Send something and wait for its answers."""
        if self._client is None:
            raise RefusedError(409, "the connection to the game is lost; it is being made again")
        loop = asyncio.get_running_loop()
        futures = [loop.create_future() for _ in answers]
        entries = list(zip(answers, futures, strict=True))
        self._waiting += entries
        try:
            await self._client.send(message)
            return await asyncio.wait_for(asyncio.gather(*futures), PATIENCE)
        except TimeoutError:
            raise RefusedError(409, "the game has not answered; look again in a moment") from None
        except ClientError as error:
            raise RefusedError(409, f"the game cannot be reached: {error}") from None
        finally:
            self._waiting = [each for each in self._waiting if each not in entries]

    async def _ask_simple(self, message: ClientMessage) -> bool:
        """Send something that is answered with YES or REJ; return whether it was YES."""

        def is_answer(heard: ServerMessage) -> bool:
            return isinstance(heard, Huh | Prn) or heard in (Yes(message), Rej(message))

        (heard,) = await self._ask(message, is_answer)
        return isinstance(heard, Yes)

    # --- orders -----------------------------------------------------------------------------------

    def read_orders(self, body: dict[str, Any]) -> list[Order]:
        """Read the orders of a request, which are for the present turn."""
        power, turn = self._present(body)
        texts = body.get("orders", [])
        if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
            raise RefusedError(400, "orders: send a list of texts")
        if len(texts) > MOST_ORDERS:
            raise RefusedError(400, "orders: there are too many")
        assert self.table.position is not None
        assert turn == self.table.position.turn
        reader = OrderReader(self.table.board, self.table.position)
        try:
            return [reader.read(power, text) for text in texts]
        except (BadInputError, RecursionError) as error:
            raise RefusedError(400, f"orders: {error}") from None

    def _present(self, body: dict[str, Any]) -> tuple[Power, Turn]:
        table = self.table
        if table.state != "playing" or table.power is None or table.position is None:
            raise RefusedError(409, f"nothing can be ordered: {table.state}")
        turn = table.position.turn
        if body.get("turn") != turn_to_json(turn):
            raise RefusedError(409, f"it is {turn} now; that turn is over or has not begun")
        return table.power, turn

    def judged(self, orders: list[Order]) -> list[dict[str, Any]]:
        """Say what the game would say to orders."""
        table = self.table
        assert table.position is not None
        assert table.power is not None
        notes = [judge_order(table.board, table.position, each, table.power) for each in orders]
        return [_told(order, note) for order, note in zip(orders, notes, strict=True)]

    def all_with(self, orders: list[Order]) -> list[Order]:
        """Return the orders that the game has, with these in the place of those they replace."""
        units = {getattr(each, "unit", None) for each in orders}
        kept = [each for each in self.table.orders if getattr(each, "unit", None) not in units]
        return [*kept, *orders]

    async def submit(self, orders: list[Order]) -> list[dict[str, Any]]:
        """Send orders; return each with the note that the game gave it."""
        if not orders:
            return []
        async with self._acting:
            await self._unready()
            assert self.table.position is not None
            message = SubmitOrders(tuple(orders), self.table.position.turn)
            heard = await self._ask(message, *(_answers(order, message) for order in orders))
        notes = [each.note if isinstance(each, OrderAnswer) else None for each in heard]
        if None in notes:
            raise RefusedError(409, "the game did not take the orders; the turn may be over")
        return [_told(order, note) for order, note in zip(orders, notes, strict=True) if note]

    async def withdraw(self, orders: list[Order] | None) -> None:
        """Take orders back, None for all of them."""
        async with self._acting:
            await self._unready()
            for order in [None] if orders is None else orders:
                if not await self._ask_simple(CancelOrders(order)) and order is not None:
                    raise RefusedError(409, f"the game does not have {format_order(order)}")

    async def _unready(self) -> None:
        if self.table.is_ready:
            await self._ask_simple(CancelGo())

    async def ready(self, *, wanted: bool) -> None:
        """Let the turn go on, or hold it."""
        async with self._acting:
            if not await self._ask_simple(Go() if wanted else CancelGo()):
                raise RefusedError(409, "the game does not take that now")

    async def vote(self, powers: list[str] | None, *, wanted: bool) -> None:
        """Vote for a draw, or take the vote back."""
        try:
            chosen = tuple(self.table.board.power(name) for name in powers or ())
        except BadInputError as error:
            raise RefusedError(400, f"powers: {error}") from None
        async with self._acting:
            message = RequestDraw(chosen) if wanted else CancelDraw(chosen)
            if not await self._ask_simple(message):
                raise RefusedError(409, "the game does not take that vote now")

    # --- press ------------------------------------------------------------------------------------

    def draft(self, body: dict[str, Any]) -> tuple[dict[str, Any], SendPress | None]:
        """Read press; return what there is to say about it, and the message if it can be sent."""
        recipients, text = body.get("to"), body.get("text")
        if not isinstance(recipients, list) or not isinstance(text, str):
            raise RefusedError(400, "send the powers as `to` and the DAIDE text as `text`")
        if len(text) > LONGEST_PRESS:
            raise RefusedError(400, "text: it is too long")
        table = self.table
        if (why := table.silence()) is not None:
            return {"ok": False, "why": why}, None
        unknown = [each for each in recipients if each not in table.listeners]
        if unknown or not recipients:
            return {"ok": False, "why": f"to: choose among {', '.join(table.listeners)}"}, None
        return self._read(" ".join(recipients), text)

    def _read(self, recipients: str, text: str) -> tuple[dict[str, Any], SendPress | None]:
        assert self._client is not None or self.table.hello is not None
        names = self._client.representation if self._client is not None else None
        head = f"SND ( {recipients} ) ( "
        try:
            tokens = from_text(f"{head}{text} )", names)
            skipped = len(from_text(head, names))
        except NotTextError as error:
            return {"ok": False, "why": str(error), "at": error.at}, None
        for level in LEVELS:
            read = reader_for(level, names).client(tokens)
            if isinstance(read, SendPress):
                break
        if not isinstance(read, SendPress):
            at = max(0, getattr(read, "at", 0) - skipped)
            why = "the words do not fit together" if isinstance(read, Garbled) else "brackets"
            return {"ok": False, "why": why, "at": at}, None
        if level > self.table.level:
            why = f"it needs press level {level}, this game has {self.table.level}"
            return {"ok": False, "level": level, "why": why}, None
        assert self.table.power is not None
        heard = PressReceived(self.table.power, read.recipients, read.press)
        told = {
            "ok": True,
            "level": level,
            "text": to_text(write_press(read.press, names), names),
            "english": describe(heard),
        }
        return told, read

    async def say(self, message: SendPress) -> bool:
        """Send press; return whether the game took it."""
        return await self._ask_simple(message)


def _answers(order: Order, message: SubmitOrders) -> Callable[[ServerMessage], bool]:
    def is_answer(heard: ServerMessage) -> bool:
        if isinstance(heard, OrderAnswer):
            return heard.order == order
        return isinstance(heard, Huh | Prn) or heard == Rej(message)

    return is_answer


def _told(order: Order, note: OrderNote) -> dict[str, Any]:
    is_saved = note is OrderNote.MIGHT_BE_VALID
    told: dict[str, Any] = {"order": format_order(order), "note": note.value, "saved": is_saved}
    if not is_saved:
        told["why"] = NOTES.get(note, note.name.lower().replace("_", " "))
    return told
