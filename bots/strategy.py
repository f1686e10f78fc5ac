"""The contract between a bot's author and the framework.

A bot is a tactic, which says what to order, and if it talks a negotiator, which says what to tell
the others and what to believe; any two can be combined. Both see a `GameView` and return values:
sockets, clocks, handshakes and mistakes are the runner's business.

    class Stubborn(Tactic):
        def choose_orders(self, view):
            return [Hold(unit) for unit in view.units]

A class that is both a `Tactic` and a `Negotiator` is a whole bot in one piece.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from attrs import Factory, define

from bots.view import NEUTRAL_BELIEFS, Beliefs, GameView
from grammar.messages import PressReceived, SendPress
from rules.orders import Order


class Tactic(ABC):
    """Decides what the units do."""

    version = "1.0"
    """What the server is told beside the name."""

    @abstractmethod
    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Return our orders for this turn, whatever its phase.

        An order that is not legal is left out, and what has no order gets a harmless one: units
        hold, dislodged ones disband, builds are waived, and the unit farthest from home goes.
        Called again when a negotiator has changed its beliefs: depend on the view alone.
        """


class Negotiator:
    """Decides what is said; without changes it understands nothing, as a level 0 client.

    Press with a word that is not among `words` is answered with HUH and TRY by the framework; the
    negotiator sees it neither in `on_press` nor later.
    """

    words: Sequence[str] = ()
    """The words of press that we understand, such as PRP, PCE and YES."""

    def open_turn(self, view: GameView) -> Sequence[SendPress]:  # noqa: ARG002 - for overriding
        """Return what we say at the beginning of a turn."""
        return ()

    def on_press(
        self,
        view: GameView,  # noqa: ARG002 - for overriding
        received: PressReceived,  # noqa: ARG002 - for overriding
    ) -> Sequence[SendPress]:
        """Return our answers to press that has come."""
        return ()

    def on_answer(self, view: GameView, sent: SendPress, *, accepted: bool) -> None:
        """Learn whether the server has passed on what we said."""

    def beliefs(self, view: GameView) -> Beliefs:  # noqa: ARG002 - for overriding
        """Return what the tactic is to know of friends, promises and closed provinces."""
        return NEUTRAL_BELIEFS

    def votes_for_draw(self, view: GameView) -> bool:  # noqa: ARG002 - for overriding
        """Whether we want this game to end in a draw of all survivors now."""
        return False


@define
class Bot:
    """A tactic and a negotiator; by default one that tells everybody that it understands nothing.

    That is what DumbBot does, and it spares those who talk the pains of going on.
    """

    tactic: Tactic
    negotiator: Negotiator = Factory(Negotiator)


def as_bot(strategy: Bot | Tactic) -> Bot:
    """Return a strategy as a bot; one that is both tactic and negotiator plays both parts."""
    if isinstance(strategy, Bot):
        return strategy
    return Bot(strategy, strategy) if isinstance(strategy, Negotiator) else Bot(strategy)
