"""DumbBot is what it is by its numbers, so its numbers are compared with the real program's."""

from collections import Counter
from collections.abc import Callable, Iterable
from math import sqrt
from random import Random

import pytest
from attrs import evolve

from bots.dumbbot.tactic import VARIANTS, DumbBot
from bots.dumbbot.value_maps import Arithmetic, Valuation, ValueMap, value_map
from bots.unit_places import unit_places_of
from bots.view import Beliefs, GameView
from rules.errors import BadInputError
from rules.legality import judge_order
from rules.maps import load_map
from rules.orders import (
    Build,
    Disband,
    Hold,
    Move,
    Order,
    OrderNote,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
)
from rules.places import Coast, Location
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn
from tests.bots import dumbbot_golden as golden

BOARD = load_map()
FOOTINGS = unit_places_of(BOARD)
DRAWS = 1500
SAMPLES = 1500
"""How many samples of the real program the tables rest on, roughly."""
KINDS = {"A": UnitKind.ARMY, "F": UnitKind.FLEET}


class Prepared(DumbBot):
    """Values the board once and draws often."""

    def __init__(self, variant: str) -> None:
        super().__init__(variant)
        self._kept: dict[str, ValueMap] = {}

    def value_map(self, view: GameView) -> ValueMap:
        if view.power.name not in self._kept:
            self._kept[view.power.name] = super().value_map(view)
        return self._kept[view.power.name]


def place(text: str) -> Location:
    name, _, coast = text.partition("/")
    return Location(BOARD.province(name), Coast(coast) if coast else None)


def army(power: str, name: str) -> Unit:
    return Unit(BOARD.power(power), UnitKind.ARMY, place(name))


def middle_game(season: Season = Season.SPRING) -> Position:
    units, owners = [], {}
    for line in golden.MIDDLE_GAME.strip().splitlines():
        head, _, tail = line.partition(": ")
        name, *centers = head.split()
        power = BOARD.power(name)
        owners.update(dict.fromkeys(map(BOARD.province, centers), power))
        for text in tail.split(", "):
            kind, _, where = text.partition(" ")
            units.append(Unit(power, KINDS[kind], place(where)))
    units.sort(key=lambda unit: unit.location.province.name)
    return Position(Turn(season, 1905), tuple(units), (), owners)


def view_of(
    position: Position, power: str, random: Random | None = None, beliefs: Beliefs | None = None
) -> GameView:
    return GameView(
        board=BOARD,
        power=BOARD.power(power),
        position=position,
        random=random or Random(1),
        beliefs=beliefs or Beliefs(),
    )


def told(order: Order) -> str:
    match order:
        case Hold():
            return "H"
        case Move(_, goal):
            return f"-{goal}"
        case SupportHold(_, other):
            return f"S {other.location.province}"
        case SupportMove(_, other, goal):
            return f"S {other.location.province}-{goal}"
        case Build(unit):
            return f"{'A' if unit.kind is UnitKind.ARMY else 'F'} {unit.location}"
        case Retreat(_, goal):
            return str(goal)
        case _:
            return type(order).__name__


def drawn(
    variant: str, position: Position, power: str, name: Callable[[Order], str]
) -> dict[str, Counter[str]]:
    """Draw orders often and count what each unit does."""
    bot, random = Prepared(variant), Random(f"{variant} {power} {position.turn}")
    counts: dict[str, Counter[str]] = {}
    for _ in range(DRAWS):
        for order in bot.choose_orders(view_of(position, power, random)):
            counts.setdefault(name(order), Counter())[told(order)] += 1
    return counts


def by_unit(order: Order) -> str:
    assert not isinstance(order, Waive)
    return order.unit.location.province.name


def assert_near(count: int, percentage: float, what: str) -> None:
    """Allow four standard errors of both samples, and what rounding to 0.1 hides."""
    expected = percentage / 100
    spread = sqrt(expected * (1 - expected) * (1 / DRAWS + 1 / SAMPLES))
    # A rare order is drawn once or twice in either sample; the formula is too strict there.
    assert abs(count / DRAWS - expected) <= 4 * spread + 0.002, (what, count / DRAWS, expected)


def rows(table: str) -> Iterable[tuple[str, str, dict[str, float], bool]]:
    for line in table.strip().splitlines():
        head, _, tail = line.partition(": ")
        power, unit = head.split()
        is_partial = tail.endswith(" ...")
        entries = (each.rpartition(" ") for each in tail.removesuffix(" ...").split(", "))
        yield power, unit, {order: float(number) for order, _, number in entries}, is_partial


TABLES = [
    ("wide", Season.SPRING, BOARD.start, golden.OPENING_WIDE),
    ("classic", Season.SPRING, BOARD.start, golden.OPENING_CLASSIC),
    ("port83", Season.SPRING, BOARD.start, golden.OPENING_PORT83),
    ("wide", Season.SPRING, middle_game(), golden.SPRING_WIDE),
    ("classic", Season.SPRING, middle_game(), golden.SPRING_CLASSIC),
    ("wide", Season.FALL, middle_game(Season.FALL), golden.FALL_WIDE),
]
CASES = [
    pytest.param(variant, position, power, table, id=f"{variant}-{position.turn}-{power}")
    for variant, _, position, table in TABLES
    for power in dict.fromkeys(power for power, *_ in rows(table))
]


@pytest.mark.parametrize(("variant", "position", "power", "table"), CASES)
def test_orders_are_as_frequent_as_in_the_real_program(
    variant: str, position: Position, power: str, table: str
) -> None:
    counts = drawn(variant, position, power, by_unit)
    for owner, unit, expected, is_partial in rows(table):
        if owner != power:
            continue
        for order, percentage in expected.items():
            assert_near(counts[unit][order], percentage, f"{unit} {order}")
        if not is_partial:
            others = sum(counts[unit].values()) - sum(counts[unit][order] for order in expected)
            assert others <= DRAWS * 0.005, counts[unit]


@pytest.mark.parametrize("line", golden.VALUES.strip().splitlines(), ids=lambda line: line[:9])
@pytest.mark.parametrize("arithmetic", [Arithmetic.EXACT, Arithmetic.WRAPPING])
def test_the_opening_has_the_values_of_the_real_program(line: str, arithmetic: Arithmetic) -> None:
    head, _, tail = line.partition(": ")
    name, _, where = head.split()
    power = BOARD.power(name)
    found = value_map(FOOTINGS, BOARD.start, power, Valuation(arithmetic=arithmetic))
    unit = next(each for each in BOARD.start.units if each.location.province.name == where)
    here = FOOTINGS.of(unit)
    values = {FOOTINGS.provinces[FOOTINGS.province_of[here]].name: found.values[here] + 1}
    for unit_place in FOOTINGS.borders[here]:
        values[FOOTINGS.locations[unit_place].province.name] = found.values[unit_place]
    words = tail.split()
    assert values == dict(zip(words[::2], map(int, words[1::2]), strict=True))


def test_a_fleet_that_sees_two_coasts_competes_twice_for_their_province() -> None:
    found = value_map(FOOTINGS, middle_game(), BOARD.power("ENG"), Valuation())
    spain = FOOTINGS.province_index[BOARD.province("SPA")]
    # F MAO counts for both coasts, A MAR and the fleet in Spain once each.
    assert found.competition[spain] == 4


def test_a_friend_is_worth_less_where_it_lives_and_where_it_stands() -> None:
    position, power, friend = middle_game(), BOARD.power("FRA"), BOARD.power("GER")
    plain = value_map(FOOTINGS, position, power, Valuation())
    kind = value_map(FOOTINGS, position, power, Valuation(), {friend: 0.4})
    munich = FOOTINGS.index(UnitKind.ARMY, place("MUN"))
    assert 0 < kind.values[munich] < 0.4 * plain.values[munich]


def test_builds_are_as_frequent_as_in_the_real_program() -> None:
    start = middle_game(Season.WINTER)
    units = tuple(
        unit
        for unit in start.units
        if unit.power.name != "FRA" or unit.location.province.name not in ("MAR", "SPA")
    )
    position = evolve(start, units=units)
    for variant, expected in (
        ("wide", {"A PAR": 100, "F BRE": 56.6, "A BRE": 43.4}),
        ("classic", {"A PAR": 100, "F BRE": 69.1, "A BRE": 27.0, "A MAR": 3.9}),
    ):
        counts = drawn(variant, position, "FRA", lambda _: "builds")["builds"]
        for build, percentage in expected.items():
            assert_near(counts[build], percentage, f"{variant} {build}")


def germany_in_need() -> Position:
    """Return a winter in which Germany has two centers less than units."""
    start = middle_game(Season.WINTER)
    lost = {BOARD.province("DEN"): BOARD.power("ENG"), BOARD.province("HOL"): BOARD.power("FRA")}
    return evolve(start, owners={**start.owners, **lost})


@pytest.mark.parametrize("variant", ["wide", "classic"])
def test_removals_are_as_frequent_as_in_the_real_program(variant: str) -> None:
    counts = drawn(variant, germany_in_need(), "GER", by_unit)
    for unit, percentage in (("KIE", 75), ("RUH", 56.25), ("MUN", 32.8)):
        assert_near(counts[unit]["Remove"], percentage, unit)


def test_the_bandana_copy_removes_its_best_units() -> None:
    counts = drawn("bandana", germany_in_need(), "GER", by_unit)
    assert set(counts) == {"HOL", "DEN"}


@pytest.mark.parametrize("variant", ["wide", "classic"])
def test_retreats_are_as_frequent_as_in_the_real_program(variant: str) -> None:
    burgundy, munich = army("FRA", "BUR"), army("GER", "MUN")
    start = middle_game(Season.SUMMER)
    attacker = evolve(munich, location=burgundy.location)
    position = evolve(
        start,
        units=(attacker, *(unit for unit in start.units if unit not in (burgundy, munich))),
        dislodged=(DislodgedUnit(burgundy, (place("GAS"), place("PAR"))),),
    )
    counts = drawn(variant, position, "FRA", by_unit)["BUR"]
    assert_near(counts["GAS"], 91.4, "GAS")
    assert_near(counts["PAR"], 8.6, "PAR")


def test_two_units_never_retreat_to_the_same_province_and_one_without_a_way_disbands() -> None:
    gascony = place("GAS")
    burgundy, paris = army("FRA", "BUR"), army("FRA", "PAR")
    outs = (DislodgedUnit(burgundy, (gascony,)), DislodgedUnit(paris, (gascony,)))
    position = evolve(middle_game(Season.AUTUMN), units=(), dislodged=outs)
    orders = DumbBot().choose_orders(view_of(position, "FRA"))
    assert sorted(type(order).__name__ for order in orders) == ["Disband", "Retreat"]
    stuck = evolve(position, dislodged=(DislodgedUnit(burgundy, ()),))
    assert DumbBot().choose_orders(view_of(stuck, "FRA")) == [Disband(burgundy)]


def test_builds_that_find_no_home_are_waived() -> None:
    position = evolve(middle_game(Season.WINTER), units=())
    orders = DumbBot().choose_orders(view_of(position, "FRA"))
    assert sum(isinstance(order, Build) for order in orders) == 3
    assert sum(isinstance(order, Waive) for order in orders) == 3


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("season", list(Season))
def test_every_order_of_every_variant_is_legal(variant: str, season: Season) -> None:
    position = middle_game(season)
    for power in BOARD.powers:
        earlier: list[Order] = []
        for order in DumbBot(variant).choose_orders(view_of(position, power.name)):
            note = judge_order(BOARD, position, order, power, earlier)
            assert note is OrderNote.MIGHT_BE_VALID
            earlier.append(order)


def test_promises_are_kept_and_closed_provinces_avoided() -> None:
    position = middle_game()
    promise = SupportHold(army("FRA", "BUR"), army("GER", "MUN"))
    beliefs = Beliefs(promised=(promise,), closed=frozenset({BOARD.province("RUH")}))
    for seed in range(50):
        orders = DumbBot().choose_orders(view_of(position, "FRA", Random(seed), beliefs))
        assert promise in orders
        assert not any(told(order).endswith("-RUH") for order in orders)


def test_an_unknown_variant_is_named_and_the_known_ones_listed() -> None:
    with pytest.raises(BadInputError, match=r"'clasic'.*classic, wide, port83, bandana"):
        DumbBot("clasic")


def test_the_orders_of_a_turn_are_for_each_unit_once() -> None:
    orders = DumbBot().choose_orders(view_of(middle_game(), "RUS"))
    units = {order.unit for order in orders if not isinstance(order, Waive | Remove)}
    assert len(orders) == len(units) == 6
