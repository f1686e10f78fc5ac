"""Retreats, builds and removals of the Bordeaux Diplomat, held against all that could be done."""

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest
from attrs import evolve

from bots.bordeaux.winter import best_builds, best_retreats, worst_units
from bots.kernel import Playouts
from bots.search.scene import Scene
from bots.view import Beliefs
from rules.kernel.encode import codec_of
from rules.notation import format_order
from rules.orders import Build, Disband, Order, Retreat, UnitKind, Waive
from rules.places import Location, Province
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn
from tests.bots.positions import BOARD, owners_of, placed, units_of, view

CODEC = codec_of(BOARD)
GAME = Playouts(CODEC.new_simulator())
AUTUMN = Turn(Season.AUTUMN, 1905)


def scene(position: Position, beliefs: Beliefs | None = None) -> Scene:
    return Scene(view("FRA", position, beliefs=beliefs), GAME)


def province(name: str) -> Province:
    return BOARD.province(name)


def worth(**places: float) -> dict[int, float]:
    """Return what places are worth, of armies and of fleets: `PAR=3.0`, or `NTH=1.0`."""
    return {
        mover: places[place.province.name]
        for (_, place), mover in CODEC.movers.items()
        if place.province.name in places
    }


def routed(*outs: tuple[str, str]) -> Position:
    """Return an autumn in which units of France must retreat: `("A BUR", "PAR MAR")`."""
    dislodged = tuple(
        DislodgedUnit(
            units_of({"FRA": [text]})[0],
            tuple(Location(province(name)) for name in places.split()),
        )
        for text, places in outs
    )
    return Position(AUTUMN, (), dislodged, {})


def goals(orders: list[Order]) -> list[str | None]:
    return [
        each.destination.province.name if isinstance(each, Retreat) else None for each in orders
    ]


def total(choice: tuple[Location | None, ...], outs: tuple[DislodgedUnit, ...],
          places: Mapping[int, float]) -> float | None:  # fmt: skip
    """Return what retreats are worth together, None if two units meet."""
    taken = [place.province for place in choice if place is not None]
    if len(set(taken)) < len(taken):
        return None
    return sum(
        0.1 + places.get(CODEC.movers[out.unit.kind, place], 0.0)
        for out, place in zip(outs, choice, strict=True)
        if place is not None
    )


@pytest.mark.parametrize("seed", range(8))
def test_retreats_are_the_best_of_all_combinations(seed: int) -> None:
    random = Random(seed)
    units = random.sample(("A BUR", "A MUN", "A GAS", "A PIC", "A RUH"), 3)
    near = ("PAR", "MAR", "BEL", "HOL", "KIE")
    position = routed(*((unit, " ".join(random.sample(near, 2))) for unit in units))
    places = worth(**{name: random.choice((0.0, 1.0, 2.0, 5.0)) for name in near})
    found = best_retreats(scene(position), places)
    outs = position.dislodged
    chosen = tuple(each.destination if isinstance(each, Retreat) else None for each in found)
    totals = [
        total(choice, outs, places) for choice in product(*((None, *out.retreats) for out in outs))
    ]
    assert total(chosen, outs, places) == pytest.approx(max(filter(None, totals)))


def test_two_units_do_not_retreat_to_the_same_place() -> None:
    position = routed(("A BUR", "PAR"), ("A PIC", "PAR"))
    found = best_retreats(scene(position), worth(PAR=9.0))
    assert sorted(map(str, goals(found))) == ["None", "PAR"]
    assert sum(isinstance(each, Disband) for each in found) == 1


def test_a_place_that_is_worth_nothing_is_better_than_the_end_of_a_unit() -> None:
    assert goals(best_retreats(scene(routed(("A BUR", "GAS"))), {})) == ["GAS"]


def test_what_was_promised_to_be_left_alone_is() -> None:
    beliefs = Beliefs(closed=frozenset({province("MUN")}))
    position = routed(("A BUR", "MUN RUH"))
    assert goals(best_retreats(scene(position, beliefs), worth(MUN=9.0))) == ["RUH"]
    assert goals(best_retreats(scene(routed(("A BUR", "MUN")), beliefs), worth(MUN=9.0))) == [None]


def winter(units: list[str], centers: list[str]) -> Position:
    return placed({"FRA": units}, {"FRA": centers}, Season.WINTER)


def test_builds_stand_next_to_the_prizes() -> None:
    position = winter(["A SPA"], ["PAR", "MAR", "BRE", "SPA"])
    first, second, _ = best_builds(scene(position), worth(BUR=9.0, ECH=8.0))
    assert isinstance(first, Build)
    assert isinstance(second, Build)
    assert (first.unit.kind, second.unit.kind) == (UnitKind.ARMY, UnitKind.FLEET)
    assert first.unit.location.province.name in ("PAR", "MAR")
    assert second.unit.location == Location(province("BRE"))


def test_the_same_prize_does_not_draw_two_units() -> None:
    position = winter(["A SPA", "A GAS"], ["PAR", "MAR", "SPA", "POR"])
    places = worth(BUR=4.0, PIE=3.0)
    (one, two) = best_builds(scene(position), places)
    assert isinstance(one, Build)
    assert isinstance(two, Build)
    assert {one.unit.location.province.name, two.unit.location.province.name} == {"PAR", "MAR"}


@pytest.mark.parametrize(
    ("units", "centers", "builds"),
    [
        (["A SPA"], ["SPA", "POR", "PAR"], 1),
        (["A PAR"], ["SPA", "POR", "PAR"], 0),  # no home is free
        (["A SPA"], ["SPA", "PAR"], 1),
        (["A MUN"], ["PAR", "MAR", "BRE", "SPA", "POR"], 3),
    ],
)
def test_what_cannot_be_built_is_waived(units: list[str], centers: list[str], builds: int) -> None:
    position = winter(units, centers)
    found = best_builds(scene(position), worth(BUR=1.0))
    assert len(found) == len(centers) - len(units)
    assert sum(isinstance(each, Build) for each in found) == builds
    assert found[builds:] == [Waive(BOARD.power("FRA"))] * (len(found) - builds)
    homes = [each.unit.location.province for each in found if isinstance(each, Build)]
    assert len(set(homes)) == len(homes)


def test_those_are_removed_that_have_least_to_win() -> None:
    position = winter(["A PAR", "A MUN", "A SPA"], ["PAR"])
    # Munich is one step away from Berlin, Paris three, and Spain more than anybody looks ahead.
    found = worst_units(scene(position), worth(BER=9.0))
    assert [format_order(each) for each in found] == ["A SPA REM", "A PAR REM"]


def test_nothing_is_removed_that_need_not_be() -> None:
    position = winter(["A PAR", "A MUN"], ["PAR"])
    more = evolve(position, owners=owners_of({"FRA": ["PAR", "MUN"]}))
    assert len(worst_units(scene(position), {})) == 1
    assert view("FRA", more).adjustment == 0
