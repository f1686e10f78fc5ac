"""`convoys=no`: whole games in which no bot of ours convoys."""

import pytest

from bots.registry import check_bot, make_bot
from grammar.messages import OrderOutcome
from rules.errors import BadInputError
from rules.orders import Convoy, MoveByConvoy
from server.settings import GameSettings
from tests.bots.in_memory import Room


def convoys_in_games(parameter: str) -> int:
    """Count the orders to convoy or to be convoyed in some games of seven bots."""
    found = 0
    for seed in range(2):
        bots = [make_bot(f"randombot{parameter}") for _ in range(5)]
        bots += [make_bot(f"dumbbot/wide{parameter}"), make_bot(f"tactician{parameter}+banker")]
        room = Room(bots, GameSettings(last_year=1905, level=20, press_rounds=2), seed=seed)
        room.play()
        assert room.is_over
        orders = [each.order for each in room.heard() if isinstance(each, OrderOutcome)]
        found += sum(isinstance(order, Convoy | MoveByConvoy) for order in orders)
    return found


def test_bots_convoy_unless_they_are_told_not_to() -> None:
    assert convoys_in_games("") > 0
    assert convoys_in_games("/convoys=no") == 0


def test_a_bot_without_convoys_is_otherwise_the_same() -> None:
    bot = make_bot("dumbbot/wide/convoys=no")
    assert bot.tactic.version == "wide"
    assert type(make_bot("banker/convoys=no").negotiator) is type(make_bot("banker").negotiator)


def test_the_parameter_says_yes_or_no() -> None:
    check_bot("mcts/v5/iterations=50/convoys=no+market")
    for text in ("holdbot/convoys=perhaps", "dumbbot/convoys="):
        with pytest.raises(BadInputError, match="convoys must be yes or no"):
            make_bot(text)
