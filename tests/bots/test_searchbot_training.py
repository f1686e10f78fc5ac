"""Training: the same file in one run or in several, and errors in one sentence."""

from pathlib import Path

import pytest

from bots.searchbot import training as parts
from bots.searchbot.training import Recipe, Training
from bots.searchbot.value import HABITUAL, SEARCHED, SHIPPED, read_weights
from bots.searchbot_cli import main
from rules.errors import BadInputError
from rules.maps import load_map

BOARD = load_map()


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "ROUND", 20)
    monkeypatch.setattr(parts, "SEARCHED_ROUND", 2)
    monkeypatch.setattr(parts, "HELD_OUT", 8)


def test_the_same_recipe_gives_the_same_weights_in_one_run_or_two(tmp_path: Path) -> None:
    recipe = Recipe(games=50, searched=3, hidden=4, seed=5)
    whole = Training(BOARD, recipe)
    while not whole.is_over:
        whole.step()
    first = Training(BOARD, recipe)
    first.step()
    first.step()
    first.save(tmp_path / "part")
    second = Training(BOARD, recipe)
    second.resume(tmp_path / "part")
    assert second.done == 40
    while not second.is_over:
        second.step()
    assert second.done == 53
    assert second.weights().numbers == whole.weights().numbers
    other = Training(BOARD, Recipe(games=50, hidden=4, seed=6))
    other.step()
    assert other.weights().numbers != whole.weights().numbers


def test_games_by_the_policy_come_between_the_others(tmp_path: Path) -> None:
    recipe = Recipe(games=20, habitual=30, heats=(0.5, 1.0), searched=2, hidden=2, seed=5)
    whole = Training(BOARD, recipe)
    rounds = []
    while not whole.is_over:
        whole.step()
        rounds.append(whole.done)
    assert rounds == [20, 40, 50, 52]
    first = Training(BOARD, recipe)
    first.step()
    first.step()
    first.save(tmp_path / "part")
    second = Training(BOARD, recipe)
    second.resume(tmp_path / "part")
    while not second.is_over:
        second.step()
    assert second.weights().numbers == whole.weights().numbers
    assert second.weights().recipe["habitual"] == 30
    assert second.weights().recipe["heats"] == [0.5, 1.0]
    # A file that was made before there were such games still says the same of itself.
    assert not {"habitual", "heats"} & set(Recipe(games=20).as_dict())


def test_what_is_learned_judges_better_than_centers() -> None:
    training = Training(BOARD, Recipe(games=400, hidden=8))
    losses = []
    while not training.is_over:
        losses.append(training.step())
    measured = training.measure()
    assert measured.learned < 0.9 * measured.projection < measured.centers
    assert losses[-1] < losses[0]


def test_the_command_writes_a_file_that_the_bots_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "some.gz"
    assert main(["train", "--games", "20", "--hidden", "2", "--out", str(out)]) == 0
    assert "mean squared error" in capsys.readouterr().out
    assert read_weights(out).recipe["games"] == 20
    assert not out.with_name("some.gz.part").exists()
    with pytest.raises(BadInputError, match="exists"):
        main(["train", "--games", "20", "--hidden", "2", "--out", str(out)])


def test_a_training_of_other_settings_is_not_resumed(tmp_path: Path) -> None:
    again = ["train", "--hidden", "2", "--resume", "--out", str(tmp_path / "some.gz")]
    training = Training(BOARD, Recipe(games=20, hidden=2))
    training.save(tmp_path / "some.gz.part")
    with pytest.raises(BadInputError, match="other settings"):
        main([*again, "--games", "21"])
    with pytest.raises(BadInputError, match="add --resume"):
        main(["train", "--games", "20", "--hidden", "2", "--out", str(tmp_path / "some.gz")])
    (tmp_path / "some.gz.part").write_bytes(b"nothing")
    with pytest.raises(BadInputError, match="no training"):
        main([*again, "--games", "20"])


@pytest.mark.parametrize("heats", ["", "1,", "1,warm", "0", "1,2e3", ",".join(["1"] * 65)])
def test_temperatures_that_are_none_are_refused(
    tmp_path: Path, heats: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["train", "--games", "20", "--heats", heats, "--out", str(tmp_path / "some.gz")])
    assert "--heats: " in capsys.readouterr().err


def test_the_shipped_files_say_how_they_were_made() -> None:
    assert Recipe(**read_weights(SHIPPED).recipe).habitual == 0
    assert Recipe(**read_weights(HABITUAL).recipe).habitual > 0
    assert Recipe(**read_weights(SEARCHED).recipe).searched > 0
