"""The banker: peace with who keeps it, and help for credit, at press level 20.

What the Diplominator's authors had in mind and no time for. The banker asks friends to support its
moves and supports theirs; what a support is worth goes to an account, and who does not pay back or
breaks promises gets no more. Peace is kept to the letter, and ended with a notice when there is
nothing else left to win. Honesty is a parameter: a cheat keeps only the promises that pay.
"""

from bots.banker.ledger import RAW_TERMS, Terms
from bots.banker.negotiator import BankTalk
from bots.banker.policy import Policy
from bots.strategy import Bot
from bots.tactician.tactic import Tactician
from rules.errors import BadInputError


def banker(
    variant: str = "normalised",
    *,
    honesty: float = 1.0,
    orders: bool = True,
    zones: bool = True,
) -> Bot:
    """Return a banker; the variant is its currency, `normalised` or `raw`."""
    return make_banker(BankTalk, variant, honesty=honesty, orders=orders, zones=zones)


def make_banker(
    talk: type[BankTalk], variant: str, *, honesty: float, orders: bool, zones: bool
) -> Bot:
    """Return a bot that talks like a banker, of the class given."""
    terms = {"normalised": Terms(), "raw": RAW_TERMS}
    if variant not in terms:
        known = ", ".join(terms)
        raise BadInputError(f"no such variant of banker: {variant!r}; choose one of {known}")
    if not 0 <= honesty <= 1:
        raise BadInputError(f"honesty: must be from 0 to 1, not {honesty}")
    tactic = Tactician()
    tactic.version = variant
    policy = Policy(honesty=honesty, terms=terms[variant], uses_orders=orders, uses_zones=zones)
    return Bot(tactic, talk(tactic, policy))
