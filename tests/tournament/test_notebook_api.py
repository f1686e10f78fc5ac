"""What `docs/python.md` promises: games, tables, pictures, judgements and tournaments."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots.strategy import Tactic
from bots.view import GameView
from rules.errors import BadInputError
from rules.notation import OrderReader
from rules.orders import Hold, Move, Order, OrderResult
from tournament import notebook
from tournament.notebook import (
    Games,
    adjudicate,
    games_of,
    judge_text,
    legal_orders,
    legal_texts,
    load_board,
    picture,
    play,
    read_games,
    record_of,
    scatter,
    tables,
    tournament,
)
from tournament.table_columns import TABLES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
SPEC: dict[str, Any] = {
    "variant": "lagoon",
    "games": 2,
    "last_year": 1902,
    "press_level": 10,
    "balance": False,
    "bots": {"quiet": "dumbbot/wide"},
    "fields": [{"players": {"quiet": 1, "blabbot": 2}}],
}
FRANCE = {
    "turn": ["SPR", 1901],
    "phase": "movement",
    "units": {"FRA": ["A PAR", "F BRE"], "GER": ["A MUN"]},
}


def test_the_page_names_everything_that_can_be_imported() -> None:
    text = PAGE.read_text()
    assert [name for name in notebook.__all__ if f"`{name}" not in text] == []


class NeedsADepth(Tactic):
    def __init__(self, depth: int) -> None:
        self.depth = depth

    def choose_orders(self, view: GameView) -> list[Order]:
        return [Hold(unit) for unit in view.units]


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"players": "dumbbot"}, "players: 'dumbbot' is neither a list"),
        ({"players": None}, "players: None is neither a list"),
        ({"players": [1, "dumbbot", "dumbbot"]}, "players: AMB: 1 is no bot"),
        ({"players": [int, "dumbbot", "dumbbot"]}, "players: AMB: <class 'int'> is no bot"),
        ({"players": [NeedsADepth, "dumbbot", "dumbbot"]}, "AMB: NeedsADepth cannot be made"),
        ({"players": [lambda: None, "dumbbot", "dumbbot"]}, "AMB: <lambda> made None, no bot"),
        ({"seed": "1"}, "seed: '1' is not a whole number"),
        ({"seed": 1.5}, "seed: 1.5 is not a whole number"),
        ({"press_level": 15}, "press_level: 15 is not one of 0, 10"),
        ({"press_rounds": 0}, "press_rounds: 0 is not between 1 and"),
        ({"last_year": "1902"}, "last_year: '1902' is not a whole number"),
        ({"last_year": 1800}, "last_year: the game starts in 1901, after 1800"),
        ({"years_without_change": -3}, "years_without_change: -3 is not between"),
        ({"think": "long"}, "think: 'long' is not a number of seconds"),
        ({"turn_limit": 0}, "turn_limit: 0 is not a number of seconds"),
        ({"start": {}}, "start: {} is no position"),
        ({"name": ""}, "name: '' is no name"),
        ({"on_turn": 3}, "on_turn: 3 cannot be called"),
    ],
)
def test_a_wrong_argument_of_play_is_told_in_one_sentence(
    changed: dict[str, Any], complaint: str
) -> None:
    call: dict[str, Any] = {"players": ["dumbbot"] * 3, "variant": "lagoon", "last_year": 1901}
    with pytest.raises(BadInputError) as told:
        play(**{**call, **changed})
    assert complaint in str(told.value)
    assert "\n" not in str(told.value)


def test_a_number_of_an_array_is_as_good_as_a_plain_one() -> None:
    numpy = pytest.importorskip("numpy")
    call: dict[str, Any] = {"players": ["dumbbot"] * 3, "variant": "lagoon"}
    one = play(**call, seed=numpy.int64(2), last_year=numpy.int32(1901))
    assert record_of(one) == record_of(play(**call, seed=2, last_year=1901))


def test_an_object_that_needs_arguments_plays() -> None:
    game = play([NeedsADepth(3), "dumbbot", "dumbbot"], variant="lagoon", last_year=1901)
    assert not game.faults


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: picture("S1901M", "S1901M"), "'S1901M' is neither a game nor"),  # type: ignore[arg-type]  # the test
        (lambda: tables([3]), "3 is no game that `play` gave"),  # type: ignore[list-item]  # the test
        (lambda: tournament(3), "spec: 3 is neither a dict"),  # type: ignore[arg-type]  # the test
        (lambda: tournament(SPEC, jobs=0), "jobs: 0 is not between 1 and"),
        (lambda: tournament(SPEC, on_game=3), "on_game: 3 cannot be called"),  # type: ignore[arg-type]  # the test
    ],
)
def test_what_is_no_game_is_told_in_one_sentence(
    call: Callable[[], object], complaint: str
) -> None:
    with pytest.raises(BadInputError, match=complaint):
        call()


@pytest.mark.parametrize(
    ("turn", "width", "complaint"),
    [
        (None, 900, "turn: None is no turn"),
        (("SPR", 1901), 900, "turn: "),
        ("S1901M", -3, "width: -3 is not between"),
        ("S1901M", 10**7, "width: 10000000 is not between"),
    ],
)
def test_a_picture_of_nothing_is_refused(turn: Any, width: int, complaint: str) -> None:
    game = play(["dumbbot"] * 3, variant="lagoon", last_year=1901)
    with pytest.raises(BadInputError, match=complaint):
        picture(game, turn, width=width)


def test_a_game_has_tables_and_says_what_it_is_in_a_line() -> None:
    game = play(["dumbbot", "blabbot", "blabbot"], variant="lagoon", seed=3, last_year=1902)
    assert repr(game).startswith("<game-1: year-limit in 1902: AMB ")
    assert len(repr(game)) < 100
    found = tables(game)
    assert set(found) == set(TABLES)
    assert len(found["orders"]) == sum(len(played.outcomes) for played in game.turns)
    assert len(found["press"]) == len(game.press)
    assert all(row["reason"] for row in found["orders"])
    two = tables([game, game])
    assert {row["game"] for row in two["orders"]} == {0, 1}


def test_a_turn_is_drawn_for_the_notebook_and_for_a_file(tmp_path: Path) -> None:
    pytest.importorskip("quickjs", reason="the extra `pictures` is not installed")
    pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
    game = play(["dumbbot"] * 7, seed=1, press_level=0, last_year=1901)
    drawn = picture(game, "S1901M")
    assert drawn._repr_svg_().startswith("<svg")
    assert "Spring 1901" in drawn.svg
    assert picture(record_of(game), game.turns[0].turn).svg == drawn.svg
    [kept] = games_of([game])
    assert picture(kept, "s1901m").svg == drawn.svg
    drawn.save(tmp_path / "turn.svg")
    drawn.save(str(tmp_path / "turn.png"))
    assert (tmp_path / "turn.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadInputError, match=r"saved as \.svg or \.png"):
        drawn.save(tmp_path / "turn.bmp")
    with pytest.raises(BadInputError, match="has no turn S1950M"):
        picture(game, "S1950M")
    with pytest.raises(BadInputError, match="no such turn: 'spring'"):
        picture(game, "spring")
    with pytest.raises(BadInputError, match="theme: 'pink' is none of light, dark"):
        picture(game, "S1901M", theme="pink")


def test_positions_are_judged_on_values_and_on_text() -> None:
    orders = [{"power": "FRA", "order": "A PAR - BUR"}, {"power": "GER", "order": "A MUN - BUR"}]
    told = judge_text({**FRANCE, "orders": orders})
    assert {each["order"]: each["result"] for each in told["orders"]}["A PAR - BUR"] == "BNC"
    board = load_board("standard")
    start = board.start
    assert start is not None
    reader = OrderReader(board, start)
    order = reader.read(board.power("FRA"), "A PAR - BUR")
    reports = {each.order: each for each in adjudicate(board, start, [order]).reports}
    assert reports[order].result is OrderResult.SUCCEEDED
    assert isinstance(order, Move)
    assert order in legal_orders(board, start)[order.unit]


@pytest.mark.parametrize("wrong", ["A PAR - BUR", None, 5])
def test_text_among_orders_as_values_is_refused_and_not_passed_over(wrong: Any) -> None:
    board = load_board("standard")
    for position in (board.start, *play(["dumbbot"] * 7, press_level=0, last_year=1901).positions):
        with pytest.raises(BadInputError, match=r"^not an order: .*`judge_text` takes"):
            adjudicate(board, position, [wrong])
    with pytest.raises(BadInputError, match=r"^a position is an object with turn"):
        judge_text(wrong)
    with pytest.raises(BadInputError, match=r"^a position is an object with turn"):
        legal_texts(wrong)


def test_legal_orders_on_text_in_every_phase() -> None:
    moves = legal_texts(FRANCE)
    assert set(moves) == {"FRA", "GER"}
    assert "F BRE - MAO" in moves["FRA"]["F BRE"]
    assert "A PAR S A MUN - BUR" in moves["FRA"]["A PAR"]
    out = [{"power": "GER", "unit": "A BEL", "attacker_from": "PIC", "retreats": ["HOL"]}]
    position = {"turn": ["SUM", 1902], "phase": "retreat", "units": {"FRA": ["A BEL"]}}
    retreats = legal_texts({**position, "dislodged": out})
    assert sorted(retreats["GER"]["A BEL"]) == ["A BEL DSB", "A BEL RTO HOL"]
    winter = {"turn": ["WIN", 1901], "phase": "adjustment", "units": {"FRA": ["A BEL"]}}
    builds = legal_texts({**winter, "centers": {"FRA": ["PAR", "BEL"]}})
    assert set(builds["FRA"][""]) == {"A PAR BLD", "WVE"}
    with pytest.raises(BadInputError, match="XYZ"):
        legal_texts({**FRANCE, "units": {"FRA": ["A XYZ"]}})


def test_a_tournament_comes_from_a_dict_with_whole_games() -> None:
    heard: list[int] = []
    games = tournament(SPEC, jobs=1, on_game=lambda result: heard.append(result.number))
    assert repr(games) == "<2 games>"
    assert sorted(heard) == [result.number for result in games] == [0, 1]
    assert {row["bot"] for row in games.tables["seats"]} == {"quiet", "blabbot"}
    assert len(games.tables["press"]) == sum(row["press"] for row in games.tables["games"])
    assert games.tables["orders"]
    assert record_of(games.results[0])["setup"]["variant"] == "lagoon"


def test_a_tournament_is_kept_in_a_folder_and_resumed(tmp_path: Path) -> None:
    games = tournament(SPEC, out=tmp_path / "kept", jobs=1)
    again = tournament(SPEC, out=tmp_path / "kept", jobs=1, resume=True)
    assert [each.record for each in again] == [each.record for each in games]
    assert read_games(tmp_path / "kept").tables == games.tables
    with pytest.raises(BadInputError, match="its games are of another tournament"):
        tournament({**SPEC, "last_year": 1903}, out=tmp_path / "kept", jobs=1, resume=True)
    with pytest.raises(BadInputError, match="has 2 games already"):
        tournament(SPEC, out=tmp_path / "kept", jobs=1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"gmaes": 2}, "spec: gmaes: there is no such key"),
        ({"games": "many"}, "spec: games: 'many' is not a whole number"),
        ({"games": object()}, "is not a value of a spec"),
        ({"last_year": float("nan")}, "spec: "),
        ({"fields": [{"players": {"nobody": 3}}]}, "spec: fields: nobody: "),
        ({"name": 'a"b\n'}, "spec: name: "),
    ],
)
def test_a_wrong_dict_is_refused_in_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence) as told:
        tournament({**SPEC, **change}, jobs=1)
    assert "\n" not in str(told.value)


def test_names_with_odd_characters_survive_the_way_into_the_spec() -> None:
    names = {'say "so" \\ ü 🗺': "dumbbot"}
    fields = [{"players": {next(iter(names)): 3}}]
    games = tournament({**SPEC, "games": 1, "bots": names, "fields": fields}, jobs=1)
    assert {row["bot"] for row in games.tables["seats"]} == set(names)


def test_games_without_records_have_the_tables_of_their_results(tmp_path: Path) -> None:
    tournament({**SPEC, "games": 1}, out=tmp_path, jobs=1)
    (tmp_path / "records" / "game-000000.json.gz").unlink()
    games = read_games(tmp_path)
    assert games.tables["orders"] == []
    assert games.tables["seats"]
    with pytest.raises(BadInputError, match="game 0 was not kept whole"):
        record_of(games.results[0])


async def test_everything_works_while_an_event_loop_runs() -> None:
    players = ["blabbot", "dumbbot", "blabbot"]
    here = play(players, variant="lagoon", last_year=1901)
    apart = play(players, variant="lagoon", last_year=1901, over_tcp=True)
    assert (here.turns, here.press) == (apart.turns, apart.press)
    assert isinstance(tournament({**SPEC, "games": 1}, jobs=1), Games)


QUIET = """
from tournament.notebook import picture, play
game = play(["blabbot", "dumbbot", "blabbot"], variant="lagoon", last_year=1901, over_tcp=True)
print(len(repr(picture(game, "S1901M"))))
"""


def test_a_game_over_tcp_tells_a_notebook_nothing_but_what_goes_wrong() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", QUIET], capture_output=True, text=True, check=True, timeout=300
    )
    assert int(ran.stdout) < 100
    assert ran.stderr == ""


class Leaver(Tactic):
    def choose_orders(self, view: GameView) -> list[Order]:
        sys.exit(f"that is enough, {view.power}")


def test_a_bot_that_wants_to_leave_python_does_not_take_the_notebook_with_it() -> None:
    game = play([Leaver, "dumbbot", "dumbbot"], variant="lagoon", last_year=1901)
    [fault] = game.faults
    assert fault.failures[0].error.startswith("SystemExit: that is enough, ")


def test_a_plot_has_every_point_and_escapes_names() -> None:
    plot = scatter({"a<b": [(0.0, 0.1), (0.5, 0.9)], "c": [(1.0, 0.4)]}, x="honesty", y="score")
    assert plot.svg.count("<title>") == 3
    assert "a&lt;b" in plot.svg
    assert "<b:" not in plot.svg
    assert scatter({}, x="x", y="y").svg.startswith("<svg")


def test_tables_are_ready_for_json() -> None:
    game = play(["dumbbot", "blabbot", "blabbot"], variant="lagoon", last_year=1901)
    assert json.loads(json.dumps(tables(game))) == tables(game)
