"""Tree search: the paper's eight versions, and by default the best that we know."""

from bots.mcts_tree import VERSIONS, TreeSearcher
from bots.search.budget import Patience
from bots.strategy import Tactic
from rules.errors import BadInputError

BEST = "v8"


def mcts(
    variant: str = BEST,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    threads: int = 1,
) -> Tactic:
    """Return a searching tactic.

    `seconds` is the most that it thinks in a turn, by default what the game allows or one second;
    `iterations` makes it repeatable instead. `depth` is how many movement turns a simulation has.
    """
    patience = Patience(seconds=seconds, iterations=iterations)
    if variant in VERSIONS:
        if threads != 1:
            raise BadInputError(f"threads: {variant} searches with 1, only best with more")
        return TreeSearcher(variant, patience, **({} if depth is None else {"depth": depth}))
    known = ", ".join(VERSIONS)
    raise BadInputError(f"no such variant of mcts: {variant!r}; choose one of {known}")
