import pytest

from tests.tournament.playing import lagoon_jobs
from tournament.play_job import aborted_result, play_game
from tournament.progress import PlainLines, Standings, duration, summary

JOBS = lagoon_jobs("{ dumbbot = 1, holdbot = 2 }", games=3)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_headline_tells_how_fast_it_goes_and_how_long_it_takes() -> None:
    clock = Clock()
    standings = Standings(clock)
    lines = [play_game(job) for job in JOBS]
    standings.start(lines[:1], 4)
    assert standings.headline() == "1 of 5 games, 0 an hour"
    clock.now = 10.0
    standings.add(lines[1])
    # The game that was there before says nothing about the speed.
    assert standings.headline() == "2 of 5 games, 360 an hour, 0:30 left"
    clock.now = 20.0
    standings.add(aborted_result(JOBS[2], "a test"))
    assert standings.headline() == "3 of 5 games, 360 an hour, 0:20 left, 1 aborted"


def test_the_running_table_counts_the_seats_of_each_bot() -> None:
    lines = [play_game(job) for job in JOBS]
    found = summary(lines)
    assert (found["dumbbot"]["games"], found["dumbbot"]["seats"]) == (3, 3)
    assert (found["holdbot"]["games"], found["holdbot"]["seats"]) == (3, 6)
    owned = sum(sum(line.centers[1903].values()) for line in lines)
    assert 3 * found["dumbbot"]["centers"] + 6 * found["holdbot"]["centers"] == pytest.approx(owned)


def test_an_aborted_game_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    shown = PlainLines()
    shown.start([], 2)
    shown.update(aborted_result(JOBS[0], "the worker ended twice"))
    assert capsys.readouterr().err.splitlines() == [
        "2 games to play, 0 are there",
        "game 0 was aborted: the worker ended twice",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"), [(5, "0:05"), (65, "1:05"), (3725, "1:02:05"), (59.7, "1:00")]
)
def test_durations_are_written_as_on_a_clock(seconds: float, text: str) -> None:
    assert duration(seconds) == text
