"""What programs in the field rely on: a test for each note, with clients that behave like them.

Notes 1, 2, 4, 6 and 7 of the flow, and what was seen of framing, are about the transport.
"""

import pytest

from daide.frames import tokens_to_bytes
from grammar.text import from_text
from grammar.write import write
from rules.maps import load_map, map_names
from server.settings import GameSettings
from tests.server.old_clients import (
    Albert,
    DBrane,
    DiploBot,
    Diplominator,
    DumbBot,
    KissMyBot,
    OldClient,
    Red,
    play,
)
from tests.server.table import Table, heard_by, place, words

TIMED = GameSettings(level=10, movement_limit=300, retreat_limit=120, build_limit=60)
ALIVE = {"ENG": "LON LVP EDI", "FRA": "PAR BRE", "GER": "BER"}


def three(turn: str, settings: GameSettings = TIMED, **units: str) -> Table:
    """England, France and Germany are left."""
    others = {"ENG": "F LON", "FRA": "A PAR", "GER": "A BER"}
    table = Table(settings, start=place(turn, None, others | units, centers=ALIVE))
    table.observe()
    return table.fill()


# --- transport, as far as a game can see it -------------------------------------------------------


def test_note_03_the_standard_map_needs_no_names_in_its_rm() -> None:
    assert Table().game.representation.entries() == ()
    assert Table(board=load_map("lagoon")).game.representation.entries() != ()


@pytest.mark.parametrize("name", map_names())
def test_note_05_no_message_is_longer_than_a_signed_length_can_say(name: str) -> None:
    table = Table(board=load_map(name)).fill()
    for message in ("MDF", "NOW", "SCO"):
        [text] = table.ask(table.powers[0], message)
        tokens = from_text(text, table.game.representation)
        assert len(tokens_to_bytes(tokens)) < 32_767


def test_note_08_a_level_0_game_sends_no_word_that_only_press_has() -> None:
    table = Table(GameSettings(partial_draws=True, no_press_in_builds=True)).fill()
    table.hold()
    table.game.obey("end", table.now)
    sent = {word for _, text in table.log for word in text.split()}
    assert not sent & {"PDA", "NPR", "NPB", "PTL", "FRM", "OUT", "SND"}


# --- joining --------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", ["NME ( 'ENG' ) ( '1' )", "OBS"])
def test_note_09_yes_comes_first_and_map_second_and_nothing_between(message: str) -> None:
    table = Table()
    table.connect("new")
    assert words(table.ask("new", message)) == ["YES", "MAP"]


@pytest.mark.parametrize("name", ["STANDARD", "standard", "Standard"])
def test_note_10_the_name_of_the_map_is_compared_without_case(name: str) -> None:
    table = Table().fill()
    table.connect("watcher")
    table.say("watcher", "OBS")
    assert words(table.ask("watcher", f"YES ( MAP ( '{name}' ) )")) == ["HLO", "SCO", "NOW"]


def test_note_11_mdf_and_yes_map_back_to_back_leave_the_mdf_before_the_hlo() -> None:
    table = Table()
    for name in table.powers[:-1]:
        table.join(name)
    table.connect("TUR")
    table.say("TUR", "NME ( 'TUR' ) ( '1' )")
    heard = table.ask("TUR", "MDF") + heard_by("TUR", table.accept_map("TUR"))
    assert words(heard) == ["MDF", "HLO", "SCO", "NOW"]


@pytest.mark.parametrize(
    "requests",
    [
        ["MAP", "MDF", "HLO", "ORD", "SCO", "NOW"],
        ["MAP", "MDF", "HLO", "SCO", "NOW"],
        ["MAP", "YES ( MAP ( 'standard' ) )", "HLO", "SCO", "NOW"],
    ],
    ids=["framework", "SDK", "Parlance"],
)
def test_note_12_after_iam_every_request_is_answered(requests: list[str]) -> None:
    table = Table().fill()
    table.hold()
    table.leave("ENG")
    assert words(heard_by("ENG", table.rejoin("ENG"))) == ["YES", "NOT ( CCD ( ENG ) )"]
    for request in requests:
        answer = set(words(table.ask("ENG", request)))
        assert answer == (set() if request.startswith("YES") else {request})


def test_note_13_after_rej_nme_a_client_may_send_iam() -> None:
    table = Table().fill()
    table.leave("ENG")
    table.connect("ENG")
    assert words(table.ask("ENG", "NME ( 'ENG' ) ( '1' )")) == ["REJ"]
    iam = f"IAM ( ENG ) ( {table.passcode('ENG')} )"
    assert words(table.ask("ENG", iam)) == ["YES", "NOT ( CCD ( ENG ) )"]


def test_note_14_after_rej_iam_a_client_may_send_nme() -> None:
    table = Table()
    table.connect("ENG")
    assert words(table.ask("ENG", "IAM ( ENG ) ( 4711 )")) == ["REJ"]
    assert words(table.ask("ENG", "NME ( 'ENG' ) ( '1' )")) == ["YES", "MAP"]


# --- start and turns ------------------------------------------------------------------------------


def test_note_15_every_client_hears_mdf_then_hlo_then_sco_then_now() -> None:
    table = Table(GameSettings(last_year=1901))
    clients = [OldClient(table, name) for name in table.powers]
    play(table, clients)
    for client in clients:
        assert words(client.heard)[:6] == ["YES", "MAP", "MDF", "HLO", "SCO", "NOW"]


def test_note_16_the_places_of_words_in_hlo_and_now_are_fixed() -> None:
    table = Table(TIMED).fill()
    hello = table.ask("ENG", "HLO")[0].split()
    assert hello[2] == "ENG"
    assert hello[5] == str(table.passcode("ENG"))
    assert hello[7:10] == ["(", "(", "LVL"]
    assert table.ask("ENG", "NOW")[0].split()[2:4] == ["SPR", "1901"]


@pytest.mark.parametrize("turn", ["SPR 1901", "FAL 1901"])
def test_note_17_nothing_but_tme_follows_now(turn: str) -> None:
    table = three(turn)
    texts = heard_by("watcher", table.hold())
    assert words(texts)[-2:] == ["NOW", "TME"]
    assert words(texts).count("NOW") == 1


def test_note_18_now_is_never_sent_unasked_outside_the_sequences() -> None:
    table = three("SPR 1901")
    before = words(heard_by("watcher", table.log)).count("NOW")
    table.say("ENG", "SUB ( ( ENG FLT LON ) HLD )")
    table.say("ENG", "SND ( FRA ) ( PRP ( DRW ) )")
    table.leave("GER")
    table.rejoin("GER")
    table.say("FRA", "NOW")
    table.say("FRA", "HST")
    table.wait(10)
    assert words(heard_by("watcher", table.log)).count("NOW") == before


def test_note_19_the_results_of_all_powers_come_before_now() -> None:
    table = three("SPR 1901")
    texts = heard_by("ENG", table.hold())
    orders = [text for text in texts if text.startswith("ORD")]
    assert [text.split()[7] for text in orders] == ["GER", "ENG", "FRA"]
    assert texts.index(orders[-1]) < len(texts) - 2


def test_note_20_ownership_is_told_after_the_fall_and_not_oftener() -> None:
    table = three("SPR 1901")
    assert "SCO" not in words(heard_by("watcher", table.hold()))
    assert "SCO" in words(heard_by("watcher", table.hold()))


@pytest.mark.parametrize("turn", ["SPR 1901", "WIN 1901"])
def test_note_21_albert_clears_its_flag_also_where_it_owes_nothing_and_is_waited_for(
    turn: str,
) -> None:
    table = three(turn)
    # Germany has as many units as centers, so it owes nothing in the winter.
    assert table.ask("GER", "NOT ( GOF )") == ["YES ( NOT ( GOF ) )"]
    assert table.ask("GER", "NOT ( DRW )") == ["YES ( NOT ( DRW ) )"]
    if turn.startswith("SPR"):
        sub = f"SUB ( {turn} ) ( ( GER AMY BER ) HLD )"
        assert words(table.ask("GER", sub)) == ["THX"]
        assert words(table.ask("GER", sub)) == ["THX"]
    assert "NOW" not in words(heard_by("watcher", table.hold()))
    assert "NOW" in words(heard_by("watcher", table.say("GER", "GOF")))
    assert "NOW" in words(heard_by("watcher", table.hold()))


def test_note_22_go_is_implied_for_everybody_who_never_sends_it() -> None:
    table = three("SPR 1901")
    assert "NOW" in words(heard_by("watcher", table.hold()))


def test_note_23_a_bare_replacement_order_gets_huh_or_is_taken_in_a_lenient_game() -> None:
    bare = "( ENG FLT LON ) HLD"
    assert three("SPR 1901").ask("ENG", bare) == [f"HUH ( ERR {bare} )"]
    lenient = three("SPR 1901", GameSettings(bare_orders=True))
    assert lenient.ask("ENG", bare) == [f"THX ( {bare} ) ( MBV )"]


def test_note_24_builds_due_are_counted_without_regard_to_free_home_centers() -> None:
    table = three("WIN 1901", ENG="F LON", FRA="A PAR", GER="A BER")
    assert table.ask("ENG", "MIS") == ["MIS ( -2 )"]
    crowded = {"ENG": "LON LVP EDI NWY DEN", "FRA": "PAR", "GER": "BER"}
    start = place("WIN 1901", centers=crowded, ENG="F LON, A LVP, F EDI", FRA="A PAR", GER="A BER")
    table = Table(TIMED, start=start).fill()
    assert table.ask("ENG", "MIS") == ["MIS ( -2 )"]
    answers = table.ask("ENG", "SUB ( ENG WVE ) ( ENG WVE ) ( ENG WVE )")
    assert answers[:3] == [
        "THX ( ENG WVE ) ( MBV )",
        "THX ( ENG WVE ) ( MBV )",
        "THX ( ENG WVE ) ( NMB )",
    ]


def test_note_25_orders_come_with_and_without_turn_and_in_several_messages() -> None:
    table = three("SPR 1901", ENG="F LON, A LVP")
    assert words(table.ask("ENG", "SUB ( ( ENG FLT LON ) HLD )")) == ["THX", "MIS"]
    assert words(table.ask("ENG", "SUB ( SPR 1901 ) ( ( ENG AMY LVP ) HLD )")) == ["THX"]


def test_note_26_orders_after_the_last_now_are_rejected() -> None:
    centers = {"ENG": "LON LVP EDI NWY DEN SWE BEL HOL PAR BRE MAR SPA POR BER KIE MUN TUN"}
    start = place("FAL 1901", centers=centers, ENG="F LON, A STP, A WAR")
    table = Table(start=start).fill()
    assert "SLO" in words(heard_by("ENG", table.hold()))
    assert table.ask("ENG", "SUB ( ENG WVE )") == ["REJ ( SUB ( ENG WVE ) )"]
    assert table.game.seats[table.board.power("ENG")].client is not None


@pytest.mark.parametrize("message", ["SUB ( ENG WVE )", "GOF", "DRW", "HLO"])
def test_note_27_a_rejection_quotes_the_message_and_changes_nothing(message: str) -> None:
    table = Table()
    table.join("ENG")
    assert table.say("ENG", message) == [("ENG", f"REJ ( {message} )")]
    assert "YES" in words(heard_by("FRA", table.join("FRA")))


@pytest.mark.parametrize("request_", ["MAP", "MDF", "NOW", "SCO", "HLO"])
def test_note_28_requests_of_clients_that_did_not_accept_the_map_are_answered(
    request_: str,
) -> None:
    table = Table().fill()
    table.connect("watcher")
    table.say("watcher", "OBS")
    assert words(table.ask("watcher", request_)) == [request_]


# --- press ----------------------------------------------------------------------------------------


def test_note_29_a_level_0_game_relays_no_press_at_all() -> None:
    table = three("SPR 1901", GameSettings(level=0))
    assert words(table.ask("ENG", "SND ( FRA ) ( PRP ( DRW ) )")) == ["HUH"]
    assert "FRM" not in {text.split()[0] for _, text in table.log}


def test_note_30_the_echo_of_press_is_exact_and_recipients_keep_their_order() -> None:
    table = three("SPR 1901")
    said = "SND ( SPR 1901 ) ( GER FRA ) ( PRP ( ALY ( GER ENG ) VSS ( FRA ) ) )"
    assert table.ask("ENG", said) == [f"YES ( {said} )"]


def test_note_31_press_to_nobody_gets_huh_and_a_ccd_follows_the_answer() -> None:
    table = three("SPR 1901")
    assert table.ask("ENG", "SND ( ) ( PRP ( DRW ) )") == ["HUH ( SND ( ERR ) ( PRP ( DRW ) ) )"]
    texts = table.ask("ENG", "SND ( FRA ) ( PRP ( DRW ) )")
    assert words([*texts, *heard_by("ENG", table.leave("FRA"))]) == ["YES", "CCD"]


def test_note_32_press_with_the_turn_to_one_power_at_a_time_is_passed_on() -> None:
    table = three("SPR 1901", GameSettings(level=30))
    for press in (
        "PRP ( PCE ( ENG FRA ) )",
        "YES ( PRP ( ALY ( ENG FRA ) VSS ( GER ) ) )",
        "REJ ( PRP ( DMZ ( ENG FRA ) ( ECH ) ) )",
        "PRP ( XDO ( ( ENG FLT LON ) MTO NTH ) )",
    ):
        heard = table.say("ENG", f"SND ( SPR 1901 ) ( FRA ) ( {press} )")
        assert heard_by("FRA", heard) == [f"FRM ( ENG ) ( FRA ) ( {press} )"]


def test_note_33_the_answer_to_press_comes_before_its_delivery() -> None:
    table = three("SPR 1901")
    heard = table.say("ENG", "SND ( FRA ) ( PRP ( DRW ) )")
    assert [(to, text.split()[0]) for to, text in heard] == [("ENG", "YES"), ("FRA", "FRM")]


@pytest.mark.parametrize("word", ["FCT ( DRW )", "CCL ( PRP ( DRW ) )", "PRP ( NAR ( DRW ) )"])
def test_note_34_words_whose_numbers_differ_between_programs_are_known(word: str) -> None:
    table = three("SPR 1901", GameSettings(level=8000))
    assert words(table.ask("ENG", f"SND ( FRA ) ( {word} )")) == ["YES"]


# --- civil disorder and end -----------------------------------------------------------------------


def test_note_35_ccd_and_its_end_go_to_everybody_the_returned_one_included() -> None:
    table = three("SPR 1901")
    lost = table.leave("ENG")
    assert {to for to, _ in lost} == {*table.powers, "watcher"} - {"ENG"}
    back = table.rejoin("ENG")
    assert {to for to, text in back if text == "NOT ( CCD ( ENG ) )"} == {*table.powers, "watcher"}
    assert words(heard_by("ENG", back)) == ["YES", "NOT ( CCD ( ENG ) )"]


def test_note_36_late_comers_are_not_told_who_is_in_civil_disorder() -> None:
    table = three("SPR 1901")
    table.leave("ENG")
    table.connect("late")
    table.say("late", "OBS")
    assert "CCD" not in words(heard_by("late", table.accept_map("late")))


def test_note_37_without_deadlines_a_missing_power_stops_the_game() -> None:
    table = three("SPR 1901", GameSettings())
    table.leave("ENG")
    assert "NOW" not in words(heard_by("watcher", table.hold()))
    assert table.wait(3600) == []


def test_note_38_clients_that_close_at_the_result_are_not_reported() -> None:
    table = three("SPR 1901")
    for name in ("ENG", "FRA", "GER"):
        table.say(name, "DRW")
    assert [table.leave(name) for name in table.powers] == [[]] * 7


def test_note_39_the_summary_is_always_sent_and_off_comes_later() -> None:
    table = three("SPR 1901")
    for name in ("ENG", "FRA", "GER"):
        heard = table.say(name, "DRW")
    assert words(heard_by("watcher", heard)) == ["DRW", "SMR"]
    assert words(heard_by("watcher", table.wait(5)))[0] == "OFF"


@pytest.mark.parametrize("message", ["DRW", "GOF", "MIS", "NOT ( GOF )", "SUB ( ENG WVE )"])
def test_note_40_player_commands_of_observers_are_rejected(message: str) -> None:
    assert three("SPR 1901").ask("watcher", message) == [f"REJ ( {message} )"]


def test_note_41_admin_texts_may_come_at_any_time() -> None:
    table = Table()
    table.connect("new")
    text = "ADM ( 'new' ) ( 'hello' )"
    assert table.ask("new", text) == [text]
    table.join("ENG")
    assert table.ask("ENG", text) == [text]


def test_note_42_seven_clients_of_one_name_can_play() -> None:
    table = Table(GameSettings(seats={"nobody": "NUL"}))
    for number in range(7):
        table.connect(f"bot {number}")
        table.say(f"bot {number}", "NME ( 'DumbBot' ) ( '8' )")
        heard = table.accept_map(f"bot {number}")
    assert words(heard_by("bot 0", heard)) == ["HLO", "SCO", "NOW"]
    table.game.obey("end", table.now)
    assert table.ask("bot 0", "SMR")[1].count("'DumbBot'") == 7


# --- seen in live games ---------------------------------------------------------------------------


def test_live_diplominator_answers_the_map_in_capitals_and_orders_one_by_one() -> None:
    table = Table(GameSettings(last_year=1901))
    play(table, [Diplominator(table, name) for name in table.powers])
    assert table.game.stage.value == "ended"
    assert "REJ" not in {text.split()[0] for _, text in table.log if "WVE" not in text}


def test_live_no_client_asks_so_everything_is_pushed() -> None:
    table = Table(GameSettings(last_year=1901))
    clients = [OldClient(table, name) for name in table.powers]
    play(table, clients)
    assert [word for word in words(clients[0].heard) if word in ("HLO", "SCO", "NOW")] == [
        "HLO", "SCO", "NOW", "NOW", "SCO", "NOW"
    ]  # fmt: skip


def test_live_a_phase_ends_only_when_all_units_are_ordered() -> None:
    table = three("SPR 1901", ENG="F LON, A LVP")
    table.hold("FRA", "GER")
    assert words(table.ask("ENG", "SUB ( ( ENG FLT LON ) HLD )")) == ["THX", "MIS"]
    assert "NOW" in words(table.ask("ENG", "SUB ( ( ENG AMY LVP ) HLD )"))


def test_live_waives_come_among_builds() -> None:
    table = three("WIN 1901")
    assert table.ask("ENG", "SUB ( ( ENG AMY LVP ) BLD ) ( ENG WVE )") == [
        "THX ( ( ENG AMY LVP ) BLD ) ( MBV )",
        "THX ( ENG WVE ) ( MBV )",
    ]


def test_live_convoys_are_ordered_with_via_and_cvy_cto() -> None:
    table = three("SPR 1901", ENG="A YOR, F NTH")
    orders = ["( ENG AMY YOR ) CTO NWY VIA ( NTH )", "( ENG FLT NTH ) CVY ( ENG AMY YOR ) CTO NWY"]
    sub = " ".join(f"( {order} )" for order in orders)
    assert table.ask("ENG", f"SUB {sub}") == [f"THX ( {order} ) ( MBV )" for order in orders]
    texts = heard_by("watcher", table.hold())
    for order in orders:
        assert f"ORD ( SPR 1901 ) ( {order} ) ( SUC )" in texts


def test_live_peacebot_takes_back_everything_with_a_bare_not_sub() -> None:
    table = three("SPR 1901")
    table.hold("ENG")
    assert table.ask("ENG", "NOT ( SUB )") == ["YES ( NOT ( SUB ) )"]
    assert table.ask("ENG", "MIS") == ["MIS ( ENG FLT LON )"]


def test_live_orders_that_cross_the_end_are_rejected_as_normal() -> None:
    table = three("SPR 1901")
    for name in ("ENG", "FRA", "GER"):
        table.say(name, "DRW")
    sub = "SUB ( ( ENG FLT LON ) HLD )"
    assert table.say("ENG", sub) == [("ENG", f"REJ ( {sub} )")]


def test_live_albert_plays_with_bots_that_never_send_gof() -> None:
    table = Table(GameSettings(level=10, last_year=1902))
    albert, dumb = Albert(table, "AUS"), [OldClient(table, name) for name in table.powers[1:]]
    play(table, [albert, *dumb])
    assert table.game.stage.value == "ended"
    assert "YES ( NOT ( DRW ) )" in albert.heard
    assert albert.heard.count("YES ( GOF )") == albert.heard.count("YES ( NOT ( GOF ) )") > 3


def test_live_a_convoying_fleet_is_never_reported_as_bounced() -> None:
    table = three("SPR 1901", ENG="A YOR, F NTH", GER="A NWY, A BER")
    table.say(
        "ENG",
        "SUB ( ( ENG AMY YOR ) CTO NWY VIA ( NTH ) ) "
        "( ( ENG FLT NTH ) CVY ( ENG AMY YOR ) CTO NWY )",
    )
    texts = heard_by("watcher", table.hold())
    assert "ORD ( SPR 1901 ) ( ( ENG AMY YOR ) CTO NWY VIA ( NTH ) ) ( BNC )" in texts
    assert "ORD ( SPR 1901 ) ( ( ENG FLT NTH ) CVY ( ENG AMY YOR ) CTO NWY ) ( SUC )" in texts


def test_live_red_finds_every_result_in_the_next_position() -> None:
    table = Table(GameSettings(last_year=1903))
    red = Red(table, "AUS")
    play(table, [red, *(OldClient(table, name) for name in table.powers[1:])])
    assert red.replay.positions == len(table.game.history.turns) + 1


def test_live_without_a_limit_no_time_is_told_and_a_complete_set_gets_no_mis() -> None:
    table = three("SPR 1901", GameSettings())
    assert words(table.ask("ENG", "SUB ( ( ENG FLT LON ) HLD )")) == ["THX"]
    table.hold()
    assert "TME" not in {text.split()[0] for _, text in table.log}


def test_live_dumbbot_quotes_the_whole_frm_in_huh_and_sends_an_empty_try() -> None:
    table = three("SPR 1901")
    dumb = DumbBot(table, "FRA")
    for _, text in table.say("ENG", "SND ( FRA ) ( PRP ( PCE ( ENG FRA ) ) )")[1:]:
        dumb.hear(text)
    assert [words(table.ask("FRA", message)) for message in dumb.outbox] == [["YES"], ["YES"]]
    heard = heard_by("ENG", table.log)[-2:]
    assert heard[0].startswith("FRM ( FRA ) ( ENG ) ( HUH ( ERR FRM ( ENG )")
    assert heard[1] == "FRM ( FRA ) ( ENG ) ( TRY ( ) )"


def test_live_blabbot_proposes_peace_to_six_others_at_once() -> None:
    table = Table(TIMED).fill()
    for name in table.powers[1:]:
        said = f"SND ( {name} ) ( PRP ( PCE ( {name} AUS ) ) )"
        assert [to for to, _ in table.say("AUS", said)] == ["AUS", name]


@pytest.mark.parametrize(
    ("press", "answer"),
    [
        ("'Proposal is close to deadline'", "HUH"),
        # Anything may be quoted as not understood.
        ("HUH ( ERR 'Proposal is close to deadline' )", "YES"),
    ],
    ids=["Albert", "KissMyBot"],
)
def test_live_text_as_press_below_its_level_gets_an_answer_and_keeps_the_client(
    press: str, answer: str
) -> None:
    table = three("SPR 1901", GameSettings(level=30))
    assert words(table.ask("ENG", f"SND ( GER ) ( {press} )")) == [answer]
    assert words(table.ask("ENG", "SUB ( ( ENG FLT LON ) HLD )")) == ["THX"]


def test_live_albert_and_kissmybot_ask_for_notices_and_take_them_back() -> None:
    table = Table(
        GameSettings(level=10, movement_limit=60, retreat_limit=60, build_limit=60, last_year=1901)
    )
    kiss = KissMyBot(table, "AUS")
    play(table, [kiss, *(OldClient(table, name) for name in table.powers[1:])])
    assert kiss.heard.count("YES ( TME ( 18 ) )") == 3
    assert kiss.heard.count("YES ( NOT ( TME ( 18 ) ) )") == 3
    assert "TME ( 60 )" in kiss.heard


def test_live_a_bare_tme_with_no_clock_running_is_rejected() -> None:
    assert three("SPR 1901", GameSettings()).ask("ENG", "TME") == ["REJ ( TME )"]


def test_live_a_number_that_cannot_be_gets_huh_with_the_token_as_it_came() -> None:
    table = three("SPR 1901", GameSettings(level=10))
    assert table.ask("ENG", "TME ( 0xFFFE )") == ["HUH ( TME ( ERR 0xFFFE ) )"]


def test_live_press_to_a_power_in_civil_disorder_is_answered_with_ccd() -> None:
    table = three("SPR 1901")
    table.leave("FRA")
    assert table.ask("ENG", "SND ( FRA ) ( PRP ( DRW ) )") == ["CCD ( FRA )"]


def test_live_the_dbrane_family_votes_after_its_last_year_and_leaves_at_the_result() -> None:
    table = Table(GameSettings(level=10))
    bots = [DBrane(table, name) for name in table.powers]
    play(table, bots)
    assert table.game.ending
    assert table.game.ending.draw == table.board.powers
    assert table.game.position.turn.year == 1903
    assert "CCD" not in {text.split()[0] for _, text in table.log}
    assert all("YES ( DRW )" in bot.heard for bot in bots[:-1])


def test_live_diplobot_breaks_off_at_the_summary_and_the_others_stay() -> None:
    table = Table(GameSettings(last_year=1901))
    diplo = DiploBot(table, "AUS")
    others = [OldClient(table, name) for name in table.powers[1:]]
    play(table, [diplo, *others])
    assert "AUS" not in table.numbers
    assert all(words(each.heard)[-1] in ("NOW", "REJ") for each in others)


def test_live_all_kinds_of_old_clients_finish_a_game_together() -> None:
    table = Table(
        GameSettings(level=10, movement_limit=60, retreat_limit=60, build_limit=60, last_year=1903)
    )
    kinds = [Albert, KissMyBot, DiploBot, Diplominator, DumbBot, Red, OldClient]
    clients = [kind(table, name) for kind, name in zip(kinds, table.powers, strict=True)]
    play(table, clients)
    assert table.game.stage.value == "ended"
    assert table.game.history.turns[-1].turn.year == 1903


def test_the_harness_writes_what_the_wire_carries() -> None:
    table = Table().fill()
    [text] = table.ask("ENG", "HLO")
    names = table.game.representation
    assert from_text(text, names) == write(table.game.hello(table.game.clients[2]), names)
