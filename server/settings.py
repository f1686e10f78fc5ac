"""How a game is to be played: press level, limits, and what the protocol leaves open."""

from collections.abc import Mapping
from enum import Enum

from attrs import Factory, evolve, field, frozen

from grammar.messages import VariantOption
from rules.turns import Phase
from server.timer import LONGEST_TIME

SECRETS = ("admin_secret", "observer_secret")
"""Settings that no log and no export may show."""


class AbsentPolicy(Enum):
    """What happens to the orders of a power whose client is gone."""

    WAIT = "wait"
    """Wait for its return, or for the deadline."""

    DEFAULT_ORDERS = "default-orders"
    """Give default orders in its place at once."""


@frozen
class GameSettings:
    """Everything that is decided before a game starts; times are in seconds."""

    level: int = 0
    movement_limit: int | None = None
    retreat_limit: int | None = None
    build_limit: int | None = None
    press_limit: int | None = None
    """PTL: press stops this long before a movement deadline."""
    stops_on_disconnection: bool = False
    """DSD."""
    any_orders: bool = False
    """AOA."""
    partial_draws: bool = False
    """PDA."""
    no_press_in_retreats: bool = False
    """NPR."""
    no_press_in_builds: bool = False
    """NPB."""
    last_year: int | None = None
    """The game is drawn when this year is over."""
    years_without_change: int | None = None
    """The game is drawn when no center has changed hands for so many years."""
    absent: AbsentPolicy = AbsentPolicy.WAIT
    stand_in_after: float | None = None
    """Ask for a stand-in when a power has been without a client for so long."""
    tells_missed_deadlines: bool = False
    """Declare civil disorder for a power that misses a deadline, until it speaks again."""
    bare_orders: bool = False
    """Take an order without SUB as submitted: bots of the C++ framework send replacements so."""
    unknown_provinces: bool = False
    """Judge an order for a province that the map has not (NSP), instead of answering HUH."""
    relays_admin: bool = True
    press_rounds: int | None = None
    """Relay press in rounds, at most so many a turn; None relays it at once."""
    seats: Mapping[str, str] = Factory(dict)
    """Which client name gets which power."""
    power_in_name: bool = False
    """Let a client called `FRA:Name` ask for France."""
    map_limit: float | None = 60.0
    """How long a client that has a place may take to accept the map."""
    locks_seats: bool = False
    """Lock a power after five wrong passcodes; only in games that were begun when that was so."""
    linger: float = 5.0
    """How long clients may stay after the end of the game."""
    admin_secret: str | None = field(default=None, repr=False)
    """Makes a client master of the game by an ADM command; None lets nobody."""
    observer_secret: str | None = field(default=None, repr=False)
    """Lets an observer see all press; None lets nobody."""

    def limit(self, phase: Phase) -> int | None:
        """Return the time for a turn of that phase."""
        match phase:
            case Phase.MOVEMENT:
                return self.movement_limit
            case Phase.RETREAT:
                return self.retreat_limit
            case Phase.ADJUSTMENT:
                return self.build_limit

    def with_limit(self, phase: Phase, seconds: int | None) -> "GameSettings":
        """Return the same settings with another time for a phase."""
        match phase:
            case Phase.MOVEMENT:
                return evolve(self, movement_limit=seconds)
            case Phase.RETREAT:
                return evolve(self, retreat_limit=seconds)
            case Phase.ADJUSTMENT:
                return evolve(self, build_limit=seconds)

    @property
    def longest_limit(self) -> int | None:
        """The longest of the time limits, None if there are none."""
        limits = (self.movement_limit, self.retreat_limit, self.build_limit)
        return max((limit for limit in limits if limit is not None), default=None)

    @property
    def options(self) -> tuple[VariantOption, ...]:
        """The options of HLO, LVL first and the rest in the order of the documents.

        A time that is too long for a number of the language is told as the longest that is not.
        """
        valued = (
            ("LVL", self.level),
            ("MTL", self.movement_limit),
            ("RTL", self.retreat_limit),
            ("BTL", self.build_limit),
        )
        flags = (
            ("DSD", self.stops_on_disconnection),
            ("AOA", self.any_orders),
            ("PDA", self.partial_draws and self.level >= 10),
            ("NPR", self.no_press_in_retreats and self.level >= 10),
            ("NPB", self.no_press_in_builds and self.level >= 10),
        )
        options = [
            VariantOption(word, min(value, LONGEST_TIME))
            for word, value in valued
            if value is not None
        ]
        options += [VariantOption(word) for word, is_set in flags if is_set]
        if self.press_limit is not None and self.level >= 10:
            options.append(VariantOption("PTL", min(self.press_limit, LONGEST_TIME)))
        return tuple(options)
