"""Whole games without sockets: bots and a game joined by a queue, so that all is repeatable."""

from collections import defaultdict, deque
from collections.abc import Sequence
from random import Random

from attrs import Factory, define

from bots.player import Player
from bots.strategy import Bot
from grammar.messages import (
    AcceptMap,
    ClientMessage,
    Huh,
    Name,
    OrderAnswer,
    PressReceived,
    Prn,
    Rej,
    SendPress,
    ServerMessage,
)
from grammar.write import write
from matches.in_process import JoinedGame, Member, OnTurn, do_nothing
from rules.maps import load_map
from rules.orders import OrderNote
from server.effects import Effect, Send
from server.game import Game
from server.inputs import Connected, Disconnected, Received
from server.settings import GameSettings
from server.stage import Stage


@define(eq=False)
class Seat(Member):
    """A player that remembers what it has heard and said."""

    heard: list[ServerMessage] = Factory(list)
    said: list[ClientMessage] = Factory(list)

    def receive(self, message: ServerMessage, now: float) -> list[ClientMessage]:
        self.heard.append(message)
        return super().receive(message, now)


class Room(JoinedGame):
    """A game whose bots remember what was said, and may leave and come back."""

    def __init__(
        self,
        bots: Sequence[Bot],
        settings: GameSettings,
        *,
        seed: int = 0,
        schedule: Random | None = None,
    ) -> None:
        """With a `schedule` messages of different bots overtake each other by chance."""
        super().__init__(Game(load_map(), settings, seed=seed))
        self._schedule = schedule
        self.seats: dict[int, Seat] = {}
        for number, bot in enumerate(bots):
            self.seats[number] = Seat(Player(bot, seed=seed))
            self.enter(number, self.seats[number], Name(f"bot {number}", "1"))

    def play(self, _: OnTurn = do_nothing) -> Game:
        """Go on until nobody has anything to say, also after the end."""
        while self._waiting:
            self.step()
        return self.game

    def step(self) -> None:
        if self._schedule is not None:
            number = self._schedule.choice(sorted({number for number, _ in self._waiting}))
            at = next(at for at, each in enumerate(self._waiting) if each[0] == number)
            self._waiting.rotate(-at)
            chosen = self._waiting.popleft()
            self._waiting.rotate(at)
            self._waiting.appendleft(chosen)
        super().step()

    def leave(self, number: int) -> Seat:
        del self.members[number]
        self._happen(Disconnected(number))
        return self.seats.pop(number)

    def return_as(self, number: int, seat: Seat) -> None:
        """Let a client that was away come back on a new connection."""
        introduction = seat.session.introduce_again()
        assert introduction is not None
        self.seats[number] = self.members[number] = seat
        self._happen(Connected(number))
        self._say(number, introduction)

    @property
    def is_over(self) -> bool:
        return self.game.stage is Stage.ENDED

    def heard(self) -> list[ServerMessage]:
        return [message for seat in self.seats.values() for message in seat.heard]

    def faults(self) -> list[ServerMessage]:
        """All that a server should never have to tell our bots."""
        return [message for message in self.heard() if is_fault(message)]

    def _say(self, number: int, message: ClientMessage) -> None:
        self.seats[number].said.append(message)
        super()._say(number, message)


class ScrambledRoom(Room):
    """A room in which chance says whose message comes next, in either direction.

    As on sockets: what one client says comes in order, and so does what it hears.
    """

    def __init__(
        self, bots: Sequence[Bot], settings: GameSettings, *, seed: int = 0, luck: int = 0
    ) -> None:
        self._random = Random(luck)
        self._coming: dict[int, deque[ServerMessage]] = defaultdict(deque)
        self._going: dict[int, deque[ClientMessage]] = defaultdict(deque)
        super().__init__(bots, settings, seed=seed)

    def enter(self, number: int, member: Member, name: Name) -> None:
        super().enter(number, member, name)
        # Who has which power is another matter: the bots come in one after the other.
        while self._coming[number] or self._going[number]:
            self._step_of(number)

    def play(self, _: OnTurn = do_nothing) -> Game:
        while busy := [each for each in self.seats if self._coming[each] or self._going[each]]:
            self._step_of(self._random.choice(busy))
        return self.game

    def _step_of(self, number: int) -> None:
        coming, going = self._coming[number], self._going[number]
        if not going or (coming and self._random.random() < 0.5):
            for reply in self.seats[number].receive(coming.popleft(), self.now):
                self._say(number, reply)
        else:
            tokens = write(going.popleft(), self.game.representation)
            self._happen(Received(number, tokens))

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                for number in effect.to:
                    self._coming[number].append(effect.message)

    def _say(self, number: int, message: ClientMessage) -> None:
        self.seats[number].said.append(message)
        self._going[number].append(message)


def is_fault(message: ServerMessage) -> bool:
    match message:
        case Huh() | Prn():
            return True
        case OrderAnswer(_, note):
            return note is not OrderNote.MIGHT_BE_VALID
        case Rej(message=refused):
            return not isinstance(refused, SendPress | AcceptMap)
    return False


def press_heard(room: Room) -> list[PressReceived]:
    return [message for message in room.heard() if isinstance(message, PressReceived)]
