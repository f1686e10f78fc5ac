"""Boards without a drawing of their own get one from their borders."""

import math
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from rules.board import Board
from rules.variants import load_board
from spectator.drawings import drawing_of
from spectator.schematic import neighbors, schematic

CREEK = Path(__file__).parent.parent / "data/variants/creek"
BOARDS = ["lagoon", "fourwinds", "standard", str(CREEK)]


@pytest.fixture(params=BOARDS, ids=["lagoon", "fourwinds", "standard", "creek"])
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


def test_every_province_has_a_place_in_view(board: Board) -> None:
    drawing = schematic(board)
    left, top, width, height = drawing["view"]
    assert drawing["provinces"].keys() == {province.name for province in board.provinces}
    for place in drawing["provinces"].values():
        spots = [place["unit"], place["label"], *place.get("coasts", {}).values()]
        assert all(left < x < left + width and top < y < top + height for x, y in spots)
        assert ("dot" in place) == ("center" in place)


def test_units_never_stand_on_each_other(board: Board) -> None:
    places = schematic(board)["provinces"].values()
    for one, other in combinations([place["unit"] for place in places], 2):
        assert math.dist(one, other) > 60
    for place in places:
        for one, other in combinations(place.get("coasts", {}).values(), 2):
            assert math.dist(one, other) > 24


def test_every_coast_has_a_place(board: Board) -> None:
    places = schematic(board)["provinces"]
    for place in board.fleet_borders:
        if place.coast:
            assert place.coast.value in places[place.province.name]["coasts"]


def test_every_border_is_seen_as_contact_or_link() -> None:
    board = load_board("lagoon")
    drawing = schematic(board)
    borders = sum(len(others) for others in neighbors(board).values()) // 2
    assert 0 < len(drawing["links"]) < borders
    roads = [link for link in drawing["links"] if link["kind"] == "road"]
    assert roads
    assert len(roads) < len(drawing["links"])


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_draws_the_same(seed: str) -> None:
    code = (
        "import hashlib, json; from rules.variants import load_board;"
        "from spectator.schematic import schematic;"
        "print(hashlib.sha256(json.dumps(schematic(load_board('fourwinds'))).encode()).hexdigest())"
    )
    drawn = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": each},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for each in ("0", seed)
    ]
    assert drawn[0] == drawn[1] != ""


def test_the_standard_map_has_its_own_drawing() -> None:
    drawing = drawing_of(load_board("standard"))
    assert "links" not in drawing
    assert drawing["provinces"]["BOH"]["land"] == "AUS"


def test_other_powers_on_the_standard_map_share_its_drawing(tmp_path: Path) -> None:
    (tmp_path / "duel.now").write_text("NOW ( SPR 1901 ) ( FRA AMY PAR ) ( GER AMY BER )")
    drawing = drawing_of(load_board(tmp_path / "duel"))
    assert drawing["name"] == "duel"
    assert drawing["provinces"]["PAR"]["path"].startswith("M")
    assert "land" not in drawing["provinces"]["BOH"]
