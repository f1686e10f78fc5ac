"""Pattern weights: what is seen of orders, how weights are learned, and how sets are chosen."""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from bots.dumbbot.tactic import DumbBot
from bots.kernel import Fitting, Memory, Scene
from bots.kernel.fitting import Fitting as PlainFitting
from bots.kernel.memory import SCALE, UNKNOWN
from bots.kernel.memory import Memory as PlainMemory
from bots.kernel.scene import Scene as PlainScene
from bots.patterns import training
from bots.patterns import weights as weights_module
from bots.patterns.choosing import coherent_sets, thinned
from bots.patterns.features import ORDER_TYPES, name_of, patterns, size_of
from bots.patterns.tactic import SHIPPED, PatternWeights
from bots.patterns.training import Chooser, Settings, Trainer, fitting_of
from bots.patterns.weights import VARIANTS, Database, Weights
from bots.randombot.tactic import RandomBot
from bots.strategy import as_bot
from bots.view import Beliefs
from cli.main import main
from rules.errors import BadInputError
from rules.kernel import IS_COMPILED
from rules.kernel.codes import HOLD, MOVE, SUPPORT_MOVE, kind_of, mover_of, target_of
from rules.kernel.encode import codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.legality import judge_order
from rules.notation import parse_order
from rules.orders import (
    Convoy,
    Move,
    MoveByConvoy,
    Order,
    OrderNote,
    SupportHold,
    SupportMove,
    Waive,
)
from rules.position import Position
from rules.turns import Season, Turn
from server.settings import GameSettings
from tests.bots.in_memory import Room
from tests.bots.positions import BOARD, position, view

CODEC = codec_of(BOARD)
FIRST = BOARD.start.turn


def seen(place: Position, power: str, text: str, *, wide: bool = False) -> set[str]:
    scene = Scene(CODEC.load(place, CODEC.new_simulator()), is_wide=wide)
    code = CODEC.code(parse_order(BOARD, place, BOARD.power(power), text))
    vector = scene.vector(CODEC.power_index[BOARD.power(power)], code)
    return {name_of(pattern) for pattern in patterns(vector)[0]}


def test_the_papers_example_of_silesia_and_berlin_is_seen_as_the_paper_says() -> None:
    place = position(FIRST, RUS="A SIL", GER="A MUN, A KIE", owners="GER BER MUN KIE")
    assert seen(place, "RUS", "A SIL - BER") == {
        "move: self.unit=army",
        "move: self.place=no center",
        "move: self.adjacent=enemy",
        "move: target.place=a center",
        "move: target.control=enemy",
        "move: target.occupied=none",
        "move: target.adjacent=enemy",
    }
    munich = seen(place, "GER", "A MUN - SIL")
    assert "move: target.occupied=enemy" in munich
    assert "move: target.adjacent=none" in munich


def test_a_support_shows_who_is_supported_and_where_to() -> None:
    place = position(FIRST, TUR="A CON, F BLA", owners="RUS BUL")
    assert seen(place, "TUR", "F BLA S A CON - BUL") >= {
        "support: self.unit=fleet",
        "support: target.control=enemy",
        "support: target.adjacent=none",
        "support: other.unit=army",
        "support: other.act=goes",
    }


def test_wide_scenes_also_show_season_and_distance() -> None:
    place = position(FIRST, FRA="A PAR", owners="FRA PAR BRE MAR, GER MUN")
    assert seen(place, "FRA", "A PAR - BUR", wide=True) >= {
        "move: season=spring",
        "move: self.distance=2 or more",
        "move: target.distance=less",
    }


def test_patterns_of_each_size_are_counted_and_told_apart() -> None:
    scene = Scene(CODEC.load(BOARD.start, CODEC.new_simulator()), is_wide=False)
    code = CODEC.code(parse_order(BOARD, BOARD.start, BOARD.power("TUR"), "A CON - BUL"))
    groups = patterns(scene.vector(CODEC.power_index[BOARD.power("TUR")], code), 3)
    ones = len(groups[0])
    sizes = [len(group) for group in groups]
    assert sizes == [
        ones,
        ones * (ones - 1) // 2,
        ones * (ones - 1) * (ones - 2) // 6,
        1,
    ]
    assert [size_of(group[0]) for group in groups] == [1, 2, 3, 0]
    assert len({pattern for group in groups for pattern in group}) == sum(sizes)


@pytest.mark.parametrize("success", [True, False])
@pytest.mark.parametrize("rate", [1.0, 2.5, 5.0])
@pytest.mark.parametrize("age", [4, 16_380, 90_000])
def test_many_results_at_once_are_the_rule_of_the_paper_repeated(
    rate: float, age: int, *, success: bool
) -> None:
    weight = 0.3
    for n in range(age + 1, age + 8):
        weight = (weight * (n - 1) + rate * success) / (n + rate - 1)
    weights = Weights({65: (300_000, age)})
    weights.learn_patterns({65: 7}, success=success, rate=rate)
    found, updates = weights.known[65]
    assert found == pytest.approx(weight * SCALE, abs=2)
    assert updates == age + 7


def test_the_first_result_is_the_weight_and_what_is_unknown_is_in_the_middle() -> None:
    weights = Weights()
    assert weights.memory.score(0b0101) == UNKNOWN
    weights.learn({0b0101: 3}, success=True, rate=5)
    assert weights.memory.score(0b0101) == pytest.approx(1.0)
    assert {age for _, age in weights.known.values()} == {3}


def test_thinning_leaves_no_more_sets_than_asked_for_and_an_order_for_each_unit() -> None:
    left = thinned([list(range(9)) for _ in range(6)], 100, Random(1))
    sets = 1
    for each in left:
        assert each
        sets *= len(each)
    assert sets <= 100


def spoiled(codes: list[int], power: int) -> list[str]:
    """Say which orders of a set spoil each other."""
    orders = [CODEC.order(code, BOARD.powers[power]) for code in codes]
    goals = {
        each.unit: each.destination.province if isinstance(each, Move) else each.destination
        for each in orders
        if isinstance(each, Move | MoveByConvoy)
    }
    faults = []
    if len(set(goals.values())) < len(goals):
        faults.append("two units go to one province")
    for each in orders:
        if isinstance(each, Waive):
            continue
        if each.unit not in goals and each.unit.location.province in goals.values():
            faults.append(f"somebody goes where one stays: {each}")
        if isinstance(each, SupportMove) and goals.get(each.supported) != each.destination:
            faults.append(f"idle: {each}")
        if isinstance(each, SupportHold) and each.supported in goals:
            faults.append(f"idle: {each}")
        if isinstance(each, Convoy) and goals.get(each.convoyed) != each.destination:
            faults.append(f"idle: {each}")
    return faults


@pytest.mark.parametrize("variant", ["paper", "units"])
def test_coherent_sets_have_no_collisions_and_no_idle_supports(variant: str) -> None:
    scene = Scene(CODEC.load(BOARD.start, CODEC.new_simulator()), is_wide=False)
    random = Random(2)
    for power, choices in enumerate(scene.own_choices()):
        scored = [[(random.random(), code) for code in codes] for codes in choices]
        for _, codes in coherent_sets(scored, 5, fitting_of(CODEC, VARIANTS[variant])):
            assert spoiled(codes, power) == []


@pytest.mark.parametrize("variant", ["paper", "triples", "featureless"])
def test_the_papers_learners_hardly_ever_spoil_their_own_orders(variant: str) -> None:
    settings = Settings(games=2, seed=5, variant=variant)
    given: list[list[str]] = []

    class Watched(Chooser):
        def choose(
            self, scene: Scene, power: int, choices: Sequence[Sequence[int]], random: Random
        ) -> list[int]:
            found = super().choose(scene, power, choices, random)
            given.append(spoiled(found, power))
            return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "Chooser", Watched)
        for _ in Trainer(BOARD, settings).run():
            pass
    # A unit that must make room may have nowhere to go.
    assert sum(map(bool, given)) <= len(given) // 100


TABLE_6 = {
    "CON": {"BUL": 24.3, "hold": 25.6, "support": 27.0, "SMY": 13.7, "ANK": 9.6},
    "ANK": {"CON": 9.6, "BLA": 25.6, "hold": 27.0, "support": 17.6, "ARM": 20.2},
    "SMY": {"ANK": 10.8, "hold": 21.6, "ARM": 16.2, "CON": 6.8, "SYR": 21.6, "support": 23.0},
}
"""The paper's random player: Turkey's first orders in per cent."""


def distance_from_table_6(sets: list[tuple[int, ...]]) -> float:
    """Return the root of the mean square of the differences, in points."""
    shares: Counter[tuple[str, str]] = Counter()
    for codes in sets:
        for code in codes:
            unit = CODEC.mover_places[mover_of(code)][1].province.name
            goal = CODEC.locations[target_of(code)].province.name
            word = {HOLD: "hold", MOVE: goal}.get(kind_of(code), "support")
            shares[unit, word] += 1
    squares = [
        (100 * shares[unit, word] / len(sets) - percent) ** 2
        for unit, row in TABLE_6.items()
        for word, percent in row.items()
    ]
    return float((sum(squares) / len(squares)) ** 0.5)


def test_only_coherent_sets_explain_the_papers_random_player() -> None:
    scene = Scene(CODEC.load(BOARD.start, CODEC.new_simulator()), is_wide=False)
    turkey = CODEC.power_index[BOARD.power("TUR")]
    every = list(product(*scene.own_choices()[turkey]))
    fitting = fitting_of(CODEC, VARIANTS["paper"])
    coherent = []
    for codes in every:
        fitting.begin(len(codes), 1)
        if all(fitting.grow([code], [0.0]) for code in codes):
            coherent.append(codes)
    staying = [codes for codes in coherent if SUPPORT_MOVE not in map(kind_of, codes)]
    assert (len(every), len(coherent), len(staying)) == (490, 88, 74)
    assert distance_from_table_6(every) == pytest.approx(12.58, abs=0.01)
    assert distance_from_table_6(coherent) == pytest.approx(2.46, abs=0.01)
    # All 15 figures, as closely as they are printed.
    assert distance_from_table_6(staying) == pytest.approx(0.08, abs=0.01)


def trained(games: int, database: Database | None = None, variant: str = "paper") -> Database:
    settings = Settings(games=games, seed=3, variant=variant, candidates=50)
    trainer = Trainer(BOARD, settings, database)
    for _ in trainer.run():
        pass
    return trainer.database


def in_plain_python(variant: str) -> Database:
    """Train without anything compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weights_module, "Memory", PlainMemory)
        patch.setattr(training, "Fitting", PlainFitting)
        patch.setattr(training, "Scene", PlainScene)
        patch.setattr(type(CODEC), "new_simulator", lambda codec: PlainSimulator(codec.tables))
        return trained(2, variant=variant)


@pytest.mark.skipif(not IS_COMPILED, reason="the kernel is not compiled here")
@pytest.mark.parametrize("variant", ["triples", "units", "featureless"])
def test_plain_and_compiled_learn_the_same(variant: str) -> None:
    plain, compiled = in_plain_python(variant), trained(2, variant=variant)
    for name, weights in compiled.powers.items():
        assert isinstance(weights.memory, Memory)
        assert isinstance(plain.powers[name].memory, PlainMemory)
        assert weights.known == plain.powers[name].known


@pytest.mark.parametrize("code", [-1, 1 << 4 + 9, 1 | 1023 << 14, 3 | 1000 << 24, 15])
def test_what_is_no_order_on_the_board_is_refused(code: int) -> None:
    scene = Scene(CODEC.load(BOARD.start, CODEC.new_simulator()), is_wide=True)
    fitting = Fitting(CODEC.tables, has_convoys=True, may_exchange=False)
    with pytest.raises(ValueError, match="no order on this board"):
        scene.vector(0, code)
    with pytest.raises(ValueError, match="no order on this board"):
        fitting.grow([code], [0.5])


def test_a_set_has_room_for_the_units_that_were_said() -> None:
    fitting = Fitting(CODEC.tables, has_convoys=True, may_exchange=False)
    with pytest.raises(ValueError, match="a set needs a unit"):
        fitting.begin(0, 5)
    fitting.begin(1, 5)
    assert fitting.grow([0], [0.5])
    with pytest.raises(ValueError, match="no order on this board"):
        fitting.grow([1 << 4], [0.5])
    with pytest.raises(ValueError, match="no order on this board"):
        Scene(CODEC.new_simulator(), is_wide=True).vector(9, 0)


@pytest.mark.parametrize("variant", ["paper", "triples", "coordinated", "units", "featureless"])
def test_training_repeats_itself_and_learns_for_every_power(variant: str) -> None:
    first, second = trained(2, variant=variant), trained(2, variant=variant)
    assert first.games == 2
    for name, weights in first.powers.items():
        assert weights.known
        assert weights.known == second.powers[name].known
        assert all(0 <= weight <= SCALE for weight, _ in weights.known.values())


def test_a_database_that_was_kept_goes_on_as_if_never_stopped(tmp_path: Path) -> None:
    file = tmp_path / "kept.json.gz"
    whole = trained(4)
    # The learning rate depends on how many games there will be, so the first part is cut short.
    trainer = Trainer(BOARD, Settings(games=4, seed=3, variant="paper", candidates=50))
    run = trainer.run()
    next(run)
    next(run)
    trainer.database.save(file)
    resumed = trained(4, Database.load(file))
    assert {name: each.known for name, each in resumed.powers.items()} == {
        name: each.known for name, each in whole.powers.items()
    }


def test_the_command_trains_resumes_and_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "some.json")
    base = ["patterns", "train", "--out", file, "--candidates", "20"]
    assert main([*base, "--games", "1", "--variant", "paper", "--seed", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["played"] == 1
    assert main([*base, "--games", "2"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main([*base, "--games", "2", "--resume", "--seed", "6"]) == 2
    assert "was begun with 5" in capsys.readouterr().err
    assert main([*base, "--games", "2", "--resume"]) == 0
    assert "2 of 2 games" in capsys.readouterr().out
    assert main(["patterns", "show", file, "--power", "TUR", "--least-age", "1"]) == 0
    out = capsys.readouterr().out
    assert "TUR after 2 games (paper)" in out
    assert "2-patterns" in out
    assert main(["patterns", "show", file, "--power", "XXX"]) == 2
    assert "no such power: 'XXX'" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"format": "other"}'])
def test_what_is_no_database_is_refused_in_one_sentence(tmp_path: Path, content: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content)
    with pytest.raises(BadInputError, match="not a database of pattern weights"):
        Database.load(file)
    with pytest.raises(BadInputError, match="cannot be read"):
        Database.load(tmp_path / "absent.json")


@pytest.mark.parametrize("power", [each.name for each in BOARD.powers])
def test_the_player_gives_each_unit_a_legal_order(power: str) -> None:
    orders = PatternWeights(candidates=200).choose_orders(view(power))
    units = {unit for unit in BOARD.start.units if unit.power.name == power}
    assert {each.unit for each in orders} == units  # type: ignore[union-attr]  # of that kind
    for each in orders:
        note = judge_order(BOARD, BOARD.start, each, BOARD.power(power))
        assert note is OrderNote.MIGHT_BE_VALID


def test_the_player_keeps_promises_and_out_of_closed_provinces() -> None:
    promise = parse_order(BOARD, BOARD.start, BOARD.power("FRA"), "A PAR - PIC")
    beliefs = Beliefs(promised=(promise,), closed=frozenset({BOARD.province("SPA")}))
    for seed in range(10):
        orders = PatternWeights(top=5).choose_orders(view(seed=seed, beliefs=beliefs))
        assert promise in orders
        goals = {each.destination.province.name for each in orders if isinstance(each, Move)}
        assert "SPA" not in goals


@pytest.mark.parametrize("variant", ["paper", "triples", "featureless"])
def test_the_papers_player_draws_one_of_its_five_best_sets(tmp_path: Path, variant: str) -> None:
    file = tmp_path / "some.json"
    trained(3, variant=variant).save(file)

    def chosen(seed: int, **top: Any) -> tuple[Order, ...]:
        player = PatternWeights(database=str(file), candidates=100_000, **top)
        return tuple(player.choose_orders(view("TUR", seed=seed)))

    seeds = range(40)
    assert len({chosen(seed) for seed in seeds}) > 1
    assert [chosen(seed) for seed in seeds] == [chosen(seed, top=5) for seed in seeds]


@pytest.mark.parametrize("variant", ["paper", "triples"])
def test_the_papers_learners_begin_with_orders_by_lot(variant: str) -> None:
    """While all orders are equally good, holds come no more often than others of a unit."""
    trainer = Trainer(BOARD, Settings(games=1, seed=1, variant=variant))
    (game,) = trainer.run()
    orders: Counter[int] = Counter()
    for (lesson,) in game.lessons:
        orders.update(lesson.orders)
    holds = sum(count for vector, count in orders.items() if ORDER_TYPES[vector & 3] == "hold")
    assert 0.1 < holds / orders.total() < 0.3


def test_all_orders_are_looked_at_unless_a_number_is_given() -> None:
    chosen = PatternWeights().choose_orders(view("RUS", seed=1))
    assert all(PatternWeights().choose_orders(view("RUS", seed=seed)) == chosen for seed in (2, 3))
    few = [PatternWeights(candidates=2).choose_orders(view("RUS", seed=seed)) for seed in range(5)]
    assert any(each != chosen for each in few)


def test_the_rest_is_played_by_who_is_named() -> None:
    place = evolve(BOARD.start, turn=Turn(Season.WINTER, 1901), units=())
    winter = evolve(view("TUR"), position=place)
    for player, other in (
        (PatternWeights(), RandomBot()),
        (PatternWeights(rest="dumbbot"), DumbBot()),
    ):
        theirs = other.choose_orders(evolve(winter, random=Random(1)))
        assert player.choose_orders(evolve(winter, random=Random(1))) == theirs


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"candidates": 0}, "candidates: must be at least 1, not 0"),
        ({"top": 0}, "top: must be at least 1, not 0"),
        ({"rest": "me"}, "rest must be one of lot, dumbbot, not 'me'"),
    ],
)
def test_impossible_parameters_are_refused(parameters: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadInputError, match=complaint):
        PatternWeights(**parameters)


def test_the_shipped_database_is_small_and_from_many_games() -> None:
    assert SHIPPED.stat().st_size < 300_000
    database = Database.load(SHIPPED)
    assert database.games >= 300
    assert set(database.powers) == {power.name for power in BOARD.powers}


def test_seven_of_them_finish_a_game() -> None:
    bots = [as_bot(PatternWeights(candidates=100)) for _ in range(7)]
    room = Room(bots, GameSettings(last_year=1902), seed=2)
    room.play()
    assert room.is_over
    assert room.faults() == []
    assert all(seat.player.failures == 0 for seat in room.seats.values())
