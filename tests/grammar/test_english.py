from typing import get_args

import pytest

from grammar import messages, press
from grammar.cli import read_either
from grammar.english import _CLAUSES, describe
from grammar.messages import ClientMessage, PressReceived, ServerMessage
from grammar.parse import HIGHEST_LEVEL, Garbled, Unbalanced, parse_press
from grammar.representation import Representation
from grammar.text import from_text
from rules.places import Power

ENGLAND, FRANCE = Power("ENG", "England", "English"), Power("FRA", "France", "French")

PRESS = {
    "PRP ( PCE ( ENG FRA ) )": "France proposes to England: peace between England and France.",
    "PRP ( ALY ( ENG FRA ) VSS ( GER TUR ) )": (
        "France proposes to England: an alliance of England and France against Germany and Turkey."
    ),
    "PRP ( NOT ( DRW ) )": "France proposes to England: no draw.",
    "PRP ( NAR ( SLO ( FRA ) ) )": (
        "France proposes to England: no agreement either way on a solo for France."
    ),
    "PRP ( DRW ( ENG FRA ) )": "France proposes to England: a draw between England and France.",
    "YES ( PRP ( XDO ( ( ENG AMY LVP ) MTO WAL ) ) )": (
        "France tells England that it accepts the proposal that the English army in Liverpool "
        "moves to Wales."
    ),
    "REJ ( PRP ( DMZ ( ENG FRA ) ( ECH ) ) )": (
        "France tells England that it refuses the proposal that England and France keep out of "
        "the English Channel."
    ),
    "PRP ( AND ( PCE ( ENG FRA ) ) ( DRW ) )": (
        "France proposes to England: both peace between England and France and a draw."
    ),
    "PRP ( ORR ( DRW ) ( AND ( SLO ( FRA ) ) ( SLO ( ENG ) ) ) )": (
        "France proposes to England: either a draw or (both a solo for France and a solo for "
        "England), or both."
    ),
    "PRP ( CHO ( 1 2 ) ( DRW ) ( SLO ( ENG ) ) ( SLO ( FRA ) ) )": (
        "France proposes to England: 1 to 2 of these: a draw; a solo for England; "
        "a solo for France."
    ),
    "PRP ( SCD ( ENG LON ) ( UNO BEL ) )": (
        "France proposes to England: that England gets London and nobody gets Belgium."
    ),
    "PRP ( OCC ( ENG FLT NTH ) ( FRA UNT BUR ) )": (
        "France proposes to England: that in the end there stand the English fleet in the "
        "North Sea and any unit of France in Burgundy."
    ),
    "THK ( NOT ( QRY ( DRW ) ) )": ("France tells England what it thinks: it is not true: a draw."),
    "WHT ( ENG FLT ( STP NCS ) )": (
        "France asks England what the English fleet in St. Petersburg (north coast) should do."
    ),
    "HOW ( TUR )": "France asks England how to attack Turkey.",
    "SRY ( EXP ( FAL 1902 ) ( PRP ( DRW ) ) )": (
        "France tells England that it is sorry about the demand to explain the orders of "
        "fall 1902, given the proposal of a draw."
    ),
    "PRP ( FOR ( ( SPR 1902 ) ( FAL 1903 ) ) ( DRW ) )": (
        "France proposes to England: a draw from spring 1902 to fall 1903."
    ),
    "IFF ( DRW ) THN ( PRP ( PCE ( ENG FRA ) ) ) ELS ( INS ( SLO ( FRA ) ) )": (
        "France tells England: if there is agreement on a draw, then it proposes: peace between "
        "England and France; otherwise it insists: a solo for France."
    ),
    "PRP ( SND ( ENG ) ( GER ) ( PRP ( DRW ) ) )": (
        "France proposes to England: that this is said: England proposes to Germany: a draw."
    ),
    "FRM ( GER ) ( FRA ) ( YES ( PRP ( DRW ) ) )": (
        "France passes on to England: Germany tells France that it accepts the proposal of a draw."
    ),
    "POB ( WHY ( SUG ( DRW ) ) )": (
        "France tells England that it finds the reason of the suggestion of a draw in the "
        "position on the board."
    ),
    "'hello'": 'France tells England: "hello".',
    "TRY ( PRP PCE )": "France tells England that it understands PRP and PCE.",
}


@pytest.mark.parametrize("text", PRESS)
def test_press_reads_as_a_sentence(text: str) -> None:
    read = parse_press(from_text(text))
    assert not isinstance(read, Garbled | Unbalanced)
    assert describe(PressReceived(FRANCE, (ENGLAND,), read)) == PRESS[text]


MESSAGES = {
    "NME ( 'HoldBot' ) ( '1.0' )": "HoldBot 1.0 wants to play.",
    "SUB ( SPR 1901 ) ( ( ENG FLT NTH ) CVY ( ENG AMY YOR ) CTO NWY ) ( ENG WVE )": (
        "The client orders for spring 1901: the English fleet in the North Sea convoys "
        "the English army in Yorkshire to Norway; England waives a build."
    ),
    "NOT ( SUB )": "The client takes back all its orders.",
    "THX ( ( ENG FLT EDI ) MTO NWY ) ( FAR )": (
        "The order that the English fleet in Edinburgh moves to Norway is refused, because the "
        "place is not adjacent or cannot be reached."
    ),
    "ORD ( FAL 1901 ) ( ( FRA AMY BUR ) MTO BEL ) ( BNC RET )": (
        "Fall 1901: the French army in Burgundy moves to Belgium (bounced, dislodged)."
    ),
    "MIS ( -1 )": "1 build missing.",
    "MIS ( 2 )": "2 removals missing.",
    "SCO ( ENG LON EDI ) ( UNO BEL )": "England owns London and Edinburgh; nobody owns Belgium.",
    "NOW ( SUM 1901 ) ( AUS AMY BUD ) ( FRA AMY BUR MRT ( PAR GAS ) )": (
        "It is summer 1901: Austria has army Budapest; France has a dislodged army Burgundy "
        "that may retreat to Paris or Gascony."
    ),
    "LST": "The client asks which games there are.",
    "LST ( 'g1' )": "The client asks about the game g1.",
    "SEL": "The client asks for its game.",
    "SEL ( 'g1' )": "The game g1 is chosen.",
    "LST ( 'g1' ) ( 3 NME ) ( 'standard' ) ( ( LVL 20 ) ( AOA ) )": (
        "The game g1 on the map standard waits for players, 3 players are missing: "
        "press level 20 and any order is accepted."
    ),
    "YES ( GOF )": ('The server accepts this: "The client is ready for the turn to be processed".'),
    "SMR ( WIN 1907 ) ( AUS ( 'a' ) ( '1' ) 0 1905 ) ( ENG ( 'b' ) ( '2' ) 18 )": (
        "The game ended in winter 1907: Austria (a) out in 1905 and England (b) 18 centers."
    ),
}


@pytest.mark.parametrize("text", MESSAGES)
def test_message_reads_as_a_sentence(text: str) -> None:
    message = read_either(from_text(text), HIGHEST_LEVEL)
    assert not isinstance(message, Garbled | Unbalanced)
    assert describe(message) == MESSAGES[text]


def test_the_sender_is_named_where_it_is_known() -> None:
    message = messages.RequestDraw()
    assert describe(message, FRANCE) == "France votes for a draw."


def test_every_message_class_has_a_sentence() -> None:
    assert set(get_args(ClientMessage) + get_args(ServerMessage)) == set(_CLAUSES)


def test_names_without_titles_appear_as_they_are() -> None:
    names = Representation.from_entries([(0x4100, "NRD"), (0x4101, "SUD"), (0x5100, "ALF")])
    read = parse_press(from_text("PRP ( PCE ( NRD SUD ) )", names), representation=names)
    assert not isinstance(read, Garbled | Unbalanced)
    sentence = describe(PressReceived(names.powers[0x4100], (names.powers[0x4101],), read))
    assert sentence == "NRD proposes to SUD: peace between NRD and SUD."


def test_every_press_class_names_its_word_and_level() -> None:
    classes = [each for union in (press.Press, press.Arrangement) for each in get_args(union)]
    for each in classes:
        assert "level" in (each.__doc__ or "").splitlines()[0], each
