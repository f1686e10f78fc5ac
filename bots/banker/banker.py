"""The banker: peace with who keeps it, and help for credit, at press level 20.

What the Diplominator's authors had in mind and no time for. The banker asks friends to support its
moves and supports theirs; what a support is worth goes to an account, and who does not pay back or
breaks promises gets no more. Peace is kept to the letter, and ended with a notice when there is
nothing else left to win. Honesty is a parameter: a cheat keeps only the promises that pay.
"""

from bots.banker.ledger import RAW_TERMS, Terms
from bots.banker.negotiator import BankTalk
from bots.banker.policy import Policy, policy_of
from bots.bot_text import check_range
from bots.character import Character, character
from bots.strategy import Bot
from bots.tactician.tactic import Tactician
from rules.errors import BadInputError


def banker(  # noqa: PLR0913 - each a trait that the text of a bot can name
    variant: str = "normalised",
    *,
    honesty: float = 1.0,
    orders: bool = True,
    zones: bool = True,
    aggression: float | None = None,
    risk: float | None = None,
    loyalty: float | None = None,
    patience: float | None = None,
) -> Bot:
    """Return a banker; the variant is its currency, `normalised` or `raw`."""
    style = character(
        "banker", aggression=aggression, risk=risk, loyalty=loyalty, patience=patience
    )
    policy = bank_policy(variant, style, honesty=honesty, orders=orders, zones=zones)
    if loyalty is not None and honesty >= 1:
        raise BadInputError("banker: loyalty: with honesty=1 every promise is kept; lower that too")
    tactic = Tactician()
    tactic.version = variant
    return Bot(tactic, BankTalk(tactic, policy))


def bank_policy(
    variant: str, style: Character, *, honesty: float, orders: bool, zones: bool
) -> Policy:
    """Return how a bank of that currency and character deals; raises BadInputError."""
    terms = {"normalised": Terms(), "raw": RAW_TERMS}
    if variant not in terms:
        known = ", ".join(terms)
        raise BadInputError(f"no such variant of banker: {variant!r}; choose one of {known}")
    check_range("honesty", honesty, 0, 1)
    policy = Policy(honesty=honesty, terms=terms[variant], uses_orders=orders, uses_zones=zones)
    return policy_of(style, policy)
