import json
from pathlib import Path

import pytest

from tests.tournament.simulated import POWERS, Kind, Plan, tournament, write_tournament
from tests.tournament.tiny import game
from tournament.game_result import GameResult
from tournament.ratings import rate
from tournament.results_file import read_results
from tournament.standings import (
    by_opponent,
    by_power,
    centers_by_year,
    comparisons,
    standings,
    win_rates,
)

PLAYERS = {"AUS": "one", "ENG": "two", "FRA": "two"}
NAMES = [f"bot-{letter}" for letter in "abcdefg"]


def simulated(directory: Path, plan: Plan) -> list[GameResult]:
    return read_results(write_tournament(directory, plan))


def alike(seed: int) -> Plan:
    """Return seven names for the same bot, each with every power equally often."""
    kinds = {name: Kind(talks=False) for name in NAMES}
    return Plan(kinds, {"all": NAMES}, games=28, last_year=1908, seed=seed)


def test_means_are_over_seats_and_the_best_comes_first() -> None:
    games = [
        game(1, PLAYERS, {"AUS": 6, "ENG": 2, "FRA": 0}),
        game(2, PLAYERS, {"AUS": 1, "ENG": 1, "FRA": 4}, winners=["FRA"]),
    ]
    first, second = standings(games, seed="x")
    assert (first.bot, first.games, first.seats) == ("one", 2, 2)
    assert (second.bot, second.games, second.seats) == ("two", 2, 4)
    assert first.scores["sum_of_squares"].value == pytest.approx(0.9 / 2)
    assert second.scores["sum_of_squares"].value == pytest.approx(1.1 / 4)
    assert second.scores["survived"].value == 0.75
    assert second.scores["rank"].value == pytest.approx((2 + 3 + 2.5 + 1) / 4)


def test_a_share_of_none_still_has_an_interval() -> None:
    games = [game(number, PLAYERS, {"AUS": 6, "ENG": 2, "FRA": 0}) for number in range(20)]
    [solos] = [each.scores["solo"] for each in standings(games, seed="x") if each.bot == "one"]
    assert (solos.value, solos.low) == (0, 0)
    assert solos.high == pytest.approx(0.1611, abs=5e-5)


def test_games_of_one_seed_are_no_evidence_of_spread() -> None:
    finals = [{"AUS": 6, "ENG": 2, "FRA": 0}, {"AUS": 1, "ENG": 1, "FRA": 4}] * 10
    apart = [game(index, PLAYERS, final) for index, final in enumerate(finals)]
    paired = [game(index, PLAYERS, final, seed=index // 2) for index, final in enumerate(finals)]
    wide = {each.bot: each.scores["centers"] for each in standings(apart, seed="x")}["one"]
    narrow = {each.bot: each.scores["centers"] for each in standings(paired, seed="x")}["one"]
    assert wide.value == narrow.value == 3.5
    assert (wide.n, narrow.n) == (20, 10)
    assert wide.high is not None
    assert wide.high > 4
    assert narrow.high == pytest.approx(3.5)


def test_seven_identical_bots_show_no_difference_in_19_of_20_tournaments(tmp_path: Path) -> None:
    found = 0
    for seed in range(20):
        games = simulated(tmp_path / str(seed), alike(seed))
        pairs = comparisons(games, "sum_of_squares", seed=str(seed))
        assert len(pairs) == 21
        found += any(pair.is_significant for pair in pairs)
    assert found <= 1


def test_a_stronger_bot_is_found(tmp_path: Path) -> None:
    plan = alike(1)
    strong = {**plan.kinds, "bot-c": Kind(strength=2.5, talks=False)}
    games = simulated(tmp_path, Plan(strong, plan.fields, games=42, last_year=1908))
    pairs = comparisons(games, "sum_of_squares", seed="x")
    assert {pair.is_significant for pair in pairs if "bot-c" in (pair.one, pair.other)} == {True}
    assert not any(pair.is_significant for pair in pairs if "bot-c" not in (pair.one, pair.other))
    assert standings(games, seed="x")[0].bot == "bot-c"
    assert rate(games)[0].bot == "bot-c"


def test_bots_of_different_games_are_paired_by_their_seed() -> None:
    games = []
    for seed in range(8):
        for place, (bot, centers) in enumerate((("new", 5), ("old", 4))):
            players = {"AUS": bot, "ENG": "other", "FRA": "other"}
            final = {"AUS": centers + seed, "ENG": 3, "FRA": 3}
            games.append(game(2 * seed + place, players, final, seed=seed))
    pairs = {(pair.one, pair.other): pair for pair in comparisons(games, "centers", seed="x")}
    pair = pairs["new", "old"]
    assert pair.difference.value == 1
    assert pair.difference.n == 8
    assert pair.p == 2 / 2**8
    assert pair.games_per_seed == 2
    assert pair.deviation == 0


def test_bots_that_met_are_compared_in_their_games_only() -> None:
    games = []
    for seed in range(4):
        games.append(game(2 * seed, PLAYERS, {"AUS": 6, "ENG": 3, "FRA": 3}, seed=seed))
        others = {"AUS": "three", "ENG": "two", "FRA": "two"}
        games.append(game(2 * seed + 1, others, {"AUS": 8, "ENG": 1, "FRA": 1}, seed=seed))
    pairs = {(pair.one, pair.other): pair for pair in comparisons(games, "centers", seed="x")}
    assert pairs["one", "two"].difference.value == 3
    assert pairs["one", "two"].games_per_seed == 1
    assert pairs["one", "three"].difference.value == -2
    assert pairs["one", "three"].games_per_seed == 2


def test_one_of_seven_that_wins_twice_by_luck_does_so_once_in_49_times() -> None:
    players = {**dict.fromkeys(POWERS, "many"), "FRA": "one"}
    final = dict.fromkeys(POWERS, 2) | {"FRA": 18}
    games = [game(number, players, final, winners=["FRA"]) for number in (1, 2)]
    [pair] = comparisons(games, "solo", seed="x")
    assert pair.p == pytest.approx(1 / 49)


def test_the_power_analysis_counts_games_not_seeds() -> None:
    games = [
        game(number, PLAYERS, {"AUS": 3 + number % 5, "ENG": 2, "FRA": 1}, seed=number // 2)
        for number in range(40)
    ]
    [pair] = comparisons(games, "centers", seed="x")
    assert pair.games_for(1.0) % 2 == 0
    assert pair.games_for(0.5) > 3 * pair.games_for(1.0) - 20
    assert 0 < pair.difference_found < 1


def test_wins_are_held_against_the_number_of_copies() -> None:
    games = [
        game(number, PLAYERS, {"AUS": 6, "ENG": 2, "FRA": 1}, winners=["AUS"] * (number < 2))
        for number in range(10)
    ]
    one, two = win_rates(games)
    assert (one.bot, one.copies, one.expected, one.rate.value) == ("one", 1, 1 / 3, 1)
    assert (two.bot, two.copies, two.expected, two.rate.value) == ("two", 2, 2 / 3, 0)
    assert one.solos == 2
    assert one.p < 0.001
    assert one.rate.low == pytest.approx(0.7225, abs=1e-3)


def test_wins_of_the_same_seed_count_once() -> None:
    games = [
        game(
            number, PLAYERS, {"AUS": 6 * (number // 10 % 2), "ENG": 3, "FRA": 1}, seed=number // 10
        )
        for number in range(60)
    ]
    one, _ = win_rates(games)
    assert one.rate.value == 0.5
    assert one.rate.n == 6
    assert one.rate.low is not None
    assert one.rate.low < 0.2


def test_a_bot_alone_at_the_table_wins_nothing_worth_telling() -> None:
    games = [game(1, dict.fromkeys(PLAYERS, "same"), {"AUS": 6, "ENG": 2, "FRA": 1})]
    assert win_rates(games) == []


def test_cross_tables_are_about_games_together() -> None:
    games = [
        game(1, PLAYERS, {"AUS": 6, "ENG": 2, "FRA": 0}),
        game(2, {**PLAYERS, "AUS": "three"}, {"AUS": 1, "ENG": 1, "FRA": 4}),
    ]
    cells = {(cell.row, cell.column): cell.estimate.value for cell in by_opponent(games, "centers")}
    assert cells == {
        ("one", "two"): 6,
        ("two", "one"): 1,
        ("two", "two"): 1.75,
        ("two", "three"): 2.5,
        ("three", "two"): 1,
    }
    powers = {(cell.row, cell.column): cell.estimate.value for cell in by_power(games, "centers")}
    assert powers["two", "FRA"] == 2
    assert ("one", "ENG") not in powers


def test_a_game_that_is_over_keeps_its_last_centers() -> None:
    short = game(1, PLAYERS, {}, centers={1900: dict.fromkeys(PLAYERS, 3)}, year=1900)
    long = game(2, PLAYERS, {"AUS": 9, "ENG": 0, "FRA": 0})
    by_year = centers_by_year([short, long])
    assert {year: each.value for year, each in by_year["one"].items()} == {
        1900: 3,
        1901: 3,
        1902: 6,
    }
    assert by_year["two"][1902].value == 1.5


def test_ratings_follow_the_ranks_and_ties_are_ties() -> None:
    players = {"AUS": "good", "ENG": "middle", "FRA": "also middle", "GER": "bad"}
    final = {"AUS": 9, "ENG": 4, "FRA": 4, "GER": 1}
    games = [game(number, players, final) for number in range(10)]
    ratings = rate(games)
    assert [each.bot for each in ratings] == ["good", "also middle", "middle", "bad"]
    assert ratings[1].mu == ratings[2].mu
    assert ratings[0].low > ratings[3].high
    assert {each.games for each in ratings} == {10}
    assert all(each.sigma < 25 / 3 for each in ratings)


def test_half_ranks_are_told_apart() -> None:
    # Two who share the first place rank 1.5; the one behind them must not rank with them.
    players = {"AUS": "first", "ENG": "too", "FRA": "third"}
    [one, two, three] = rate([game(1, players, {"AUS": 4, "ENG": 4, "FRA": 3})])
    assert one.mu == two.mu > three.mu


def test_copies_of_a_bot_against_each_other_say_nothing_of_its_strength() -> None:
    games = [
        game(number, dict.fromkeys(PLAYERS, "same"), {"AUS": 6, "ENG": 2, "FRA": 1})
        for number in range(5)
    ]
    [rating] = rate(games)
    assert rating.mu == pytest.approx(25)


def test_the_powers_of_simulated_games_rotate() -> None:
    lines = tournament(alike(3))
    seats = {(power, bot) for line in lines for power, bot in line["players"].items()}
    assert seats == {(power, bot) for power in POWERS for bot in NAMES}
    assert json.dumps(lines) == json.dumps(tournament(alike(3)))
