"""Press from strangers: whatever comes, a negotiator plays on and says what a server takes."""

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.player import Player
from bots.registry import ENTRIES, make_bot
from bots.strategy import Bot
from grammar.boards import map_definition, now_message, ownership_message
from grammar.messages import ClientMessage, Hello, PressReceived, SendPress, VariantOption
from grammar.parse import reader_for
from grammar.press import Accept, Decline, NotUnderstood, Press, Propose, Refuse, Understand
from grammar.representation import standard_representation
from grammar.tables import LEVELS
from grammar.write import write
from rules.places import Power
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn
from tests.bots.negotiators import quick
from tests.bots.talking import BOARD, FRANCE, OTHERS, peace
from tests.grammar.strategies import press

TALKERS = [name for name, entry in ENTRIES.items() if entry.level > 0]
ANSWERS = (Accept, Refuse, Decline, NotUnderstood, Understand)


def in_phase(season: Season) -> Position:
    """Return the start, with something to order for France in every phase."""
    if season in (Season.SUMMER, Season.AUTUMN):
        first, *others = (unit for unit in BOARD.start.units if unit.power == FRANCE)
        out = DislodgedUnit(first, tuple(BOARD.destinations(first)[:1]))
        foreign = [unit for unit in BOARD.start.units if unit.power != FRANCE]
        return Position(Turn(season, 1902), (*foreign, *others), (out,), BOARD.start.owners)
    position = evolve(BOARD.start, turn=Turn(season, 1902))
    if season is Season.WINTER:
        units = [unit for unit in position.units if unit.location.province.name != "PAR"]
        return evolve(position, units=tuple(units))
    return position


def introduced(bot: Bot, level: int, season: Season) -> Player:
    """Return a player of France that has been told everything up to the position."""
    player = Player(bot)
    position = in_phase(season)
    hello = Hello(FRANCE, 4711, (VariantOption("LVL", level),))
    for each in (
        map_definition(BOARD),
        hello,
        ownership_message(BOARD, position),
        now_message(position),
    ):
        player.receive(each)
    return player


def heard_by(
    name: str, level: int, season: Season, message: PressReceived, *, is_friend: bool
) -> list[ClientMessage]:
    """Return all that a bot says after it has heard a message, perhaps from a friend."""
    player = introduced(make_bot(quick(name)), level, season)
    if is_friend:
        offer = peace(message.sender, FRANCE)
        player.receive(PressReceived(message.sender, (FRANCE,), offer))
    said = player.receive(message)
    assert player.failures == 0
    return said


@pytest.mark.parametrize("name", TALKERS)
@given(
    heard=st.sampled_from(sorted(LEVELS)).flatmap(press),
    sender=st.tuples(st.sampled_from(OTHERS), st.booleans()),
    moment=st.tuples(st.sampled_from((10, 20, 130)), st.sampled_from(Season)),
)
@settings(max_examples=40, deadline=None)
def test_any_press_is_survived_and_answered_in_the_language_of_the_game(
    name: str, heard: Press, sender: tuple[Power, bool], moment: tuple[int, Season]
) -> None:
    power, is_friend = sender
    level, season = moment
    said = heard_by(
        name, level, season, PressReceived(power, (FRANCE,), heard), is_friend=is_friend
    )
    names = standard_representation()
    reader = reader_for(level, names, partial_draws=False)
    for each in said:
        assert reader.client(write(each, names)) == each
    answers = [each.press for each in said if isinstance(each, SendPress)]
    assert all(isinstance(each, ANSWERS) for each in answers)
    # Press that the server would not have relayed cannot be quoted either.
    is_possible = reader.client(write(SendPress((power,), heard), names))
    if isinstance(heard, Propose) and isinstance(is_possible, SendPress):
        assert answers
