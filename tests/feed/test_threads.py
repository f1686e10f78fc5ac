"""Which press answers which."""

import pytest

from feed import threads
from feed.threads import Threads
from grammar.press import Accept, Cancel, NotUnderstood, Peace, Press, Propose, Refuse, Why
from rules.maps import load_map

BOARD = load_map("standard")
ENG, FRA, GER = (BOARD.power(name) for name in ("ENG", "FRA", "GER"))
PEACE = Propose(Peace((ENG, FRA)))
OTHER = Propose(Peace((ENG, GER)))


def test_press_is_numbered_in_its_order() -> None:
    heard = Threads()
    assert [heard.hear(ENG, (FRA,), PEACE)[0] for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("reply", [Accept(PEACE), Refuse(PEACE), Why(PEACE)])
def test_a_reply_names_what_it_replies_to(reply: Press) -> None:
    heard = Threads()
    heard.hear(ENG, (FRA,), PEACE)
    heard.hear(ENG, (FRA,), OTHER)
    assert heard.hear(FRA, (ENG,), reply) == (3, 1)


def test_a_reply_to_what_was_never_said_to_that_power_answers_nothing() -> None:
    heard = Threads()
    heard.hear(ENG, (FRA,), PEACE)
    assert heard.hear(GER, (ENG,), Accept(PEACE))[1] is None, "it was not said to Germany"
    assert heard.hear(FRA, (GER,), Accept(PEACE))[1] is None, "it was not said by Germany"


def test_of_equal_proposals_the_newest_is_answered() -> None:
    heard = Threads()
    heard.hear(ENG, (FRA, GER), PEACE)
    heard.hear(ENG, (FRA,), PEACE)
    assert heard.hear(FRA, (ENG,), Accept(PEACE))[1] == 2
    assert heard.hear(GER, (ENG,), Accept(PEACE))[1] == 1


def test_a_cancelled_proposal_is_ones_own() -> None:
    heard = Threads()
    heard.hear(ENG, (FRA,), PEACE)
    assert heard.hear(ENG, (FRA,), Cancel(PEACE))[1] == 1
    assert heard.hear(FRA, (ENG,), Cancel(PEACE))[1] is None


def test_what_was_not_understood_is_what_was_said_last() -> None:
    heard = Threads()
    heard.hear(ENG, (FRA,), PEACE)
    heard.hear(ENG, (FRA,), OTHER)
    assert heard.hear(FRA, (ENG,), NotUnderstood(()))[1] == 2
    # A HUH is no word that could be misunderstood in turn.
    assert heard.hear(ENG, (FRA,), NotUnderstood(()))[1] is None


def test_a_flood_of_press_is_not_remembered_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "MOST_REMEMBERED", 10)
    heard = Threads()
    heard.hear(GER, (FRA,), OTHER)
    heard.hear(ENG, (FRA,), PEACE)
    for depth in range(100):
        press: Press = PEACE
        for _ in range(depth + 1):
            press = Accept(press)  # a tower of replies, all different
        heard.hear(ENG, (FRA,), press)
        heard.hear(ENG, (FRA,), PEACE)
    assert len(heard._said) == 10
    assert heard.hear(FRA, (ENG,), Accept(PEACE))[1] == 202, "what is said again stays"
    assert heard.hear(FRA, (GER,), Accept(OTHER))[1] is None
