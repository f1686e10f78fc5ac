"""Characters: how a player weighs what it could do, after the Israeli Diplomat's prime minister.

Its government asked many offices, but one head set the style. Here the style is four numbers from
0 to 1, in the middle by default, so that a tournament can compare them.
"""

from attrs import frozen

from bots.bot_text import check_range


@frozen(kw_only=True)
class Character:
    """Four traits; what each of them changes, the players say in docs/old-diplomats.md."""

    aggression: float = 0.5
    """How much it wants what others have, and how soon it turns on a friend for it."""
    risk: float = 0.5
    """How little it minds to lose units, and how far it trusts who has not proved it yet."""
    loyalty: float = 0.5
    """How much must be won before it breaks its word."""
    patience: float = 0.5
    """How long it waits: with an old grudge, and until it asks again who has refused."""


BALANCED = Character()


def character(bot: str, **traits: float | None) -> Character:
    """Return a character of the traits that are given; raises BadInputError."""
    given = {name: value for name, value in traits.items() if value is not None}
    for name, value in given.items():
        check_range(f"{bot}: {name}", value, 0, 1)
    return Character(**given)
