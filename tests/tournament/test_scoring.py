import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.simulated import SMALL, tournament
from tournament.scoring import SCORES, scores

CENTERS = {1900: {"AUS": 3, "ENG": 3, "FRA": 3}, 1905: {"AUS": 0, "ENG": 8, "FRA": 4}}


def test_a_solo_takes_all() -> None:
    result = scores("solo", ["ENG"], CENTERS)
    assert result["ENG"] == {
        "solo": 1,
        "draw_size": 1.0,
        "sum_of_squares": 1.0,
        "centers": 8,
        "rank": 1.0,
        "survived": True,
        "daide": 2.0,
        "win": 1.0,
    }
    assert result["FRA"]["sum_of_squares"] == 0.0
    assert result["FRA"]["survived"]
    assert result["FRA"]["daide"] == -1.0
    assert result["AUS"]["rank"] == 3.0


def test_a_draw_is_shared_by_those_who_agreed_on_it() -> None:
    result = scores("draw", ["ENG", "FRA"], CENTERS)
    assert [result[power]["draw_size"] for power in ("AUS", "ENG", "FRA")] == [0, 0.5, 0.5]
    assert [result[power]["rank"] for power in ("AUS", "ENG", "FRA")] == [3, 1.5, 1.5]
    assert [result[power]["win"] for power in ("AUS", "ENG", "FRA")] == [0, 0.5, 0.5]
    assert result["ENG"]["daide"] == 0.5
    assert result["ENG"]["sum_of_squares"] == 0.8


def test_a_survivor_outside_the_draw_ranks_below_it_and_gains_nothing() -> None:
    result = scores("draw", ["FRA"], CENTERS)
    assert result["FRA"]["rank"] == 1
    assert result["ENG"]["rank"] == 2
    assert result["ENG"]["draw_size"] == 0


def test_a_year_limit_counts_as_a_draw_of_the_survivors_and_is_won_by_the_leader() -> None:
    result = scores("year-limit", [], CENTERS)
    assert [result[power]["draw_size"] for power in ("AUS", "ENG", "FRA")] == [0, 0.5, 0.5]
    assert [result[power]["win"] for power in ("AUS", "ENG", "FRA")] == [0, 1, 0]
    assert [result[power]["rank"] for power in ("AUS", "ENG", "FRA")] == [3, 1, 2]


def test_leaders_share_a_win_at_the_year_limit() -> None:
    result = scores("year-limit", [], {1901: {"AUS": 5, "ENG": 5, "FRA": 2}})
    assert [result[power]["win"] for power in ("AUS", "ENG", "FRA")] == [0.5, 0.5, 0]
    assert [result[power]["rank"] for power in ("AUS", "ENG", "FRA")] == [1.5, 1.5, 3]


def test_who_is_eliminated_later_ranks_higher() -> None:
    final = {1910: {"AUS": 0, "ENG": 10, "FRA": 0, "GER": 0}}
    result = scores("solo", ["ENG"], final, {"AUS": 1903, "FRA": 1907, "GER": 1903})
    assert {power: each["rank"] for power, each in result.items()} == {
        "ENG": 1,
        "FRA": 2,
        "AUS": 3.5,
        "GER": 3.5,
    }


def test_the_year_of_elimination_is_read_off_the_centers_if_not_told() -> None:
    years = {
        1901: {"AUS": 0, "ENG": 3, "FRA": 1},
        1902: {"AUS": 1, "ENG": 3, "FRA": 0},
        1903: {"AUS": 0, "ENG": 4, "FRA": 0},
    }
    result = scores("solo", ["ENG"], years)
    assert (result["AUS"]["rank"], result["FRA"]["rank"]) == (2, 3)


def test_years_may_be_text_as_in_json() -> None:
    as_text = {str(year): centers for year, centers in CENTERS.items()}
    assert scores("year-limit", [], as_text) == scores("year-limit", [], CENTERS)


def test_every_score_has_a_title() -> None:
    result = scores("year-limit", [], CENTERS)
    assert set(result["ENG"]) == set(SCORES)
    assert json.loads(json.dumps(result)) == result


@given(
    st.lists(st.integers(0, 17), min_size=2, max_size=7).filter(any),
    st.sampled_from(["solo", "draw", "year-limit"]),
)
def test_points_of_a_game_add_up_whatever_happens(counts: list[int], outcome: str) -> None:
    powers = [f"P{index}" for index in range(len(counts))]
    final = dict(zip(powers, counts, strict=True))
    living = [power for power in powers if final[power]]
    winners = {"solo": living[:1], "draw": living, "year-limit": []}[outcome]
    result = scores(outcome, winners, {1907: final})
    n = len(powers)
    for key in ("draw_size", "sum_of_squares", "win"):
        assert sum(each[key] for each in result.values()) == pytest.approx(1)
    assert sum(each["rank"] for each in result.values()) == n * (n + 1) / 2
    assert sum(each["daide"] for each in result.values()) == pytest.approx(0)


def test_simulated_games_are_like_real_ones() -> None:
    lines = tournament(SMALL)
    assert {line["outcome"] for line in lines} >= {"solo", "year-limit"}
    assert all(sum(line["centers"][str(line["year"])].values()) <= 34 for line in lines)
    assert any(line["stabs"] for line in lines)
