"""What a promise book holds: promises, offers and stabs, as values."""

from enum import Enum

from attrs import frozen

from grammar.press import (
    Alliance,
    Arrangement,
    Demilitarize,
    Draw,
    GiveOrder,
    Not,
    Peace,
)
from rules.orders import Order
from rules.places import Power
from rules.turns import Turn


class Kind(Enum):
    """What a promise or an offer is about."""

    PEACE = "peace"
    ALLIANCE = "alliance"
    DMZ = "dmz"
    ORDER = "order"
    DRAW = "draw"
    OTHER = "other"
    """Something that cannot be judged by orders; offers only."""


class Verdict(Enum):
    """What became of a promise."""

    OPEN = "open"
    KEPT = "kept"
    BROKEN = "broken"
    VOID = "void"
    """It could not be kept or judged: the order was not legal when its turn came."""


class Answer(Enum):
    """What somebody said to an offer; the values are the words of press, in small letters."""

    YES = "yes"
    REJ = "rej"
    BWX = "bwx"
    HUH = "huh"
    CCL = "ccl"
    """The offer was taken back before it was answered."""
    NONE = "none"


@frozen(kw_only=True)
class Promise:
    """What one power has promised others by agreeing to an arrangement."""

    kind: Kind
    maker: Power
    to: tuple[Power, ...]
    arrangement: Arrangement
    made: Turn
    ended: Turn | None = None
    """The turn that decided it, or in which it was given up; None while it holds."""
    verdict: Verdict = Verdict.OPEN
    breach: Order | None = None
    """The order that broke it."""


@frozen(kw_only=True)
class Offer:
    """A proposal from one power to another, and the answer."""

    turn: Turn
    sender: Power
    to: Power
    kind: Kind
    answer: Answer = Answer.NONE


@frozen(kw_only=True)
class Stab:
    """An attack on a partner while there was peace or an alliance."""

    turn: Turn
    by: Power
    victim: Power
    order: Order
    centers: int
    """How many centers the stabber had then."""
    centers_later: int | None = None
    """How many it had two years later; None if the game did not last as long."""


@frozen
class Tally:
    """How a power has kept its word."""

    kept: int = 0
    broken: int = 0

    @property
    def settled(self) -> int:
        """How many promises have been decided."""
        return self.kept + self.broken


def kind_of(arrangement: Arrangement) -> Kind:
    """Return what an arrangement is about."""
    match arrangement:
        case Peace() | Not(Peace()):
            return Kind.PEACE
        case Alliance() | Not(Alliance()):
            return Kind.ALLIANCE
        case Demilitarize() | Not(Demilitarize()):
            return Kind.DMZ
        case GiveOrder() | Not(GiveOrder()):
            return Kind.ORDER
        case Draw():
            return Kind.DRAW
        case _:
            return Kind.OTHER
