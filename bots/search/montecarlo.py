"""Flat Monte Carlo with progressive pruning, after Groeneweg (2005).

Order sets are tried in rounds against guesses of what the others do; after a round those are
dropped that a paired t-test finds worse than the best. In `pruning`, `plain` and `knowledge`, which
are ours, order sets, guesses and playouts come from DumbBot's planning. `paper` and `paper-pruning`
know nothing of moves, as the paper's player: those of order sets, guesses and playouts are any
legal ones. Retreats and adjustments are DumbBot's in all of them.
"""

from bots.bot_text import check_range
from bots.search.budget import Patience
from bots.search.flat_search import MonteCarlo, Plan
from bots.search.pruning_tree import PruningTreeSearcher
from bots.strategy import Tactic
from rules.errors import BadInputError

VARIANTS = ("pruning", "plain", "knowledge", "paper", "paper-pruning")
DEPTH, DEEPEST = 2, 20
MOST_CANDIDATES = 100_000
SIMPLE = ("playouts", "depth", "seconds", "iterations")
"""What means nothing to a player that simulates nothing."""


def montecarlo(  # noqa: PLR0913 - what a user may set in the bot's text
    variant: str = VARIANTS[0],
    *,
    playouts: int | None = None,
    candidates: int = 40,
    depth: int | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
) -> Tactic:
    """Return a flat searcher.

    `playouts` is the most that one order set gets, by default as many as time allows; `iterations`
    limits all of them together. `depth` is how many movement turns are played after this one.
    """
    if variant not in VARIANTS:
        known = ", ".join(VARIANTS)
        raise BadInputError(f"no such variant of montecarlo: {variant!r}; choose one of {known}")
    check_range("candidates", candidates, 1, MOST_CANDIDATES)
    check_range("playouts", playouts, 0)
    check_range("depth", depth, 0, DEEPEST)
    if variant == "knowledge":
        given = dict(zip(SIMPLE, (playouts, depth, seconds, iterations), strict=True))
        if name := next((name for name, value in given.items() if value is not None), None):
            raise BadInputError(f"{name}: knowledge plays nothing on; only the others do")
        playouts = 0
    elif playouts == 0:
        given = {"depth": depth, "seconds": seconds, "iterations": iterations}
        if name := next((name for name, value in given.items() if value is not None), None):
            raise BadInputError(f"{name}: with playouts=0 nothing is played on")
    plan = Plan(
        prunes=variant == "pruning",
        playouts=playouts,
        candidates=candidates,
        depth=DEPTH if depth is None else depth,
        is_blind=variant.startswith("paper"),
    )
    is_bounded = playouts is not None or variant == "paper-pruning"
    patience = Patience(seconds=seconds, iterations=iterations, ends_by_itself=is_bounded)
    if variant == "paper-pruning":
        return PruningTreeSearcher(variant, patience, plan)
    return MonteCarlo(variant, patience, plan)
