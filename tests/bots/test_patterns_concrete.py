"""Pattern weights without features: concrete orders and pairs of them."""

from pathlib import Path
from random import Random

import pytest

from bots.kernel.fitting import pattern_of
from bots.patterns.concrete import (
    concrete_sets,
    is_support,
    name_of,
    patterns_of,
    size_of,
)
from bots.patterns.training import Settings, Trainer, fitting_of
from bots.patterns.weights import VARIANTS, Weights, pair_pattern
from cli.main import main
from rules.kernel.codes import MOVE_BY_CONVOY, pack
from rules.kernel.encode import codec_of
from rules.maps import load_map
from rules.notation import parse_order

BOARD = load_map()
CODEC = codec_of(BOARD)
FITTING = fitting_of(CODEC, VARIANTS["featureless"])
TURKEY = BOARD.power("TUR")
Choices = list[tuple[list[int], list[int]]]


def code(text: str) -> int:
    return CODEC.code(parse_order(BOARD, BOARD.start, TURKEY, text))


CON_BUL, ANK_BLA, SMY_HOLD = code("A CON - BUL"), code("F ANK - BLA"), code("A SMY H")


def test_three_orders_are_three_patterns_and_three_pairs() -> None:
    found = list(patterns_of([CON_BUL, ANK_BLA, SMY_HOLD]))
    assert [size_of(each) for each in found] == [1, 1, 1, 2, 2, 2]
    assert set(found) == set(patterns_of([SMY_HOLD, CON_BUL, ANK_BLA]))
    assert name_of(found[0], CODEC, TURKEY) == "A CON - BUL"
    assert name_of(pair_pattern(CON_BUL, SMY_HOLD), CODEC, TURKEY) in {
        "A CON - BUL & A SMY H",
        "A SMY H & A CON - BUL",
    }


def test_only_a_single_support_is_counted_as_one() -> None:
    support = code("F ANK S A CON")
    assert is_support(pattern_of(support))
    assert not is_support(pattern_of(CON_BUL))
    assert not is_support(pair_pattern(support, CON_BUL))


def test_the_way_of_a_convoy_is_not_part_of_the_pattern() -> None:
    mover, goal = CON_BUL >> 4 & 1023, CON_BUL >> 14 & 1023
    one, other = (pack(MOVE_BY_CONVOY, mover, goal, path) for path in (1, 77))
    assert pattern_of(one) == pattern_of(other) != pattern_of(CON_BUL)
    assert name_of(pattern_of(one), CODEC, TURKEY) == "A CON - BUL by sea"


def test_a_good_pair_is_chosen_before_orders_that_are_good_alone() -> None:
    hold, black_sea = code("A CON H"), ANK_BLA
    choices: Choices = [([CON_BUL, hold], []), ([black_sea, code("F ANK H")], [])]
    weights = Weights()
    weights.learn_patterns({CON_BUL: 1, black_sea: 1}, success=True, rate=1)
    assert concrete_sets(choices, 1, weights, FITTING, Random(1))[0][1] == [CON_BUL, black_sea]
    weights.learn_patterns({pair_pattern(CON_BUL, black_sea): 1}, success=False, rate=1)
    weights.learn_patterns({pair_pattern(hold, black_sea): 1}, success=True, rate=1)
    (score, best), *_ = concrete_sets(choices, 4, weights, FITTING, Random(1))
    assert best == [hold, black_sea]
    assert 0.5 < score <= 1.0


def test_what_nobody_has_tried_is_drawn_by_lot() -> None:
    choices: Choices = [([CON_BUL, code("A CON H")], []), ([SMY_HOLD, code("A SMY - ARM")], [])]
    found = {
        tuple(concrete_sets(choices, 1, Weights(), FITTING, Random(seed))[0][1])
        for seed in range(40)
    }
    assert len(found) == 4


def test_orders_that_spoil_each_other_are_not_combined() -> None:
    """Not even when they are good alone: two go to one place, a support is for nothing."""
    to_ankara, support = code("A CON - ANK"), code("A SMY S A CON - ANK")
    choices: Choices = [
        ([to_ankara, CON_BUL], []),
        ([code("A SMY - ANK"), support, SMY_HOLD], []),
    ]
    weights = Weights()
    weights.learn_patterns({to_ankara: 1, code("A SMY - ANK"): 1}, success=True, rate=1)
    found = concrete_sets(choices, 20, weights, FITTING, Random(1))
    assert {tuple(orders) for _, orders in found} == {
        (to_ankara, support),
        (to_ankara, SMY_HOLD),
        (CON_BUL, code("A SMY - ANK")),
        (CON_BUL, SMY_HOLD),
    }


def test_a_unit_of_which_nothing_fits_gets_another_order_or_just_something() -> None:
    support = code("A SMY S A CON - ANK")
    to_ankara, hold = code("A CON - ANK"), code("A CON H")
    for spare, its in (([to_ankara], to_ankara), ([CON_BUL], hold), ([], hold)):
        choices: Choices = [([support], []), ([hold], spare), ([ANK_BLA], [])]
        ((_, found),) = concrete_sets(choices, 1, Weights(), FITTING, Random(1))
        assert found == [support, its, ANK_BLA]


def test_a_game_teaches_every_power_orders_and_pairs() -> None:
    trainer = Trainer(BOARD, Settings(games=1, seed=3, variant="featureless", candidates=50))
    (game,) = trainer.run()
    for weights, lessons in zip(trainer.database.powers.values(), game.lessons, strict=True):
        assert set(weights.known) == set(lessons[0].orders)
        assert {size_of(each) for each in weights.known} == {1, 2}


def test_the_command_shows_orders_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "some.json")
    train = ["patterns", "train", "--out", file, "--games", "1", "--variant", "featureless"]
    assert main([*train, "--candidates", "20"]) == 0
    out = capsys.readouterr().out
    assert "moves a game, supports" in out
    assert "TUR: " in out
    assert main(["patterns", "show", file, "--power", "TUR", "--least-age", "1"]) == 0
    out = capsys.readouterr().out
    assert "TUR after 1 games (featureless)" in out
    assert "A SMY" in out
