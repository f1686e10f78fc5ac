"""The table in terminals of several sizes."""

from io import StringIO

import pytest
from rich.console import Console

from bots.diplominator.diplominator import diplominator
from promises.keeper import Bookkeeper
from rules.places import Power
from rules.variants import load_board
from server.settings import GameSettings
from spectator.live_table import SCALE, TableView, view_of
from spectator.observed_game import ObservedGame, stab_sentence
from spectator.stills import theme_colours
from spectator.terminal import LiveTable, fitted, standing_lines
from tests.bots.in_memory import Room

SETTINGS = GameSettings(last_year=1906, level=20, press_rounds=6)


@pytest.fixture(scope="module")
def watch() -> ObservedGame:
    """Return a game that ended with a stab in its last turns and some press."""
    room = Room([diplominator(stabs_at=5) for _ in range(7)], SETTINGS, seed=2)
    room.play()
    watch = ObservedGame(Bookkeeper(room.game.board))
    watch.follow(room.game.history)
    return watch


@pytest.fixture(scope="module")
def players() -> dict[Power, str]:
    bots = ["diplominator", "my_long_package.my_module:MyVeryLongBot", *["holdbot"] * 5]
    return dict(zip(load_board("standard").powers, bots, strict=True))


def drawn(view: TableView, width: int, height: int) -> list[str]:
    console = Console(
        width=width, height=height, file=StringIO(), record=True, legacy_windows=False
    )
    console.print(view)
    return console.export_text().splitlines()


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 12), (120, 40), (60, 16), (30, 10)])
def test_the_view_holds_in_its_terminal_with_every_power(
    watch: ObservedGame, players: dict[Power, str], width: int, height: int
) -> None:
    lines = drawn(view_of(watch, players), width, height)
    assert len(lines) < height
    assert max(map(len, lines)) <= width
    assert lines[0].rstrip() == "After fall 1906"
    for power, line in zip(players, lines[2:], strict=False):
        assert line.startswith(f"{power.title} ")
        assert f" {watch.centers[power]}" in line


def test_columns_that_do_not_fit_are_left_out(
    watch: ObservedGame, players: dict[Power, str]
) -> None:
    view = view_of(watch, players)
    headings = {width: drawn(view, width, 24)[1].split() for width in (30, 40, 60, 80)}
    assert headings == {
        30: ["power", "bot", "centers"],
        40: ["power", "centers"],
        60: ["power", "bot", "centers", "units", "stabs"],
        80: ["power", "bot", "centers", "units", "kept", "stabs"],
    }
    assert "█" in drawn(view, 40, 24)[2] + drawn(view, 40, 24)[3]
    assert "my_long_package" in drawn(view, 120, 24)[3]


def test_bars_are_of_one_width_whatever_the_centers(
    watch: ObservedGame, players: dict[Power, str]
) -> None:
    for line in drawn(view_of(watch, players), 80, 24)[2:9]:
        assert line.count("█") + line.count("·") == SCALE


def test_only_the_stabs_and_the_press_of_the_last_turn_are_shown() -> None:
    room = Room([diplominator(stabs_at=5) for _ in range(7)], SETTINGS, seed=2)
    room.play()
    watch = ObservedGame(Bookkeeper(room.game.board))
    history = room.game.history
    names = dict.fromkeys(room.game.board.powers, "diplominator")
    shown: list[str] = []
    every = list(history.turns)
    history.turns[:] = []
    for turn in every:
        history.turns.append(turn)
        watch.follow(history)
        view = view_of(watch, names)
        shown += view.stabs
        if not any(each.turn == turn.turn for each in history.press):
            assert not view.press
    assert shown == [stab_sentence(each) for each in watch.book.stabs]
    assert shown


def test_the_last_table_is_complete_when_the_terminal_is_too_small(
    watch: ObservedGame, players: dict[Power, str]
) -> None:
    console = Console(width=40, height=5, file=StringIO(), force_terminal=True)
    live = LiveTable(players, console)
    live.start()
    live.update(watch)
    live.stop()
    assert isinstance(console.file, StringIO)
    last = console.file.getvalue().rpartition("After fall 1906")[2]
    assert all(str(power.title) in last for power in players)


@pytest.mark.parametrize("variant", ["fourwinds", "lagoon"])
def test_powers_of_other_boards_have_names_and_colours(variant: str) -> None:
    board = load_board(variant)
    watch = ObservedGame(Bookkeeper(board))
    view = view_of(watch, dict.fromkeys(board.powers, "holdbot"))
    assert [row.name for row in view.rows] == [power.title for power in board.powers]
    assert len({row.colour for row in view.rows}) == len(board.powers)


def test_a_bright_terminal_gets_the_darker_colours(
    watch: ObservedGame, players: dict[Power, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for ground, theme in (("15;0", "light"), ("0;15", "dark"), ("", "light")):
        monkeypatch.setenv("COLORFGBG", ground)
        colours = [row.colour for row in view_of(watch, players).rows]
        assert colours == [theme_colours(theme)[f"power-{number}"] for number in range(7)]


def test_the_last_sentence_is_broken_between_words_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentence = "The year limit ends the game in 1908: Austria (banker) leads with 11 centers."
    monkeypatch.setenv("COLUMNS", "40")
    assert fitted(sentence) == sentence
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert fitted(sentence).split() == sentence.split()
    assert fitted(sentence).splitlines()[0] == "The year limit ends the game in 1908:"


def test_a_name_that_would_command_the_terminal_is_shown_as_what_it_is(watch: ObservedGame) -> None:
    players = dict.fromkeys(load_board("standard").powers, "\x9b31mred")
    rows = view_of(watch, players).rows
    assert {row.bot for row in rows} == {r"\x9b31mred"}
    told = [
        {"power": power.name, "centers": 1, "promises_kept": 0, "promises_broken": 0, "stabs": 0}
        for power in players
    ]
    lines = list(standing_lines({"players": told}, players))
    assert len(lines) == 7
    assert all(r"\x9b31mred" in line and line.isprintable() for line in lines)
