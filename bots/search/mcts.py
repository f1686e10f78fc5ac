"""Tree search: the paper's eight versions, and by default the best that we know."""

from bots.bot_text import check_range
from bots.search.budget import Patience
from bots.search.local_search import BestSearcher, LocalSearchManner
from bots.search.tree import VERSIONS, TreeSearcher
from bots.strategy import Tactic
from rules.errors import BadInputError

BEST = "best"
SHALLOWEST, DEEPEST = 1, 20


def mcts(  # noqa: PLR0913 - what a user may set in the bot's text
    variant: str = BEST,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    threads: int | None = None,
    thinking: float | None = None,
    fitted: bool | None = None,
) -> Tactic:
    """Return a searching tactic.

    `seconds` is the most that it thinks in a turn, by default what the game allows or one second;
    `iterations` makes it repeatable instead. `depth` is how many movement turns a simulation has.
    `threads` and `thinking`, how often the others are thought to search as well, are for `best`;
    `fitted`, order sets by our rules and not by those of the paper, is for `v1` to `v8`.
    """
    check_range("depth", depth, SHALLOWEST, DEEPEST)
    check_range("thinking", thinking, 0, 1)
    patience = Patience(seconds=seconds, iterations=iterations)
    if variant == BEST:
        if fitted is not None:
            raise BadInputError("fitted: best has order sets of its own; it is for v1 to v8")
        manner = (
            LocalSearchManner(depth=depth)
            if thinking is None
            else LocalSearchManner(depth=depth, thinking=thinking)
        )
        return BestSearcher(patience, manner, threads=1 if threads is None else threads)
    if variant not in VERSIONS:
        known = ", ".join((BEST, *VERSIONS))
        raise BadInputError(f"no such variant of mcts: {variant!r}; choose one of {known}")
    if threads not in {None, 1}:
        raise BadInputError(f"threads: {variant} searches with 1, only best with more")
    if thinking is not None:
        raise BadInputError(f"thinking: {variant} does not ask what pays for others, only best")
    return TreeSearcher(
        variant, patience, depth=4 if depth is None else depth, is_published=not fitted
    )
