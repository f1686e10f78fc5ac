"""Every map is played to the end, by as many bots as it has powers, of three kinds."""

import json
from pathlib import Path

import pytest

from cli.main import main
from rules.maps import map_names
from rules.variants import load_board

VARIANTS = Path(__file__).parents[1] / "data" / "variants"
KINDS = ("dumbbot", "randombot", "tactician")
LAST_YEAR = 5
"""How many years a game may take after its first."""


@pytest.mark.filterwarnings("ignore::rules.errors.MendedInputWarning")
@pytest.mark.parametrize("name", [*map_names(), *sorted(path.name for path in VARIANTS.iterdir())])
def test_a_variant_is_played_to_its_end(capsys: pytest.CaptureFixture[str], name: str) -> None:
    variant = name if name in map_names() else str(VARIANTS / name)
    board = load_board(variant)
    capsys.readouterr()
    bots = [KINDS[seat % len(KINDS)] for seat in range(len(board.powers))]
    last_year = board.start.turn.year + LAST_YEAR
    arguments = ("--variant", variant, "--bots", ",".join(bots), "--last-year", str(last_year))
    code = main(["play", *arguments, "--seed", "1", "--json"])
    out, _ = capsys.readouterr()
    result = json.loads(out)
    assert code == 0
    assert result["outcome"] in ("solo", "draw", "year-limit")
    assert sorted(player["bot"] for player in result["players"]) == sorted(bots)
    assert result["phases"] >= 2


def test_a_map_may_have_nothing_but_centers() -> None:
    assert all(province.is_center for province in load_board(VARIANTS / "ring").provinces)
