from itertools import product
from random import Random

import pytest

from bots.dbrane.distances import OUT_OF_REACH, distances_to
from bots.dbrane.plans import BattlePlanner, matching
from bots.dbrane.search import Option, Search
from bots.dbrane.situation import Situation
from bots.dbrane.tactic import DBrane
from bots.dumbbot.tactic import DumbBot
from bots.strategy import as_bot
from bots.unit_places import unit_places_of
from bots.view import Beliefs
from rules.adjudicate import adjudicate
from rules.errors import BadInputError
from rules.legal_orders import legal_orders
from rules.legality import judge_order
from rules.notation import format_order, parse_order
from rules.orders import Order, OrderNote, UnitKind
from rules.places import Location
from rules.position import Position
from rules.turns import Season, Turn
from server.settings import GameSettings
from tests.bots.in_memory import Room
from tests.bots.positions import BOARD, position, view


def orders(
    place: Position,
    power: str = "FRA",
    beliefs: Beliefs | None = None,
    seconds: float | None = None,
) -> set[str]:
    given = DBrane().choose_orders(view(power, place, beliefs=beliefs, seconds=seconds))
    return {format_order(order) for order in given}


def order(place: Position, power: str, text: str) -> Order:
    return parse_order(BOARD, place, BOARD.power(power), text)


MUNICH = position(FRA="A BUR, A RUH", GER="A MUN, F KIE", owners="FRA BEL HOL PAR MAR, GER MUN KIE")


def test_a_matching_gives_each_mask_a_bit_of_its_own() -> None:
    assert matching([0b11, 0b01, 0b01]) == 2
    assert matching([0b01, 0b11, 0b110]) == 3
    assert matching([0, 0]) == 0


BATTLES = {
    "an open center": position(FRA="A PAR, A GAS, A BUR", GER="A RUH, A MUN", owners="GER MUN"),
    "a defended center": position(
        FRA="A BUR, A RUH, A TYR", GER="A MUN, A BER", owners="GER MUN BER"
    ),
    "a guarded home": position(
        FRA="A PAR, A GAS, F BRE", GER="A BUR, A PIC", owners="FRA PAR BRE, GER MUN"
    ),
    "two powers near": position(
        FRA="A BUR, A PIC, F ECH", GER="A RUH, F HOL", ENG="F NTH, F LON", owners="GER HOL"
    ),
}


@pytest.mark.parametrize("name", BATTLES)
def test_no_single_opponent_can_stop_an_invincible_plan(name: str) -> None:
    place = BATTLES[name]
    situation = Situation(view(position=place))
    planner = BattlePlanner(situation)
    choices = legal_orders(BOARD, place)
    tried = 0
    for center in planner.targets():
        for plan in planner.plans(center)[0]:
            ours = [situation.support(unit, plan.main, center) for unit in plan.supports]
            values = [0] * len(situation.unit_places)
            moves = [] if plan.stays else [(plan.main, center)]
            moves += [(plan.partner, center)] if plan.partner >= 0 else []
            ours += [situation.move(unit, goal, values) for unit, goal in (*moves, *plan.cuts)]
            for power in {unit.power for unit in situation.hostile}:
                theirs = [choices[unit] for unit in place.units if unit.power == power]
                for answer in product(*theirs):
                    tried += 1
                    after = adjudicate(BOARD, place, [*ours, *answer]).position
                    owner = after.owners.get(BOARD.provinces[center])
                    if after.dislodged:
                        # Centers change hands after the retreats: see who stands there now.
                        stands = [
                            unit.power
                            for unit in after.units
                            if unit.location.province == BOARD.provinces[center]
                        ]
                        owner = stands[0] if stands else place.owners.get(BOARD.provinces[center])
                    assert owner == BOARD.power("FRA"), (plan, answer)
    assert tried


def test_a_center_that_nobody_can_deny_is_taken() -> None:
    place = position(FRA="A GAS, A PAR", owners="FRA PAR")
    assert "A GAS - SPA" in orders(place)


def test_an_attack_gets_the_support_it_needs() -> None:
    assert orders(MUNICH) in (
        {"A BUR - MUN", "A RUH S A BUR - MUN"},
        {"A RUH - MUN", "A BUR S A RUH - MUN"},
    )


def test_of_two_centers_that_one_enemy_must_guard_both_are_attacked() -> None:
    place = position(FRA="A BUR, A RUH", GER="A KIE", owners="FRA BEL PAR MAR, GER KIE")
    assert orders(place) == {"A BUR - MUN", "A RUH - HOL"}


def test_promised_orders_are_given_and_supported() -> None:
    promise = order(MUNICH, "FRA", "A RUH - MUN")
    given = orders(MUNICH, beliefs=Beliefs(promised=(promise,)))
    assert given == {"A RUH - MUN", "A BUR S A RUH - MUN"}


def test_closed_provinces_are_not_entered() -> None:
    place = position(FRA="A GAS, A PAR", owners="FRA PAR")
    closed = frozenset({BOARD.province("SPA")})
    assert "A GAS - SPA" not in orders(place, beliefs=Beliefs(closed=closed))


def test_friends_are_not_attacked_and_not_feared() -> None:
    beliefs = Beliefs(attitudes={BOARD.power("GER"): 0.1})
    assert not any(" MUN" in text for text in orders(MUNICH, beliefs=beliefs))


def test_an_expected_support_of_another_power_is_counted_on() -> None:
    place = position(FRA="A BUR", ITA="A TYR", GER="A MUN", owners="FRA BEL PAR MAR, GER MUN")
    aid = order(place, "ITA", "A TYR S A BUR - MUN")
    munich = BOARD.provinces.index(BOARD.province("MUN"))
    alone = BattlePlanner(Situation(view(position=place)))
    assert alone.plans(munich)[0] == []
    helped = BattlePlanner(Situation(view(position=place, beliefs=Beliefs(expected=(aid,)))))
    assert [plan.strength for plan in helped.plans(munich)[0]] == [2]


def test_without_any_time_there_are_still_orders() -> None:
    place = BATTLES["a guarded home"]
    given = DBrane().choose_orders(view(position=place, seconds=0))
    assert len(given) == 3


@pytest.mark.parametrize("power", [each.name for each in BOARD.powers])
@pytest.mark.parametrize("season", [Season.SPRING, Season.FALL])
@pytest.mark.parametrize("variant", ["ours", "paper"])
def test_every_order_is_legal_and_every_unit_has_one(
    power: str, season: Season, variant: str
) -> None:
    start = BOARD.start
    place = Position(Turn(season, 1901), start.units, (), start.owners)
    given = DBrane(variant).choose_orders(view(power, place))
    units = [unit for unit in place.units if unit.power.name == power]
    assert {each.unit for each in given} == set(units)  # type: ignore[union-attr]  # of that kind
    for each in given:
        note = judge_order(BOARD, place, each, BOARD.power(power))
        assert note is OrderNote.MIGHT_BE_VALID


def test_the_search_finds_what_trying_everything_finds() -> None:
    random = Random(5)
    for _ in range(30):
        options: dict[int, list[Option]] = {}
        for center in range(6):
            for _ in range(random.randint(1, 3)):
                units = sum(1 << unit for unit in random.sample(range(7), random.randint(1, 3)))
                worth = random.randint(1, 9)
                value = Option((), worth, frozenset({center}), units, units, 0, 1 << center)
                options.setdefault(center, []).append(value)
        found = sum(each.worth for each in Search(100_000).best(options))
        assert found == best_by_trying(options)


def best_by_trying(options: dict[int, list[Option]]) -> int:
    best = 0
    for choice in product(*([None, *found] for found in options.values())):
        chosen = [each for each in choice if each is not None]
        if all(a.fits(b) for at, a in enumerate(chosen) for b in chosen[at + 1 :]):
            best = max(best, sum(each.worth for each in chosen))
    return best


def test_a_search_that_must_stop_at_once_still_gives_a_consistent_choice() -> None:
    one = Option((), 5, frozenset({1}), 1, 0, 0, 1 << 1)
    two = Option((), 5, frozenset({2}), 1, 0, 0, 1 << 2)
    assert Search(1, lambda: True).best({1: [one], 2: [two]}) == [one]


def test_a_game_with_dumbbots_repeats_and_nobody_complains() -> None:
    bots = [DBrane(), DBrane(nodes=1), DBrane("paper"), *(DumbBot() for _ in range(4))]
    rooms = [
        Room([as_bot(bot) for bot in bots], GameSettings(last_year=1904), seed=4) for _ in range(2)
    ]
    for room in rooms:
        room.play()
        assert room.is_over
        assert room.faults() == []
        assert all(seat.player.failures == 0 for seat in room.seats.values())
    assert rooms[0].game.position == rooms[1].game.position


# --- the published steps --------------------------------------------------------------------------


def test_free_units_march_to_the_closest_center_where_units_are_missing() -> None:
    place = position(Turn(Season.SPRING, 1903), FRA="A UKR", owners="FRA RUM WAR MOS SEV BUL STP")
    # Budapest and Vienna are two moves away by Galicia, Budapest also by Rumania.
    assert published(place) <= {"A UKR - GAL", "A UKR - RUM"}


def test_a_threatened_center_is_guarded_in_spring_too() -> None:
    place = position(
        Turn(Season.SPRING, 1903),
        FRA="A RUM",
        TUR="A BUL, A CON",
        owners="FRA RUM BUD SEV, TUR BUL CON",
    )
    assert published(place) == {"A RUM H"}
    assert orders(place) != {"A RUM H"}


def test_plans_that_are_outnumbered_are_carried_out_all_the_same() -> None:
    place = position(
        FRA="A BUR", GER="A MUN, A BER, A KIE", owners="FRA PAR MAR BEL, GER MUN BER KIE"
    )
    assert published(place) == {"A BUR - MUN"}


def test_distances_are_counted_on_the_map_of_the_kind() -> None:
    unit_places = unit_places_of(BOARD)
    index = unit_places.province_index
    to_munich = distances_to(unit_places, index[BOARD.province("MUN")])
    army = unit_places.index(UnitKind.ARMY, Location(BOARD.province("BRE")))
    fleet = unit_places.index(UnitKind.FLEET, Location(BOARD.province("BRE")))
    assert to_munich[army] == 3
    assert to_munich[fleet] == OUT_OF_REACH


def test_a_variant_that_nobody_knows_is_refused() -> None:
    with pytest.raises(BadInputError, match="no such variant of dbrane: 'x'; choose one of ours"):
        DBrane("x")


def published(place: Position) -> set[str]:
    return {format_order(each) for each in DBrane("paper").choose_orders(view(position=place))}


def test_a_search_without_nodes_is_refused() -> None:
    with pytest.raises(BadInputError, match="nodes: must be at least 1, not 0"):
        DBrane(nodes=0)
