"""How games end: draws, solos, limits; and what everybody is told."""

from rules.maps import load_map
from server.settings import GameSettings
from tests.server.table import DROPPED, Table, heard_by, place, words

LAGOON = load_map("lagoon")
PARTIAL = GameSettings(level=10, partial_draws=True)


def lagoon(settings: GameSettings | None = None) -> Table:
    table = Table(settings, board=LAGOON)
    table.observe()
    return table.fill()


def test_a_draw_ends_the_game_with_the_vote_of_the_last_survivor() -> None:
    table = lagoon()
    for name in ("AMB", "COR"):
        assert table.say(name, "DRW") == [(name, "YES ( DRW )")]
    summary = "".join(f" ( {name} ( '{name}' ) ( '1' ) 2 )" for name in table.powers)
    texts = heard_by("PEA", table.say("PEA", "DRW"))
    assert texts == ["YES ( DRW )", "DRW", f"SMR ( SPR 1901 ){summary}"]
    assert words(heard_by("watcher", table.log))[-2:] == ["DRW", "SMR"]


def test_a_vote_is_taken_back_with_not() -> None:
    table = lagoon()
    table.say("AMB", "DRW")
    table.say("COR", "DRW")
    assert table.ask("AMB", "NOT ( DRW )") == ["YES ( NOT ( DRW ) )"]
    assert table.ask("PEA", "DRW") == ["YES ( DRW )"]
    assert words(table.ask("AMB", "DRW")) == ["YES", "DRW", "SMR"]


def test_taking_back_a_vote_that_was_not_given_is_accepted() -> None:
    table = lagoon()
    assert table.ask("AMB", "NOT ( DRW )") == ["YES ( NOT ( DRW ) )"]


def test_votes_are_forgotten_when_the_turn_changes() -> None:
    table = lagoon()
    table.say("AMB", "DRW")
    table.say("COR", "DRW")
    table.hold()
    assert table.ask("PEA", "DRW") == ["YES ( DRW )"]


def test_an_absent_power_blocks_a_draw_unless_it_voted_before() -> None:
    table = lagoon()
    table.leave("PEA")
    table.say("AMB", "DRW")
    assert table.ask("COR", "DRW") == ["YES ( DRW )"]
    table.rejoin("PEA")
    table.say("COR", "NOT ( DRW )")
    table.say("PEA", "DRW")
    table.leave("PEA")
    assert words(table.ask("COR", "DRW")) == ["YES", "DRW", "SMR"]


def test_an_eliminated_power_neither_votes_nor_blocks() -> None:
    start = place(
        "SPR 1901", LAGOON, centers={"AMB": "GUM", "COR": "REE"}, AMB="A GUM", COR="A REE"
    )
    table = Table(board=LAGOON, start=start).fill()
    assert table.ask("PEA", "DRW") == ["REJ ( DRW )"]
    table.say("AMB", "DRW")
    assert words(table.ask("COR", "DRW")) == ["YES", "DRW", "SMR"]


def test_with_partial_draws_all_survivors_must_name_the_same_powers() -> None:
    table = lagoon(PARTIAL)
    table.say("AMB", "DRW ( AMB COR )")
    table.say("COR", "DRW ( COR PEA )")
    assert table.ask("PEA", "DRW ( COR AMB )") == ["YES ( DRW ( COR AMB ) )"]
    texts = table.ask("COR", "DRW ( COR AMB )")
    assert texts[:2] == ["YES ( DRW ( COR AMB ) )", "DRW ( AMB COR )"]
    assert words(texts) == ["YES", "DRW", "SMR"]


def test_with_partial_draws_a_plain_vote_means_all_survivors() -> None:
    table = lagoon(PARTIAL)
    table.say("AMB", "DRW")
    table.say("COR", "DRW ( AMB PEA COR )")
    texts = table.ask("PEA", "DRW")
    assert texts[1] == "DRW ( AMB COR PEA )"


def test_plain_and_listed_votes_are_taken_back_apart() -> None:
    table = lagoon(PARTIAL)
    for name in ("AMB", "COR"):
        table.say(name, "DRW")
        table.say(name, "DRW ( AMB COR )")
    table.say("AMB", "NOT ( DRW )")
    assert words(table.ask("PEA", "DRW")) == ["YES"]
    assert table.ask("PEA", "DRW ( AMB COR )")[1] == "DRW ( AMB COR )"


def test_a_draw_of_one_power_or_of_the_same_twice_is_no_draw() -> None:
    table = lagoon(PARTIAL)
    assert table.ask("AMB", "DRW ( AMB AMB )") == ["REJ ( DRW ( AMB AMB ) )"]


def solo_position(turn: str = "FAL 1907") -> Table:
    centers = {"AMB": "GUM RES REE SHL", "PEA": "OYS"}
    start = place(turn, LAGOON, centers=centers, AMB="A GUM, A NAC", PEA="A OYS")
    table = Table(board=LAGOON, start=start)
    table.observe()
    return table.fill()


def test_a_solo_is_told_between_ownership_and_position() -> None:
    table = solo_position()
    texts = heard_by("watcher", table.hold())
    assert words(texts) == ["ORD"] * 3 + ["SCO", "SLO", "SMR", "NOW"]
    assert texts[4] == "SLO ( AMB )"
    assert texts[5] == (
        "SMR ( WIN 1907 ) ( AMB ( 'AMB' ) ( '1' ) 5 ) ( COR ( 'COR' ) ( '1' ) 0 1907 ) "
        "( PEA ( 'PEA' ) ( '1' ) 1 )"
    )
    assert texts[6].startswith("NOW ( WIN 1907 )")


def test_a_solo_is_not_declared_after_the_spring() -> None:
    table = solo_position("SPR 1907")
    assert words(heard_by("watcher", table.hold())) == ["ORD"] * 3 + ["NOW"]


def test_after_the_end_players_orders_are_rejected_and_questions_answered() -> None:
    table = solo_position()
    table.hold()
    for message in ("SUB ( AMB WVE )", "GOF", "MIS", "DRW", "NOT ( GOF )", "NOT ( SUB )", "TME"):
        assert table.ask("AMB", message) == [f"REJ ( {message} )"]
    assert words(table.ask("AMB", "HLO")) == ["HLO"]
    assert words(table.ask("AMB", "ORD")) == ["ORD"] * 3
    assert words(table.ask("AMB", "HST ( FAL 1907 )")) == ["ORD"] * 3 + ["SCO", "NOW"]
    assert words(table.ask("AMB", "SMR")) == ["SLO", "SMR"]


def test_everybody_is_sent_off_some_seconds_after_the_end() -> None:
    table = lagoon()
    table.connect("nobody yet")
    table.game.obey("end", table.now)
    assert table.wait(4.9) == []
    heard = table.wait(0.1)
    for name in (*table.powers, "watcher", "nobody yet"):
        assert heard_by(name, heard) == ["OFF", DROPPED]
    assert table.wait(100) == []
    assert table.game.next_tick() is None


def test_a_game_is_drawn_when_its_last_year_is_over() -> None:
    table = lagoon(GameSettings(last_year=1902))
    while table.game.position.turn.year < 1902:
        table.hold()
    table.hold()
    texts = heard_by("watcher", table.hold())
    assert words(texts)[-4:] == ["SCO", "DRW", "SMR", "NOW"]
    # Nobody has anything to adjust, so the position is that of the next spring; the year is over.
    assert texts[-2].startswith("SMR ( WIN 1902 )")
    assert texts[-1].startswith("NOW ( SPR 1903 )")
    # Whoever comes later hears the same.
    table.connect("late")
    table.say("late", "OBS")
    late = heard_by("late", table.say("late", "YES ( MAP ( 'lagoon' ) )"))
    assert words(late) == ["HLO", "SCO", "DRW", "SMR", "NOW"]
    assert late[-2:] == texts[-2:]
    assert table.game.history.turns[-1].turn.year == 1902


def test_a_game_is_drawn_after_so_many_years_without_a_change() -> None:
    table = lagoon(GameSettings(years_without_change=3))
    for _ in range(20):
        table.hold()
    assert table.game.stage.value == "ended"
    assert table.game.history.turns[-1].turn.year == 1903


def test_years_without_a_change_count_from_the_last_change() -> None:
    centers = {"AMB": "GUM", "COR": "REE", "PEA": "OYS"}
    start = place("FAL 1903", LAGOON, centers=centers, AMB="A RES", COR="A REE", PEA="A OYS")
    table = Table(GameSettings(years_without_change=2), board=LAGOON, start=start).fill()
    for _ in range(20):
        table.hold()
    assert table.game.history.turns[-1].turn.year == 1905


def test_a_power_without_centers_has_no_part_in_a_draw_by_limit() -> None:
    sea = next(each for each in LAGOON.provinces if each.is_sea and not each.is_center)
    centers = {"AMB": "GUM", "COR": "REE", "PEA": "OYS"}
    start = place("FAL 1901", LAGOON, centers=centers, AMB="A GUM", COR="A OYS", PEA=f"F {sea}")
    settings = GameSettings(level=10, partial_draws=True, last_year=1901)
    table = Table(settings, board=LAGOON, start=start)
    table.observe()
    table.fill()
    texts = heard_by("watcher", table.hold())
    assert "DRW ( AMB COR )" in texts
    assert "( PEA ( 'PEA' ) ( '1' ) 0 1901 )" in texts[-2]


def test_the_host_can_end_a_game_as_a_draw() -> None:
    table = lagoon()
    heard = table.obey("end")
    assert words(heard_by("watcher", heard)) == ["DRW", "SMR"]
    assert table.obey("end") == []


def test_closing_a_game_sends_everybody_off_once() -> None:
    table = lagoon()
    heard = table.obey("close")
    assert {name for name, _ in heard} == {*table.powers, "watcher"}
    assert table.obey("close") == []
