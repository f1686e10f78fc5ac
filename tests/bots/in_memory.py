"""Whole games without sockets: bots and a game joined by a queue, so that all is repeatable."""

from collections import defaultdict, deque
from collections.abc import Sequence
from random import Random

from attrs import Factory, define

from bots.player import Player
from bots.strategy import Bot
from daide.session import Session
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
from rules.maps import load_map
from rules.orders import OrderNote
from server.effects import Drop, Effect, Send
from server.game import Game
from server.settings import GameSettings
from server.stage import Stage


@define(eq=False)
class Seat:
    session: Session
    player: Player
    heard: list[ServerMessage] = Factory(list)
    said: list[ClientMessage] = Factory(list)

    def receive(self, message: ServerMessage, now: float) -> list[ClientMessage]:
        self.heard.append(message)
        replies = self.session.receive(message)
        return [*replies, *self.player.receive(message, now)]


class Room:
    """A game and its bots; what they say is taken in turn."""

    def __init__(
        self,
        bots: Sequence[Bot],
        settings: GameSettings,
        *,
        seed: int = 0,
        schedule: Random | None = None,
    ) -> None:
        """With a `schedule` messages of different bots overtake each other by chance."""
        self._schedule = schedule
        self.game = Game(load_map(), settings, seed=seed)
        self.now = 0.0
        self.seats: dict[int, Seat] = {}
        self._waiting: deque[tuple[int, ClientMessage]] = deque()
        for number, bot in enumerate(bots):
            self.enter(number, Seat(Session(), Player(bot, seed=seed)))

    def enter(self, number: int, seat: Seat) -> None:
        self.seats[number] = seat
        self._carry_out(self.game.connect(number, self.now))
        self._say(number, seat.session.introduce(Name(f"bot {number}", "1")))

    def play(self) -> Game:
        """Go on until nobody has anything to say."""
        while self._waiting:
            self.step()
        return self.game

    def step(self) -> None:
        """Let the game hear one message."""
        if self._schedule is not None:
            number = self._schedule.choice(sorted({number for number, _ in self._waiting}))
            at = next(at for at, each in enumerate(self._waiting) if each[0] == number)
            number, message = self._waiting[at]
            del self._waiting[at]
        else:
            number, message = self._waiting.popleft()
        if number in self.seats:
            tokens = write(message, self.game.representation)
            self._carry_out(self.game.receive(number, tokens, self.now))

    def leave(self, number: int) -> Seat:
        seat = self.seats.pop(number)
        self._carry_out(self.game.disconnect(number, self.now))
        return seat

    def return_as(self, number: int, seat: Seat) -> None:
        """Let a client that was away come back on a new connection."""
        introduction = seat.session.introduce_again()
        assert introduction is not None
        self.seats[number] = seat
        self._carry_out(self.game.connect(number, self.now))
        self._say(number, introduction)

    @property
    def is_over(self) -> bool:
        return self.game.stage is Stage.ENDED

    def heard(self) -> list[ServerMessage]:
        return [message for seat in self.seats.values() for message in seat.heard]

    def faults(self) -> list[ServerMessage]:
        """All that a server should never have to tell our bots."""
        return [message for message in self.heard() if is_fault(message)]

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(to, message):
                    for number in to:
                        seat = self.seats[number]
                        for reply in seat.receive(message, self.now):
                            self._say(number, reply)
                case Drop(number):
                    self.seats.pop(number, None)

    def _say(self, number: int, message: ClientMessage) -> None:
        self.seats[number].said.append(message)
        self._waiting.append((number, message))


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

    def enter(self, number: int, seat: Seat) -> None:
        super().enter(number, seat)
        # Who has which power is another matter: the bots come in one after the other.
        while self._coming[number] or self._going[number]:
            self._step_of(number)

    def play(self) -> Game:
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
            self._carry_out(self.game.receive(number, tokens, self.now))

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
