"""A learned policy and its file: the same in one run or in several, and errors in one sentence."""

import gzip
import json
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from bots.kernel import Playouts
from bots.kernel.habits import DUMBBOT
from bots.registry import make_bot
from bots.searchbot import policy_training as parts
from bots.searchbot.blueprint import BLUEPRINTS, Imitating, Mixture, Planning, blueprint_named
from bots.searchbot.policy_file import SHIPPED, policy_for, read_policy
from bots.searchbot.policy_training import PolicyRecipe, PolicyTraining
from bots.searchbot_cli import main
from rules.board import Board
from rules.errors import BadInputError
from rules.kernel.encode import codec_of
from rules.maps import load_map

BOARD = load_map()


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        *(("ROUND", 2), ("HELD_OUT", 1), ("COMPARED", 4), ("SHORTEST", 2), ("LONGEST", 4)),
        *(("PLANNED", 3), ("LEARNED", 2), ("VARIED", 2), ("ITERATIONS", 2)),
    ):
        monkeypatch.setattr(parts, name, value)


def test_the_same_recipe_gives_the_same_weights_in_one_run_or_two(tmp_path: Path) -> None:
    recipe = PolicyRecipe(games=7, hidden=2, seed=5)
    whole = PolicyTraining(BOARD, recipe)
    while not whole.is_over:
        whole.step()
    first = PolicyTraining(BOARD, recipe)
    first.step()
    first.step()
    first.save(tmp_path / "part")
    second = PolicyTraining(BOARD, recipe)
    second.resume(tmp_path / "part")
    assert second.done == 4
    while not second.is_over:
        second.step()
    assert second.weights().numbers == whole.weights().numbers
    other = PolicyTraining(BOARD, evolve(recipe, seed=6))
    other.step()
    assert other.weights().numbers != whole.weights().numbers


def test_the_command_writes_a_policy_that_the_bots_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = Path("some.policy.gz")
    train = ["train", "--policy", "--games", "4", "--hidden", "1", "--out", str(out)]
    assert main(train) == 0
    assert "by DumbBot's planning" in capsys.readouterr().out
    assert read_policy(out).recipe == {"games": 4, "hidden": 1, "seed": 0}
    make_bot(f"brbot/iterations=4/blueprint={out}")
    with pytest.raises(BadInputError, match="exists"):
        main(train)
    out.unlink()
    assert main([*train, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["decisions"] > 0


def test_what_a_policy_has_no_use_for_is_refused(tmp_path: Path) -> None:
    train = ["train", "--policy", "--games", "4", "--out", str(tmp_path / "some.gz")]
    for more in (["--searched", "2"], ["--habitual", "2"], ["--heats", "1"]):
        with pytest.raises(BadInputError, match="leave out"):
            main([*train, *more])
    with pytest.raises(BadInputError, match="--hidden"):
        main([*train, "--hidden", "5000"])
    with pytest.raises(BadInputError, match="--hidden: 0"):
        main(["train", "--games", "4", "--hidden", "0", "--out", str(tmp_path / "some.gz")])


def test_the_shipped_policy_is_small_and_knows_more_than_dumbbot() -> None:
    assert SHIPPED.stat().st_size < 300_000
    weights = read_policy(SHIPPED)
    recipe = PolicyRecipe(**weights.recipe)
    training = PolicyTraining(BOARD, evolve(recipe, games=1))
    training.use(weights)
    measured = training.measure()
    assert measured.learned < measured.dumbbot
    assert measured.best > 0.5


def test_blueprints_are_made_for_a_board() -> None:
    game = Playouts(codec_of(BOARD).new_simulator())
    kinds = {name: type(each.on(game, BOARD)) for name, each in BLUEPRINTS.items()}
    assert kinds == {
        "dumbbot": Planning,
        "narrow": Planning,
        "learned": Imitating,
        "mixed": Mixture,
    }
    other = load_map("lagoon")
    there = Playouts(codec_of(other).new_simulator())
    assert type(BLUEPRINTS["learned"].on(there, other)) is Planning


def test_a_server_that_numbers_the_map_otherwise_has_the_same_policy() -> None:
    random = Random(1)
    provinces, powers = list(BOARD.provinces), list(BOARD.powers)
    random.shuffle(provinces)
    random.shuffle(powers)
    other = evolve(BOARD, provinces=tuple(provinces), powers=tuple(powers))
    one, two = (_odds(board) for board in (BOARD, other))
    assert one.keys() == two.keys()
    assert len(one) > 150
    for order, chance in one.items():
        assert two[order] == pytest.approx(chance)


def _odds(board: Board) -> dict[str, float]:
    """Return the chances of all orders of the opening, each for a unit that chooses first."""
    codec = codec_of(board)
    game = Playouts(codec.new_simulator())
    codec.load(board.start, game.state)
    game.value(DUMBBOT)
    policy = policy_for(game, board, SHIPPED)
    assert policy is not None
    found = {}
    for unit in board.start.units:
        policy.enter(codec.power_index[unit.power])
        for code, chance in policy.odds(codec.province_index[unit.location.province]):
            found[str(codec.order(code, unit.power))] = chance
    return found


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"hidden": -1}, "hidden: -1"),
        ({"hidden": 7}, "weights, not"),
        ({"slots": None}, "None are no names"),
        ({"slots": ["A PAR H"]}, "weights, not"),
        ({"layout": 3}, "is no learned policy"),
        ({"recipe": 3}, "is no learned policy"),
    ],
    ids=str,
)
def test_a_broken_policy_is_refused_with_its_name(
    tmp_path: Path, change: dict[str, object], why: str
) -> None:
    line, _, body = gzip.decompress(SHIPPED.read_bytes()).partition(b"\n")
    path = tmp_path / "odd.policy.gz"
    path.write_bytes(gzip.compress(json.dumps(json.loads(line) | change).encode() + b"\n" + body))
    with pytest.raises(BadInputError, match=why):
        read_policy(path)
    with pytest.raises(BadInputError, match="odd"):
        blueprint_named(str(path))
