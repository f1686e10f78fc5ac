"""Talleyrand: SearchBot's orders, a banker's language, and a statesman's reasons to keep his word.

It makes peace with everybody who keeps it, trades supports at the price that the search puts on
them, joins others against who is about to win, and leaves a friend when that brings much more than
the peace. Honesty is a parameter: with 1 every promise is meant and every peace ended by notice.
"""

from bots.banker.policy import Policy
from bots.bot_text import LARGEST, check_range
from bots.search.budget import Patience
from bots.searchbot.tactic import BLUEPRINT, VALUE, searchbot
from bots.strategy import Bot
from bots.talleyrand.counsel import PART, Counsel
from bots.talleyrand.talk import Reasons, StateTalk

FEWEST_ITERATIONS = 12


def talleyrand(  # noqa: PLR0913 - what a user may set in the bot's text
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    honesty: float = 1.0,
    orders: bool = True,
    zones: bool = True,
    stab_gain: float = 1.0,
    partner_gain: float = 2.0,
    value: str = VALUE,
    blueprint: str = BLUEPRINT,
) -> Bot:
    """Return Talleyrand.

    `seconds` is the most that it thinks about its orders, `iterations` makes it repeatable instead.
    `stab_gain` and `partner_gain` say what leaving a friend must bring, in good places for a unit.
    `value` and `blueprint` are the parts of its search, as for SearchBot.
    """
    check_range("honesty", honesty, 0, 1)
    asked = None if iterations is None else max(FEWEST_ITERATIONS, round(iterations * PART))
    questions = Patience(seconds=seconds, iterations=asked)
    player, adviser = (
        searchbot(seconds=seconds, iterations=each, value=value, blueprint=blueprint)
        for each in (iterations, asked)
    )
    counsel = Counsel(player, adviser, questions)
    policy = Policy(honesty=honesty, uses_orders=orders, uses_zones=zones)
    check_range("stab_gain", stab_gain, -LARGEST)
    check_range("partner_gain", partner_gain, -LARGEST)
    reasons = Reasons(stab_gain=stab_gain, partner_gain=partner_gain)
    return Bot(counsel, StateTalk(counsel, policy, reasons))
