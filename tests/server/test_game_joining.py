"""Sitting down, the start, and coming late."""

from pathlib import Path

import pytest

from rules.maps import load_map
from rules.variants import load_board
from server.settings import GameSettings
from server.stage import Stage
from tests.server.table import DROPPED, Table, heard_by, words

TIMED = GameSettings(level=10, movement_limit=300, retreat_limit=120, build_limit=60)


def test_the_first_messages_of_a_player_are_yes_and_map() -> None:
    table = Table()
    table.connect("ENG")
    assert table.say("ENG", "NME ( 'ENG' ) ( '1' )") == [
        ("ENG", "YES ( NME ( 'ENG' ) ( '1' ) )"),
        ("ENG", "MAP ( 'standard' )"),
    ]
    assert table.accept_map("ENG") == []


def test_the_start_sends_hlo_then_sco_then_now_then_tme_to_everybody() -> None:
    table = Table(TIMED)
    table.observe()
    table.connect("silent")
    table.say("silent", "OBS")
    for name in table.powers[:-1]:
        table.join(name)
    heard = table.join("TUR")
    for name in [*table.powers[:-1], "watcher"]:
        assert words(heard_by(name, heard)) == ["HLO", "SCO", "NOW", "TME"]
    assert words(heard_by("TUR", heard)) == ["YES", "MAP", "HLO", "SCO", "NOW", "TME"]
    assert heard_by("silent", heard) == []
    options = "( ( LVL 10 ) ( MTL 300 ) ( RTL 120 ) ( BTL 60 ) )"
    hello = f"HLO ( ENG ) ( {table.passcode('ENG')} ) {options}"
    assert heard_by("ENG", heard)[0] == hello
    assert heard_by("watcher", heard)[0] == f"HLO ( UNO ) ( 0 ) {options}"
    assert heard_by("ENG", heard)[-1] == "TME ( 300 )"


def test_without_a_limit_no_time_is_told() -> None:
    table = Table()
    for name in table.powers[:-1]:
        table.join(name)
    assert words(heard_by("ENG", table.join("TUR"))) == ["HLO", "SCO", "NOW"]


def test_all_options_are_told_in_the_order_of_the_documents() -> None:
    settings = GameSettings(
        level=30,
        movement_limit=9000,
        retreat_limit=2,
        build_limit=3,
        stops_on_disconnection=True,
        any_orders=True,
        partial_draws=True,
        no_press_in_retreats=True,
        no_press_in_builds=True,
        press_limit=5,
    )
    table = Table(settings)
    for name in table.powers:
        heard = table.join(name)
    hello, *_, time = heard_by("ENG", heard)
    assert hello.split(" ( ( ")[1] == (
        "LVL 30 ) ( MTL 8191 ) ( RTL 2 ) ( BTL 3 ) ( DSD ) ( AOA ) ( PDA ) ( NPR ) ( NPB ) "
        "( PTL 5 ) )"
    )
    assert time == "TME ( 8191 )"


def test_press_options_are_left_out_at_level_0() -> None:
    settings = GameSettings(partial_draws=True, no_press_in_builds=True, press_limit=5)
    assert [option.word for option in settings.options] == ["LVL"]


def test_the_game_waits_until_every_player_has_the_map() -> None:
    table = Table()
    for name in table.powers:
        table.connect(name)
        table.say(name, f"NME ( '{name}' ) ( '1' )")
    for name in table.powers[:-1]:
        assert table.accept_map(name) == []
    assert words(heard_by("AUS", table.accept_map("TUR"))) == ["HLO", "SCO", "NOW"]


def test_a_game_that_is_full_rejects_the_next_player_and_keeps_it() -> None:
    table = Table(GameSettings(seats={"nobody": "NUL"}))
    for number in range(7):
        table.join(f"bot {number}")
    table.connect("late")
    assert table.ask("late", "NME ( 'late' ) ( '1' )") == ["REJ ( NME ( 'late' ) ( '1' ) )"]
    assert table.ask("late", "OBS") == ["YES ( OBS )", "MAP ( 'standard' )"]


def test_a_place_that_is_left_before_the_start_is_free_again_without_a_word() -> None:
    table = Table()
    for name in table.powers[:-1]:
        table.join(name)
    assert table.leave("AUS") == []
    assert "HLO" not in words(heard_by("TUR", table.join("TUR")))
    assert "HLO" in words(heard_by("AUS", table.join("AUS")))


def test_the_same_seed_gives_the_same_powers_and_passcodes() -> None:
    def seating(seed: int) -> list[tuple[str, int]]:
        table = Table(GameSettings(seats={"nobody": "NUL"}), seed=seed)
        for number in range(7):
            table.join(f"bot {number}")
        return [(seat.name, seat.passcode) for seat in table.game.seats.values()]

    assert seating(1) == seating(1)
    assert seating(1) != seating(2)
    assert all(0 < passcode <= 8191 for _, passcode in seating(3))


def test_a_planned_seat_is_kept_for_its_client() -> None:
    table = Table(GameSettings(seats={"Albert": "FRA"}))
    for number in range(6):
        assert "YES" in words(heard_by(f"bot {number}", table.join(f"bot {number}")))
    table.connect("bot 6")
    assert words(table.ask("bot 6", "NME ( 'bot 6' ) ( '1' )")) == ["REJ"]
    table.join("Albert")
    assert table.game.seats[table.board.power("FRA")].name == "Albert"


def test_a_planned_seat_that_is_taken_is_refused() -> None:
    table = Table(GameSettings(seats={"Albert": "FRA"}))
    table.join("Albert")
    table.connect("second")
    assert words(table.ask("second", "NME ( 'Albert' ) ( '1' )")) == ["REJ"]


def test_a_plan_for_a_power_that_is_not_in_the_game_is_refused() -> None:
    table = Table(GameSettings(seats={"Albert": "XXX"}))
    table.connect("Albert")
    assert words(table.ask("Albert", "NME ( 'Albert' ) ( '1' )")) == ["REJ"]


def test_a_name_can_ask_for_a_power_where_that_is_allowed() -> None:
    table = Table(GameSettings(power_in_name=True, seats={"Albert": "ENG"}))
    table.join("FRA:bot")
    table.connect("second")
    assert words(table.ask("second", "NME ( 'fra:bot' ) ( '1' )")) == ["REJ"]
    assert words(table.ask("second", "NME ( 'ENG:bot' ) ( '1' )")) == ["REJ"]
    for number in range(5):
        table.join(f"bot {number}")
    table.join("Albert")
    seats = {power.name: seat.name for power, seat in table.game.seats.items()}
    assert seats["FRA"] == "FRA:bot"
    assert seats["ENG"] == "Albert"


def test_an_ask_for_a_power_never_breaks_the_plan_for_another() -> None:
    table = Table(GameSettings(power_in_name=True, seats={"Albert": "ENG"}))
    for number in range(6):
        table.join(f"bot {number}")
    table.connect("FRA:bot")
    assert words(table.ask("FRA:bot", "NME ( 'FRA:bot' ) ( '1' )")) == ["REJ"]


def test_a_late_observer_is_told_how_the_game_stands() -> None:
    table = Table(TIMED).fill()
    table.hold()
    table.wait(10.5)
    heard = table.observe()
    assert {name for name, _ in heard} == {"watcher"}
    texts = heard_by("watcher", heard)
    assert words(texts) == ["YES", "MAP", "HLO", "SCO", "NOW", "TME"]
    assert texts[2].startswith("HLO ( UNO ) ( 0 )")
    assert texts[4].startswith("NOW ( FAL 1901 )")
    assert texts[5] == "TME ( 290 )"


def test_an_observer_of_an_ended_game_is_told_the_result_before_the_position() -> None:
    table = Table(TIMED).fill()
    table.game.obey("end", table.now)
    texts = heard_by("watcher", table.observe())
    assert words(texts) == ["YES", "MAP", "HLO", "SCO", "DRW", "SMR", "NOW"]


def test_an_observer_that_repeats_obs_is_not_told_everything_twice() -> None:
    table = Table(TIMED).fill()
    table.observe()
    assert table.ask("watcher", "OBS") == ["YES ( OBS )", "MAP ( 'standard' )"]
    assert table.accept_map("watcher") == []


def test_an_observer_that_refuses_the_map_is_sent_away() -> None:
    table = Table().fill()
    table.connect("watcher")
    table.say("watcher", "OBS")
    assert table.ask("watcher", "REJ ( MAP ( 'standard' ) )") == ["OFF", DROPPED]
    assert table.leave("watcher") == []


def test_any_number_of_powers_can_play_on_a_small_map() -> None:
    table = Table(board=load_map("lagoon")).fill()
    assert words(table.ask("PEA", "NOW")) == ["NOW"]
    heard = table.hold()
    assert heard_by("AMB", heard)[-1].startswith("NOW ( FAL 1901 )")


def test_games_of_one_board_share_their_reader() -> None:
    assert Table().game.representation is Table().game.representation
    assert Table().game._reader._reader is Table().game._reader._reader


def test_a_client_that_never_accepts_the_map_loses_its_place() -> None:
    table = Table(GameSettings(map_limit=60))
    table.connect("sleeper")
    table.say("sleeper", "NME ( 'ENG' ) ( '1' )")
    assert table.wait(59.9) == []
    assert table.game.next_tick() is not None
    heard = table.wait(0.2)
    assert heard == [("sleeper", "OFF"), ("sleeper", DROPPED)]
    table.leave("sleeper")
    table.fill()
    assert table.game.stage is Stage.RUNNING


def test_a_client_that_accepts_the_map_in_time_keeps_its_place() -> None:
    table = Table(GameSettings(map_limit=60))
    table.join("ENG")
    assert table.wait(1000) == []
    assert table.game.next_tick() is None


@pytest.mark.parametrize("answer", ["standard", "STANDARD"])
def test_other_units_on_the_standard_map_are_announced_as_standard(answer: str) -> None:
    folder = Path(__file__).parents[1] / "data" / "variants" / "rome"
    table = Table(board=load_board(folder))
    table.connect("ENG")
    assert table.ask("ENG", "NME ( 'ENG' ) ( '1' )")[1] == "MAP ( 'standard' )"
    assert table.ask("ENG", "MAP") == ["MAP ( 'standard' )"]
    assert table.ask("ENG", f"YES ( MAP ( '{answer}' ) )") == []
    assert "ITA FLT ROM" in table.ask("ENG", "NOW")[0]
