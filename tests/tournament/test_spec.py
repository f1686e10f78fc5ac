import re
from pathlib import Path

import pytest

from rules.errors import BadInputError
from tournament.spec import Spec, check_bots, read_spec

FIELD = "\n[[fields]]\nplayers = { dumbbot = 3, blabbot = 4 }\n"


def test_what_is_left_out_has_its_default() -> None:
    spec = read_spec("games = 14" + FIELD, "small.toml")
    assert (spec.name, spec.seed, spec.mode, spec.variant) == ("small", 1, "auto", "standard")
    assert [field.games for field in spec.fields] == [14]
    assert spec.fields[0].rules.press_level == 20


def test_a_field_may_have_rules_and_games_of_its_own() -> None:
    spec = read_spec(
        "games = 7\npress_level = 0" + FIELD + "games = 14\npress-level = 10\nthink = 0.5"
    )
    field = spec.fields[0]
    assert (field.games, field.rules.press_level, field.rules.think) == (14, 10, 0.5)


def test_a_name_of_the_bots_table_stands_for_a_bot() -> None:
    spec = read_spec('games = 7\n[bots]\na = "dumbbot"\n[[fields]]\nplayers = { a = 7 }')
    assert spec.bot_text("a") == "dumbbot"
    assert spec.bot_text("blabbot") == "blabbot"
    check_bots(spec)


def lineups(field: str, top: str = "games = 7") -> list[dict[str, int]]:
    return [dict(each.players) for each in read_spec(f"{top}\n[[fields]]\n{field}").fields]


def test_one_against_six_takes_every_pair_both_ways() -> None:
    assert lineups('one-against-six = ["a", "b"]') == [{"a": 1, "b": 6}, {"b": 1, "a": 6}]


def test_one_against_six_may_name_the_sides() -> None:
    found = lineups('one-against-six = { one = ["a", "b"], six = ["c"] }')
    assert found == [{"a": 1, "c": 6}, {"b": 1, "c": 6}]


def test_a_round_robin_has_every_pair_in_every_size() -> None:
    assert lineups('round-robin = ["a", "b", "c"]\nsizes = [2]') == [
        {"a": 2, "b": 5},
        {"a": 2, "c": 5},
        {"b": 2, "c": 5},
    ]


def test_a_round_robin_is_three_against_four_both_ways_by_default() -> None:
    assert lineups('round-robin = ["a", "b"]') == [{"a": 3, "b": 4}, {"a": 4, "b": 3}]


def test_games_are_rounded_up_to_whole_rotations_with_a_warning() -> None:
    spec = read_spec("games = 10" + FIELD)
    assert spec.fields[0].games == 14
    assert "14 games in place of 10" in spec.warnings[0]


def test_games_are_not_rounded_without_balance() -> None:
    spec = read_spec("games = 10\nbalance = false" + FIELD)
    assert (spec.fields[0].games, spec.warnings) == (10, ())


def test_seven_of_a_kind_need_no_rotation() -> None:
    spec = read_spec("games = 10\n[[fields]]\nplayers = { dumbbot = 7 }")
    assert (spec.fields[0].games, spec.warnings) == (10, ())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("games = 7\ncolour = 1" + FIELD, "colour: there is no such key"),
        ("games = 'many'" + FIELD, "games: 'many' is not a whole number"),
        ("games = true" + FIELD, "games: True is not a whole number"),
        ("games = 0" + FIELD, "games: 0 is not between 1 and"),
        ("games = 7\npress_level = 15" + FIELD, "press_level: 15 is not one of 0, 10,"),
        ("games = 7\nmode = 'fast'" + FIELD, "mode: 'fast' is not one of auto"),
        ("games = 7\npaired = 1" + FIELD, "paired: 1 is neither true nor false"),
        ("games = 7\ngame_limit = 0" + FIELD, "game_limit: 0 is not a number of seconds"),
        ("games = 7\nlast_year = 1899" + FIELD, "fields[0]: last_year: the game starts in 1901"),
        ("games = 7\nvariant = 'moon'" + FIELD, "variant: "),
        ("games = 7\nthink = 1\nthink-ing = 1" + FIELD, "think-ing: there is no such key"),
        ("games = 7\npress_level = 0\npress-level = 0" + FIELD, "press-level: is given twice"),
        ("games = 7", "fields: there are none"),
        ("games = 7\nfields = 3", "fields: there are none"),
        ("games = 7\nfields = [3]", "fields[0]: 3 is not a table"),
        ("games = 7\nbots = 3" + FIELD, "bots: 3 is not a table"),
        ("games = 7\n[bots]\na = 3" + FIELD, "bots.a: 3 is not a text"),
        (FIELD, "fields[0].games: is missing"),
        (FIELD + "games = -1", "fields[0].games: -1 is not between"),
        (FIELD + "colour = 1", "fields[0].colour: there is no such key"),
        ("games = 7\n[[fields]]\ngames = 7", "fields[0]: say who plays"),
        ("games = 7" + FIELD + "round-robin = ['a', 'b']", "fields[0]: say who plays"),
        ("games = 7" + FIELD + "sizes = [3]", "fields[0].sizes: goes with round-robin"),
        ("games = 7\n[[fields]]\nplayers = { a = 3 }", "fields[0].players: 3 bots for 7 powers"),
        ("games = 7\n[[fields]]\nplayers = { a = 0 }", "fields[0].players.a: 0 is not between"),
        ("games = 7\n[[fields]]\nplayers = { a = 'x' }", "fields[0].players.a: 'x' is not a"),
        ("games = 7\n[[fields]]\nround-robin = ['a']", "fields[0].round-robin: needs two"),
        ("games = 7\n[[fields]]\nround-robin = ['a', 'a']", "fields[0].round-robin: ['a', 'a']"),
        ("games = 7\n[[fields]]\nround-robin = ['a', 'b']\nsizes = [7]", "fields[0].sizes: 7 is"),
        ("games = 7\n[[fields]]\none-against-six = 'a'", "fields[0].one-against-six: 'a' is not"),
        (
            "games = 7\n[[fields]]\none-against-six = { one = ['a'] }",
            "fields[0].one-against-six: needs `one` and `six`",
        ),
        (
            "games = 7\n[[fields]]\none-against-six = { one = ['a'], two = ['b'] }",
            "fields[0].one-against-six.two: there is no such key",
        ),
        (
            "games = 7\n[[fields]]\none-against-six = { one = ['a'], six = ['a'] }",
            "fields[0].one-against-six: there is nobody",
        ),
        ("games = 7" + FIELD + FIELD, "fields: two are called 'dumbbot*3-blabbot*4'"),
        ("games = ", "not TOML"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
    ],
)
def test_what_is_wrong_is_told_with_the_file_and_the_key(text: str, complaint: str) -> None:
    with pytest.raises(BadInputError) as raised:
        read_spec(text, "quick.toml")
    assert str(raised.value).startswith(f"quick.toml: {complaint}")


def test_a_bot_that_does_not_exist_is_told_by_its_key() -> None:
    spec = read_spec('games = 7\n[bots]\na = "nobody"\n[[fields]]\nplayers = { a = 7 }')
    with pytest.raises(BadInputError, match=r"^x\.toml: bots\.a: no such bot: 'nobody'"):
        check_bots(spec, "x.toml")
    spec = read_spec("games = 7\n[[fields]]\nplayers = { nobody = 7 }")
    with pytest.raises(BadInputError, match=r"^x\.toml: fields: nobody: no such bot"):
        check_bots(spec, "x.toml")


def test_what_papers_say_is_kept_as_it_is() -> None:
    spec: Spec = read_spec("games = 7\n[paper]\ntable = 3" + FIELD)
    assert spec.paper == {"table": 3}


SMALL = "[small]\ngames = 7\nlast_year = 1902\n"


def test_the_small_size_replaces_games_and_rules() -> None:
    spec = read_spec("games = 70\n" + SMALL + FIELD + "games = 140\n")
    assert (spec.fields[0].games, spec.fields[0].rules.last_year) == (140, 1920)
    spec = read_spec("size = 'small'\ngames = 70\n" + SMALL + FIELD + "games = 140\n")
    assert (spec.fields[0].games, spec.fields[0].rules.last_year) == (7, 1902)


def test_the_small_size_is_read_strictly() -> None:
    with pytest.raises(BadInputError, match=r"^x\.toml: small\.seed: there is no such key"):
        read_spec("games = 7\n[small]\nseed = 1" + FIELD, "x.toml")


def test_the_spec_in_the_guide_can_be_read() -> None:
    guide = Path(__file__).resolve().parents[2] / "docs" / "running-a-tournament.md"
    (text,) = re.findall(r"```toml\n(.*?)```", guide.read_text(), re.DOTALL)
    assert [dict(field.players) for field in read_spec(text).fields] == [
        {"liar": 3, "blabbot": 4},
        {"liar": 1, "dumbbot": 6},
        {"dumbbot": 1, "liar": 6},
    ]
