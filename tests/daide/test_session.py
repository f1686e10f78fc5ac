import pytest

from daide.session import Session, SessionStage
from grammar.messages import (
    AcceptMap,
    AskHello,
    AskMap,
    AskMapDefinition,
    AskNow,
    AskOrders,
    AskOwnership,
    ClientMessage,
    DrawDeclared,
    Go,
    Hello,
    Huh,
    IAm,
    MapDefinition,
    MapName,
    Name,
    Now,
    Observe,
    Rej,
    SendPress,
    ServerMessage,
    SubmitOrders,
    VariantOption,
    Yes,
)
from grammar.press import Peace, Propose
from rules.places import Power
from rules.turns import Season, Turn

SPRING = Turn(Season.SPRING, 1901)
FALL = Turn(Season.FALL, 1901)
FRANCE = Power("FRA")
NAME = Name("Nelson", "1.2")
HELLO = Hello(FRANCE, 4711, (VariantOption("LVL", 20),))
MAP_DEFINITION = MapDefinition((FRANCE,), (), (), ())
QUESTIONS = [AskHello(), AskOrders(), AskOwnership(), AskNow()]


def hear(session: Session, *messages: ServerMessage) -> list[ClientMessage]:
    return [reply for message in messages for reply in session.receive(message)]


def a_player_in_the_game() -> Session:
    session = Session()
    session.introduce(NAME)
    hear(session, Yes(NAME), MapName("standard"), MAP_DEFINITION, HELLO, Now(SPRING, ()))
    return session


def test_a_player_asks_for_the_map_and_accepts_it() -> None:
    session = Session()
    assert session.introduce(NAME) == NAME
    assert hear(session, Yes(NAME)) == []
    assert hear(session, MapName("STANDARD")) == [AskMapDefinition()]
    assert hear(session, MAP_DEFINITION) == [AcceptMap("STANDARD")]
    assert session.stage is SessionStage.SETTLED


def test_a_map_that_the_server_does_not_tell_is_accepted_by_name() -> None:
    session = Session()
    session.introduce(Observe())
    hear(session, Yes(Observe()), MapName("standard"))
    assert hear(session, Rej(AskMapDefinition())) == [AcceptMap("standard")]


def test_an_author_may_answer_the_map() -> None:
    session = Session(agrees_to_map=False)
    session.introduce(NAME)
    assert hear(session, Yes(NAME), MapName("standard"), MAP_DEFINITION) == []
    assert session.is_in_game


@pytest.mark.parametrize("answer", [Rej(NAME), Huh((0x4902, 0x480C))])
def test_a_refusal_is_noticed(answer: ServerMessage) -> None:
    session = Session()
    session.introduce(NAME)
    hear(session, answer, answer)
    assert session.stage is SessionStage.REFUSED


def test_a_new_player_insists_once_on_its_name() -> None:
    session = Session()
    session.introduce(NAME)
    assert hear(session, Rej(NAME)) == [NAME]
    assert hear(session, Rej(NAME)) == []
    assert session.stage is SessionStage.REFUSED


def test_a_rejoining_player_asks_for_everything_and_does_not_accept_the_map() -> None:
    session = Session()
    introduction = session.introduce(IAm(FRANCE, 4711))
    assert hear(session, Yes(introduction)) == [AskMap(), AskMapDefinition(), *QUESTIONS]
    assert hear(session, MapName("standard"), MAP_DEFINITION, HELLO) == []
    assert not session.is_in_game
    hear(session, Now(SPRING, ()))
    assert session.is_in_game


def test_a_player_comes_back_to_its_power() -> None:
    session = a_player_in_the_game()
    assert session.introduce_again() == IAm(FRANCE, 4711)
    # The map is known already.
    assert hear(session, Yes(IAm(FRANCE, 4711))) == [AskMap(), *QUESTIONS]


def test_who_has_no_power_yet_asks_for_a_place_again() -> None:
    session = Session()
    assert session.introduce_again() is None
    session.introduce(NAME)
    hear(session, Yes(NAME), MapName("standard"), MAP_DEFINITION)
    assert session.introduce_again() == NAME
    assert hear(session, Yes(NAME), MapName("standard")) == [AcceptMap("standard")]


def test_an_observer_comes_back_as_an_observer() -> None:
    session = Session()
    session.introduce(Observe())
    hear(session, Yes(Observe()), Hello(None, 0, ()))
    assert session.introduce_again() == Observe()


def test_catching_up_ends_even_without_a_position() -> None:
    session = a_player_in_the_game()
    session.introduce_again()
    hear(session, Yes(IAm(FRANCE, 4711)), Rej(AskNow()))
    assert session.is_in_game


def test_a_position_of_the_past_does_not_turn_back_the_clock() -> None:
    session = a_player_in_the_game()
    hear(session, Now(FALL, ()), Now(SPRING, ()))
    assert session.turn == FALL


def test_messages_are_late_when_their_turn_has_passed() -> None:
    session = a_player_in_the_game()
    press = Propose(Peace((FRANCE,)))
    hear(session, Now(FALL, ()))
    assert session.is_late(SubmitOrders((), SPRING), FALL)
    assert session.is_late(SubmitOrders(()), SPRING)
    assert session.is_late(Go(), SPRING)
    assert session.is_late(SendPress((FRANCE,), press, SPRING), SPRING)
    assert not session.is_late(SendPress((FRANCE,), press), SPRING)
    assert not session.is_late(SubmitOrders((), FALL), SPRING)
    assert not session.is_late(AskNow(), SPRING)


def test_the_end_of_the_game_is_remembered() -> None:
    session = a_player_in_the_game()
    assert not session.is_over
    hear(session, DrawDeclared(), Now(FALL, ()))
    assert session.is_over
