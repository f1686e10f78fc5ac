"""Values, plans, playouts and order sets: plain and compiled agree, and all of it is legal."""

from array import array
from collections.abc import Iterator
from typing import TypeAlias

import pytest

from bots.kernel import Actions, Playouts
from bots.kernel.actions import Actions as PlainActions
from bots.kernel.habits import (
    ANY_ORDERS,
    BY_VALUES,
    CHAINED,
    DUMBBOT,
    FITTED,
    GRAB_OR_HOLD,
    POLICIES,
    STYLES,
    WEAKEST,
)
from bots.kernel.playouts import Playouts as PlainPlayouts
from rules.kernel import IS_COMPILED, codes
from rules.kernel.encode import Codec, codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.maps import load_map
from rules.notation import format_order

needs_compiler = pytest.mark.skipif(not IS_COMPILED, reason="the kernel is not compiled here")
Pair: TypeAlias = tuple[Playouts, PlainPlayouts]


@pytest.fixture(scope="module", params=["standard", "lagoon"])
def codec(request: pytest.FixtureRequest) -> Codec:
    return codec_of(load_map(request.param))


@pytest.fixture(scope="module")
def pair(codec: Codec) -> Pair:
    return Playouts(codec.new_simulator()), PlainPlayouts(PlainSimulator(codec.tables))


@pytest.fixture
def game(codec: Codec) -> Playouts:
    game = Playouts(codec.new_simulator())
    codec.load(codec.board.start, game.state)
    return game


def later(game: Playouts, codec: Codec, movements: int, seed: int = 3) -> list[int]:
    """Play so many movement turns and save what came of it."""
    game.reset()
    codec.load(codec.board.start, game.state)
    game.state.seed(seed)
    game.run(movements)
    game.settle_turn()
    return game.save()


def order_sets(codes_in_row: list[int], count: int) -> Iterator[list[int]]:
    units = len(codes_in_row) // count
    for number in range(count):
        yield list(codes_in_row[number * units : (number + 1) * units])


@needs_compiler
@pytest.mark.parametrize("style", range(STYLES))
def test_plain_and_compiled_value_alike(codec: Codec, pair: Pair, style: int) -> None:
    fast, plain = pair
    plain.restore(later(fast, codec, 5))
    for game in pair:
        game.value(style)
    for power in range(fast.powers):
        assert fast.values_of(power) == plain.values_of(power)


@needs_compiler
@pytest.mark.parametrize("policy", range(POLICIES))
def test_plain_and_compiled_play_alike(codec: Codec, pair: Pair, policy: int) -> None:
    ends = []
    for game in pair:
        game.reset()
        codec.load(codec.board.start, game.state)
        game.state.seed(11)
        for power in range(game.powers):
            game.set_policy(power, policy)
        game.play_as_published(policy % 2)
        game.run(10)
        shares = [game.share(power) for power in range(game.powers)]
        ends.append((list(game.save()), shares, game.state.season))
    assert ends[0] == ends[1]


@needs_compiler
@pytest.mark.parametrize("prunes", [0, 1])
@pytest.mark.parametrize("rules", [CHAINED, FITTED])
def test_plain_and_compiled_list_the_same_order_sets(
    codec: Codec, pair: Pair, prunes: int, rules: int
) -> None:
    fast, plain = pair
    plain.reset()
    saved = later(fast, codec, 12)
    for power in range(fast.powers):
        found = []
        for game, actions in ((fast, Actions(fast)), (plain, PlainActions(plain))):
            game.restore(saved)
            game.state.seed(5)
            rows, worths = actions.list_actions(power, 40, prunes, rules)
            found.append((list(rows), list(worths), game.predict(power, GRAB_OR_HOLD)))
        assert found[0] == found[1]


def test_every_planned_order_is_legal(codec: Codec, game: Playouts) -> None:
    later(game, codec, 6)
    for policy in range(POLICIES):
        for power in range(game.powers):
            game.set_policy(power, policy)
        game.plan_all()
        for power in range(game.powers):
            for code in game.planned(power):
                assert game.state.note_for(code) == codes.FINE


def test_values_are_those_of_dumbbot_but_for_rounding(game: Playouts, codec: Codec) -> None:
    game.value(DUMBBOT)
    for power in range(game.powers):
        centers = [
            mover
            for mover, (_, place) in codec.mover_places.items()
            if codec.board.start.owners.get(place.province) is None and place.province.is_center
        ]
        values = game.values_of(power)
        assert max(values[mover] for mover in centers) > sum(values) / len(values)


@pytest.mark.parametrize("style", [DUMBBOT, WEAKEST])
def test_a_value_is_the_sum_over_all_centers_whoever_has_owned_them(
    codec: Codec, style: int
) -> None:
    game = PlainPlayouts(PlainSimulator(codec.tables))
    for movements in (0, 3, 8, 5, 0):
        later(game, codec, movements)
        game.set_wish(1, 0, 250)
        game.set_wish(1, game.powers - 1, 1700)
        game.value(style)
        for power in range(game.powers):
            if power == 2:  # from here on by what was summed up for all movers
                game.add_up()
            found = game.values_of(power)
            for mover in range(0, game.movers, 7):
                total = 0
                for number, center in enumerate(game.centers):
                    owner = game.state.owner[center]
                    if owner == power:
                        price = game.defence * game.threat(power, center)
                    else:
                        price = game.attack * game.sizes[owner if owner >= 0 else game.powers]
                        if owner >= 0:
                            price = game.scaled(price, game.wishes[power * game.powers + owner])
                    row = game.layer * game.center_total + number
                    total += price * int(game.spread[row * game.span + game.spots[mover]])
                assert found[mover] == game.spared(power, game.state.mover_province[mover], total)


@pytest.mark.parametrize("alike", [1, 3])
def test_options_come_by_their_worth_and_equal_ones_as_listed(
    codec: Codec, alike: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = PlainPlayouts(PlainSimulator(codec.tables))
    later(game, codec, 8)
    game.value(DUMBBOT)
    rate_options = game.rate_options
    for unit in range(game.provinces):
        mover, power = game.state.unit[unit], game.state.power[unit]
        if mover < 0:
            continue
        first, end = game.state.step_start[mover], game.state.step_start[mover + 1]
        listed = [mover, *game.paths[first:end]]
        worth = {place: game.make_value(power, place) for place in listed}
        rate_options(power, mover)
        assert game.ratings[: len(listed)] == [worth[place] for place in listed]
        if alike > 1:
            worth = {place: value % alike - 1 for place, value in worth.items()}
            rated = [worth[place] for place in listed]

            def rate(_power: int, _mover: int, rated: list[int] = rated) -> None:
                game.ratings[: len(rated)] = rated

            monkeypatch.setattr(game, "rate_options", rate)
        game.list_options(power, unit)
        assert game.option_count == len(listed)
        game.rank_options(len(listed))
        ranked = sorted(listed, key=lambda place: -worth[place])
        assert game.options[: len(listed)] == ranked
        assert game.weights[: len(listed)] == [worth[place] for place in ranked]


def test_a_fixed_order_is_in_every_plan(game: Playouts) -> None:
    home = next(place for place in range(game.provinces) if game.state.unit[place] >= 0)
    hold = codes.pack(codes.HOLD, game.state.unit[home])
    game.fix(hold)
    game.value(DUMBBOT)
    for _ in range(20):
        assert hold in game.sample(game.state.power[home])
    rows, worths = Actions(game).list_actions(game.state.power[home], 50, 0, FITTED)
    assert all(hold in orders for orders in order_sets(rows, len(worths)))


def test_nobody_enters_a_closed_province(game: Playouts) -> None:
    home = next(place for place in range(game.provinces) if game.state.unit[place] >= 0)
    power = game.state.power[home]
    for province in range(game.provinces):
        game.close(province, power)
    game.value(DUMBBOT)
    kinds = {codes.kind_of(code) for _ in range(20) for code in game.sample(power)}
    assert codes.MOVE not in kinds
    game.reset()
    game.value(DUMBBOT)
    kinds = {codes.kind_of(code) for _ in range(20) for code in game.sample(power)}
    assert codes.MOVE in kinds


def test_a_friend_is_worth_less(game: Playouts, codec: Codec) -> None:
    game.value(DUMBBOT)
    owner, center = next(
        (codec.power_index[power], codec.province_index[center])
        for center, power in codec.board.start.owners.items()
        if codec.power_index[power] != 0
    )
    before = game.values_of(0)[game.state.unit[center]]
    game.set_wish(0, owner, 100)
    game.value(DUMBBOT)
    assert game.values_of(0)[game.state.unit[center]] < before


def test_a_center_taken_from_a_friend_stays_his_in_the_count(game: Playouts, codec: Codec) -> None:
    owner = game.powers - 1
    game.set_wish(0, owner, 0)
    game.spare(0)
    before = game.share(owner)
    for center in range(game.provinces):
        if game.state.owner[center] == owner:
            game.state.set_owner(center, 0)
            game.state.place_unit(codec.tables.builds[codec.tables.build_start[center]], 0)
    assert game.share(owner) == pytest.approx(before)
    game.reset()
    assert game.share(owner) == 0


def test_order_sets_are_different_and_no_two_units_go_to_one_place(
    game: Playouts, codec: Codec
) -> None:
    later(game, codec, 12)
    for power in range(game.powers):
        rows, worths = Actions(game).list_actions(power, 60, 0, FITTED)
        if not rows:
            continue
        sets = [tuple(orders) for orders in order_sets(rows, len(worths))]
        assert len(set(sets)) == len(sets)
        for orders in sets:
            goals = [
                codec.tables.province_of[codes.target_of(code)]
                for code in orders
                if codes.kind_of(code) == codes.MOVE
            ]
            assert len(set(goals)) == len(goals)
            assert all(game.state.note_for(code) == codes.FINE for code in orders)


# --- the order rules of the paper -----------------------------------------------------------------


def chained(codec: Codec, power: str, prunes: int = 0) -> list[set[str]]:
    """Return all order sets of a power at the start, in words."""
    game = Playouts(codec.new_simulator())
    codec.load(codec.board.start, game.state)
    game.value(WEAKEST)
    number = codec.power_index[codec.board.power(power)]
    rows, worths = Actions(game).list_actions(number, 4000, prunes, CHAINED)
    units = {unit.location.province: unit for unit in codec.board.start.units}
    return [
        {format_order(codec.order(code, codec.board.power(power), units)) for code in orders}
        for orders in order_sets(rows, len(worths))
    ]


def test_the_first_rule_that_fits_is_the_only_one_for_a_unit() -> None:
    codec = codec_of(load_map())
    sets = chained(codec, "TUR")
    # Ankara comes first and may hold in its center, so Constantinople supports that and no more;
    # both may be supported from Smyrna, which has no other choice either.
    assert {"A CON S F ANK"} == {each for orders in sets for each in orders if "A CON" in each[:5]}
    smyrna = {each for orders in sets for each in orders if each.startswith("A SMY")}
    assert smyrna == {"A SMY S F ANK", "A SMY S F ANK - CON"}
    # All combinations, whether they fit or not.
    ankara = {each for orders in sets for each in orders if each.startswith("F ANK")}
    assert len(sets) == len(ankara) * len(smyrna)


def test_the_worthiest_order_sets_of_all_are_listed_best_first() -> None:
    codec = codec_of(load_map())
    game = Playouts(codec.new_simulator())
    later(game, codec, 10)
    game.value(WEAKEST)
    for power in range(game.powers):
        _, every = Actions(game).list_actions(power, 4096, 1, CHAINED)
        _, best = Actions(game).list_actions(power, 30, 1, CHAINED)
        assert list(best) == sorted(every, reverse=True)[:30]
        assert list(every) == sorted(every, reverse=True)


def test_published_policies_want_any_center_and_stay_legal(codec: Codec, game: Playouts) -> None:
    number = 0
    game.play_as_published(1)
    for policy in range(POLICIES):
        later(game, codec, 8, seed=policy)
        game.play_as_published(1)
        for power in range(game.powers):
            game.set_policy(power, policy)
        game.plan_all()
        for power in range(game.powers):
            planned = game.planned(power)
            number += len(planned)
            assert all(game.state.note_for(code) == codes.FINE for code in planned)
    assert number


@pytest.mark.parametrize("policy", [ANY_ORDERS, GRAB_OR_HOLD])
def test_a_prediction_needs_nothing_to_be_called_before(codec: Codec, policy: int) -> None:
    game = Playouts(codec.new_simulator())
    codec.load(codec.board.start, game.state)
    units = sum(unit.power != codec.powers[0] for unit in codec.board.start.units)
    assert len(game.predict(0, policy)) == units


def test_too_many_order_sets_are_drawn_by_lot(game: Playouts, codec: Codec) -> None:
    later(game, codec, 12)
    game.value(WEAKEST)
    for power in range(game.powers):
        _, many = Actions(game).list_actions(power, 4000, 1, FITTED)
        _, few = Actions(game).list_actions(power, 3, 1, FITTED)
        assert set(few) <= set(many)
        assert len(few) == len(many) if len(many) <= 3 else 1 <= len(few) <= 3


def test_the_child_with_the_highest_bound_is_chosen(game: Playouts) -> None:
    actions = Actions(game)
    visits = array("i", [10, 10, 2])
    assert actions.best_child(array("d", [5, 6, 1.2]), visits, 3, 0.0) in {1, 2}
    assert actions.best_child(array("d", [5, 6, 1.0]), visits, 3, 0.0) == 1
    assert actions.best_child(array("d", [5, 6, 1.0]), visits, 3, 2.0) == 2


def test_orders_are_weighed_against_each_set_of_theirs(game: Playouts) -> None:
    saved = game.save()
    game.value(DUMBBOT)
    ours = array("q", game.sample(0))
    theirs = array("q")
    starts = array("i", [0])
    for _ in range(6):
        for power in range(1, game.powers):
            theirs.extend(game.sample(power))
        starts.append(len(theirs))
    runs = []
    for _ in range(2):
        scores = array("d", bytes(8 * 6))
        game.aim(saved, 3, 0)
        game.weigh(ours, theirs, starts, 77, scores)
        runs.append(list(scores))
    assert runs[0] == runs[1]
    assert all(0 < score <= 1 for score in runs[0])
    assert game.phases >= 2 * 6 * 4


def test_a_saved_position_comes_back(game: Playouts, codec: Codec) -> None:
    saved = later(game, codec, 4)
    position = codec.position(game.state)
    for power in range(game.powers):
        game.set_policy(power, BY_VALUES)
    game.run(4)
    game.restore(saved)
    assert codec.position(game.state) == position
