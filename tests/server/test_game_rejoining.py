"""Lost connections: civil disorder, coming back, and the clock meanwhile."""

from attrs import evolve

from server.joining import FIRST_LOCK
from server.settings import AbsentPolicy, GameSettings
from tests.server.table import DROPPED, Heard, Table, heard_by, place, words

TIMED = GameSettings(level=10, movement_limit=300, retreat_limit=120, build_limit=60)
STOPPING = GameSettings(
    level=10, movement_limit=300, retreat_limit=120, build_limit=60, stops_on_disconnection=True
)
RETREATS = {"GER": ("A BUR", "RUH"), "FRA": ("A BEL", "PIC")}


def to_all(table: Table, heard: Heard) -> list[str]:
    """Return what everybody heard, which must be the same for all."""
    texts = {name: heard_by(name, heard) for name in table.numbers}
    assert len({tuple(each) for each in texts.values()}) == 1, texts
    return next(iter(texts.values()))


def watched(settings: GameSettings = TIMED, turn: str = "SPR 1901") -> Table:
    dislodged = RETREATS if turn.startswith(("SUM", "AUT")) else {}
    table = Table(
        settings,
        start=place(
            turn, None, dislodged=dislodged, AUS="A BUD", ENG="F LON", FRA="A PAR", GER="A BER",
            ITA="A ROM", RUS="A MOS", TUR="A CON",
        ),
    )  # fmt: skip
    table.observe()
    return table.fill()


def test_a_lost_player_is_announced_to_everybody() -> None:
    table = watched()
    assert to_all(table, table.leave("ENG")) == ["CCD ( ENG )"]


def test_a_lost_observer_is_not_announced() -> None:
    table = watched()
    assert table.leave("watcher") == []


def test_a_lost_eliminated_player_is_announced_and_not_waited_for() -> None:
    centers = {"ENG": "LON", "FRA": "PAR"}
    table = Table(STOPPING, start=place("SPR 1901", centers=centers, ENG="F LON", FRA="A PAR"))
    table.fill()
    assert set(table.leave("TUR")) == {(name, "CCD ( TUR )") for name in table.powers[:-1]}
    assert table.game.timer.is_running
    assert "NOW" in words(heard_by("ENG", table.hold()))


def test_the_orders_of_a_lost_player_stand() -> None:
    table = watched()
    table.say("ENG", "SUB ( ( ENG FLT LON ) MTO NTH )")
    table.leave("ENG")
    texts = heard_by("watcher", table.hold())
    assert "ORD ( SPR 1901 ) ( ( ENG FLT LON ) MTO NTH ) ( SUC )" in texts


def test_without_a_deadline_a_missing_power_stops_the_game() -> None:
    table = watched(GameSettings())
    table.leave("ENG")
    assert heard_by("watcher", table.hold()) == []
    assert table.wait(100_000) == []
    assert table.game.next_tick() is None


def test_a_returning_player_hears_yes_then_not_ccd_and_nothing_unasked() -> None:
    table = watched()
    table.leave("ENG")
    heard = table.rejoin("ENG")
    passcode = table.passcode("ENG")
    assert heard_by("ENG", heard) == [f"YES ( IAM ( ENG ) ( {passcode} ) )", "NOT ( CCD ( ENG ) )"]
    assert heard_by("watcher", heard) == ["NOT ( CCD ( ENG ) )"]
    assert table.accept_map("ENG") == []
    for request in ("MAP", "MDF", "HLO", "SCO", "NOW"):
        assert words(table.ask("ENG", request)) == [request]
    assert table.ask("ENG", "ORD") == ["REJ ( ORD )"]
    assert words(table.ask("ENG", "SUB ( ( ENG FLT LON ) HLD )")) == ["THX"]


def test_an_observer_can_take_over_a_vacant_power() -> None:
    table = watched()
    table.leave("ENG")
    passcode = table.passcode("ENG")
    assert words(table.ask("watcher", f"IAM ( ENG ) ( {passcode} )")) == [
        "YES",
        "NOT ( CCD ( ENG ) )",
    ]
    assert table.ask("watcher", "HLO")[0].startswith(f"HLO ( ENG ) ( {passcode} )")


def test_a_power_that_has_a_client_cannot_be_taken_with_the_right_passcode() -> None:
    table = watched()
    table.connect("thief")
    message = f"IAM ( ENG ) ( {table.passcode('ENG')} )"
    assert table.ask("thief", message) == [f"REJ ( {message} )"]


def wrong(table: Table, name: str) -> int:
    return table.passcode(name) % 8191 + 1


def test_after_three_wrong_passcodes_a_connection_is_refused_even_with_the_right_one() -> None:
    table = watched()
    table.leave("ENG")
    table.connect("thief")
    for _ in range(3):
        assert words(table.ask("thief", f"IAM ( ENG ) ( {wrong(table, 'ENG')} )")) == ["REJ"]
    assert words(table.ask("thief", f"IAM ( ENG ) ( {table.passcode('ENG')} )")) == ["REJ"]
    assert "YES" in words(heard_by("ENG", table.rejoin("ENG")))


# Games of the store's first format are replayed with the locks that they had.


def test_in_an_old_game_five_wrong_passcodes_lock_a_power_for_a_time() -> None:
    table = watched(GameSettings(locks_seats=True))
    table.leave("ENG")
    for number in range(5):
        table.connect(f"thief {number}")
        table.say(f"thief {number}", f"IAM ( ENG ) ( {wrong(table, 'ENG')} )")
    right = f"IAM ( ENG ) ( {table.passcode('ENG')} )"
    table.connect("ENG")
    assert table.ask("ENG", right) == [f"REJ ( {right} )"]
    table.wait(FIRST_LOCK - 0.1)
    assert table.ask("ENG", right) == [f"REJ ( {right} )"]
    table.wait(0.2)
    assert words(table.ask("ENG", right)) == ["YES", "NOT ( CCD ( ENG ) )"]


def test_in_an_old_game_a_sixth_wrong_passcode_locks_the_power_for_twice_the_time() -> None:
    table = watched(GameSettings(locks_seats=True))
    table.leave("ENG")
    for number in range(6):
        table.connect(f"thief {number}")
        table.say(f"thief {number}", f"IAM ( ENG ) ( {wrong(table, 'ENG')} )")
        table.wait(FIRST_LOCK + 1 if number == 4 else 0)
    table.connect("ENG")
    right = f"IAM ( ENG ) ( {table.passcode('ENG')} )"
    table.wait(FIRST_LOCK + 1)
    assert words(table.ask("ENG", right)) == ["REJ"]
    table.wait(FIRST_LOCK)
    assert "YES" in words(table.ask("ENG", right))


def test_the_clock_goes_on_for_a_lost_player_without_dsd() -> None:
    table = watched()
    table.leave("ENG")
    assert "NOW" in words(heard_by("watcher", table.wait(300)))


def test_with_dsd_the_clock_stops_for_a_lost_player_and_goes_on_when_it_is_back() -> None:
    table = watched(STOPPING)
    table.wait(100)
    assert to_all(table, table.leave("ENG")) == ["CCD ( ENG )", "NOT ( TME ( 200 ) )"]
    assert table.wait(1000) == []
    assert table.ask("FRA", "TME") == ["TME ( 200 )"]
    heard = table.rejoin("ENG")
    assert heard_by("watcher", heard) == ["NOT ( CCD ( ENG ) )", "TME ( 200 )"]
    assert words(heard_by("ENG", heard)) == ["YES", "NOT ( CCD ( ENG ) )", "TME"]
    assert "NOW" not in words(heard_by("watcher", table.wait(199)))
    assert "NOW" in words(heard_by("watcher", table.wait(1)))


def test_with_dsd_the_clock_waits_for_the_last_of_several_lost_players() -> None:
    table = watched(STOPPING)
    table.leave("ENG")
    assert to_all(table, table.leave("FRA")) == ["CCD ( FRA )"]
    assert heard_by("watcher", table.rejoin("ENG")) == ["NOT ( CCD ( ENG ) )"]
    assert heard_by("watcher", table.rejoin("FRA")) == ["NOT ( CCD ( FRA ) )", "TME ( 300 )"]


def test_with_dsd_the_clock_goes_on_if_the_lost_player_had_ordered_everything() -> None:
    table = watched(STOPPING)
    table.hold("ENG")
    assert to_all(table, table.leave("ENG")) == ["CCD ( ENG )"]
    texts = heard_by("watcher", table.wait(300))
    assert texts[-1] == "NOT ( TME ( 300 ) )"
    assert heard_by("watcher", table.rejoin("ENG")) == ["NOT ( CCD ( ENG ) )", "TME ( 300 )"]


def test_with_dsd_a_new_turn_begins_with_the_clock_stopped_if_a_lost_player_owes_orders() -> None:
    table = watched(STOPPING, turn="SUM 1901")
    assert to_all(table, table.leave("ENG")) == ["CCD ( ENG )"]
    table.hold("GER")
    texts = heard_by("watcher", table.hold("FRA"))
    assert texts[-2].startswith("NOW ( FAL 1901 )")
    assert texts[-1] == "NOT ( TME ( 300 ) )"
    assert heard_by("watcher", table.rejoin("ENG")) == ["NOT ( CCD ( ENG ) )", "TME ( 300 )"]


def test_a_pause_outlasts_the_return_of_a_lost_player() -> None:
    table = watched(STOPPING)
    table.leave("ENG")
    table.game.obey("pause", table.now)
    assert heard_by("watcher", table.rejoin("ENG")) == ["NOT ( CCD ( ENG ) )"]
    assert heard_by("watcher", table.obey("resume")) == ["TME ( 300 )"]


def test_a_go_flag_that_a_lost_player_cleared_holds_nothing_up() -> None:
    table = watched()
    table.hold("ENG")
    table.say("ENG", "NOT ( GOF )")
    table.leave("ENG")
    table.rejoin("ENG")
    assert "NOW" in words(heard_by("watcher", table.hold()))


def test_losing_the_last_player_that_was_waited_for_processes_the_turn() -> None:
    table = watched()
    table.hold("ENG")
    table.say("ENG", "NOT ( GOF )")
    table.hold()
    texts = heard_by("watcher", table.leave("ENG"))
    assert texts[0] == "CCD ( ENG )"
    assert words(texts[1:]) == ["ORD"] * 7 + ["NOW", "TME"]


def test_a_player_that_missed_a_deadline_and_left_is_back_once() -> None:
    settings = GameSettings(movement_limit=300, tells_missed_deadlines=True)
    table = watched(settings)
    table.wait(300)
    table.leave("ENG")
    assert heard_by("watcher", table.rejoin("ENG")) == ["NOT ( CCD ( ENG ) )"]
    assert heard_by("watcher", table.say("ENG", "NOW")) == []


def test_an_ejected_player_is_told_to_leave_and_its_power_is_vacant_at_once() -> None:
    table = watched()
    heard = table.obey("eject ENG")
    assert heard_by("ENG", heard) == ["OFF", DROPPED]
    assert heard_by("FRA", heard) == ["CCD ( ENG )"]
    assert table.ask("ENG", "NOW") == []
    assert table.leave("ENG") == []
    assert "YES" in words(heard_by("ENG", table.rejoin("ENG")))


def test_after_the_end_nobody_is_announced_as_lost() -> None:
    table = watched()
    table.game.obey("end", table.now)
    assert table.leave("ENG") == []
    table.connect("ENG")
    message = f"IAM ( ENG ) ( {table.passcode('ENG')} )"
    assert table.ask("ENG", message) == [f"REJ ( {message} )"]


def test_with_dsd_the_clock_goes_on_if_absent_powers_are_given_default_orders() -> None:
    settings = evolve(STOPPING, absent=AbsentPolicy.DEFAULT_ORDERS)
    table = watched(settings)
    assert to_all(table, table.leave("ENG")) == ["CCD ( ENG )"]
    assert heard_by("watcher", table.wait(300))[-1] == "TME ( 300 )"


def test_no_stand_in_is_asked_for_an_eliminated_power() -> None:
    centers = {"ENG": "LON", "FRA": "PAR"}
    start = place("SPR 1901", centers=centers, ENG="F LON", FRA="A PAR")
    table = Table(GameSettings(stand_in_after=30), start=start).fill()
    table.leave("TUR")
    assert table.game.next_tick() is None
    assert table.wait(100) == []
