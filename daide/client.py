"""The asyncio client: typed messages out and in, whatever happens to the connection in between.

    async with connect(LOOPBACK, 16713) as client:
        await client.join("HoldBot", "1.0")
        async for message in client:
            match message:
                case Now(turn):
                    await client.send(SubmitOrders(orders(turn), turn))

The iteration ends when the server turns us off, closes, or reports an error; `client.ending` says
which. When a connection is merely lost, the client comes back by itself: a player to its power with
its passcode, everybody else as at first. A player that is back asks for MAP, HLO, ORD, SCO and NOW,
and the answers arrive like any other message, so the author sees the present turn once more. ORD
tells of the last movement turn and later; older turns that were missed can be asked for with HST.

What is sent while the server is away waits, and goes out after that NOW unless its turn is over.

Raises `ClientError` and its kinds, OSError when a server cannot be reached at first,
`BadRepresentationError` when the RM of the server makes no sense, `UnknownNameError` for names that
the game does not have, and `LocalProtocolError` when the author breaks the rules of this module.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from random import Random
from types import TracebackType
from typing import Self

import structlog

from daide import DEFAULT_PORT, LOOPBACK
from daide.backoff import Backoff
from daide.connection import (
    Opened,
    PeerClosed,
    ProtocolFault,
    RepresentationReceived,
    TokensReceived,
)
from daide.connection_end import ConnectionEnd, ending_for, why_closed
from daide.errors import (
    ConnectionEndedError,
    ConnectionLostError,
    JoinRefusedError,
    NoSuchGameError,
    OutboxFullError,
)
from daide.frames import Entries, LocalProtocolError, tokens_to_bytes
from daide.inbox import Inbox
from daide.link import Link
from daide.session import Identity, Session, SessionStage
from grammar.dialects import Dialect
from grammar.messages import (
    ClientMessage,
    Hello,
    Huh,
    IAm,
    MapDefinition,
    Name,
    Observe,
    Rej,
    SelectGame,
    ServerMessage,
    TurnOff,
    Yes,
)
from grammar.parse import HIGHEST_LEVEL, Garbled, Unbalanced, reader_for
from grammar.representation import Representation, standard_representation
from grammar.tokens import Tokens
from grammar.write import write
from rules.places import Power
from rules.turns import Turn

INBOX_LIMIT = 1000
OUTBOX_LIMIT = 200
# Seconds that a server has for each step when we come back; one that lives answers at once.
PATIENCE = 10.0

log = structlog.get_logger(__name__)


class Client:
    """A client of one game; made by `connect`, used inside `async with`."""

    def __init__(  # noqa: PLR0913 - the arguments of `connect`, which has the defaults
        self,
        host: str,
        port: int,
        *,
        dialect: Dialect,
        agrees_to_map: bool,
        backoff: Backoff,
        waits_for_server: bool,
        chance: Random,
    ) -> None:
        self.ending: ConnectionEnd | None = None
        self.representation: Representation = standard_representation()
        self._address = host, port
        self._dialect = dialect
        self._backoff = backoff
        self._waits_for_server = waits_for_server
        self._chance = chance
        self._session = Session(agrees_to_map=agrees_to_map)
        self._entries: Entries = ()
        self._inbox: Inbox[ServerMessage] = Inbox(INBOX_LIMIT)
        # What was sent while the server was away, with the turn in which it was written.
        self._outbox: deque[tuple[Turn | None, ClientMessage, Tokens]] = deque()
        self._link: Link | None = None
        self._is_away = False
        self._answer: asyncio.Future[None] | None = None
        self._reading: asyncio.Task[None] | None = None

    # --- what the author may know -----------------------------------------------------------------

    @property
    def hello(self) -> Hello | None:
        """The HLO of the game, None before its start."""
        return self._session.hello

    @property
    def power(self) -> Power | None:
        """Our power; None before the start, and for observers."""
        return self.hello.power if self.hello else None

    @property
    def level(self) -> int:
        """The press level of the game, 0 before its start."""
        return self.hello.level if self.hello else 0

    @property
    def turn(self) -> Turn | None:
        """The turn that is being played, None before the start."""
        return self._session.turn

    @property
    def map_name(self) -> str | None:
        """The name of the map as the server spells it, None before it is told."""
        return self._session.map_name

    @property
    def map_definition(self) -> MapDefinition | None:
        """The MDF, None before it has come."""
        return self._session.map_definition

    # --- what the author does ---------------------------------------------------------------------

    async def join(self, name: str, version: str) -> None:
        """Ask for a place as a player; return when it is granted.

        The power comes later, with the `Hello` message at the start of the game.
        """
        await self._introduce(Name(name, version))

    async def observe(self) -> None:
        """Ask to watch the game; return when that is granted."""
        await self._introduce(Observe())

    async def rejoin(self, power: Power, passcode: int) -> None:
        """Take back a power that an earlier client has lost; return when that is granted."""
        await self._introduce(IAm(power, passcode))

    async def select(self, game: str) -> None:
        """Choose one of the server's games, before anything else; return when that is granted.

        Raises `NoSuchGameError` if it has none of that name, or cannot be told which is meant.
        """
        choice = SelectGame(game)
        await self.send(choice)
        async for message in self:
            if message == Yes(choice):
                return
            if message == Rej(choice):
                raise NoSuchGameError(f"the server has no game {game!r}")
            if isinstance(message, Huh):
                break
        raise NoSuchGameError("the server cannot be told which game is meant")

    async def send(self, message: ClientMessage) -> None:
        """Send a message, or keep it until the server is back.

        Raises `ConnectionEndedError` if it will not come back, `OutboxFullError` if too much waits.
        """
        if self.ending is not None:
            raise ConnectionEndedError(f"nothing can be sent: {self.ending.value}")
        tokens = write(message, self.representation)
        if self._is_away:
            self._keep(message, tokens)
            return
        try:
            await self._transmit(tokens)
        except ConnectionError:
            # The reading task is about to notice as well, and to bring the server back.
            self._keep(message, tokens)

    def __aiter__(self) -> AsyncIterator[ServerMessage]:
        return self

    async def __anext__(self) -> ServerMessage:
        message = await self._inbox.get()
        if message is not None:
            return message
        self._raise_failure()
        raise StopAsyncIteration

    async def __aenter__(self) -> Self:
        try:
            await self._connect_first()
        except BaseException:
            await self._hang_up()
            raise
        self._reading = asyncio.create_task(self._read_to_the_end(), name="daide-client.read")
        self._reading.add_done_callback(self._on_finished)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._reading is not None
        self._reading.cancel()
        await asyncio.wait((self._reading,))
        await self._hang_up()

    # --- the reading task -------------------------------------------------------------------------

    async def _read_to_the_end(self) -> None:
        """Take what comes until it is over; come back whenever the connection is lost."""
        while self.ending is None:
            ending = await self._read_event()
            if ending is None:
                continue
            if not self._may_come_back(ending):
                # Known before the farewell, which may take a moment in which somebody sends.
                self.ending = ending
            await self._hang_up()
            if self.ending is None:
                await self._come_back()
        log.info("connection ended", reason=self.ending.value)

    async def _read_event(self, patience: float | None = None) -> ConnectionEnd | None:
        """Take one event and return how the connection ended, if it did.

        Only the server's silence uses up the patience, not an author who is slow to read.
        """
        assert self._link is not None
        async with asyncio.timeout(patience):
            event = await self._link.next_event()
        match event:
            case TokensReceived(tokens):
                return await self._on_tokens(tokens)
            case RepresentationReceived(entries):
                self._on_representation(entries)
            case PeerClosed(reason, code):
                log.info("server left", how=why_closed(reason, code))
                return ending_for(reason)
            case ProtocolFault(code):
                log.warning("server broke the protocol", code=code.value, meaning=code.meaning)
                return ConnectionEnd.SERVER_FAULT
            case Opened():  # pragma: no cover - only servers see it
                raise AssertionError(event)
        return None

    def _on_representation(self, entries: Entries) -> None:
        # The same names after a lost connection keep the same object, and the parser made for it.
        if entries != self._entries:
            self._entries = entries
            self.representation = Representation.from_entries(entries)

    async def _on_tokens(self, tokens: tuple[int, ...]) -> ConnectionEnd | None:
        # What the server lets through is within the level of the game; that is not ours to judge.
        message = reader_for(HIGHEST_LEVEL, self.representation).server(tokens)
        if isinstance(message, Garbled | Unbalanced):
            log.warning("message not understood", first=f"{tokens[0]:#06x}", at=message.at)
            return None
        for reply in self._session.receive(message):
            # If the server has gone meanwhile, the next event says so.
            with suppress(ConnectionError):
                await self._transmit(write(reply, self.representation))
        self._settle_answer()
        await self._inbox.put(message)
        return ConnectionEnd.TURNED_OFF if isinstance(message, TurnOff) else None

    # --- coming and going -------------------------------------------------------------------------

    async def _connect_first(self) -> None:
        """Open the first connection, patiently if the server may not be up yet."""
        waits = self._backoff.waits(self._chance) if self._waits_for_server else iter(())
        while True:
            try:
                await self._open_link()
            except OSError:
                await self._hang_up()
                wait = next(waits, None)
                if wait is None:
                    raise
                await asyncio.sleep(wait)
            else:
                return

    def _may_come_back(self, ending: ConnectionEnd) -> bool:
        return (
            ending is ConnectionEnd.LOST
            and not self._session.is_over
            and self._backoff.attempts > 0
        )

    async def _come_back(self) -> None:
        """Get back into the game, or learn that it has ended for us.

        Raises `ConnectionLostError` when all attempts have failed.
        """
        self._is_away = True
        for attempt, wait in enumerate(self._backoff.waits(self._chance), start=1):
            log.info("coming back", attempt=attempt, wait=round(wait, 3))
            await asyncio.sleep(wait)
            if await self._try_to_come_back():
                log.info("back", attempt=attempt)
                await self._send_what_waited()
                return
            await self._hang_up()
            if self.ending is not None:
                return
        self.ending = ConnectionEnd.LOST
        host, port = self._address
        raise ConnectionLostError(
            f"no way back to {host}:{port}: {self._backoff.attempts} attempts"
        )

    async def _try_to_come_back(self) -> bool:
        try:
            await self._open_link()
            introduction = self._session.introduce_again()
            if introduction is None:
                return True
            await self._transmit(write(introduction, self.representation))
            return await self._wait_until_in_game()
        except OSError as error:  # a TimeoutError is one too
            log.info("server not reached", error=str(error) or type(error).__name__)
            return False

    async def _wait_until_in_game(self) -> bool:
        """Listen until the server has told us all we asked for; False if it does not let us in."""
        while not self._session.is_in_game:
            ending = await self._read_event(PATIENCE)
            if ending is not None:
                # A server that sends us away means it; one that vanishes may be tried again.
                self.ending = None if ending is ConnectionEnd.LOST else ending
                return False
            if self._session.stage is SessionStage.REFUSED:
                # It may not have noticed yet that our old connection is dead.
                log.info("not let back in yet")
                return False
        return True

    async def _send_what_waited(self) -> None:
        """Empty the outbox; whatever is sent meanwhile queues up behind."""
        while self._outbox:
            written, message, tokens = self._outbox[0]
            if self._session.is_late(message, written):
                log.warning("message too late", kind=type(message).__name__, written=str(written))
            else:
                try:
                    await self._transmit(tokens)
                except ConnectionError:
                    return  # lost again, as the next event will say; we are still away
            self._outbox.popleft()
        self._is_away = False

    async def _open_link(self) -> None:
        """Connect and wait for the RM: before it no name of the game can be written.

        Raises OSError, also when the server leaves in place of its RM.
        """
        async with asyncio.timeout(PATIENCE):
            self._link = await Link.open(*self._address, self._dialect)
        ending = await self._read_event(PATIENCE)
        if ending is not None:
            raise ConnectionRefusedError(f"no RM: {ending.value}")

    async def _hang_up(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            await link.close()

    # --- small parts ------------------------------------------------------------------------------

    async def _introduce(self, identity: Identity) -> None:
        if self._answer is not None:
            raise LocalProtocolError("an earlier introduction has not been answered")
        self._raise_failure()
        if self.ending is not None:
            raise ConnectionEndedError(f"nobody can be asked: {self.ending.value}")
        tokens = write(identity, self.representation)
        self._answer = asyncio.get_running_loop().create_future()
        try:
            self._session.introduce(identity)
            if not self._is_away:
                # Never kept for later: who comes back introduces itself anyway.
                with suppress(ConnectionError):
                    await self._transmit(tokens)
            await self._answer
        finally:
            self._answer = None

    def _settle_answer(self) -> None:
        """Tell a waiting `join` what the server said."""
        if (
            self._answer is None
            or self._answer.done()
            or self._session.stage is SessionStage.ASKING
        ):
            return
        if self._session.stage is SessionStage.REFUSED:
            why = self._session.why_refused
            self._answer.set_exception(JoinRefusedError(f"the server does not let us in: {why}"))
        else:
            self._answer.set_result(None)

    async def _transmit(self, tokens: Tokens) -> None:
        if self._link is None or self._link.is_closed:
            raise ConnectionResetError("the server has gone")
        await self._link.send(tokens)

    def _keep(self, message: ClientMessage, tokens: Tokens) -> None:
        if len(self._outbox) >= OUTBOX_LIMIT:
            raise OutboxFullError(f"{OUTBOX_LIMIT} messages wait for the server already")
        tokens_to_bytes(tokens)  # what cannot be sent is the author's error now, not ours later
        self._outbox.append((self._session.turn, message, tokens))

    def _on_finished(self, reading: asyncio.Task[None]) -> None:
        """Let nobody wait for a task that has ended, whatever the reason."""
        failure = None if reading.cancelled() else reading.exception()
        self.ending = self.ending or (
            ConnectionEnd.LEFT if failure is None else ConnectionEnd.FAILED
        )
        self._inbox.close()
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(failure or ConnectionEndedError(self.ending.value))

    def _raise_failure(self) -> None:
        reading = self._reading
        if reading is not None and reading.done() and not reading.cancelled():
            reading.result()


def connect(  # noqa: PLR0913 - all but the address have defaults
    host: str = LOOPBACK,
    port: int = DEFAULT_PORT,
    *,
    dialect: Dialect = Dialect.REFERENCE,
    agrees_to_map: bool = True,
    backoff: Backoff | None = None,
    waits_for_server: bool = False,
    chance: Random | None = None,
) -> Client:
    """Return a client for `async with`, which connects.

    With `agrees_to_map` the client asks for the map and accepts it; without, the author answers the
    `MapName` message with `AcceptMap` or `RefuseMap`. `backoff` says how often and how quickly to
    come back, `backoff.NEVER` not to. `waits_for_server` lets it hold for the first connection too.
    `chance` decides the jitter.
    """
    return Client(
        host,
        port,
        dialect=dialect,
        agrees_to_map=agrees_to_map,
        backoff=backoff or Backoff(),
        waits_for_server=waits_for_server,
        chance=chance or Random(),  # noqa: S311 - jitter is no secret
    )
