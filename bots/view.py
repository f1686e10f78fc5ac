"""What a strategy sees of its game: values only, no socket and no clock."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from random import Random

from attrs import Factory, define, frozen

from grammar.messages import OrderOutcome, PressReceived, VariantOption
from promises.book import PromiseBook
from rules.board import Board
from rules.legal_orders import legal_adjustments, legal_orders
from rules.legality import adjustment_due
from rules.orders import Order, SupportHold, SupportMove, Unit
from rules.outcome import survivors
from rules.places import Power, Province
from rules.position import DislodgedUnit, Position, held_provinces
from rules.turns import Phase, Turn


@frozen(kw_only=True)
class Beliefs:
    """What a negotiator tells its tactic."""

    attitudes: Mapping[Power, float] = Factory(dict)
    """By which factor we want what a power owns or occupies: below 1 for friends, 1 if absent."""
    homes_only: bool = False
    """Whether attitudes are about the home centers of a power alone, and places count in full.

    DumbBot's tactic listens to it; others, who know friends or none, take attitudes as they are.
    """
    promised: tuple[Order, ...] = ()
    """Orders for our own units that we mean to give."""
    expected: tuple[Order, ...] = ()
    """Orders of other powers that we count on."""
    closed: frozenset[Province] = frozenset()
    """Provinces that we keep out of."""


NEUTRAL_BELIEFS = Beliefs()


@define(frozen=True, eq=False, slots=False)
class Survey:
    """What follows from a position for everybody, found once for all views of it."""

    board: Board
    position: Position

    @cached_property
    def units(self) -> dict[str, tuple[Unit, ...]]:
        """The units by the name of their power, without dislodged ones."""
        found: dict[str, list[Unit]] = {}
        for unit in self.position.units:
            found.setdefault(unit.power.name, []).append(unit)
        return {name: tuple(units) for name, units in found.items()}

    @cached_property
    def centers(self) -> dict[Power, tuple[Province, ...]]:
        """The centers of each power, also of those that have none."""
        found: dict[Power, list[Province]] = {power: [] for power in self.board.powers}
        for center, owner in self.position.owners.items():
            found[owner].append(center)
        return {power: tuple(centers) for power, centers in found.items()}

    @cached_property
    def survivors(self) -> tuple[Power, ...]:
        """The powers that are still in the game."""
        return survivors(self.board, self.position)

    @cached_property
    def living(self) -> frozenset[str]:
        """Their names."""
        return frozenset(power.name for power in self.survivors)

    @cached_property
    def held(self) -> dict[Power, set[Province]]:
        """The centers of each power, and where its units stand."""
        return held_provinces(self.position)


@define(frozen=True, kw_only=True, eq=False, slots=False)
class GameView:
    """One moment of a game as one power sees it."""

    board: Board
    power: Power
    """Our power."""
    position: Position
    level: int = 0
    """The press level of the game."""
    options: tuple[VariantOption, ...] = ()
    """All options of HLO."""
    results: tuple[OrderOutcome, ...] = ()
    """What came of all orders of the last movement turn and of the turns since."""
    inbox: tuple[PressReceived, ...] = ()
    """The press that we understood in this turn, oldest first."""
    book: PromiseBook = Factory(lambda self: PromiseBook(self.board), takes_self=True)
    """Who promised what in the press that we have said and heard, and who kept it."""
    press_round: int = 1
    """The round of press within this turn, where the server has rounds."""
    beliefs: Beliefs = NEUTRAL_BELIEFS
    random: Random = Factory(lambda: Random(0))  # noqa: S311 - for play
    """Where to take chances from, so that a game can be repeated; new in each turn."""
    seconds: float | None = None
    """How long we may think; None if nobody waits."""
    known: Survey | None = None
    """What earlier views have found out about the position, if it is the same."""

    @property
    def turn(self) -> Turn:
        """The turn that is to be ordered."""
        return self.position.turn

    @property
    def phase(self) -> Phase:
        """What is ordered in this turn."""
        return self.turn.phase

    @cached_property
    def survey(self) -> Survey:
        """What follows from the position for everybody."""
        if self.known is not None and self.known.position is self.position:
            return self.known
        return Survey(self.board, self.position)

    @property
    def units(self) -> tuple[Unit, ...]:
        """Our units, without dislodged ones."""
        return self.survey.units.get(self.power.name, ())

    @cached_property
    def dislodged(self) -> tuple[DislodgedUnit, ...]:
        """Our dislodged units with their retreats."""
        return tuple(out for out in self.position.dislodged if out.unit.power == self.power)

    @property
    def centers(self) -> dict[Power, tuple[Province, ...]]:
        """The centers of each power, also of those that have none."""
        return self.survey.centers

    @cached_property
    def open_homes(self) -> tuple[Province, ...]:
        """Our home centers that are ours and empty: where we could build."""
        occupied = {unit.location.province for unit in self.position.units}
        return tuple(
            home
            for home in self.board.homes.get(self.power, ())
            if self.position.owners.get(home) == self.power and home not in occupied
        )

    @property
    def survivors(self) -> tuple[Power, ...]:
        """The powers that are still in the game."""
        return self.survey.survivors

    @cached_property
    def adjustment(self) -> int:
        """How many units we may build, or must remove as a negative number; 0 but in winter."""
        if self.phase is not Phase.ADJUSTMENT:
            return 0
        return adjustment_due(self.position, self.power)

    @cached_property
    def promised_help(self) -> Counter[Province]:
        """How many supports others have promised us, by the province where they count."""
        found: Counter[Province] = Counter()
        for order in self.beliefs.expected:
            match order:
                case SupportMove(supported=helped, destination=province):
                    pass
                case SupportHold(supported=helped):
                    province = helped.location.province
                case _:
                    continue
            if helped.power == self.power:
                found[province] += 1
        return found

    @property
    def has_orders_due(self) -> bool:
        """Whether we have anything to order in this turn."""
        match self.phase:
            case Phase.MOVEMENT:
                return bool(self.units)
            case Phase.RETREAT:
                return bool(self.dislodged)
            case Phase.ADJUSTMENT:
                return self.adjustment != 0

    def legal_orders(self) -> dict[Unit, list[Order]]:
        """Return all legal orders of each of our units that must be ordered; none in winter."""
        return legal_orders(self.board, self.position, self.power)

    def legal_adjustments(self) -> list[Order]:
        """Return what we may order first in winter, waiving included."""
        return legal_adjustments(self.board, self.position, self.power)
