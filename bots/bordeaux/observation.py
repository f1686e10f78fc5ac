"""What the orders of the others tell: who likes whom, and how little makes whom break its word.

Liking and trust are two things. Friendliness is a matrix of all powers with all powers, moved by
every season's orders. The StabLimit of a power is the smallest gain for which it was seen to turn
against a power that it was on good terms with; nobody who has never done so has one.
"""

from collections.abc import Iterable

from bots.unit_places import UnitPlaces, unit_places_of
from bots.view import GameView
from rules.orders import Move, MoveByConvoy, Order, SupportHold, SupportMove
from rules.places import Power, Province
from rules.position import Position
from rules.turns import Phase, Turn

_MEMORY = 0.85
"""What is left of friendliness after a movement turn."""
_ATTACK = -1.0
_ATTACK_ON_CENTER = -1.5
_SUPPORT = 1.0
_SPARED = 0.15
"""For who could have attacked and did not."""
GOOD_TERMS = 0.4
"""From here on an attack is a stab."""
UNIT_GAIN = 0.5
CENTER_GAIN = 1.0


class Observer:
    """Watches the game from turn to turn."""

    def __init__(self) -> None:
        self._friendliness: dict[tuple[Power, Power], float] = {}
        self._stab_limits: dict[Power, float] = {}
        self._turn: Turn | None = None
        self._before: Position | None = None
        """The last position in which the units moved."""

    def friendliness(self, power: Power, other: Power) -> float:
        """Return how friendly one power has been to another: below 0 it is hostile."""
        return self._friendliness.get((power, other), 0.0)

    def stab_limit(self, power: Power) -> float | None:
        """Return the smallest gain for which a power has stabbed, None if it never has."""
        return self._stab_limits.get(power)

    def note(self, view: GameView) -> None:
        """Look at a new turn; the same turn again changes nothing."""
        if view.turn == self._turn:
            return
        self._turn = view.turn
        before, self._before = self._before, None
        if before is not None:
            orders = [result.order for result in view.results if result.turn == before.turn]
            if orders:
                self._judge(unit_places_of(view.board), before, orders)
        if view.phase is Phase.MOVEMENT:
            self._before = view.position

    def _judge(self, unit_places: UnitPlaces, before: Position, orders: Iterable[Order]) -> None:
        harm: dict[tuple[Power, Power], float] = {}
        help_given: dict[tuple[Power, Power], int] = {}
        for order in orders:
            match order:
                case Move(unit, place):
                    self._attacked(before, unit.power, place.province, harm)
                case MoveByConvoy(unit, province):
                    self._attacked(before, unit.power, province, harm)
                case SupportMove(unit, supported, province):
                    self._attacked(before, unit.power, province, harm)
                    pair = unit.power, supported.power
                    help_given[pair] = help_given.get(pair, 0) + 1
                case SupportHold(unit, supported):
                    pair = unit.power, supported.power
                    help_given[pair] = help_given.get(pair, 0) + 1
        self._note_stabs(harm)
        chances = _chances(unit_places, before)
        for pair in {*self._friendliness, *harm, *help_given, *chances}:
            if pair[0] == pair[1]:
                continue
            moved = harm.get(pair, 0.0) + _SUPPORT * help_given.get(pair, 0)
            if pair in chances and pair not in harm:
                moved += _SPARED
            self._friendliness[pair] = _MEMORY * self._friendliness.get(pair, 0.0) + moved

    def _attacked(
        self,
        before: Position,
        power: Power,
        province: Province,
        harm: dict[tuple[Power, Power], float],
    ) -> None:
        """Note whom a move, or the support of one, goes against."""
        owner = before.owners.get(province)
        there = {unit.power for unit in before.units if unit.location.province == province}
        for victim in {*there, *([] if owner is None else [owner])} - {power}:
            worse = _ATTACK_ON_CENTER if owner == victim else _ATTACK
            harm[power, victim] = harm.get((power, victim), 0.0) + worse

    def _note_stabs(self, harm: dict[tuple[Power, Power], float]) -> None:
        for (power, victim), amount in harm.items():
            if self.friendliness(power, victim) >= GOOD_TERMS:
                self.note_breach(power, CENTER_GAIN if amount <= _ATTACK_ON_CENTER else UNIT_GAIN)

    def note_breach(self, power: Power, gain: float) -> None:
        """Remember for how little a power has broken what it agreed to."""
        known = self._stab_limits.get(power)
        self._stab_limits[power] = gain if known is None else min(known, gain)


def _chances(unit_places: UnitPlaces, before: Position) -> set[tuple[Power, Power]]:
    """Return who could have attacked whom."""
    index = unit_places.province_index
    held: dict[int, set[Power]] = {}
    for unit in before.units:
        held.setdefault(index[unit.location.province], set()).add(unit.power)
    for center, owner in before.owners.items():
        held.setdefault(index[center], set()).add(owner)
    return {
        (unit.power, victim)
        for unit in before.units
        for province in set(unit_places.reach[unit_places.of(unit)])
        for victim in held.get(province, ())
        if victim != unit.power
    }
