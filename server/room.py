"""A room: one game, the task that owns it, and the inbox which that task empties.

The task handles what has gathered, waits until it is kept in the store, and only then lets the
answers out: nobody is thanked for what could still be lost.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from time import perf_counter
from typing import Protocol, TypeAlias

import structlog
from attrs import Factory, frozen

from daide.connection import WrittenMessage
from grammar.messages import MapDefinition, PressReceived, ServerMessage
from grammar.parse import LONGEST_FROM_CLIENT
from grammar.tokens import Tokens, Word, first_unbalanced
from grammar.write import write
from server.clock import HostClock
from server.effects import Aside, Drop, Effect, Outgoing, Refused, Send
from server.game import Game
from server.game_choice import listing, players_needed
from server.inbox import SAID, Backlog, Inbox, Item, weight_of, weight_of_item
from server.inputs import Batch, Commanded, Connected, Disconnected, Input, Received, Ticked, apply
from server.limits import Meter
from server.link import Link
from server.observers import Handled, Observer
from server.pace import Pace, TurnToWork
from server.record import played_to_json
from server.seat import Client, ClientId, Seat
from server.snapshot import write_snapshot
from server.stage import Stage
from server.store import GameId, Store

LARGEST_BATCH = 256
MOST_EFFECTS = 150
# A snapshot is kept after so many seconds of work, or so many times what it takes: that of a long
# game takes a tenth of a second, and of one that is talked full several.
SNAPSHOT_WORK = 0.2
SNAPSHOT_RATIO = 200
SNAPSHOT_COST = 0.0003
"""Seconds for each turn that was played, before one has been timed."""
# A client with so many messages that wait for the game is not read from for a while: what others
# of that game say stands behind them. A long message counts as many.
MOST_PENDING = 24
GUESTS_AT_ONCE = 16
"""How much of those without a part is handled before others are looked for, as it weighs."""
ARRIVAL = 50
"""As how many tokens it counts in the store that a client comes to a game, and leaves it."""
PRESS_WEIGHT = 4
"""As how many tokens one of press counts: games hold it, where it takes seven times as much."""
SHORTEST_WAIT = 0.001
_NAME, _PRESS = int(Word.NME), int(Word.SND)
_REJ, _PRN, _BRA, _KET = int(Word.REJ), int(Word.PRN), int(Word.BRA), int(Word.KET)
_COMPLAINTS = frozenset((int(Word.HUH), _PRN))

log = structlog.get_logger(__name__)


OnEffect: TypeAlias = "Callable[[Room, Effect], None]"
OnChange: TypeAlias = "Callable[[Room], None]"
OnEnd: TypeAlias = "Callable[[Room, TurnToWork], Awaitable[None]]"


class Recipient(Protocol):
    """A connection as a room sees it: it is written to, and not read from while it floods."""

    @property
    def link(self) -> Link:
        """The way to the client."""

    @property
    def meter(self) -> Meter:
        """What it has asked for."""

    pending: int
    """How much of what it has sent the game has not handled yet."""
    is_paused: bool


@frozen
class Surroundings:
    """What all rooms of a host share."""

    store: Store
    clock: HostClock
    pace: Pace
    members: Mapping[ClientId, Recipient]
    on_effect: OnEffect
    """Takes the effects that concern the host."""
    on_change: OnChange
    """Is told after every batch."""
    on_end: "OnEnd"
    """Is waited for when a game has ended, before anybody is told."""
    observers: list[Observer] = Factory(list)
    backlog: Backlog = Factory(Backlog)


class Room:
    """Owns a game; everybody else only posts to its inbox, and reads."""

    def __init__(
        self,
        number: GameId,
        game: Game,
        around: Surroundings,
        *,
        batches: int = 0,
        time: float = 0.0,
    ) -> None:
        self.number = number
        self.game = game
        self.knocking = 0
        """How many clients have asked for a place and wait for the answer."""
        self.is_stopped = False
        self.is_deserted = False
        """Whether it was stopped because nobody plays it."""
        self.port: int | None = None
        """The port that leads to this game only, if it has one."""
        self._around = around
        self._batches = batches
        self._turns_kept = len(game.history.turns)
        self._base = time - around.clock.now()
        self._inbox = Inbox(around.backlog)
        self._is_done = False
        self._before_deadline: int | None = None
        """How much of what players said before a deadline that has passed is not handled yet."""
        self._news = asyncio.Event()
        self._due: float | None = None
        """When the game wants to be told the time, as of the last time that it was asked."""
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_due: float | None = None
        self._map: WrittenMessage | None = None
        self._listed: WrittenMessage | None = None
        self._absentees: tuple[Seat, ...] | None = None
        self._turn = around.pace.turn()
        self._work = 0.0
        """Seconds that a restart would repeat."""
        self._snapshot_cost = 0.0

    # --- what others see --------------------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        """The stage of the game."""
        return self.game.stage

    @property
    def is_over(self) -> bool:
        """Whether the game has ended and everybody has left."""
        return self.stage is Stage.ENDED and not self.game.clients and not self._inbox

    @property
    def has_place(self) -> bool:
        """Whether another player that asks now will find a place."""
        if self.stage is not Stage.FORMING or self.is_stopped:
            return False
        return self.knocking < players_needed(self.game)

    @property
    def waiting(self) -> int:
        """How much is in the inbox."""
        return len(self._inbox)

    @property
    def has_players(self) -> bool:
        """Whether any power has a client."""
        return any(seat.client is not None for seat in self.game.seats.values())

    @property
    def absentees(self) -> tuple[Seat, ...]:
        """The seats of a running game whose players have gone; kept until something happens."""
        if self._absentees is None:
            seats = self.game.seats.values() if self.stage is Stage.RUNNING else ()
            self._absentees = tuple(each for each in seats if each.client is None)
        return self._absentees

    @property
    def listed(self) -> WrittenMessage:
        """The game as it stands in the list of games, written when it is asked for the first time.

        It is kept until something happens in the game.
        """
        if self._listed is None:
            self._listed = self._written(listing(self.game))
        return self._listed

    def time(self) -> float:
        """Return the game's own time, which stands still while the server is down."""
        return self._base + self._around.clock.now()

    # --- posting ----------------------------------------------------------------------------------

    def post(self, item: Item) -> None:
        """Put something into the inbox; once the game is over nobody reads it."""
        if self._is_done:
            return
        if isinstance(item, SAID):
            self.knocking += item.tokens[0] == _NAME
            self._count(item.client, weight_of(item.tokens))
        self._inbox.put(item, is_guest=self._is_guest(item))
        self._news.set()

    def _is_guest(self, item: Item) -> bool:
        """Tell whether something comes from a client without a part in the game."""
        number = getattr(item, "client", None)
        if number is None:
            return False
        client = self.game.clients.get(number)
        return client is None or not client.has_part

    def forget(self, client: ClientId) -> None:
        """Throw away what a client has sent and the game has not seen: it was sent away."""
        for item in self._inbox.remove_said(client):
            self.knocking -= item.tokens[0] == _NAME
            self._count(client, -weight_of(item.tokens))

    def command(self, words: str) -> None:
        """Let the host do something to the game."""
        self.post(Commanded(words))

    def stop(self) -> None:
        """Let the task end after what is in the inbox."""
        self.is_stopped = True
        self._news.set()

    def give_up(self) -> None:
        """Forget what is in the inbox: nobody was thanked for it."""
        self._inbox.clear()
        self._news.set()

    def _count(self, client: ClientId, step: int) -> None:
        member = self._around.members.get(client)
        if member is None:
            return
        member.pending += step
        if member.pending > MOST_PENDING and not member.is_paused:
            member.is_paused = True
            member.link.pause()
        elif member.is_paused and member.pending < MOST_PENDING // 2:
            member.is_paused = False
            member.link.resume()

    # --- the task ---------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play the game to its end, or until the room is stopped."""
        try:
            while not self.is_over and not (self.is_stopped and not self._inbox):
                await self._news.wait()
                self._news.clear()
                await self._handle_news()
        finally:
            self._is_done = True
            self._inbox.clear()
            if self._alarm is not None:
                self._alarm.cancel()

    async def _handle_news(self) -> None:
        stage = self.stage
        await self._turn.begin()
        now = self.time()
        inputs, effects, kept = await self._drain(now)
        self._listed = self._absentees = None
        turns = await self._keep(Batch(now, tuple(kept))) if kept else []
        if self.stage is Stage.ENDED and stage is not Stage.ENDED:
            await self._around.on_end(self, self._turn)
        elif self._work > self._snapshot_due():
            await self._keep_snapshot()
        said = await self._carry_out(effects)
        self._set_alarm()
        if self.stage is not stage:
            self._log_stage()
        self._around.on_change(self)
        if self._around.observers:
            self._tell_observers(Handled(now, inputs, effects, turns, said))

    def _tell_observers(self, what: Handled) -> None:
        for observer in self._around.observers:
            try:
                observer.handled(self, what)
            except Exception:
                log.exception("observer failed", game=self.game.name)

    async def _drain(self, now: float) -> tuple[list[Input], list[Outgoing], list[Input]]:
        """Handle what is in the inbox, and then what the time asks for.

        Returns what was handled, what follows, and the inputs from which it can be rebuilt.
        """
        inputs: list[Input] = []
        kept: list[Input] = []
        effects: list[Outgoing] = []
        turn, guests = self._turn, 0
        while self._inbox and len(inputs) < LARGEST_BATCH and len(effects) < MOST_EFFECTS:
            item, is_first = self._inbox.take()
            if isinstance(item, SAID):
                self.knocking -= item.tokens[0] == _NAME
                self._count(item.client, -weight_of(item.tokens))
            if isinstance(item, Refused):
                effects.append(item)
            elif isinstance(item, Aside):
                effects += [] if self._is_dismissed(item.client) else [item]
            elif self._concerns_game(item):
                inputs.append(item)
                effects += self._apply(item, now, kept)
            if is_first and self._before_deadline:
                self._before_deadline -= 1
            guests += 0 if is_first else weight_of_item(item)
            if guests >= GUESTS_AT_ONCE:
                break
            if turn.is_up:
                await turn.begin()
        if self._inbox:
            self._news.set()
        if self._is_time(now):
            inputs.append(Ticked())
            kept.append(Ticked())
            effects += apply(self.game, Ticked(), now)
            self._due = self.game.next_tick()
        return inputs, effects, kept

    def _is_time(self, now: float) -> bool:
        """Tell whether the game is to be told the time: what players said before comes first.

        What they say after that waits, and so does what others say: a flood moves no deadline.
        """
        self._due = self.game.next_tick()
        if self._due is None or self._due > now:
            self._before_deadline = None
            return False
        if self._before_deadline is None:
            self._before_deadline = self._inbox.first
        self._before_deadline = min(self._before_deadline, self._inbox.first)
        if self._before_deadline:
            return False
        self._before_deadline = None
        return True

    def _apply(self, item: Input, now: float, kept: list[Input]) -> list[Effect]:
        """Let the game act on an input, and keep it if it leaves a trace."""
        guest = self._guest(item)
        before = guest.standing if guest is not None else None
        began = perf_counter()
        effects = apply(self.game, item, now)
        self._work += perf_counter() - began
        if guest is None or guest.standing != before or _is_noticed(guest, effects):
            kept.append(item)
            if isinstance(item, Received | Connected) and item.client in self._around.members:
                meter = self._around.members[item.client].meter
                meter.charge_kept(_kept_of(item), self._around.clock.now())
        return effects

    def _guest(self, item: Input) -> Client | None:
        """Return the speaker, if it has no part in the game.

        All that such a client can change is what the game knows of it. Its questions and its noise
        would fill the disk, and everybody can be one, as would what concerns itself alone. What
        others hear of it is kept.
        """
        if not isinstance(item, Received):
            return None
        client = self.game.clients[item.client]
        return None if client.has_part else client

    def _concerns_game(self, item: Input) -> bool:
        """Tell whether the game knows the client, who may have been moved or dropped meanwhile."""
        match item:
            case Received(client, _) | Disconnected(client):
                return client in self.game.clients
            case Connected(client, _):
                return client not in self.game.clients
        return True

    def _is_dismissed(self, client: ClientId) -> bool:
        known = self.game.clients.get(client)
        return known is not None and known.is_dismissed

    async def _keep_snapshot(self) -> None:
        """Keep the game as it stands, so that a restart repeats little of the work.

        Others go on meanwhile; this game does not, so that nothing of it changes.
        """
        steps, spent = write_snapshot(self.game), 0.0
        while True:
            began = perf_counter()
            try:
                next(steps)
            except StopIteration as done:
                data: bytes = done.value
                break
            spent += perf_counter() - began
            if self._turn.is_up:
                await self._turn.begin()
        self._around.store.keep_snapshot(self.number, self._batches, data)
        self._work = 0.0
        self._snapshot_cost = spent + perf_counter() - began

    def _snapshot_due(self) -> float:
        cost = max(self._snapshot_cost, SNAPSHOT_COST * len(self.game.history.turns))
        return max(SNAPSHOT_WORK, SNAPSHOT_RATIO * cost)

    async def _keep(self, batch: Batch) -> list[str]:
        """Wait until a batch is kept, and return the turns that it completed."""
        turns = self.game.history.turns
        new = [
            (number, json.dumps(played_to_json(turns[number])))
            for number in range(self._turns_kept, len(turns))
        ]
        self._turns_kept = len(turns)
        self._batches += 1
        await self._around.store.append(self.number, self._batches, batch, new)
        return [turn for _, turn in new]

    def _set_alarm(self) -> None:
        if self._due == self._alarm_due:
            return  # which is so for all messages of a turn but its last
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self._alarm_due = self._due
        if self._due is not None:
            wait = max(SHORTEST_WAIT, self._due - self.time())
            self._alarm = asyncio.get_running_loop().call_later(wait, self._on_alarm)

    def _on_alarm(self) -> None:
        self._alarm = self._alarm_due = None
        self._news.set()

    def _log_stage(self) -> None:
        game = self.game
        match game.stage:
            case Stage.RUNNING:
                log.info("game started", game=game.name)
            case Stage.ENDED:
                assert game.ending is not None
                names = [power.name for power in game.ending.powers]
                how, turn = game.ending.kind.value, str(game.ending.turn)
                log.info("game ended", game=game.name, how=how, powers=names, turn=turn)
            case Stage.FORMING:
                pass

    # --- carrying out -----------------------------------------------------------------------------

    async def _carry_out(
        self, effects: list[Outgoing]
    ) -> list[tuple[PressReceived, WrittenMessage]]:
        """Send what is to be sent, all that a client gets in one piece, and do the rest.

        Returns the press among it, as it was written.
        """
        said: list[tuple[PressReceived, WrittenMessage]] = []
        out: dict[ClientId, list[WrittenMessage]] = defaultdict(list)
        told_alone: dict[ClientId, int] = defaultdict(int)
        leaving: list[ClientId] = []
        turn = self._turn
        for effect in effects:
            if turn.is_up:
                await turn.begin()
            match effect:
                case Send(to, message):
                    written = self._written(message)
                    for client in to:
                        out[client].append(written)
                    if len(to) == 1:
                        told_alone[to[0]] += len(written.tokens)
                    if isinstance(message, PressReceived):
                        said.append((message, written))
                case Drop(client):
                    leaving.append(client)
                case Refused(client, tokens):
                    out[client] += _refusal(tokens)
                case Aside(client, messages):
                    out[client] += messages
                    told_alone[client] += sum(len(each.tokens) for each in messages)
                case _:
                    self._around.on_effect(self, effect)
        self._charge(told_alone)
        await self._send_all(out)
        members = self._around.members
        for client in leaving:
            if client in members:
                members[client].link.leave()
        return said

    def _charge(self, told_alone: Mapping[ClientId, int]) -> None:
        """Count what was told to one client only, in tokens: mostly what it has asked for."""
        now = self._around.clock.now()
        for client, length in told_alone.items():
            member = self._around.members.get(client)
            if member is not None:
                member.meter.charge_answer(length, now)

    async def _send_all(self, out: Mapping[ClientId, Sequence[WrittenMessage]]) -> None:
        members, turn = self._around.members, self._turn
        for client, queue in out.items():
            if turn.is_up:
                await turn.begin()  # there may be thousands of observers
            if client in members:
                members[client].link.send(queue)

    def _written(self, message: ServerMessage) -> WrittenMessage:
        if not isinstance(message, MapDefinition):
            return WrittenMessage(write(message, self.game.representation))
        if self._map is None:
            self._map = WrittenMessage(write(message, self.game.representation))
        return self._map


def _kept_of(item: Received | Connected) -> int:
    """Return as how many tokens something counts that is kept."""
    if isinstance(item, Connected):
        return ARRIVAL
    return len(item.tokens) * (PRESS_WEIGHT if item.tokens[0] == _PRESS else 1)


def _is_noticed(guest: Client, effects: Sequence[Effect]) -> bool:
    """Tell whether anybody else heard a guest, or anybody is sent away."""
    alone = (guest.number,)
    return not all(isinstance(effect, Send) and effect.to == alone for effect in effects)


def _refusal(tokens: Tokens) -> list[WrittenMessage]:
    """Return REJ with the message itself, or PRN if it could not stand in the brackets of REJ.

    HUH and PRN are never answered, and too many tokens are not quoted.
    """
    if tokens[0] in _COMPLAINTS or len(tokens) > LONGEST_FROM_CLIENT:
        return []
    word = _REJ if first_unbalanced(tokens) is None else _PRN
    return [WrittenMessage((word, _BRA, *tokens, _KET))]
