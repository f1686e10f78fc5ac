"""Press from strangers: whatever comes, a negotiator goes on playing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.player import Player
from bots.registry import make_bot
from grammar.boards import map_definition
from grammar.messages import Hello, PressReceived, VariantOption
from grammar.press import Press
from grammar.tables import LEVELS
from rules.places import Power
from server.history import now_message, ownership_message
from tests.bots.talking import BOARD, FRANCE, OTHERS
from tests.grammar.strategies import press


@pytest.mark.parametrize("name", ["blabbot", "diplominator"])
@given(heard=st.sampled_from(sorted(LEVELS)).flatmap(press), sender=st.sampled_from(OTHERS))
@settings(max_examples=60, deadline=None)
def test_any_press_is_survived(name: str, heard: Press, sender: Power) -> None:
    player = Player(make_bot(name))
    hello = Hello(FRANCE, 4711, (VariantOption("LVL", 20),))
    for message in (
        map_definition(BOARD),
        hello,
        ownership_message(BOARD, BOARD.start),
        now_message(BOARD.start),
        PressReceived(sender, (FRANCE,), heard),
    ):
        player.receive(message)
    assert player.failures == 0
