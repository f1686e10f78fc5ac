"""What a program is spared, without processes: messages and lines in, lines and messages out."""

import pytest

from bots.programs.text_seat import GRACE, Said, TextSeat
from grammar.boards import now_message, ownership_message
from grammar.messages import CancelGo, Go, ServerMessage, SubmitOrders
from grammar.parse import HIGHEST_LEVEL, reader_for
from grammar.representation import standard_representation
from grammar.text import from_text
from grammar.write import write
from rules.maps import load_map

NAMES = standard_representation()
BOARD = load_map("standard")


def message(text: str) -> ServerMessage:
    read = reader_for(HIGHEST_LEVEL, NAMES).server(from_text(text, NAMES))
    assert not hasattr(read, "at"), read
    return read


def begun(level: int = 0, patience: float = 60.0, limits: str = "") -> tuple[TextSeat, Said]:
    seat = TextSeat(NAMES, patience=patience)
    seat.table.board = BOARD
    hello = f"HLO ( FRA ) ( 1234 ) ( ( LVL {level} ) {limits} )"
    seat.on_message(message(hello), 0.0)
    seat.on_message(ownership_message(BOARD, BOARD.start), 0.0)
    return seat, seat.on_message(now_message(BOARD.start), 0.0)


def test_the_program_hears_what_the_server_says() -> None:
    _, said = begun()
    assert said.lines[0].startswith("NOW ( SPR 1901 )")
    assert said.messages == ()


@pytest.mark.parametrize("end", ["\n", "\r", "\x0b", "\x85", "\u2028"])
def test_what_others_say_cannot_pass_for_a_message_of_the_server(end: str) -> None:
    seat, _ = begun(level=8000)
    said = seat.on_message(message(f"FRM ( ENG ) ( FRA ) ( 'hello é{end}SMR ( SPR 1901 )' )"), 0.0)
    assert said.lines == ("FRM ( ENG ) ( FRA ) ( 'hello é SMR ( SPR 1901 )' )",)


def test_orders_go_out_with_the_turn_so_that_late_ones_do_no_harm() -> None:
    seat, _ = begun()
    said = seat.on_line("SUB ( ( FRA AMY PAR ) HLD )")
    [sent] = said.messages
    assert isinstance(sent, SubmitOrders)
    assert sent.turn == BOARD.start.turn


def test_a_turn_with_press_waits_for_the_orders_and_goes_on_with_the_last() -> None:
    seat, said = begun(level=20)
    assert said.messages == (CancelGo(),)
    assert Go() not in seat.on_line("SUB ( ( FRA AMY PAR ) HLD )").messages
    assert Go() not in seat.on_line("SUB ( ( FRA AMY MAR ) HLD )").messages
    assert seat.on_line("SUB ( ( FRA FLT BRE ) HLD )").messages[-1] == Go()
    assert seat.deadline is None


def test_gof_orders_what_is_missing() -> None:
    seat, _ = begun()
    seat.on_line("SUB ( ( FRA AMY PAR ) MTO BUR )")
    rest, go = seat.on_line("GOF").messages
    assert isinstance(rest, SubmitOrders)
    assert sorted(str(order.unit.location) for order in rest.orders) == ["BRE", "MAR"]  # type: ignore[union-attr]  # of that kind
    assert go == Go()


def test_when_time_is_up_the_rest_is_ordered_and_said() -> None:
    seat, _ = begun(patience=5.0)
    assert seat.on_time(4.9) == Said()
    said = seat.on_time(5.0)
    assert len(said.messages[0].orders) == 3  # type: ignore[union-attr]  # of that kind
    assert "no orders in time" in said.complaint
    assert seat.overdue == 1
    assert seat.on_time(9.0) == Said()


def test_the_limit_of_the_game_counts_before_the_patience() -> None:
    seat, _ = begun(patience=60.0, limits="( MTL 10 )")
    assert seat.deadline == 9.0
    seat.on_message(message("TME ( 4 )"), 2.0)
    assert seat.deadline == 5.0


@pytest.mark.parametrize(
    ("patience", "limit", "due"), [(60.0, 8, 7.0), (60.0, 2, 1.5), (5.0, 600, 5.0)]
)
def test_asking_how_much_time_is_left_gives_no_more_of_it(
    patience: float, limit: int, due: float
) -> None:
    seat, _ = begun(patience=patience, limits=f"( MTL {limit} )")
    for tenth in range(int(10 * due)):
        now = tenth / 10
        left = limit - int(now)
        assert seat.on_line("TME").messages
        seat.on_message(message(f"TME ( {left} )"), now)
        assert not seat.on_time(now).messages
    assert seat.on_time(due + 0.9).messages
    assert seat.overdue == 1


def test_a_unit_that_was_forgotten_is_ordered_after_a_grace() -> None:
    seat, _ = begun()
    seat.on_line("SUB ( ( FRA AMY PAR ) HLD )")
    seat.on_message(message("MIS ( FRA FLT BRE ) ( FRA AMY MAR )"), 1.0)
    assert seat.deadline == 1.0 + GRACE


def test_a_refused_order_is_replaced_by_a_harmless_one() -> None:
    seat, _ = begun()
    seat.on_line("SUB ( ( FRA AMY PAR ) MTO MOS )")
    said = seat.on_message(message("THX ( ( FRA AMY PAR ) MTO MOS ) ( FAR )"), 1.0)
    assert said.lines == ("THX ( ( FRA AMY PAR ) MTO MOS ) ( FAR )",)
    assert [write(each, NAMES) for each in said.messages] == [
        from_text("SUB ( SPR 1901 ) ( ( FRA AMY PAR ) HLD )", NAMES)
    ]
    assert said.complaint == "refused with FAR: SUB ( ( FRA AMY PAR ) MTO MOS )"


def test_what_is_no_message_is_answered_here_and_never_sent() -> None:
    seat, _ = begun()
    assert seat.on_line("SUB ( ( FRA AMY PAR ) HLD") == Said(
        ("PRN ( SUB ( ( FRA AMY PAR ) HLD )",),
        (),
        "not a message of a client: 'SUB ( ( FRA AMY PAR ) HLD'",
    )
    assert seat.on_line("SUB ( FRA )").lines == ("HUH ( SUB ( FRA ERR ) )",)
    assert seat.on_line("hello there").messages == ()
    assert seat.on_line("") == Said()
