"""Pattern weights: what is seen of orders, how weights are learned, and how sets are chosen."""

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from bots.dumbbot.tactic import DumbBot
from bots.patterns.choosing import best_sets, coherent_sets, thinned
from bots.patterns.features import Scene, name_of, patterns, size_of
from bots.patterns.tactic import SHIPPED, PatternWeights
from bots.patterns.training import Settings, Trainer, own_choices
from bots.patterns.weights import SCALE, UNKNOWN, Database, Weights, updated
from bots.randombot.tactic import RandomBot
from bots.strategy import as_bot
from bots.view import Beliefs, GameView
from cli.main import main
from rules.errors import BadInputError
from rules.kernel.encode import codec_of
from rules.legality import judge_order
from rules.maps import load_map
from rules.notation import parse_order
from rules.orders import Move, OrderNote, SupportMove, Unit, UnitKind
from rules.places import Location
from rules.position import Position
from rules.turns import Season, Turn
from server.settings import GameSettings
from tests.bots.in_memory import Room

BOARD = load_map()
CODEC = codec_of(BOARD)
KINDS = {"A": UnitKind.ARMY, "F": UnitKind.FLEET}


def position(owners: str = "", **units: str) -> Position:
    found = [
        Unit(BOARD.power(power), KINDS[kind], Location(BOARD.province(where)))
        for power, text in units.items()
        for kind, where in (each.split() for each in text.split(", "))
    ]
    owned = {}
    for each in filter(None, owners.split(", ")):
        power, *centers = each.split()
        owned.update(dict.fromkeys(map(BOARD.province, centers), BOARD.power(power)))
    found.sort(key=lambda unit: unit.location.province.name)
    return Position(Turn(Season.SPRING, 1901), tuple(found), (), owned)


def seen(place: Position, power: str, text: str, *, wide: bool = False) -> set[str]:
    scene = Scene(CODEC.load(place, CODEC.new_simulator()), CODEC.tables, wide=wide)
    code = CODEC.code(parse_order(BOARD, place, BOARD.power(power), text))
    vector = scene.vector(CODEC.power_index[BOARD.power(power)], code)
    return {name_of(pattern) for pattern in patterns(vector)[0]}


def test_the_papers_example_of_silesia_and_berlin_is_seen_as_the_paper_says() -> None:
    place = position(RUS="A SIL", GER="A MUN, A KIE", owners="GER BER MUN KIE")
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
    place = position(TUR="A CON, F BLA", owners="RUS BUL")
    assert seen(place, "TUR", "F BLA S A CON - BUL") >= {
        "support: self.unit=fleet",
        "support: target.control=enemy",
        "support: target.adjacent=none",
        "support: other.unit=army",
        "support: other.act=goes",
    }


def test_wide_scenes_also_show_season_and_distance() -> None:
    place = position(FRA="A PAR", owners="FRA PAR BRE MAR, GER MUN")
    assert seen(place, "FRA", "A PAR - BUR", wide=True) >= {
        "move: season=spring",
        "move: self.distance=2 or more",
        "move: target.distance=less",
    }


def test_patterns_of_each_size_are_counted_and_told_apart() -> None:
    scene = Scene(CODEC.load(BOARD.start, CODEC.new_simulator()), CODEC.tables)
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
def test_many_results_at_once_are_the_rule_of_the_paper_repeated(
    rate: float, *, success: bool
) -> None:
    weight, age = 0.3, 4
    for n in range(age + 1, age + 8):
        weight = (weight * (n - 1) + rate * success) / (n + rate - 1)
    assert updated(300_000, age, 7, rate, success=success) == pytest.approx(weight * SCALE, abs=2)


def test_the_first_result_is_the_weight_and_what_is_unknown_is_in_the_middle() -> None:
    weights = Weights()
    assert weights.score(0b0101) == UNKNOWN
    weights.learn({0b0101: 3}, success=True, rate=5)
    assert weights.score(0b0101) == pytest.approx(1.0)
    assert {age for _, age in weights.known.values()} == {3}


def test_the_best_sets_are_those_that_trying_all_finds() -> None:
    random = Random(3)
    choices = [[(random.random(), 10 * unit + at) for at in range(4)] for unit in range(4)]
    tried = sorted((sum(score for score, _ in each) for each in product(*choices)), reverse=True)
    found = [score for score, _ in best_sets(choices, 9)]
    assert found == pytest.approx(tried[:9])


def test_thinning_leaves_no_more_sets_than_asked_for_and_an_order_for_each_unit() -> None:
    left = thinned([list(range(9)) for _ in range(6)], 100, Random(1))
    sets = 1
    for each in left:
        assert each
        sets *= len(each)
    assert sets <= 100


def test_coherent_sets_have_no_collisions_and_no_idle_supports() -> None:
    scene = Scene(CODEC.load(BOARD.start, CODEC.new_simulator()), CODEC.tables)
    state = CODEC.load(BOARD.start, CODEC.new_simulator())
    random = Random(2)
    for power, choices in enumerate(own_choices(state, scene, 7)):
        scored = [[(random.random(), code) for code in codes] for codes in choices]
        for _, codes in coherent_sets(scored, 5, CODEC.tables):
            orders = [CODEC.order(code, BOARD.powers[power]) for code in codes]
            moves = {each.unit: each.destination for each in orders if isinstance(each, Move)}
            assert len({goal.province for goal in moves.values()}) == len(moves)
            for each in orders:
                if isinstance(each, SupportMove):
                    assert moves[each.supported].province == each.destination


def trained(games: int, database: Database | None = None, variant: str = "paper") -> Database:
    settings = Settings(games=games, seed=3, variant=variant, candidates=50)
    trainer = Trainer(BOARD, settings, database)
    for _ in trainer.run():
        pass
    return trainer.database


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


def view(power: str, beliefs: Beliefs | None = None, seed: int = 1) -> GameView:
    return GameView(
        board=BOARD,
        power=BOARD.power(power),
        position=BOARD.start,
        beliefs=beliefs or Beliefs(),
        random=Random(seed),
    )


@pytest.mark.parametrize("power", [each.name for each in BOARD.powers])
def test_the_player_gives_each_unit_a_legal_order(power: str) -> None:
    orders = PatternWeights(candidates=200).choose_orders(view(power))
    units = {unit for unit in BOARD.start.units if unit.power.name == power}
    assert {each.unit for each in orders} == units  # type: ignore[union-attr]
    for each in orders:
        note = judge_order(BOARD, BOARD.start, each, BOARD.power(power))
        assert note is OrderNote.MIGHT_BE_VALID


def test_the_player_keeps_promises_and_out_of_closed_provinces() -> None:
    promise = parse_order(BOARD, BOARD.start, BOARD.power("FRA"), "A PAR - PIC")
    beliefs = Beliefs(promised=(promise,), closed=frozenset({BOARD.province("SPA")}))
    for seed in range(10):
        orders = PatternWeights(top=5).choose_orders(view("FRA", beliefs, seed))
        assert promise in orders
        goals = {each.destination.province.name for each in orders if isinstance(each, Move)}
        assert "SPA" not in goals


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
        ({"candidates": 0}, "candidates must be at least 1, not 0"),
        ({"top": 0}, "top must be at least 1, not 0"),
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
