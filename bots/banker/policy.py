"""Everything about a banker that can be tuned."""

from attrs import Factory, evolve, frozen

from bots.banker.ledger import Terms
from bots.banker.relations import Manners
from bots.character import Character
from bots.draws import DrawPolicy


@frozen(kw_only=True)
class Policy:
    """Everything about its talk that can be tuned."""

    honesty: float = 1.0
    """How likely a promise is meant when it is made."""
    terms: Terms = Factory(Terms)
    manners: Manners = Factory(Manners)
    draws: DrawPolicy = Factory(lambda: DrawPolicy(quiet_years=3))
    partner_factor: float = 0.1
    """By which factor we want what a partner in business has, and think it wants what we have."""
    friend_factor: float = 0.4
    """The same for who only keeps the peace."""
    enemy_factor: float = 1.5
    """The same for whom we are allied against."""
    least_gain: float = 0.15
    """For which gain we ask for help; 1 is a good place for a unit."""
    asks_each: int = 2
    asks_in_all: int = 6
    most_ignored: int = 3
    """After so many requests without answer a power is asked once a year only."""
    temptation: float = 0.1
    """Which part of a turn's worth makes a cheat break a promise."""
    uses_orders: bool = True
    uses_zones: bool = True


def policy_of(character: Character, policy: Policy | None = None) -> Policy:
    """Return a policy as a character changes it; in the middle of all traits it stays."""
    policy = policy or Policy()
    terms = evolve(
        policy.terms,
        limit=policy.terms.limit * (0.5 + character.risk),
        first_rating=0.6 + 0.4 * character.risk,
    )
    manners = evolve(
        policy.manners,
        grudge=5 - round(4 * character.patience),
        patience=1 + round(2 * character.patience),
        units_per_prize=1 + round(4 * character.patience),
    )
    return evolve(
        policy,
        terms=terms,
        manners=manners,
        partner_factor=0.2 * character.aggression,
        friend_factor=0.8 * character.aggression,
        enemy_factor=1.0 + character.aggression,
        temptation=0.2 * character.loyalty,
    )
