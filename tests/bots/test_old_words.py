"""What our bots say to programs of 2003, which leave at a word that they do not know."""

from random import Random

import pytest

from bots.holdbot import HoldBot
from bots.player import Player
from bots.registry import ENTRIES, make_bot
from bots.strategy import Bot, Negotiator
from bots.view import GameView
from grammar.messages import PressReceived, SendPress
from grammar.parse import HIGHEST_LEVEL, Garbled, Unbalanced, reader_for
from grammar.press import Cancel, Press, Understand
from grammar.representation import standard_representation
from grammar.text import from_text
from grammar.tokens import Category, Word
from grammar.vocabulary import NEWER_WORDS, TRY_LEVELS, newer_words_in
from grammar.write import write
from rules.places import Power
from rules.turns import Season
from server.settings import GameSettings
from tests.bots.in_memory import Room
from tests.bots.negotiators import quick
from tests.bots.talking import BOARD, ENGLAND, FRANCE, GERMANY
from tests.bots.test_strangers import introduced

NAMES = standard_representation()
TALKERS = [
    text
    for name, entry in ENTRIES.items()
    for text in (name, *(f"{name}/{variant}" for variant in entry.variants))
    if entry.level > 0 or text == name
]
# By original documents: every word that the C++ framework of 2003 to 2010 has.
ORIGINAL = [
    "PRP",
    "PCE",
    "ALY",
    "VSS",
    "DRW",
    "SLO",
    "NOT",
    "YES",
    "REJ",
    "BWX",
    "FCT",
    "HUH",
    "TRY",
    "XDO",
    "DMZ",
    "AND",
    "ORR",
    "SCD",
    "OCC",
    "INS",
    "QRY",
    "THK",
    "IDK",
    "SUG",
    "WHT",
    "HOW",
    "EXP",
    "SRY",
    "FOR",
    "IFF",
    "THN",
    "ELS",
    "XOY",
    "YDO",
    "FRM",
    "FWD",
    "SND",
    "WHY",
    "POB",
    "ERR",
    "AMY",
    "FLT",
    "HLD",
    "MTO",
    "SUP",
    "CVY",
    "CTO",
    "VIA",
    "RTO",
    "DSB",
    "BLD",
    "REM",
    "WVE",
    "MRT",
    "UNO",
]
OLD_TALK = (
    "PRP ( PCE ( ENG FRA ) )",
    "PRP ( ALY ( ENG FRA ) VSS ( GER ) )",
    "PRP ( DRW )",
    "PRP ( NOT ( PCE ( ENG FRA ) ) )",
    "PRP ( SLO ( ENG ) )",
    "YES ( PRP ( PCE ( FRA ENG ) ) )",
    "REJ ( PRP ( PCE ( FRA ENG ) ) )",
    "FCT ( PCE ( ENG GER ) )",
    "PRP ( DMZ ( ENG FRA ) ( ECH ) )",
    "PRP ( XDO ( ( FRA FLT BRE ) SUP ( ENG FLT LON ) MTO ECH ) )",
    "PRP ( XDO ( ( ENG FLT LON ) MTO ECH ) )",
    "YES ( PRP ( XDO ( ( ENG FLT LON ) HLD ) ) )",
    "PRP ( AND ( PCE ( ENG FRA ) ) ( DRW ) )",
    "QRY ( PCE ( ENG FRA ) )",
    "WHT ( FRA AMY PAR )",
    "TRY ( PRP PCE )",
    "HUH ( PRP ERR )",
    "'hello'",
)
NEW_TALK = (
    "PRP ( NAR ( PCE ( GER FRA ) ) )",
    "CCL ( PRP ( PCE ( GER FRA ) ) )",
    "TRY ( CCL NAR CHO BCC UNT )",
    "PRP ( CHO ( 1 1 ) ( DRW ) ( SLO ( GER ) ) )",
)


def read(text: str) -> Press:
    found = reader_for(HIGHEST_LEVEL).press(from_text(text))
    assert not isinstance(found, Garbled | Unbalanced)
    return found


def said_to(player: Player, sender: Power, texts: tuple[str, ...]) -> list[SendPress]:
    """Return all that a bot says when it hears these one after the other."""
    heard = [PressReceived(sender, (FRANCE,), read(text)) for text in texts]
    said = [answer for each in heard for answer in player.receive(each)]
    assert player.failures == 0
    return [each for each in said if isinstance(each, SendPress)]


def words_of(said: list[SendPress]) -> set[str]:
    tokens = {token for each in said for token in write(each, NAMES)}
    words = {word.name for word in Word if int(word) in tokens}
    return {name for name in words if Word[name] >> 8 in (Category.COMMAND, Category.PRESS)}


@pytest.mark.parametrize("level", [10, 20, 8000])
@pytest.mark.parametrize("name", TALKERS)
def test_a_stranger_hears_only_words_of_the_original_documents(name: str, level: int) -> None:
    player = introduced(make_bot(quick(name)), level, Season.SPRING)
    talk = tuple(text for text in OLD_TALK if level == 8000 or not text.startswith("'"))
    said = said_to(player, ENGLAND, talk)
    assert any(isinstance(each.press, Understand) for each in said)
    assert words_of(said) <= set(ORIGINAL)
    lists = [each.press.words for each in said if isinstance(each.press, Understand)]
    assert all(TRY_LEVELS[word] <= level for words in lists for word in words)


@pytest.mark.parametrize("name", TALKERS)
def test_newer_words_are_listed_for_those_who_have_used_them_and_for_nobody_else(name: str) -> None:
    bot = make_bot(quick(name))
    player = introduced(bot, 8000, Season.SPRING)
    newer = {word for word in bot.negotiator.words if Word[word] in NEWER_WORDS}
    to_germany = said_to(player, GERMANY, (*NEW_TALK, "WHT ( FRA AMY PAR )"))
    assert newer <= words_of(to_germany)
    assert words_of(said_to(player, ENGLAND, OLD_TALK)) <= set(ORIGINAL)


@pytest.mark.parametrize("seed", range(3))
def test_in_whole_games_nobody_hears_a_newer_word_that_it_has_not_used(seed: int) -> None:
    chance = Random(seed)
    talkers = [name for name, entry in ENTRIES.items() if entry.level > 0]
    bots = [make_bot(quick(chance.choice(talkers))) for _ in BOARD.powers]
    room = Room(bots, GameSettings(level=8000, last_year=1904, press_rounds=4), seed=seed)
    room.play()
    press = [each for seat in room.seats.values() for each in seat.said]
    press = [each for each in press if isinstance(each, SendPress)]
    assert press
    assert [each for each in press if newer_words_in(write(each, NAMES))] == []


class Modern(Negotiator):
    """Takes back in front of two powers whatever it is told, as a bot of one's own may."""

    words = ("PRP", "DRW", "CCL", "NAR")

    def on_press(self, view: GameView, received: PressReceived) -> list[SendPress]:
        del view
        return [SendPress((received.sender, GERMANY), Cancel(received.press))]


def test_press_with_newer_words_goes_to_those_who_have_used_them() -> None:
    player = introduced(Bot(HoldBot(), Modern()), 20, Season.SPRING)
    assert said_to(player, ENGLAND, ("PRP ( DRW )",)) == []
    said_to(player, GERMANY, ("TRY ( CCL )",))
    [said] = said_to(player, ENGLAND, ("PRP ( DRW )",))
    assert said.recipients == (GERMANY,)
