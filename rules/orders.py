"""Units and what they are told to do: one small class per order, and the `Order` union.

An order is an intention and may well be illegal. `OrderNote` says whether it may be tried,
`OrderResult` what came of it; the values of both are the DAIDE words.
"""

from enum import Enum
from typing import TypeAlias

from attrs import frozen

from rules.places import Location, Power, Province


class UnitKind(Enum):
    """Army or fleet; the value is the DAIDE word."""

    ARMY = "AMY"
    FLEET = "FLT"

    __hash__ = object.__hash__  # there is one of each; the hash of an Enum is slow, and asked often


@frozen(cache_hash=True, unsafe_hash=True)
class Unit:  # noqa: PLW1641 - attrs makes the hash
    """An army or fleet of a power, and where it stands."""

    power: Power
    kind: UnitKind
    location: Location

    def __eq__(self, other: object) -> bool:
        """Compare; units are mostly the same value, which is seen without a look at its parts."""
        return self is other or (
            isinstance(other, Unit)
            and self.location == other.location
            and (self.power is other.power or self.power == other.power)
            and self.kind is other.kind
        )


@frozen(cache_hash=True)
class Hold:
    """Stay."""

    unit: Unit


@frozen(cache_hash=True)
class Move:
    """Go to a neighbouring location by land, or by sea for a fleet; never by convoy."""

    unit: Unit
    destination: Location


@frozen(cache_hash=True)
class SupportHold:
    """Help a neighbouring unit to stay."""

    unit: Unit
    supported: Unit


@frozen(cache_hash=True)
class SupportMove:
    """Help another unit to move, by land or convoy, to a province."""

    unit: Unit
    supported: Unit
    destination: Province


@frozen(cache_hash=True)
class Convoy:
    """Carry an army over this fleet's sea on its way to a province."""

    unit: Unit
    convoyed: Unit
    destination: Province


@frozen(cache_hash=True)
class MoveByConvoy:
    """Go to a province over the seas listed, in the order of travel."""

    unit: Unit
    destination: Province
    via: tuple[Province, ...]


@frozen(cache_hash=True)
class Retreat:
    """Leave, dislodged, for a free neighbouring location."""

    unit: Unit
    destination: Location


@frozen(cache_hash=True)
class Disband:
    """Give up a dislodged unit."""

    unit: Unit


@frozen(cache_hash=True)
class Build:
    """Raise a new unit in a home center."""

    unit: Unit


@frozen(cache_hash=True)
class Remove:
    """Take a unit off the board because there are too few centers."""

    unit: Unit


@frozen(cache_hash=True)
class Waive:
    """Do without one build."""

    power: Power


MovementOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy | MoveByConvoy
RetreatOrder: TypeAlias = Retreat | Disband
AdjustmentOrder: TypeAlias = Build | Remove | Waive
Order: TypeAlias = MovementOrder | RetreatOrder | AdjustmentOrder


def power_of(order: Order) -> Power:
    """Return whose order it is."""
    return order.power if isinstance(order, Waive) else order.unit.power


class OrderNote(Enum):
    """Whether an order may be tried."""

    MIGHT_BE_VALID = "MBV"
    NOT_ADJACENT = "FAR"
    NO_SUCH_PROVINCE = "NSP"
    NO_SUCH_UNIT = "NSU"
    NOT_AT_SEA = "NAS"
    NO_SUCH_FLEET = "NSF"
    NO_SUCH_ARMY = "NSA"
    NOT_YOUR_UNIT = "NYU"
    NO_RETREAT_NEEDED = "NRN"
    NOT_VALID_RETREAT = "NVR"
    NOT_YOUR_CENTER = "YSC"
    NOT_EMPTY_CENTER = "ESC"
    NOT_HOME_CENTER = "HSC"
    NOT_A_CENTER = "NSC"
    BAD_COAST = "CST"
    NO_MORE_BUILDS = "NMB"
    NO_MORE_REMOVALS = "NMR"
    NOT_THIS_SEASON = "NRS"

    __hash__ = object.__hash__  # as that of a kind of unit


class OrderResult(Enum):
    """What came of an order; that its unit was dislodged is said beside it."""

    SUCCEEDED = "SUC"
    BOUNCED = "BNC"
    CUT = "CUT"
    DISRUPTED = "DSR"  # a fleet of the convoy was dislodged
    NO_SUCH_ORDER = "NSO"  # nothing to support, convoy, or be convoyed by
    FAILED = "FLD"  # withdrawn from the language: old servers may send it, we never do

    __hash__ = object.__hash__  # as that of a kind of unit
