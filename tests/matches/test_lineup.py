import pytest

from matches.lineup import MIX, STAR, default_lineup, read_lineup
from rules.errors import BadInputError
from rules.maps import load_map

POWERS = load_map("standard").powers


def names(text: str, seed: int = 0) -> dict[str, str]:
    return {power.name: bot for power, bot in read_lineup(text, POWERS, seed).items()}


def test_a_count_uses_a_bot_several_times() -> None:
    assert set(names("dumbbot*7").values()) == {"dumbbot"}


def test_a_pinned_power_gets_its_bot_and_the_rest_is_drawn_by_lot() -> None:
    lineups = [names("FRA=mine:Bot, a*3, b*3", seed) for seed in range(20)]
    assert all(lineup["FRA"] == "mine:Bot" for lineup in lineups)
    assert all(
        sorted(lineup.values()) == ["a", "a", "a", "b", "b", "b", "mine:Bot"] for lineup in lineups
    )
    assert len({tuple(lineup.values()) for lineup in lineups}) > 1


def test_a_bot_may_have_parameters() -> None:
    lineup = names("FRA=banker/honesty=0.5,mcts/v5/iterations=9*2,a*4")
    assert lineup["FRA"] == "banker/honesty=0.5"
    assert sorted(lineup.values()).count("mcts/v5/iterations=9") == 2


def test_the_same_seed_draws_the_same_lots() -> None:
    assert names("a*3,b*4", 5) == names("a*3,b*4", 5)


@pytest.mark.parametrize(
    ("powers", "counts"), [(1, (1, 0, 0, 0)), (3, (1, 1, 1, 0)), (7, (2, 2, 2, 1))]
)
def test_a_mix_plays_on_the_plain_kernel(
    powers: int, counts: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.lineup.IS_COMPILED", False)
    names = default_lineup(powers).split(",")
    assert tuple(map(names.count, MIX)) == counts


@pytest.mark.parametrize(("powers", "others"), [(1, 0), (3, 2), (7, 6)])
def test_one_that_searches_joins_it_on_the_compiled_kernel(
    powers: int, others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.lineup.IS_COMPILED", True)
    names = default_lineup(powers).split(",")
    assert names[0] == STAR
    assert sum(name in MIX for name in names) == others


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a*6", "6 bots for 7 powers"),
        ("a*8", "8 bots for 7 powers"),
        ("XYZ=a,b*6", "no such power: 'XYZ'"),
        ("FRA=a,FRA=b,c*5", "FRA is given to two bots"),
        ("FRA=a*2,b*5", "gives one power to 2 bots"),
        ("a**7", "cannot read 'a\\*\\*7'"),
    ],
)
def test_a_list_that_cannot_be_is_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(BadInputError, match=complaint):
        names(text)
