"""The tree searchers V1 to V8 of Theodoridis and Chalkiadakis (SETN 2020).

A node is a position before a movement turn. Its children differ in our orders only: what the others
do is guessed once for each node. What the paper leaves open is decided like this: a level of the
tree is a movement turn together with the retreats and adjustments after it; a centre counts as a
reward if we own it or stand in it, divided by the number that wins; at most so many order sets are
listed for a node, drawn by lot if there are more, or the worthiest where they have weights; the
weights of the steps are DumbBot's; retreats, builds and removals are DumbBot's as well.

Each is as published by default. FITTED order sets, and policies that let a power's own centers
alone, are ours: with them V1 to V4 are as good as the later ones.
"""

from array import array
from collections.abc import Sequence
from math import sqrt
from random import Random

from attrs import frozen

from bots.kernel import Actions
from bots.kernel.habits import ANY_ORDERS as ANY
from bots.kernel.habits import (
    CHAINED,
    FAR_SCRAMBLE,
    FITTED,
    GRAB_OR_ANY,
    GRAB_OR_HOLD,
    SCRAMBLE,
    WORTHIEST,
    WORTHIEST_LINKS,
)
from bots.search.budget import Budget, Patience
from bots.search.scene import Scene
from bots.search.searcher import Searcher
from bots.view import GameView
from rules.orders import Order

EXPLORATION = 1 / sqrt(2)
"""The paper's C_p."""
ROOT_ACTIONS = 2000
NODE_ACTIONS = 100
"""How many order sets are listed below the root; the lists of all nodes are kept."""
MOST_LISTS = 20_000
"""So many nodes have lists at most, so that long searches do not fill the memory."""


@frozen(kw_only=True)
class Version:
    """How one version of the paper differs from the others."""

    ours: int
    """How we play in simulations."""
    theirs: int = GRAB_OR_ANY
    """How the others do."""
    is_weighted: bool = True
    """Whether order sets are pruned by weight and tried best first."""
    steps: int = 1
    """How many nodes are added before each simulation."""
    mixes_opponents: bool = False
    """Whether each opponent is drawn anew for each simulation."""


VERSIONS = {
    "v1": Version(ours=ANY, theirs=GRAB_OR_HOLD, is_weighted=False),
    "v2": Version(ours=SCRAMBLE, theirs=GRAB_OR_HOLD, is_weighted=False),
    "v3": Version(ours=FAR_SCRAMBLE, theirs=GRAB_OR_HOLD, is_weighted=False),
    "v4": Version(ours=SCRAMBLE, is_weighted=False),
    "v5": Version(ours=SCRAMBLE),
    "v6": Version(ours=SCRAMBLE, steps=2),
    "v7": Version(ours=WORTHIEST),
    "v8": Version(ours=SCRAMBLE, mixes_opponents=True),
}


class Node:
    """A position in the tree, with the order sets that lead on from it."""

    __slots__ = (
        "actions",
        "children",
        "is_listed",
        "rewards",
        "saved",
        "theirs",
        "tried",
        "untried",
        "visits",
    )

    def __init__(self, saved: list[int]) -> None:
        self.saved = saved
        self.is_listed = False
        self.actions: list[int] = []
        """All listed order sets in a row."""
        self.theirs: list[int] = []
        self.untried: list[int] = []
        """Numbers of order sets, the next one to try last."""
        self.tried: list[int] = []
        """For each child, the number of its order set."""
        self.children: list[Node] = []
        self.rewards = array("d")
        self.visits = array("i")


Path = list[tuple[Node, int]]
"""Nodes from the root on, each with the place of the child that comes next."""


class Tree:
    """One search."""

    def __init__(
        self, scene: Scene, version: Version, depth: int, *, is_published: bool = True
    ) -> None:
        self._game = scene.game
        self._actions = Actions(scene.game)
        self._power = scene.power
        self._version = version
        self._is_published = is_published
        self._depth = depth
        self._random: Random = scene.view.random
        self._to_win = scene.view.board.centers_to_win
        self._lists = 0
        self._set_policies()
        self.root = Node(scene.root)
        self._list_actions(self.root, ROOT_ACTIONS)
        # Promises and what we count on hold for this turn only.
        self._game.clear_fixed()

    def _set_policies(self) -> None:
        self._game.play_as_published(int(self._is_published))
        for power in range(self._game.powers):
            policy = self._version.ours if power == self._power else self._version.theirs
            if policy == WORTHIEST and self._is_published:
                policy = WORTHIEST_LINKS
            self._game.set_policy(power, policy)

    def _list_actions(self, node: Node, most: int) -> None:
        """List what can be tried in a node; the position must be the node's."""
        node.is_listed = True
        self._lists += 1
        node.actions, worths = self._actions.list_actions(
            self._power,
            most,
            int(self._version.is_weighted),
            CHAINED if self._is_published else FITTED,
        )
        node.untried = list(range(len(worths)))
        if self._version.is_weighted:
            node.untried.sort(key=worths.__getitem__)
        node.theirs = self._game.predict(self._power, GRAB_OR_HOLD)

    @property
    def has_choice(self) -> bool:
        """Whether there is anything to search for."""
        return len(self.root.untried) + len(self.root.tried) > 1

    def search(self, budget: Budget) -> None:
        """Grow the tree until the budget is used up."""
        while budget.has_more():
            self.grow()

    def grow(self) -> None:
        """Select, expand, simulate and tell all nodes on the way."""
        path: Path = []
        node = self.root
        while node.is_listed and not node.untried and node.children:
            child = self._actions.best_child(
                node.rewards, node.visits, len(node.children), 2 * EXPLORATION
            )
            path.append((node, child))
            node = node.children[child]
        self._game.restore(node.saved)
        for _ in range(self._version.steps):
            grown = self._expand(node, path)
            if grown is None:
                break
            node = grown
        reward = self._simulate()
        for visited, child in path:
            visited.rewards[child] += reward
            visited.visits[child] += 1

    def _expand(self, node: Node, path: Path) -> Node | None:
        """Add a child and put its position on the board; None where the game is over."""
        if self._game.state.winner >= 0:
            return None
        if not node.is_listed:
            if self._lists >= MOST_LISTS:
                return None
            self._list_actions(node, NODE_ACTIONS)
        if not node.untried:
            return None
        number = self._next_action(node)
        self._actions.follow(node.saved, node.actions, number, node.theirs)
        child = Node(self._game.save())
        path.append((node, len(node.children)))
        node.children.append(child)
        node.tried.append(number)
        node.rewards.append(0.0)
        node.visits.append(0)
        return child

    def _next_action(self, node: Node) -> int:
        """Take the next order set to try: the worthiest, or any."""
        if not self._version.is_weighted:
            place = int(self._random.random() * len(node.untried))
            node.untried[place], node.untried[-1] = node.untried[-1], node.untried[place]
        return node.untried.pop()

    def _simulate(self) -> float:
        """Play the position on and return our part of the centers that win."""
        if self._version.mixes_opponents:
            self._game.draw_policies(self._power)
        self._game.run(self._depth)
        return min(1.0, self._game.holdings(self._power) / self._to_win)

    def best(self) -> list[int]:
        """Return the order set of the root whose mean reward is the highest."""
        root = self.root
        number = root.untried[-1] if root.untried else 0
        if root.children:
            means = [
                reward / visits for reward, visits in zip(root.rewards, root.visits, strict=True)
            ]
            number = root.tried[means.index(max(means))]
        units = len(root.actions) // (len(root.untried) + len(root.tried))
        return list(root.actions[number * units : (number + 1) * units])


class TreeSearcher(Searcher):
    """Plays one of the paper's versions."""

    def __init__(
        self, variant: str, patience: Patience, *, depth: int = 4, is_published: bool = True
    ) -> None:
        self.version = variant
        self._version = VERSIONS[variant]
        super().__init__(patience)
        self._depth = depth
        self._is_published = is_published

    def search(self, view: GameView, budget: Budget) -> Sequence[Order]:
        """Grow the tree, and play the child with the best mean."""
        scene = Scene(view, self._stage.playouts(view.board))
        tree = Tree(scene, self._version, self._depth, is_published=self._is_published)
        if tree.has_choice:
            tree.search(budget)
        return scene.orders(tree.best())
