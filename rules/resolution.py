"""What comes out of a turn: a report per order, who was dislodged, and the next position."""

from collections.abc import Callable
from functools import cached_property

from attrs import field, frozen

from rules.orders import Order, OrderNote, OrderResult, Unit
from rules.places import Location, Province
from rules.position import Position


@frozen
class OrderReport:
    """What came of one order.

    `result` is None for a unit that held or convoyed and was dislodged, and a note for an order
    that turned out illegal. `automatic` marks what the rules ordered for want of an order.
    `strength` is that of a move which reached the province it was for; with explanations only.
    """

    order: Order
    result: OrderResult | OrderNote | None
    dislodged: bool = False
    automatic: bool = False
    explanation: str = ""
    strength: int | None = None


@frozen
class Dislodgement:
    """A unit that was driven out, by whom from where, and where it may go."""

    unit: Unit
    attacker_from: Province
    attacker_convoyed: bool
    retreats: tuple[Location, ...]


@frozen
class Resolution:
    """The results of a turn."""

    position: Position
    dislodgements: tuple[Dislodgement, ...] = ()
    contested: tuple[Province, ...] = ()
    ownership_updated: bool = False
    _reporter: Callable[[], tuple[OrderReport, ...]] = field(eq=False, repr=False, default=tuple)

    @cached_property
    def reports(self) -> tuple[OrderReport, ...]:
        """What came of each order, by province, waives by power at the end.

        Made when they are first asked for: who only plays on never needs them.
        """
        return self._reporter()
