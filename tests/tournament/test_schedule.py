from collections import Counter

import pytest

from tournament.jobs_json import job_from_json, job_to_json
from tournament.schedule import GameJob, jobs_of
from tournament.spec import read_spec

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")


def jobs(text: str) -> list[GameJob]:
    return jobs_of(read_spec(text))


@pytest.mark.parametrize(
    "lineup", [{"a": 1, "b": 6}, {"a": 3, "b": 4}, {"a": 2, "b": 2, "c": 3}, {"a": 7}]
)
def test_every_bot_plays_every_power_equally_often(lineup: dict[str, int]) -> None:
    told = ", ".join(f"{name} = {count}" for name, count in lineup.items())
    played = jobs(f"games = 21\n[[fields]]\nplayers = {{ {told} }}")
    seats = Counter((power, bot) for job in played for power, bot in job.players.items())
    assert seats == {(power, bot): 3 * lineup[bot] for power in POWERS for bot in lineup}


def test_neighbours_change_from_block_to_block() -> None:
    played = jobs("games = 70\n[[fields]]\nplayers = { a = 3, b = 4 }")
    patterns = {tuple(job.players.values()) for job in played}
    assert len(patterns) > 7


def test_the_players_stand_in_the_order_of_the_powers() -> None:
    assert tuple(jobs("games = 7\n[[fields]]\nplayers = { a = 3, b = 4 }")[3].players) == POWERS


def test_every_game_has_a_number_and_a_seed_of_its_own() -> None:
    played = jobs("seed = 3\ngames = 7\n[[fields]]\none-against-six = ['a', 'b']")
    assert [job.number for job in played] == list(range(14))
    assert [job.seed for job in played] == list(range(3_000_000, 3_000_014))


def test_paired_fields_share_seeds_and_seats() -> None:
    text = (
        "paired = true\ngames = 7\n[[fields]]\none-against-six = { one = ['a', 'b'], six = ['c'] }"
    )
    played = jobs(text)
    for one, other in zip(played[::2], played[1::2], strict=True):
        assert one.seed == other.seed
        assert one.field != other.field
        assert [bot == "c" for bot in one.players.values()] == [
            bot == "c" for bot in other.players.values()
        ]


def test_a_shorter_field_ends_earlier() -> None:
    text = "[[fields]]\nname = 'x'\nplayers = { a = 7 }\ngames = 1\n"
    played = jobs(text + "[[fields]]\nname = 'y'\nplayers = { b = 7 }\ngames = 3")
    assert [job.field for job in played] == ["x", "y", "y", "y"]


def test_a_bot_has_the_seed_that_it_has_in_a_single_game() -> None:
    job = jobs("seed = 2\ngames = 1\n[[fields]]\nplayers = { a = 7 }")[0]
    assert [job.match.seed_of(power) for power in POWERS] == [200_000_000 + at for at in range(7)]


def test_another_seed_is_another_tournament() -> None:
    field = "games = 7\n[[fields]]\nplayers = { a = 3, b = 4 }"
    assert jobs("seed = 1\n" + field) == jobs("seed = 1\n" + field)
    assert [job.players for job in jobs("seed = 1\n" + field)] != [
        job.players for job in jobs("seed = 2\n" + field)
    ]


def test_a_job_comes_back_from_json_as_it_was() -> None:
    for job in jobs("games = 7\nthink = 0.5\n[[fields]]\nplayers = { a = 3, b = 4 }"):
        assert job_from_json(job_to_json(job)) == job


def test_bots_that_think_get_their_time_besides() -> None:
    field = "\n[[fields]]\nplayers = { a = 7 }"
    assert jobs("games = 1\ngame_limit = 5" + field)[0].match.patience == 5
    assert (
        jobs("games = 1\ngame_limit = 5\nthink = 2\npress_rounds = 1" + field)[0].match.patience
        == 33
    )
