"""Games of seven alike as they were before their thinking was made faster, word by word."""

from hashlib import sha256

import pytest

from grammar.messages import SendPress
from grammar.text import to_text
from grammar.write import write
from matches.finished_game import FinishedGame
from matches.in_process import play_in_process
from matches.match import Match
from rules.notation import format_order
from tests.bots.talking import BOARD

# Made with the code of 0514888, whose search and value maps were plain Python.
GOLDEN = {
    ("banker", 1, 1904): "ff559e70eeb33f88",
    ("banker", 2, 1904): "53aaad42a9bcdb4f",
    ("banker/honesty=0.5", 3, 1904): "ebcdfc29441617ac",
    ("market", 4, 1904): "17ba7c58fc0e16ce",
    ("dumbbot", 5, 1908): "6684342b68865fd1",
    ("dumbbot/port83", 6, 1906): "042c3f91174d4a10",
    ("dumbbot/bandana", 7, 1906): "494a21b381b783b6",
    ("diplominator", 8, 1906): "ed84ede392a91d2d",
    # Made with the code of 19884de, which judged every joint choice from the beginning.
    ("talleyrand/iterations=20/value=learned", 9, 1904): "574f7b3c2c687b18",
    ("talleyrand/iterations=12/honesty=0.25/value=learned", 10, 1904): "11d0716c2962d7fd",
    ("searchbot/iterations=24/value=learned", 11, 1905): "d790f5f635125eee",
    ("searchbot/iterations=8/rollout=1/value=learned", 12, 1903): "40e6702b54227b0c",
    ("brbot/iterations=12/value=learned", 13, 1903): "ab0b7b8302dcb630",
}


def told(game: FinishedGame) -> str:
    """Tell all orders with their results, and all press."""
    lines = [
        f"{turn.turn} {format_order(each.order)} {each.result}"
        for turn in game.turns
        for each in turn.outcomes
    ]
    for said in game.press:
        text = to_text(write(SendPress(said.press.recipients, said.press.press)))
        lines.append(f"{said.turn} {said.press.sender.name} {text}")
    return "\n".join(lines)


def fingerprint(bot: str, seed: int, year: int) -> str:
    players = {power.name: bot for power in BOARD.powers}
    game = play_in_process(Match(players=players, seed=seed, last_year=year))
    return sha256(told(game).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("bot", "seed", "year"), GOLDEN)
def test_the_same_seed_gives_the_same_game_as_before(bot: str, seed: int, year: int) -> None:
    assert fingerprint(bot, seed, year) == GOLDEN[bot, seed, year]
