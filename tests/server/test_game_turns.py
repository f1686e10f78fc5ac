"""Turns: when they are processed, what is sent, and in which order."""

import re

import pytest

from rules.maps import load_map
from server.settings import AbsentPolicy, GameSettings
from server.timing import MOST_TIME_REQUESTS
from tests.server.table import DROPPED, Table, heard_by, place, words

TIMED = GameSettings(movement_limit=300, retreat_limit=120, build_limit=60)
CENTERS = {
    "AUS": "BUD", "ENG": "LON", "FRA": "PAR", "GER": "BER", "ITA": "ROM", "RUS": "MOS", "TUR": "CON"
}  # fmt: skip
ONE_EACH = {
    "AUS": "A BUD", "FRA": "A PAR", "GER": "A BER", "ITA": "A ROM", "RUS": "A MOS", "TUR": "A CON"
}  # fmt: skip


def play(table: Table, **orders: str) -> list[str]:
    """Let powers submit orders, the others hold; return what an observer hears."""
    heard = []
    for name, text in orders.items():
        heard += table.say(name, f"SUB {text}")
    return heard_by("watcher", heard + table.hold())


def watched(settings: GameSettings = TIMED, turn: str = "SPR 1901", **units: str) -> Table:
    table = Table(settings, start=place(turn, None, ONE_EACH | units, centers=CENTERS))
    table.observe()
    return table.fill()


def test_after_a_spring_without_retreats_come_orders_then_the_fall() -> None:
    table = watched(ENG="F LON")
    texts = play(table)
    assert words(texts) == ["ORD"] * 7 + ["NOW", "TME"]
    assert texts[0] == "ORD ( SPR 1901 ) ( ( GER AMY BER ) HLD ) ( SUC )"
    assert texts[-2].startswith("NOW ( FAL 1901 )")
    assert texts[-1] == "TME ( 300 )"


def dislodging(turn: str) -> Table:
    table = watched(turn=turn, ENG="F LON", GER="A BUR, A MUN", FRA="A PIC, A GAS")
    table.say(
        "FRA", "SUB ( ( FRA AMY GAS ) MTO BUR ) ( ( FRA AMY PIC ) SUP ( FRA AMY GAS ) MTO BUR )"
    )
    return table


def test_a_dislodged_unit_makes_a_summer_with_its_own_limit() -> None:
    table = dislodging("SPR 1901")
    texts = heard_by("watcher", table.hold())
    assert "ORD ( SPR 1901 ) ( ( GER AMY BUR ) HLD ) ( RET )" in texts
    assert texts[-2].startswith("NOW ( SUM 1901 )")
    assert "( GER AMY BUR MRT ( BEL MAR PAR RUH ) )" in texts[-2]
    assert texts[-1] == "TME ( 120 )"
    assert table.ask("GER", "MIS") == ["MIS ( GER AMY BUR MRT ( BEL MAR PAR RUH ) )"]
    texts = heard_by("watcher", table.say("GER", "SUB ( ( GER AMY BUR ) RTO RUH )"))
    assert texts[0] == "ORD ( SUM 1901 ) ( ( GER AMY BUR ) RTO RUH ) ( SUC )"
    assert words(texts) == ["ORD", "NOW", "TME"]
    assert texts[1].startswith("NOW ( FAL 1901 )")


def test_ownership_is_told_after_the_autumn_and_not_after_a_fall_with_retreats() -> None:
    table = dislodging("FAL 1901")
    texts = heard_by("watcher", table.hold())
    assert "SCO" not in words(texts)
    assert texts[-2].startswith("NOW ( AUT 1901 )")
    texts = heard_by("watcher", table.say("GER", "SUB ( ( GER AMY BUR ) RTO BEL )"))
    assert words(texts) == ["ORD", "SCO", "NOW", "TME"]
    assert "( GER MUN BEL BER )" in texts[1]
    assert texts[2].startswith("NOW ( WIN 1901 )")
    assert texts[3] == "TME ( 60 )"


def test_ownership_is_told_after_a_fall_even_if_no_winter_follows() -> None:
    table = watched(turn="FAL 1901", ENG="F LON")
    texts = play(table)
    assert words(texts) == ["ORD"] * 7 + ["SCO", "NOW", "TME"]
    assert texts[-2].startswith("NOW ( SPR 1902 )")


def test_a_winter_reports_a_removal() -> None:
    table = watched(
        turn="WIN 1901", ENG="A YOR, F NTH", FRA="A PAR", GER="A RUH", AUS="A GAL", RUS="A UKR"
    )
    assert table.ask("ENG", "MIS") == ["MIS ( 1 )"]
    texts = heard_by("watcher", table.say("ENG", "SUB ( ( ENG AMY YOR ) REM )"))
    assert texts[0] == "ORD ( WIN 1901 ) ( ( ENG AMY YOR ) REM ) ( SUC )"
    assert words(texts) == ["ORD", "NOW", "TME"]
    assert texts[1].startswith("NOW ( SPR 1902 )")


def test_builds_and_missing_waives_are_reported() -> None:
    centers = CENTERS | {"ENG": "LON LVP EDI"}
    table = Table(TIMED, start=place("WIN 1901", None, ONE_EACH, centers=centers, ENG="A YOR"))
    table.observe()
    table.fill()
    assert table.ask("ENG", "SUB ( ( ENG FLT LON ) BLD )") == [
        "THX ( ( ENG FLT LON ) BLD ) ( MBV )",
        "MIS ( -1 )",
    ]
    texts = heard_by("watcher", table.wait(60))
    assert texts[:2] == [
        "ORD ( WIN 1901 ) ( ( ENG FLT LON ) BLD ) ( SUC )",
        "ORD ( WIN 1901 ) ( ENG WVE ) ( SUC )",
    ]


def test_at_the_deadline_missing_orders_are_replaced_by_defaults() -> None:
    table = watched(ENG="F LON")
    table.say("ENG", "SUB ( ( ENG FLT LON ) MTO NTH )")
    assert table.wait(299) == []
    texts = heard_by("watcher", table.wait(1))
    assert words(texts) == ["ORD"] * 7 + ["NOW", "TME"]
    assert "ORD ( SPR 1901 ) ( ( ENG FLT LON ) MTO NTH ) ( SUC )" in texts
    assert "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) HLD ) ( SUC )" in texts


def test_at_the_deadline_dislodged_units_disband() -> None:
    table = dislodging("SPR 1901")
    table.hold()
    texts = heard_by("watcher", table.wait(120))
    assert texts[0] == "ORD ( SUM 1901 ) ( ( GER AMY BUR ) DSB ) ( SUC )"


def test_two_retreats_to_one_place_are_destroyed_with_bnc() -> None:
    table = Table(
        start=place(
            "SUM 1901",
            None,
            ONE_EACH,
            centers=CENTERS,
            dislodged={"GER": ("A BUR", "RUH"), "FRA": ("A BEL", "RUH")},
            ENG="F LON",
        )
    )
    table.observe()
    table.fill()
    table.say("GER", "SUB ( ( GER AMY BUR ) RTO RUH )")
    texts = heard_by("watcher", table.say("FRA", "SUB ( ( FRA AMY BEL ) RTO RUH )"))
    assert texts[:2] == [
        "ORD ( SUM 1901 ) ( ( FRA AMY BEL ) RTO RUH ) ( BNC )",
        "ORD ( SUM 1901 ) ( ( GER AMY BUR ) RTO RUH ) ( BNC )",
    ]
    assert "RUH" not in texts[2]


def test_the_last_order_processes_the_turn_after_its_thx() -> None:
    table = watched(ENG="F LON")
    table.hold(*table.powers[:-1])
    texts = heard_by("TUR", table.hold("TUR"))
    assert words(texts) == ["THX"] + ["ORD"] * 7 + ["NOW", "TME"]


def test_a_cleared_go_flag_holds_the_turn_until_it_is_set() -> None:
    table = watched(ENG="F LON")
    assert table.ask("ENG", "NOT ( GOF )") == ["YES ( NOT ( GOF ) )"]
    assert play(table) == []
    texts = heard_by("ENG", table.say("ENG", "GOF"))
    assert words(texts) == ["YES"] + ["ORD"] * 7 + ["NOW", "TME"]


def test_a_cleared_go_flag_is_forgotten_with_the_turn() -> None:
    table = watched(ENG="F LON")
    table.say("ENG", "NOT ( GOF )")
    table.wait(300)
    assert "NOW" in words(play(table))


def test_cancelling_an_order_keeps_the_turn_open() -> None:
    table = watched(ENG="F LON")
    table.hold(*table.powers[:-1])
    order = "( ENG FLT LON ) HLD"
    assert table.ask("ENG", f"NOT ( SUB ( {order} ) )") == [f"YES ( NOT ( SUB ( {order} ) ) )"]
    assert heard_by("watcher", table.hold("TUR")) == []
    assert table.ask("ENG", "GOF") == ["YES ( GOF )", "MIS ( ENG FLT LON )"]
    assert "NOW" in words(heard_by("watcher", table.hold("ENG")))


def test_cancelling_all_orders_makes_them_missing_again() -> None:
    table = watched(ENG="F LON")
    table.hold("ENG")
    assert table.ask("ENG", "MIS") == ["MIS"]
    assert table.ask("ENG", "NOT ( SUB )") == ["YES ( NOT ( SUB ) )"]
    assert table.ask("ENG", "MIS") == ["MIS ( ENG FLT LON )"]


def test_orders_for_another_phase_get_nrs_each_and_then_mis() -> None:
    table = watched(ENG="F LON")
    assert table.ask("ENG", "SUB ( ( ENG FLT LON ) BLD ) ( ENG WVE ) ( ( ENG FLT LON ) DSB )") == [
        "THX ( ( ENG FLT LON ) BLD ) ( NRS )",
        "THX ( ENG WVE ) ( NRS )",
        "THX ( ( ENG FLT LON ) DSB ) ( NRS )",
        "MIS ( ENG FLT LON )",
    ]


@pytest.mark.parametrize(
    ("order", "note"),
    [
        ("( ENG AMY LVP ) MTO YOR", "MBV"),
        ("( ENG AMY LVP ) MTO MOS", "FAR"),
        ("( ENG FLT LVP ) MTO IRI", "NSU"),
        ("( FRA AMY PAR ) MTO BUR", "NYU"),
        ("( ENG AMY LVP ) SUP ( ENG FLT LON )", "FAR"),
        ("( ENG AMY LVP ) SUP ( ENG AMY EDI )", "NSU"),
        ("( ENG AMY LVP ) CVY ( ENG AMY LVP ) CTO NWY", "NSF"),
        ("( ENG FLT LON ) CVY ( ENG AMY LVP ) CTO NWY", "NAS"),
        ("( ENG FLT LON ) CVY ( ENG AMY EDI ) CTO NWY", "NSU"),
        ("( ENG FLT LON ) CVY ( ENG FLT LVP ) CTO NWY", "NSU"),
        ("( ENG FLT LON ) MTO ( WAL SCS )", "FAR"),
        ("( ENG AMY LVP ) MTO ( WAL NCS )", "FAR"),
        ("( ENG FLT LON ) CTO NWY VIA ( NTH )", "NSA"),
        ("( ENG AMY LVP ) CTO NWY VIA ( NTH )", "NSF"),
        ("( ENG AMY LVP ) RTO YOR", "NRS"),
        ("ENG WVE", "NRS"),
    ],
)
def test_an_order_gets_the_note_of_the_reference_server(order: str, note: str) -> None:
    table = Table().fill()
    assert table.ask("ENG", f"SUB ( {order} )")[0] == f"THX ( {order} ) ( {note} )"


def test_history_is_given_for_every_played_turn_and_for_no_other() -> None:
    table = dislodging("SPR 1901")
    spring = heard_by("watcher", table.hold())
    summer = heard_by("watcher", table.hold())
    assert table.ask("watcher", "ORD") == spring[:-2] + summer[:-2]
    sco = table.ask("watcher", "SCO")
    assert table.ask("watcher", "HST ( SPR 1901 )") == [*spring[:-2], *sco, spring[-2]]
    assert table.ask("watcher", "HST ( SUM 1901 )") == [*summer[:-2], *sco, summer[-2]]
    for turn in ("FAL 1901", "AUT 1901", "SPR 1902"):
        assert table.ask("watcher", f"HST ( {turn} )") == [f"REJ ( HST ( {turn} ) )"]
    fall = heard_by("watcher", table.hold())
    assert table.ask("watcher", "ORD") == [text for text in fall if text.startswith("ORD")]
    assert table.ask("watcher", "HST ( WIN 1901 )") == ["REJ ( HST ( WIN 1901 ) )"]


def test_notices_come_every_turn_to_those_who_asked() -> None:
    table = watched(ENG="F LON")
    table.say("ENG", "TME ( 18 )")
    table.say("watcher", "TME ( 100 )")
    table.say("watcher", "TME ( 18 )")
    for _ in range(2):
        assert table.wait(200) == [("watcher", "TME ( 100 )")]
        assert table.wait(82) == [("watcher", "TME ( 18 )"), ("ENG", "TME ( 18 )")]
        table.wait(18)
    assert table.ask("ENG", "NOT ( TME ( 18 ) )") == ["YES ( NOT ( TME ( 18 ) ) )"]
    table.say("watcher", "NOT ( TME )")
    table.wait(300)
    assert table.wait(299) == []


def test_a_notice_cancelled_in_a_turn_is_still_told_in_it_and_not_in_the_next() -> None:
    table = watched(ENG="F LON")
    table.say("ENG", "TME ( 18 )")
    table.wait(300)
    assert table.ask("ENG", "NOT ( TME ( 18 ) )") == ["YES ( NOT ( TME ( 18 ) ) )"]
    assert table.ask("ENG", "NOT ( TME ( 18 ) )") == ["REJ ( NOT ( TME ( 18 ) ) )"]
    table.say("ENG", "TME ( 19 )")
    assert table.wait(281) == [("ENG", "TME ( 19 )")]
    assert table.wait(1) == [("ENG", "TME ( 18 )")]
    table.wait(18)
    assert table.wait(299) == [("ENG", "TME ( 19 )")]


def test_asking_and_cancelling_in_turn_does_not_heap_up_notices() -> None:
    table = watched(ENG="F LON")
    for seconds in range(1, 200):
        table.say("ENG", f"TME ( {seconds} )")
        table.say("ENG", f"NOT ( TME ( {seconds} ) )")
    heard = heard_by("ENG", table.wait(299))
    assert 0 < len(heard) <= MOST_TIME_REQUESTS


def test_a_notice_asked_for_too_late_comes_in_the_next_turn() -> None:
    table = watched(ENG="F LON")
    table.wait(250)
    assert table.ask("ENG", "TME ( 100 )") == ["YES ( TME ( 100 ) )"]
    assert table.ask("ENG", "TME") == ["TME ( 50 )"]
    assert "TME ( 100 )" not in heard_by("ENG", table.wait(50))
    assert table.wait(200) == [("ENG", "TME ( 100 )")]


def test_a_client_can_ask_for_many_notices_and_not_for_any_number() -> None:
    table = watched(ENG="F LON")
    for seconds in range(64):
        assert words(table.ask("ENG", f"TME ( {seconds} )")) == ["YES"]
    assert table.ask("ENG", "TME ( 99 )") == ["REJ ( TME ( 99 ) )"]
    assert words(table.ask("ENG", "TME ( 63 )")) == ["YES"]
    table.say("ENG", "NOT ( TME ( 5 ) )")
    assert words(table.ask("ENG", "TME ( 99 )")) == ["YES"]


def test_a_turn_that_is_processed_early_starts_the_next_clock_at_once() -> None:
    table = watched(ENG="F LON")
    table.wait(100)
    assert play(table)[-1] == "TME ( 300 )"
    assert table.wait(299) == []
    assert "NOW" in words(heard_by("ENG", table.wait(1)))


def test_an_eliminated_power_blocks_nothing() -> None:
    table = watched(ENG="F LON", TUR="A CON")
    table.game.obey("end", table.now)
    centers = {name: owned for name, owned in CENTERS.items() if name != "TUR"}
    units = {name: owned for name, owned in ONE_EACH.items() if name != "TUR"}
    start = place("SPR 1901", None, units, centers=centers, ENG="F LON")
    table = Table(TIMED, start=start)
    table.observe()
    table.fill()
    assert table.ask("TUR", "NOT ( GOF )") == ["REJ ( NOT ( GOF ) )"]
    assert table.ask("TUR", "MIS") == ["MIS"]
    assert "NOW" in words(play(table))
    assert words(heard_by("TUR", table.log))[-2:] == ["NOW", "TME"]


def test_a_power_without_centers_removes_its_units_in_the_winter_and_is_out_after_it() -> None:
    table = watched(turn="FAL 1901", ENG="F LON", TUR="A ANK, F AEG", ITA="A CON")
    assert play(table)[-2].startswith("NOW ( WIN 1901 )")
    assert table.ask("TUR", "MIS") == ["MIS ( 1 )"]
    # Constantinople fell to Italy, Ankara is occupied, so Turkey keeps one unit.
    table = watched(turn="FAL 1901", ENG="F LON", TUR="F AEG", ITA="A CON, A ROM")
    play(table)
    assert table.ask("TUR", "MIS") == ["MIS ( 1 )"]
    assert table.ask("TUR", "NOT ( GOF )") == ["YES ( NOT ( GOF ) )"]
    table.say("TUR", "GOF")
    play(table, TUR="( ( TUR FLT AEG ) REM )")
    assert table.game.position.turn.year == 1902
    assert table.ask("TUR", "NOT ( GOF )") == ["REJ ( NOT ( GOF ) )"]
    assert table.game.seats[table.board.power("TUR")].eliminated_in == 1901


def test_a_power_with_a_center_and_no_unit_is_still_in_the_game() -> None:
    units = {name: owned for name, owned in ONE_EACH.items() if name != "TUR"}
    table = Table(TIMED, start=place("SPR 1901", None, units, centers=CENTERS, ENG="F LON"))
    table.observe()
    table.fill()
    assert table.ask("TUR", "NOT ( GOF )") == ["YES ( NOT ( GOF ) )"]
    assert play(table) == []
    assert "NOW" in words(heard_by("watcher", table.say("TUR", "GOF")))


def test_a_missed_deadline_is_told_once_until_the_power_speaks() -> None:
    settings = GameSettings(movement_limit=300, tells_missed_deadlines=True)
    table = watched(settings, ENG="F LON")
    table.hold(*[name for name in table.powers if name != "ENG"])
    texts = heard_by("watcher", table.wait(300))
    assert texts[0] == "CCD ( ENG )"
    assert words(texts[1:]) == ["ORD"] * 7 + ["NOW", "TME"]
    table.hold(*[name for name in table.powers if name != "ENG"])
    assert "CCD ( ENG )" not in heard_by("watcher", table.wait(300))
    assert table.say("FRA", "TME") == [("FRA", "TME ( 300 )")]
    heard = table.say("ENG", "TME")
    assert heard_by("watcher", heard) == ["NOT ( CCD ( ENG ) )"]
    assert heard_by("ENG", heard) == ["NOT ( CCD ( ENG ) )", "TME ( 300 )"]
    assert table.say("ENG", "TME") == [("ENG", "TME ( 300 )")]


def test_a_missed_deadline_is_not_told_by_default() -> None:
    table = watched(ENG="F LON")
    assert "CCD" not in words(heard_by("watcher", table.wait(300)))


def test_with_any_orders_accepted_the_note_comes_as_the_result() -> None:
    table = watched(GameSettings(any_orders=True), ENG="F LON", FRA="A WAL, A YOR")
    assert table.ask("ENG", "SUB ( ( ENG FLT LON ) MTO MOS )") == [
        "THX ( ( ENG FLT LON ) MTO MOS ) ( MBV )"
    ]
    texts = play(
        table, FRA="( ( FRA AMY WAL ) MTO LON ) ( ( FRA AMY YOR ) SUP ( FRA AMY WAL ) MTO LON )"
    )
    assert "ORD ( SPR 1901 ) ( ( ENG FLT LON ) MTO MOS ) ( FAR RET )" in texts
    assert texts[-1].startswith("NOW ( SUM 1901 )")
    order = "( ENG FLT LON ) RTO MOS"
    [thx, *texts] = table.ask("ENG", f"SUB ( {order} )")
    assert thx == f"THX ( {order} ) ( MBV )"
    assert texts[0] == f"ORD ( SUM 1901 ) ( {order} ) ( FAR )"
    assert "ENG" not in texts[-1]


@pytest.mark.parametrize(
    ("order", "note"),
    [
        ("( FRA AMY PAR ) HLD", "NYU"),
        ("( ENG AMY YOR ) HLD", "NSU"),
        ("( ENG FLT LON ) CVY ( ENG AMY EDI ) CTO NWY", "NSU"),
        ("ENG WVE", "NRS"),
    ],
)
def test_with_any_orders_accepted_only_own_units_may_be_ordered(order: str, note: str) -> None:
    table = Table(GameSettings(any_orders=True)).fill()
    assert table.ask("ENG", f"SUB ( {order} )")[0] == f"THX ( {order} ) ( {note} )"


@pytest.mark.parametrize(
    ("order", "note"),
    [
        ("( ENG AMY LVP ) MTO 0x50FF", "NSP"),
        ("( ENG AMY 0x57FE ) HLD", "NSP"),
        ("( ENG AMY LVP ) CTO NWY VIA ( 0x52FF NTH )", "NSP"),
        ("( ENG FLT LON ) MTO ( 0x57FF NCS )", "NSP"),
        ("( ENG AMY LVP ) RTO 0x50FF", "NRS"),
    ],
)
def test_an_unknown_province_is_huh_or_by_a_setting_nsp(order: str, note: str) -> None:
    text = f"SUB ( {order} )"
    token = re.search(r"0x\w+", order)
    assert token is not None
    strict = Table().fill()
    marked = text.replace(token[0], f"ERR {token[0]}")
    assert strict.ask("ENG", text) == [f"HUH ( {marked} )"]
    lenient = Table(GameSettings(unknown_provinces=True)).fill()
    assert lenient.ask("ENG", text)[0] == f"THX ( {order} ) ( {note} )"


@pytest.mark.parametrize(
    "text",
    [
        "SND ( FRA ) ( PRP ( DMZ ( ENG FRA ) ( 0x50FF ) ) )",
        "SUB ( ( ENG AMY LVP ) MTO 0x58FF )",
        "NOT ( SUB ( ( ENG AMY LVP ) MTO 0x50FF ) )",
    ],
)
def test_unknown_provinces_are_taken_in_orders_only(text: str) -> None:
    table = Table(GameSettings(level=20, unknown_provinces=True)).fill()
    assert table.ask("ENG", text)[0].startswith("HUH")


def test_a_bare_order_is_taken_as_submitted_where_that_is_allowed() -> None:
    table = Table(GameSettings(bare_orders=True)).fill()
    assert table.ask("ENG", "( ENG AMY LVP ) HLD") == [
        "THX ( ( ENG AMY LVP ) HLD ) ( MBV )",
        "MIS ( ENG FLT EDI ) ( ENG FLT LON )",
    ]
    assert table.ask("ENG", "ENG WVE")[0] == "THX ( ENG WVE ) ( NRS )"
    assert table.ask("ENG", "( ENG AMY LVP ) HLD HLD") == ["HUH ( ERR ( ENG AMY LVP ) HLD HLD )"]
    table.observe()
    assert table.ask("watcher", "( ENG AMY LVP ) HLD") == ["HUH ( ERR ( ENG AMY LVP ) HLD )"]


def test_absent_powers_can_be_given_default_orders_at_once() -> None:
    settings = GameSettings(absent=AbsentPolicy.DEFAULT_ORDERS, movement_limit=300)
    table = watched(settings, ENG="F LON")
    table.hold(*table.powers[1:])
    assert "NOW" in words(heard_by("watcher", table.leave("AUS")))
    assert "NOW" in words(play(table))


def test_a_turn_that_only_absent_powers_owe_follows_a_deadline_at_once() -> None:
    settings = GameSettings(absent=AbsentPolicy.DEFAULT_ORDERS, movement_limit=300)
    table = watched(settings, ENG="F LON", GER="A BUR", FRA="A PIC, A GAS")
    table.leave("GER")
    table.say(
        "FRA", "SUB ( ( FRA AMY GAS ) MTO BUR ) ( ( FRA AMY PIC ) SUP ( FRA AMY GAS ) MTO BUR )"
    )
    texts = heard_by("watcher", table.wait(300))
    turns = [text[:16] for text in texts if text.startswith("NOW")]
    assert turns == ["NOW ( SUM 1901 )", "NOW ( FAL 1901 )"]


def test_turns_do_not_fly_past_when_only_eliminated_powers_are_left_watching() -> None:
    centers = {name: owned for name, owned in CENTERS.items() if name != "TUR"}
    units = {name: owned for name, owned in ONE_EACH.items() if name != "TUR"}
    start = place("SPR 1901", None, units, centers=centers, ENG="F LON")
    table = Table(GameSettings(absent=AbsentPolicy.DEFAULT_ORDERS), start=start).fill()
    for name in table.powers[:-1]:
        table.leave(name)
    assert table.game.position.turn.season.value == "SPR"
    assert table.game.position.turn.year == 1901


def test_a_stand_in_is_asked_for_once_when_a_power_stays_away() -> None:
    table = Table(GameSettings(stand_in_after=30)).fill()
    table.leave("ENG")
    assert table.wait(29) == []
    heard = table.wait(1)
    assert heard == [("host", f"<stand-in wanted> ENG {table.passcode('ENG')}")]
    assert table.wait(100) == []
    table.rejoin("ENG")
    table.leave("ENG")
    assert len(table.wait(30)) == 1


def test_a_pause_stops_clock_and_turns_until_it_is_over() -> None:
    table = watched(ENG="F LON")
    table.wait(100)
    assert heard_by("ENG", table.obey("pause")) == ["NOT ( TME ( 200 ) )"]
    assert play(table) == []
    assert table.wait(1000) == []
    texts = heard_by("ENG", table.obey("resume"))
    assert texts[0] == "TME ( 200 )"
    assert words(texts[1:]) == ["ORD"] * 7 + ["NOW", "TME"]


@pytest.mark.parametrize("name", ["standard", "lagoon", "fourwinds"])
def test_default_orders_play_a_whole_game_on_every_map(name: str) -> None:
    settings = GameSettings(movement_limit=1, retreat_limit=1, build_limit=1, last_year=1904)
    table = Table(settings, board=load_map(name))
    table.observe()
    table.fill()
    table.wait(30)
    texts = heard_by("watcher", table.log)
    assert words(texts)[-6:] == ["SCO", "DRW", "SMR", "NOW", "OFF", DROPPED]
