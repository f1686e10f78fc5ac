"""DumbBot: David Norman's bot of 2002, the yardstick of all DAIDE bots.

It values every place, walks through its units in random order and sends each to a good place next
to it, supporting where two of its own units want the same. It ignores press and never draws.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from bots.dumbbot.moves import DUMBBOT_HABITS, Habits, MovePlanner
from bots.dumbbot.value_maps import Arithmetic, Valuation, ValueMap, value_map
from bots.dumbbot.weighted_choice import CHANCES, Option, pick
from bots.strategy import Tactic
from bots.unit_places import UnitPlaces, unit_places_of
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
        unit_places = unit_places_of(view.board)
        values = self.value_map(view)
        match view.phase:
            case Phase.MOVEMENT:
                return MovePlanner(
                    unit_places, view, values, self._chance, self._variant.habits
                ).plan()
            case Phase.RETREAT:
                return self._retreats(unit_places, view, values)
            case Phase.ADJUSTMENT if view.adjustment < 0:
                return self._removals(unit_places, view, values)
            case Phase.ADJUSTMENT:
                return self._builds(unit_places, view, values)

    def value_map(self, view: GameView) -> ValueMap:
        """Return what every unit place is worth to us in this turn."""
        unit_places = unit_places_of(view.board)
        beliefs = view.beliefs
        return value_map(
            unit_places,
            view.position,
            view.power,
            self._variant.valuation,
            beliefs.attitudes,
            homes_only=beliefs.homes_only,
        )

    def _pick(self, options: Sequence[Option], view: GameView) -> int:
        return pick(options, self._chance, view.random, self._variant.habits.play_alternative)

    def _retreats(self, unit_places: UnitPlaces, view: GameView, values: ValueMap) -> list[Order]:
        orders: list[Order] = []
        index = unit_places.province_index
        # What is closed to our moves is closed to units that are driven out as well.
        taken = {index[each] for each in view.beliefs.closed if each in index}
        outs = list(view.dislodged)
        view.random.shuffle(outs)
        for out in outs:
            places = sorted(unit_places.index(out.unit.kind, place) for place in out.retreats)
            options = best_first(places, values)
            orders.append(Disband(out.unit))
            while options:
                _, unit_place = options.pop(self._pick(options, view))
                if unit_places.province_of[unit_place] not in taken:
                    taken.add(unit_places.province_of[unit_place])
                    orders[-1] = Retreat(out.unit, unit_places.locations[unit_place])
                    break
        return orders

    def _removals(self, unit_places: UnitPlaces, view: GameView, values: ValueMap) -> list[Order]:
        units = sorted(view.units, key=unit_places.of)
        # Of two units with the same value the later one takes the place of the earlier.
        by_value = {values.values[unit_places.of(unit)]: at for at, unit in enumerate(units)}
        options = sorted(by_value.items(), reverse=self._variant.removes_best)
        chosen: list[Order] = []
        while options and len(chosen) < -view.adjustment:
            chosen_place = self._pick(options, view) if self._variant.removes_by_chance else 0
            _, at = options.pop(chosen_place)
            chosen.append(Remove(units[at]))
        return chosen

    def _builds(self, unit_places: UnitPlaces, view: GameView, values: ValueMap) -> list[Order]:
        homes = sorted(view.open_homes, key=unit_places.province_index.__getitem__)
        options = best_first((each for home in homes for each in unit_places.in_home(home)), values)
        chosen: list[Order] = []
        while options and len(chosen) < view.adjustment:
            _, unit_place = options[self._pick(options, view)]
            unit = Unit(
                view.power, unit_places.kinds[unit_place], unit_places.locations[unit_place]
            )
            chosen.append(Build(unit))
            province = unit_places.province_of[unit_place]
            options = [each for each in options if unit_places.province_of[each[1]] != province]
        return chosen + [Waive(view.power)] * (view.adjustment - len(chosen))


def best_first(unit_places: Iterable[int], values: ValueMap) -> list[Option]:
    """Return options by value, the best first; of those with the same value only the first."""
    by_value: dict[int, int] = {}
    for unit_place in unit_places:
        by_value.setdefault(values.values[unit_place], unit_place)
    return sorted(by_value.items(), reverse=True)
