"""The Bordeaux Diplomat as a bot: core and negotiator, and between them nothing but questions."""

from bots.banker.policy import policy_of
from bots.bordeaux.tactic import Bordeaux
from bots.bordeaux.talk import BordeauxTalk
from bots.character import character
from bots.strategy import Bot


def bordeaux(
    *,
    rounds: int = 3,
    aggression: float | None = None,
    risk: float | None = None,
    loyalty: float | None = None,
    patience: float | None = None,
) -> Bot:
    """Return a Bordeaux Diplomat, perhaps with a character of its own."""
    style = character(
        "bordeaux", aggression=aggression, risk=risk, loyalty=loyalty, patience=patience
    )
    tactic = Bordeaux(rounds=rounds, character=style)
    return Bot(tactic, BordeauxTalk(tactic, tactic.observer, style, policy_of(style)))
