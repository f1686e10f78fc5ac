import pytest
from attrs import fields

from bots.banker.deals import Deal
from bots.banker.policy import Policy, policy_of
from bots.bordeaux.bordeaux import bordeaux
from bots.bordeaux.talk import BordeauxTalk
from bots.character import BALANCED, Character, character
from bots.registry import make_bot
from rules.errors import BadInputError
from rules.orders import Hold
from tests.bots.talking import BOARD, ENGLAND

TRAITS = tuple(trait.name for trait in fields(Character))
PLAYERS = ("banker", "market", "bordeaux", "diplomat")


def test_a_character_in_the_middle_changes_nothing() -> None:
    assert policy_of(BALANCED) == Policy()


@pytest.mark.parametrize("bot", PLAYERS)
@pytest.mark.parametrize("trait", TRAITS)
def test_every_trait_can_be_given_and_is_bounded(bot: str, trait: str) -> None:
    for value in ("0", "0.25", "1"):
        # A banker breaks a promise only if it was not meant.
        liar = "/honesty=0.5" if (bot, trait) == ("banker", "loyalty") else ""
        make_bot(f"{bot}/{trait}={value}{liar}")
    with pytest.raises(BadInputError, match=f"{bot}: {trait}: must be from 0 to 1, not 1.5"):
        make_bot(f"{bot}/{trait}=1.5")
    with pytest.raises(BadInputError, match=f"{bot}: {trait} must be a number, not 'much'"):
        make_bot(f"{bot}/{trait}=much")


@pytest.mark.parametrize("bot", ["dumbbot", "dbrane", "holdbot", "project20m", "probable"])
def test_who_has_no_character_says_so(bot: str) -> None:
    with pytest.raises(BadInputError, match=f"{bot}: no such parameter: 'loyalty'"):
        make_bot(f"{bot}/loyalty=1")


def test_a_banker_that_keeps_every_promise_cannot_be_loyal_besides() -> None:
    with pytest.raises(BadInputError, match="loyalty: with honesty=1 every promise is kept"):
        make_bot("banker/loyalty=0")


def test_traits_change_how_a_bank_deals() -> None:
    calm, wild = (
        policy_of(character("x", **traits))
        for traits in (
            {"aggression": 0.0, "risk": 0.0, "patience": 1.0, "loyalty": 0.0},
            {"aggression": 1.0, "risk": 1.0, "patience": 0.0, "loyalty": 1.0},
        )
    )
    assert calm.friend_factor < wild.friend_factor
    assert calm.terms.limit < wild.terms.limit
    assert calm.manners.units_per_prize > wild.manners.units_per_prize
    assert calm.manners.grudge < wild.manners.grudge
    assert calm.temptation < wild.temptation


def test_the_disloyal_break_what_the_loyal_keep() -> None:
    deal = Deal(Hold(BOARD.start.units[0]), ENGLAND)
    kept = []
    for loyalty in (0.0, 1.0):
        talk = bordeaux(loyalty=loyalty).negotiator
        assert isinstance(talk, BordeauxTalk)
        kept.append(talk.keeps(deal, 1.0, 3.0))
    assert kept == [False, True]


def test_traits_are_those_of_the_character() -> None:
    assert TRAITS == ("aggression", "risk", "loyalty", "patience")
    assert Character() == BALANCED
