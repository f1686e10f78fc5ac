"""A against B: pairs that differ in one seat, and a test that may be looked at all the time."""

import json
from collections.abc import Iterable
from random import Random

import pytest

from cli.main import main
from rules.maps import load_map
from tests.tournament.equal_bots import finds_a_difference
from tournament.compare import FIRST, SECOND, Comparison, compare, jobs_of_pair
from tournament.game_result import GameResult
from tournament.play_job import aborted_result, play_game
from tournament.pool import OnResult
from tournament.schedule import GameJob
from tournament.sequential import LEAST, Sequence
from tournament.spec import Rules

LAGOON = tuple(power.name for power in load_map("lagoon").powers)


class Here:
    """Plays games in this process."""

    def __init__(self) -> None:
        self.played = 0

    def play(self, jobs: Iterable[GameJob], on_result: OnResult) -> None:
        for job in jobs:
            self.played += 1
            on_result(play_game(job))

    def close(self) -> None:
        pass


class Loaded(Here):
    """Lets the first bot win every game and the second none, whatever they are."""

    def wins(self, seed: int) -> bool:  # noqa: ARG002 - for overriding
        """Whether the first wins the game of that seed; if not, the second does as well."""
        return True

    def play(self, jobs: Iterable[GameJob], on_result: OnResult) -> None:
        for job in jobs:
            self.played += 1
            seat = next(power for power in job.players if job.players[power] in (FIRST, SECOND))
            wins = job.players[seat] == FIRST and self.wins(job.seed)
            others = [power for power in job.players if power != seat]
            centers = dict.fromkeys(others, 1) | {seat: 8 if wins else 1}
            on_result(
                GameResult(
                    number=job.number,
                    field_name=job.field,
                    seed=job.seed,
                    players=dict(job.players),
                    outcome="year-limit",
                    winners=[],
                    year=1905,
                    centers={1900: centers, 1905: centers | {others[0]: 1 + job.seed % 2}},
                )
            )


class Seldom(Loaded):
    """Lets the first bot win a part of its games; in all others it does not matter who plays."""

    def __init__(self, part: float) -> None:
        super().__init__()
        self.part = part

    def wins(self, seed: int) -> bool:
        return Random(seed).random() < self.part


def lagoon(first: str, second: str, **changes: object) -> Comparison:
    settings: dict[str, object] = {
        "first": first,
        "second": second,
        "against": ("dumbbot", "holdbot"),
        "powers": LAGOON,
        "rules": Rules(press_level=0, last_year=load_map("lagoon").start.turn.year + 3),
        "variant": "lagoon",
    }
    return Comparison(**{**settings, **changes})  # type: ignore[arg-type]  # as a comparison has them


def test_the_games_of_a_pair_differ_in_one_seat_only() -> None:
    comparison = lagoon("dumbbot", "randombot")
    for number in range(12):
        one, other = jobs_of_pair(comparison, number)
        assert one.seed == other.seed
        different = [power for power in LAGOON if one.players[power] != other.players[power]]
        assert different == [LAGOON[number % len(LAGOON)]]
    seeds = {jobs_of_pair(comparison, number)[0].seed for number in range(12)}
    assert len(seeds) == 12


def test_a_bot_is_no_better_than_itself() -> None:
    verdict = compare(lagoon("dumbbot", "dumbbot", most_pairs=15), Here())
    assert set(verdict.gains) == {0.0}
    assert verdict.word == "no difference"
    assert "that these games could show" in verdict.sentence


def test_pairs_that_are_all_alike_are_enough_in_the_end() -> None:
    engine = Seldom(0.0)
    verdict = compare(lagoon("one", "same"), engine)
    assert verdict.sentence.startswith("No difference between one and same larger than 0.02 (+0.0")
    assert 200 < engine.played < 400


def test_a_difference_that_comes_seldom_is_not_called_too_small() -> None:
    # One pair in twenty is won by 0.64 of the squares, which makes 0.032.
    comparisons = [lagoon("good", "bad", seed=seed) for seed in range(40)]
    words = [compare(each, Seldom(0.05)).word for each in comparisons]
    assert words.count("no difference") <= 2


def test_a_clear_difference_ends_it_soon() -> None:
    engine = Loaded()
    verdict = compare(lagoon("good", "bad"), engine)
    assert verdict.word == "better"
    assert verdict.sentence.startswith("good is better than bad: +0.")
    assert engine.played < 60


def test_with_a_number_of_games_all_are_played() -> None:
    engine = Loaded()
    compare(lagoon("good", "bad", most_pairs=30, is_sequential=False), engine)
    assert engine.played == 60


def test_equal_bots_are_seldom_found_different_however_often_one_looks() -> None:
    wrong = sum(finds_a_difference(Random(seed), most=140) for seed in range(200))
    assert wrong <= 10


def test_the_interval_shrinks_and_says_nothing_at_first() -> None:
    chance, sequence = Random(1), Sequence()
    assert sequence.radius == float("inf")
    radii = []
    for _ in range(20):
        sequence.values += [chance.gauss(0.1, 0.3) for _ in range(LEAST)]
        radii.append(sequence.radius)
    assert radii == sorted(radii, reverse=True)
    low, high = sequence.interval
    assert low < 0.1 < high


def test_the_command_answers_with_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    year = str(load_map("lagoon").start.turn.year + 2)
    arguments = ["--variant", "lagoon", "--last-year", year, "--games", "6", "--json"]
    assert main(["compare", "dumbbot", "holdbot", *arguments]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 6
    assert told["aborted"] == 0
    assert told["interval"] == [None, None]
    assert "6 games: too few to say how exact that is" in told["sentence"]
    assert "inf" not in told["sentence"]


def test_games_are_rounded_up_to_whole_rotations_and_that_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    year = str(load_map("lagoon").start.turn.year)
    arguments = ["--variant", "lagoon", "--last-year", year, "--games", "8"]
    assert main(["compare", "holdbot", "holdbot", *arguments]) == 0
    told = capsys.readouterr()
    assert "8 games become 12" in told.err
    assert "12 games" in told.out


def test_a_bot_that_fails_is_named_and_the_exit_code_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bad = "tests.tournament.bad_bots:AlwaysRaiser"
    year = str(load_map("lagoon").start.turn.year)
    arguments = ["--variant", "lagoon", "--last-year", year, "--games", "6"]
    assert main(["compare", bad, "holdbot", *arguments]) == 1
    told = capsys.readouterr()
    [line] = [each for each in told.err.splitlines() if "failed" in each]
    assert line.startswith(f"daide compare: {bad} failed: KeyError: ")
    assert " in choose_orders (first in SPR " in line
    assert told.out.startswith(f"No difference between {bad} and holdbot")


class Broken(Here):
    """Plays no game to its end."""

    def play(self, jobs: Iterable[GameJob], on_result: OnResult) -> None:
        for job in jobs:
            on_result(aborted_result(job, "no memory"))


def test_games_that_are_aborted_are_told_with_the_reason() -> None:
    verdict = compare(lagoon("dumbbot", "holdbot", most_pairs=3), Broken())
    assert (verdict.aborted, verdict.games) == (6, 0)
    assert verdict.faults == ("game 0 was aborted: no memory (6 games in all)",)
    assert "0 games: too few to say how exact that is" in verdict.sentence


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobot", "dumbbot"], "A: no such bot: 'nobot'"),
        (["dumbbot", "dumbbot/odd"], "B: no such variant"),
        (["dumbbot", "dumbbot", "--against", ","], "--against: there is no bot in it"),
        (["dumbbot", "dumbbot", "--against", "nobot"], "--against: no such bot"),
        (
            ["dumbbot", "dumbbot", "--games", "many"],
            "--games: 'many' is not a whole number; or write auto",
        ),
        (["dumbbot", "dumbbot", "--games", "3"], "--games: 3 is not between 14 and"),
        (["dumbbot", "dumbbot", "--press-level", "7"], "--press-level: 7"),
        (["dumbbot", "dumbbot", "--think", "-1"], "--think: '-1' is not a number of seconds"),
        (["dumbbot", "dumbbot", "--last-year", "1850"], "--last-year: the game begins in 1901"),
        (["dumbbot", "dumbbot", "--jobs", "0"], "--jobs: 0"),
        (["dumbbot", "dumbbot", "--seed", "-4"], "--seed: -4"),
    ],
)
def test_mistakes_are_told_before_a_game_is_played(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *arguments]) == 2
    assert sentence in capsys.readouterr().err
