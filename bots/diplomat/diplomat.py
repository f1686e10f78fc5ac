"""Diplomat as a bot: its tactic, and the market where it pays for supports with IOUs."""

from bots.banker.market import MarketTalk
from bots.banker.policy import policy_of
from bots.character import character
from bots.diplomat.tactic import Diplomat
from bots.strategy import Bot


def diplomat(
    *,
    aggression: float | None = None,
    risk: float | None = None,
    loyalty: float | None = None,
    patience: float | None = None,
) -> Bot:
    """Return a Diplomat, perhaps with a character of its own."""
    style = character(
        "diplomat", aggression=aggression, risk=risk, loyalty=loyalty, patience=patience
    )
    tactic = Diplomat(character=style)
    return Bot(tactic, MarketTalk(tactic, policy_of(style)))
