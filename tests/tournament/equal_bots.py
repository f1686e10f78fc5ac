"""Comparisons of equal bots on drawn scores: how often is a difference found that is not there?"""

from collections.abc import Sequence as Listed
from random import Random

from bots.dumbbot.tactic import DumbBot
from bots.view import GameView
from rules.orders import Order
from tournament.sequential import LEAST, Sequence


def finds_a_difference(chance: Random, most: int = 700, look: int = 7) -> bool:
    """Draw pairs of scores like those of real games, and look after every round of seats."""
    sequence = Sequence()
    while len(sequence.values) < most:
        sequence.values += [_score(chance) - _score(chance) for _ in range(look)]
        if len(sequence.values) >= LEAST and sequence.is_decided:
            return True
    return False


def _score(chance: Random) -> float:
    """Draw a share of the squares: mostly little, sometimes a solo."""
    return 1.0 if chance.random() < 0.05 else chance.betavariate(0.6, 3.5)


class Twin(DumbBot):
    """As strong as DumbBot, with other luck."""

    def choose_orders(self, view: GameView) -> Listed[Order]:
        view.random.random()
        return super().choose_orders(view)
