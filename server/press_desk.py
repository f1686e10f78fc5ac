"""Press between powers: whether it may be sent now, what of it goes out, and when.

Press goes out at once, or in rounds (`docs/press-rounds.md`): what the powers say in a round is
relayed together, in the order of the powers, once all of them have finished. Those speak who have
orders to give: a turn does not wait for the others, so that what they say would depend on timing.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

import structlog
from attrs import Factory, define, frozen

from grammar import messages as m
from grammar.english import describe
from grammar.messages import PressReceived, SendPress
from grammar.press import (
    Accept,
    Cancel,
    Decline,
    DemandExplanation,
    DontKnow,
    NotUnderstood,
    Press,
    Refuse,
    Sorry,
    Understand,
)
from grammar.representation import Representation
from grammar.vocabulary import TRY_LEVELS
from grammar.write import write_press
from rules.places import Power
from rules.turns import Phase, Turn
from server.answering import Answering
from server.game_log import note, who
from server.history import History, RelayedPress
from server.order_book import OrderBook
from server.seat import Client, ClientId, Seat
from server.settings import GameSettings

log = structlog.get_logger(__name__)

LONGEST_ENGLISH = 4_000
"""Characters of press in English: all of it could be longer than a message may be."""


@frozen
class PressRefused:
    """The press may not be sent; `why` is for our log."""

    why: str


def may_speak(
    settings: GameSettings, turn: Turn, remaining: float | None, message: SendPress
) -> PressRefused | None:
    """Judge whether press may be sent at this moment of the game."""
    if message.turn is not None and message.turn != turn:
        return PressRefused("another turn")
    if turn.phase is Phase.RETREAT and settings.no_press_in_retreats:
        return PressRefused("no press in retreat turns")
    if turn.phase is Phase.ADJUSTMENT and settings.no_press_in_builds:
        return PressRefused("no press in build turns")
    if (
        turn.phase is Phase.MOVEMENT
        and settings.press_limit is not None
        and remaining is not None
        and remaining <= settings.press_limit
    ):
        return PressRefused("press deadline passed")
    return None


def named_powers(press: Press, names: Representation) -> Iterable[Power]:
    """Give the powers that press talks about; quotations of old press may name anybody."""
    match press:
        case NotUnderstood() | Cancel() | DemandExplanation() | Sorry():
            return ()
        case Accept(answered) | Refuse(answered) | Decline(answered) | DontKnow(answered):
            return named_powers(answered, names)
    return (names.powers[token] for token in write_press(press, names) if token in names.powers)


def relayed(press: Press, level: int) -> Press:
    """Return what of the press goes out: words above the level are taken out of a TRY."""
    if not isinstance(press, Understand):
        return press
    return Understand(
        tuple(word for word in press.words if TRY_LEVELS.get(word, level + 1) <= level)
    )


@define
class RoundBook:
    """Press that waits for the end of its round."""

    number: int = 1
    _waiting: dict[Power, list[PressReceived]] = Factory(dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been said in this round."""
        return not self._waiting

    def add(self, press: PressReceived) -> None:
        """Keep press until the round ends."""
        self._waiting.setdefault(press.sender, []).append(press)

    def close(self, powers: Iterable[Power]) -> list[PressReceived]:
        """End the round and return what was said, by power and then in the order it was said."""
        said = [press for power in powers for press in self._waiting.get(power, ())]
        self._waiting.clear()
        self.number += 1
        return said


class SpokenGame(Answering, Protocol):
    """What press sees of a game; it changes what was said, and in rounds the go flags."""

    @property
    def name(self) -> str:
        """What it is called, for the log."""

    @property
    def settings(self) -> GameSettings:
        """The level, and when press is allowed."""

    @property
    def turn(self) -> Turn:
        """The turn that is played."""

    @property
    def remaining(self) -> float | None:
        """The seconds until the deadline, None without one."""

    @property
    def representation(self) -> Representation:
        """The tokens of the powers."""

    @property
    def seats(self) -> Mapping[Power, Seat]:
        """The powers in their order, each with its client if any."""

    @property
    def clients(self) -> Mapping[ClientId, Client]:
        """Those who may read all press are among them."""

    @property
    def book(self) -> OrderBook:
        """Who has orders to give, and so may speak in rounds."""

    @property
    def rounds(self) -> RoundBook:
        """What waits for the end of its round."""

    @property
    def history(self) -> History:
        """What was said."""

    def is_alive(self, power: Power) -> bool:
        """Whether a power is still in the game."""

    def playing(self, sender: Client, *, alive: bool = False) -> Seat | None:
        """Return the seat of a player of a running game, of a surviving one if so asked."""

    def post(self, to: Iterable[ClientId], message: m.ServerMessage) -> None:
        """Send a message to these clients, if there are any."""


def on_send_press(game: SpokenGame, sender: Client, message: m.SendPress) -> None:
    """Answer SND: YES and delivery, or CCD, OUT or REJ."""
    seat = game.playing(sender, alive=True)
    if seat is None:
        game.answer(sender, message, accepted=False)
        return
    problem = _press_problem(game, seat, message)
    if isinstance(problem, PressRefused):
        note("press refused", game=game.name, **who(sender), why=problem.why)
        game.answer(sender, message, accepted=False)
        return
    if problem is not None:
        game.send(sender, problem)
        return
    press = relayed(message.press, game.settings.level)
    received = m.PressReceived(seat.power, message.recipients, press)
    game.answer(sender, message, accepted=True)
    if game.settings.press_rounds is None:
        deliver(game, received)
    else:
        game.rounds.add(received)


def _press_problem(
    game: SpokenGame, seat: Seat, message: m.SendPress
) -> PressRefused | m.Eliminated | m.CivilDisorder | None:
    """Return the answer to press that cannot be delivered."""
    refusal = may_speak(game.settings, game.turn, game.remaining, message)
    refusal = refusal or _round_problem(game, seat)
    if refusal is not None:
        return refusal
    if seat.power in message.recipients:
        return PressRefused("sent to oneself")
    for power in message.recipients:
        if not game.is_alive(power):
            return m.Eliminated(power)
    for power in message.recipients:
        if game.seats[power].client is None:
            return m.CivilDisorder(power)
    named = named_powers(message.press, game.representation)
    return next((m.Eliminated(each) for each in named if not game.is_alive(each)), None)


def _round_problem(game: SpokenGame, seat: Seat) -> PressRefused | None:
    limit = game.settings.press_rounds
    if limit is None:
        return None
    if not game.book.is_due(seat.power):
        return PressRefused("nothing to order in this turn")
    return PressRefused("the rounds of this turn are over") if game.rounds.number > limit else None


def deliver(game: SpokenGame, press: m.PressReceived) -> None:
    """Send press to its recipients, and to those who may see everything in English as well."""
    game.history.press.append(RelayedPress(game.turn, press))
    recipients = {game.seats[power].client for power in press.recipients}
    watching = [each for each in game.clients.values() if each.is_omniscient]
    to = {client for client in recipients if client is not None}
    to.update(each.number for each in watching)
    game.post(sorted(to), press)
    if watching:
        english = m.Admin("Server", _in_english(press))
        game.post((each.number for each in watching), english)


def _in_english(press: m.PressReceived) -> str:
    text = describe(press)
    return text if len(text) <= LONGEST_ENGLISH else f"{text[:LONGEST_ENGLISH]} ..."


def relay_round(game: SpokenGame) -> set[Power]:
    """Deliver what was said in a round, and return who heard something."""
    said = game.rounds.close(game.seats)
    for press in said:
        deliver(game, press)
    return {power for press in said for power in press.recipients}


def close_round(game: SpokenGame) -> None:
    """End a round, and let those who heard something speak again while there are rounds left."""
    heard = relay_round(game)
    if game.rounds.number > (game.settings.press_rounds or 0):
        return
    marker = m.Admin("Server", f"press round {game.rounds.number}")
    for seat in game.seats.values():
        is_talking = seat.talks_in_rounds and game.book.is_due(seat.power)
        if seat.power in heard and is_talking and seat.client is not None:
            seat.go = False
            game.send(game.clients[seat.client], marker)
