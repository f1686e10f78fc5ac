"""What an observer is shown of promises and stabs."""

import pytest

from bots.diplominator.diplominator import diplominator
from grammar.messages import Admin, OrderOutcome, PressReceived
from promises.keeper import Bookkeeper
from server.settings import GameSettings
from spectator.observed_game import ObservedGame, stab_sentence
from spectator.terminal import PlainLines
from tests.bots.in_memory import Room


def watched_game() -> ObservedGame:
    """ObservedGame a whole game: what its players are told, and all press once."""
    room = Room([diplominator(stabs_at=5) for _ in range(7)], SETTINGS, seed=2)
    room.play()
    watch = ObservedGame(Bookkeeper(room.game.board))
    said = list(room.game.history.press)
    for message in room.seats[0].heard:
        if isinstance(message, OrderOutcome):
            while said and said[0].turn == message.turn:
                watch.receive(said.pop(0).press)
        if not isinstance(message, PressReceived):
            watch.receive(message)
    return watch


SETTINGS = GameSettings(last_year=1906, level=20, press_rounds=6)


def test_a_watcher_sees_who_keeps_their_word_and_who_stabs() -> None:
    watch = watched_game()
    stab = watch.book.stabs[0]
    assert " stabs " in stab_sentence(stab)
    assert stab.turn.season.name.lower() in stab_sentence(stab)
    assert watch.book.tally(stab.by).broken


def test_a_stab_is_one_of_the_plain_lines_once(capsys: pytest.CaptureFixture[str]) -> None:
    watch = watched_game()
    sentence = stab_sentence(watch.book.stabs[-1])
    plain = PlainLines(watch.centers)
    plain.update(watch)
    plain.update(watch)
    assert capsys.readouterr().out.splitlines().count(sentence) == 1


def test_a_plain_line_tells_the_centers_of_a_year_that_was_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    room = Room([diplominator(stabs_at=5) for _ in range(7)], SETTINGS, seed=2)
    room.play()
    watch = ObservedGame(Bookkeeper(room.game.board))
    plain = PlainLines(room.game.board.powers)
    for message in room.seats[0].heard:
        if not isinstance(message, PressReceived) and watch.receive(message):
            plain.update(watch)
    plain.stop()
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["Start", *map(str, range(1901, 1907))]
    assert lines[0].startswith("Start: Austria 3, England 3, ")
    for power, count in watch.centers.items():
        assert f"{power.title} {count}" in lines[-1]


def test_an_admin_text_that_would_command_the_terminal_is_shown_as_what_it_is() -> None:
    watch = watched_game()
    watch.receive(Admin("A\x9b", "b\x9b2J"))
    assert watch.news[-1] == r"A\x9b: b\x9b2J"
