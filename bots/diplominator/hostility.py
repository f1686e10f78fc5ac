"""How hostile the others are to us: what they could do against us, and what they did."""

from collections import Counter, deque
from collections.abc import Iterable

from bots.unit_places import UnitPlaces
from rules.orders import Move, Order, SupportMove
from rules.places import Power
from rules.position import Position, held_provinces


class Hostility:
    """The chances and attacks of each power in the last movement turns."""

    def __init__(self, window: int) -> None:
        self._turns: deque[tuple[Counter[Power], Counter[Power]]] = deque(maxlen=window)

    def note(self, chances: Counter[Power], attacks: Counter[Power]) -> None:
        """Remember one more turn, and forget the one that is too long ago."""
        self._turns.append((chances, attacks))

    def enemy_factor(self, power: Power) -> float:
        """Return how many of its chances a power has used, or its attacks if it had no chances."""
        chances = sum(turn[power] for turn, _ in self._turns)
        attacks = sum(turn[power] for _, turn in self._turns)
        return attacks / chances if chances else float(attacks)


def chances_against(power: Power, position: Position, unit_places: UnitPlaces) -> Counter[Power]:
    """Count for each other power the units that can enter a province of ours."""
    ours = {unit_places.province_index[each] for each in held_provinces(position).get(power, set())}
    return Counter(
        unit.power
        for unit in position.units
        if unit.power != power and not ours.isdisjoint(unit_places.reach[unit_places.of(unit)])
    )


def attacks_on(power: Power, position: Position, orders: Iterable[Order]) -> Counter[Power]:
    """Count for each other power its moves into provinces of ours, and its support of any such.

    Whether they succeeded does not matter. Help for our own units is no attack.
    """
    ours = held_provinces(position).get(power, set())
    counts: Counter[Power] = Counter()
    for order in orders:
        match order:
            case Move(unit, destination) if destination.province in ours:
                counts[unit.power] += 1
            case SupportMove(unit, supported, destination) if destination in ours:
                counts[unit.power] += supported.power != power
    del counts[power]
    return counts
