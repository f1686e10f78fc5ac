"""DumbBot: David Norman's bot of 2002, the yardstick of all DAIDE bots.

It values every place, walks through its units in random order and sends each to a good place next
to it, supporting where two of its own units want the same. It ignores press and never draws.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from bots.dumbbot_moves import DUMBBOT_HABITS, Habits, Planner
from bots.footings import Footings, footings_of
from bots.picking import CHANCES, Option, pick
from bots.strategy import Tactic
from bots.values import Arithmetic, Valuation, ValueMap, value_map
from bots.view import GameView
from rules.errors import BadInputError
from rules.orders import Build, Disband, Order, Remove, Retreat, Unit, Waive
from rules.turns import Phase


@frozen(kw_only=True)
class Variant:
    """One of the programs that were called DumbBot."""

    valuation: Valuation
    habits: Habits = DUMBBOT_HABITS
    removes_best: bool = False
    """A slip of the BANDANA copy: it takes away the units that stand best."""
    removes_by_chance: bool = True
    """Whether chance has a say in which units are removed."""


VARIANTS = {
    # Norman's own, whose 32 bits overflow when it compares options: it plays wilder than meant.
    "classic": Variant(valuation=Valuation(arithmetic=Arithmetic.WRAPPING)),
    # What Norman meant.
    "wide": Variant(valuation=Valuation()),
    # The Linux port 8~3 as shipped: large powers count for less, most likely a slip.
    "port83": Variant(valuation=Valuation(square=-1)),
    # The copy in the BANDANA framework: sees no value in neutral centers. We keep fractions all the
    # way and draw as it does when the last year is over: never, because a server does not tell it.
    "bandana": Variant(
        valuation=Valuation(
            arithmetic=Arithmetic.FLOATING, values_neutral=False, counts_occupant=False
        ),
        habits=Habits(shuffles=False),
        removes_best=True,
    ),
}


class DumbBot(Tactic):
    """Plays one of the variants, or one of the caller's own making."""

    def __init__(self, variant: str = "classic", *, program: Variant | None = None) -> None:
        if variant not in VARIANTS and program is None:
            known = ", ".join(VARIANTS)
            raise BadInputError(f"no such variant of dumbbot: {variant!r}; choose one of {known}")
        self.version = variant
        self._variant = program or VARIANTS[variant]
        self._chance = CHANCES[self._variant.valuation.arithmetic]

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Value the board and choose."""
        footings = footings_of(view.board)
        values = self.value_map(view)
        match view.phase:
            case Phase.MOVEMENT:
                return Planner(footings, view, values, self._chance, self._variant.habits).plan()
            case Phase.RETREAT:
                return self._retreats(footings, view, values)
            case Phase.ADJUSTMENT if view.adjustment < 0:
                return self._removals(footings, view, values)
            case Phase.ADJUSTMENT:
                return self._builds(footings, view, values)

    def value_map(self, view: GameView) -> ValueMap:
        """Return what every footing is worth to us in this turn."""
        footings = footings_of(view.board)
        valuation, attitudes = self._variant.valuation, view.beliefs.attitudes
        return value_map(footings, view.position, view.power, valuation, attitudes)

    def _pick(self, options: Sequence[Option], view: GameView) -> int:
        return pick(options, self._chance, view.random, self._variant.habits.play_alternative)

    def _retreats(self, footings: Footings, view: GameView, values: ValueMap) -> list[Order]:
        orders: list[Order] = []
        taken: set[int] = set()
        outs = list(view.dislodged)
        view.random.shuffle(outs)
        for out in outs:
            places = sorted(footings.index(out.unit.kind, place) for place in out.retreats)
            options = best_first(places, values)
            orders.append(Disband(out.unit))
            while options:
                _, footing = options.pop(self._pick(options, view))
                if footings.province_of[footing] not in taken:
                    taken.add(footings.province_of[footing])
                    orders[-1] = Retreat(out.unit, footings.locations[footing])
                    break
        return orders

    def _removals(self, footings: Footings, view: GameView, values: ValueMap) -> list[Order]:
        units = sorted(view.units, key=footings.of)
        # Of two units with the same value the later one takes the place of the earlier.
        by_value = {values.values[footings.of(unit)]: at for at, unit in enumerate(units)}
        options = sorted(by_value.items(), reverse=self._variant.removes_best)
        chosen: list[Order] = []
        while options and len(chosen) < -view.adjustment:
            chosen_place = self._pick(options, view) if self._variant.removes_by_chance else 0
            _, at = options.pop(chosen_place)
            chosen.append(Remove(units[at]))
        return chosen

    def _builds(self, footings: Footings, view: GameView, values: ValueMap) -> list[Order]:
        homes = sorted(view.open_homes, key=footings.province_index.__getitem__)
        options = best_first((each for home in homes for each in footings.in_home(home)), values)
        chosen: list[Order] = []
        while options and len(chosen) < view.adjustment:
            _, footing = options[self._pick(options, view)]
            unit = Unit(view.power, footings.kinds[footing], footings.locations[footing])
            chosen.append(Build(unit))
            province = footings.province_of[footing]
            options = [each for each in options if footings.province_of[each[1]] != province]
        return chosen + [Waive(view.power)] * (view.adjustment - len(chosen))


def best_first(footings: Iterable[int], values: ValueMap) -> list[Option]:
    """Return options by value, the best first; of those with the same value only the first."""
    by_value: dict[int, int] = {}
    for footing in footings:
        by_value.setdefault(values.values[footing], footing)
    return sorted(by_value.items(), reverse=True)
