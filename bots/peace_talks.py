"""Talk about peace at press level 10: what BlabBot and the Diplominator have in common.

Every proposal is answered: YES or REJ, or BWX if it does not concern us. What is said in a turn
depends on what was heard alone, so that a game in rounds of press can be repeated.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from bots.strategy import Negotiator
from bots.view import GameView
from grammar.messages import PressReceived, SendPress
from grammar.press import (
    Accept,
    Alliance,
    Arrangement,
    Cancel,
    Decline,
    Draw,
    Not,
    Peace,
    Press,
    Propose,
    Refuse,
    Understand,
)
from rules.places import Power
from rules.turns import Phase, Turn

_LATE_YEARS = 1
"""How long a proposal may wait for its answer: people answer late."""


class PeaceTalks(Negotiator, ABC):
    """Proposes peace to whom `seeks_peace_with` names, and remembers who is a friend."""

    words: Sequence[str] = ("PRP", "PCE", "ALY", "VSS", "DRW", "NOT", "YES", "REJ", "BWX", "CCL")

    def __init__(self) -> None:
        self.friends: set[Power] = set()
        self.deaf: set[Power] = set()
        """Powers that have told us that they understand no press at all."""
        self._accepting: set[Power] = set()
        """Whose peace we have accepted, while the server has not passed on our YES."""
        self._wooed_in: dict[Power, int] = {}
        """To whom we have proposed peace, and in which year the last time."""
        self._turn: Turn | None = None

    # --- for the bots -----------------------------------------------------------------------------

    def begin_turn(self, view: GameView) -> None:
        """Learn what a new position says; called once a turn, before anything else."""

    @abstractmethod
    def seeks_peace_with(self, view: GameView) -> Sequence[Power]:
        """Return to whom we propose peace now."""

    @abstractmethod
    def accepts_peace(self, view: GameView, sender: Power, powers: frozenset[Power]) -> bool:
        """Whether we agree to peace among powers of which we are one."""

    def make_peace(self, view: GameView, power: Power) -> None:
        """Take a power for a friend: both sides have agreed."""
        del view
        self.friends.add(power)

    def end_peace(self, view: GameView, power: Power) -> bool:
        """Hear that a power wants peace no more; return whether that changes anything."""
        del view, power
        return False

    def proposes_draw(self, view: GameView) -> bool:
        """Whether we propose a draw to the others in this turn."""
        return self.votes_for_draw(view)

    @property
    def spared(self) -> set[Power]:
        """Whom our orders are to spare: friends, and those whose peace we have just accepted.

        In the last round of a turn our orders go out with our YES, before the server confirms it;
        to attack in that very turn would be a stab that nobody meant.
        """
        return self.friends | self._accepting

    # --- the contract -----------------------------------------------------------------------------

    def notice(self, view: GameView) -> None:
        """Take note of a new turn, whoever asks us first in it."""
        if view.turn != self._turn:
            self._turn = view.turn
            self._accepting.clear()
            self.begin_turn(view)

    def open_turn(self, view: GameView) -> Sequence[SendPress]:
        """Propose peace, and perhaps a draw, one message for each power."""
        self.notice(view)
        # A server with rounds of press hears only those who have something to order.
        if view.phase is not Phase.MOVEMENT or not view.has_orders_due:
            return ()
        sought = self.seeks_peace_with(view)
        self._wooed_in.update(dict.fromkeys(sought, view.turn.year))
        peace = [SendPress((power,), Propose(Peace((view.power, power)))) for power in sought]
        drawn = others(view) if self.proposes_draw(view) else ()
        draws = [SendPress((power,), Propose(Draw())) for power in drawn if power not in self.deaf]
        return [*peace, *draws]

    def on_press(self, view: GameView, received: PressReceived) -> Sequence[SendPress]:
        """Answer proposals; replies need no answer."""
        self.notice(view)
        sender = received.sender
        match received.press:
            case Propose(arrangement):
                answer = self._answer(view, sender, received.press, arrangement)
                return [SendPress((sender,), answer)]
            case Accept(Propose(Peace(powers))) if {view.power, sender} <= set(powers):
                if self._has_asked(view, sender):
                    self.make_peace(view, sender)
            case Cancel(Propose(Peace())):
                self._accepting.discard(sender)
            case Understand(()):
                self.deaf.add(sender)
        return ()

    def on_answer(self, view: GameView, sent: SendPress, *, accepted: bool) -> None:
        """Count on a peace that we have accepted once the other side is sure to hear of it."""
        self.notice(view)
        match sent:
            case SendPress((power,), Accept(Propose(Peace()))) if power in self._accepting:
                self._accepting.remove(power)
                if accepted:
                    self.make_peace(view, power)

    def _has_asked(self, view: GameView, power: Power) -> bool:
        """Whether we have proposed peace not long ago: a YES to nothing binds nobody."""
        return view.turn.year <= self._wooed_in.get(power, -_LATE_YEARS) + _LATE_YEARS

    def _answer(
        self, view: GameView, sender: Power, press: Press, arrangement: Arrangement
    ) -> Accept | Refuse | Decline:
        match arrangement:
            case Peace(powers) | Not(Peace(powers)) if view.power not in powers:
                return Decline(press)
            case Alliance(allies, enemies) if view.power not in (*allies, *enemies):
                return Decline(press)
            case Peace(powers) if self.accepts_peace(view, sender, frozenset(powers)):
                if sender in powers:
                    self._accepting.add(sender)
                return Accept(press)
            case Not(Peace(powers)) if sender in powers and self.end_peace(view, sender):
                return Accept(press)
            # With partial draws it may name powers, but our vote is for all survivors.
            case Draw(()) if self.votes_for_draw(view):
                return Accept(press)
        return Refuse(press)


def others(view: GameView) -> tuple[Power, ...]:
    """Return the powers that are still in the game, without ours."""
    return tuple(power for power in view.survivors if power != view.power)
