from collections.abc import Iterator

import pytest

from bots.registry import ENTRIES
from rules.turns import Season, Turn
from tests.tournament.playing import comparable, in_mode, jobs, lagoon_jobs
from tournament.game_result import GameResult
from tournament.play_job import mode_of, play_game
from tournament.pool import LocalPool
from tournament.schedule import GameJob

LINEUPS = [
    "{ dumbbot = 7 }",
    "{ dumbbot = 2, blabbot = 3, diplominator = 2 }",
    '{ "blabbot/joe" = 2, "diplominator/0.2" = 2, randombot = 1, "dumbbot/wide" = 2 }',
]


@pytest.fixture(scope="module")
def pool() -> Iterator[LocalPool]:
    with LocalPool(1) as made:
        yield made


def play_apart(pool: LocalPool, job: GameJob) -> GameResult:
    """Play as a tournament does it: a worker with a server, and the bots in their processes."""
    lines: list[GameResult] = []
    pool.play([in_mode(job, "processes")], lines.append)
    return lines[0]


@pytest.mark.parametrize("players", LINEUPS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_in_one_process_is_the_same_as_over_tcp(
    pool: LocalPool, players: str, seed: int
) -> None:
    job = jobs(f"seed = {seed}\ngames = 7\nlast_year = 1902\n[[fields]]\nplayers = {players}")[seed]
    here, apart = play_game(in_mode(job, "in-process")), play_apart(pool, job)
    assert comparable(here) == comparable(apart)
    assert (here.mode, apart.mode) == ("in-process", "processes")
    assert here.faults == []


def test_a_game_without_press_is_the_same_as_over_tcp() -> None:
    job = lagoon_jobs("{ dumbbot = 2, randombot = 1 }", more="seed = 4")[0]
    here, apart = (play_game(in_mode(job, mode)) for mode in ("in-process", "processes"))
    assert comparable(here) == comparable(apart)


def test_the_same_job_has_the_same_line() -> None:
    job = lagoon_jobs("{ dumbbot = 1, blabbot = 2 }")[0]
    assert comparable(play_game(job)) == comparable(play_game(job))


def test_the_line_tells_the_game() -> None:
    job = lagoon_jobs("{ dumbbot = 1, blabbot = 2 }")[0]
    line = play_game(job)
    assert (line.number, line.field_name, line.seed) == (0, "dumbbot*1-blabbot*2", 1_000_000)
    assert line.players == dict(job.players)
    assert sorted(line.centers) == [1900, 1901, 1902, 1903]
    assert {power: row["centers"] for power, row in line.scores.items()} == line.centers[1903]
    assert (line.outcome, line.winners, line.year) == ("year-limit", [], 1903)
    assert line.phases >= 6
    assert list(line.press) == list(job.players)
    assert all(line.press[power] for power, bot in job.players.items() if bot == "blabbot")
    assert line.offers
    assert {offer["sender"] for offer in line.offers} <= set(job.players)


def test_a_strategy_that_fails_is_noted_in_either_mode(pool: LocalPool) -> None:
    job = lagoon_jobs('{ dumbbot = 2, "tests.tournament.bad_bots:Raiser" = 1 }')[0]
    here, apart = play_game(in_mode(job, "in-process")), play_apart(pool, job)
    (fault,) = here.faults
    assert fault["what"] == "failed"
    assert fault["errors"] == [
        {
            "error": "ValueError: a bug",
            "where": ["bad_bots.py:28 in choose_orders", "bad_bots.py:48 in make_trouble"],
            "turn": "FAL 1901",
            "times": 1,
        }
    ]
    assert comparable(here) == comparable(apart)


def test_our_bots_share_a_process_and_others_have_their_own() -> None:
    ours = lagoon_jobs('{ "dumbbot/wide" = 2, blabbot = 1 }')[0]
    others = lagoon_jobs('{ dumbbot = 2, "tests.tournament.bad_bots:Raiser" = 1 }')[0]
    assert "dumbbot" in ENTRIES
    assert (mode_of(ours), mode_of(others)) == ("in-process", "processes")
    assert mode_of(in_mode(ours, "processes")) == "processes"
    assert mode_of(in_mode(others, "in-process")) == "in-process"


@pytest.mark.parametrize(
    ("bot", "what", "ending"),
    [
        ("Crasher", "crashed", {"ending": "with exit code 3"}),
        ("Hanger", "hung", {"ending": "ended after 3 s without a sign of life"}),
        ("Babbler", "sent away", {}),
    ],
)
def test_a_game_goes_on_without_a_bot_that_is_lost(
    pool: LocalPool, bot: str, what: str, ending: dict[str, str]
) -> None:
    job = lagoon_jobs(
        f'{{ dumbbot = 2, "tests.tournament.bad_bots:{bot}" = 1 }}', more="game_limit = 3"
    )[0]
    line = play_apart(pool, job)
    (lost,) = [power for power, name in job.players.items() if bot in name]
    assert line.outcome == "year-limit"
    turn = Turn(Season.FALL, 1901)
    told = {"power": lost, "what": what, "turn": [turn.season.value, 1901]}
    assert line.faults == [{**told, **ending}]


def test_a_stand_in_takes_the_seat_of_a_bot_that_does_not_come(pool: LocalPool) -> None:
    job = lagoon_jobs('{ dumbbot = 2, "tests.tournament.bad_bots:Quitter" = 1 }')[0]
    line = play_apart(pool, job)
    assert line.outcome == "year-limit"
    assert [each["what"] for each in line.faults] == ["crashed"]


def test_a_bug_in_a_game_is_told_in_its_line() -> None:
    job = in_mode(lagoon_jobs("{ dumbbot = 2, nobody = 1 }")[0], "in-process")
    line = play_game(job)
    assert line.outcome == "aborted"
    assert "no such bot: 'nobody'" in line.error
