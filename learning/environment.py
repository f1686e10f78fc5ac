"""One game behind PettingZoo's parallel API: every power acts in every phase."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from grammar.press import Press
from learning.array_game import SCORES, SQUARES, ArrayGame, Bytes, Integers
from learning.words import SILENCE, as_press, sayable, vocabulary
from rules.errors import BadInputError
from rules.orders import Order
from rules.position import Position
from rules.variants import load_board

Observation: TypeAlias = dict[str, Any]

WIDTH = 256
"""How many orders of one unit can be told apart; only crowds of fleets have more."""
LAST_YEAR = 1920
MOST_YEARS = 1000


class DiplomacyEnvironment(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game of Diplomacy; see docs/learning.md for what is seen and what may be done.

    Rewards come at the end, by `scores` "squares" or "draw". Without `press` an action is an array
    of numbers, one a slot; with it a dictionary of `orders` and `words`.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "daide_v0", "render_modes": []}
    render_mode = None

    def __init__(
        self,
        variant: str = "standard",
        *,
        last_year: int = LAST_YEAR,
        scores: str = SQUARES,
        press: bool = False,
        width: int = WIDTH,
    ) -> None:
        if scores not in SCORES:
            raise BadInputError(f"scores: {scores!r} is not one of {', '.join(SCORES)}")
        if width < 1:
            raise BadInputError(f"width: {width} orders are too few; give 1 or more")
        self.game = ArrayGame(load_board(variant), last_year=last_year)
        self.possible_agents = [power.name for power in self.game.board.powers]
        self.agents: list[str] = []
        self.width = width
        self.press: list[tuple[str, str, Press]] = []
        """Who said what to whom in the last step."""
        self._scores = scores
        self._has_press = press
        self._heard: Bytes = np.zeros((self.game.powers,) * 2, dtype=np.int8)
        self._slot: NDArray[np.int64] = np.arange(width)
        self._observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: self._observation_space() for agent in self.possible_agents
        }
        self._action_spaces: dict[str, spaces.Space[Any]] = {
            agent: self._action_space() for agent in self.possible_agents
        }

    # Spaces.

    def observation_space(self, agent: str) -> "spaces.Space[Any]":
        """Return what an agent sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Space[Any]":
        """Return what an agent does."""
        return self._action_spaces[agent]

    def _observation_space(self) -> "spaces.Space[Any]":
        game = self.game
        orders = spaces.Tuple([spaces.MultiBinary(self.width) for _ in range(game.slots)])
        words = spaces.Tuple(
            [spaces.MultiBinary(vocabulary(game.powers)) for _ in range(game.powers)]
        )
        seen: dict[str, spaces.Space[Any]] = {
            "board": spaces.Box(0, 1, (game.provinces, game.columns), np.int8),
            "turn": spaces.MultiDiscrete([5, MOST_YEARS]),
            "power": spaces.Discrete(game.powers),
            "places": spaces.Box(-1, game.provinces - 1, (game.slots,), np.int64),
            "action_mask": spaces.Dict({"orders": orders, "words": words})
            if self._has_press
            else orders,
        }
        if self._has_press:
            last = vocabulary(game.powers) - 1
            seen["heard"] = spaces.Box(0, last, (game.powers,), np.int8)
        return spaces.Dict(seen)

    def _action_space(self) -> "spaces.Space[Any]":
        orders = spaces.MultiDiscrete([self.width] * self.game.slots)
        if not self._has_press:
            return orders
        words = spaces.MultiDiscrete([vocabulary(self.game.powers)] * self.game.powers)
        return spaces.Dict({"orders": orders, "words": words})

    # Play.

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; `options["position"]` may hold another position to begin with.

        The rules know no chance, so the seed changes nothing.
        """
        del seed
        position = (options or {}).get("position")
        if not isinstance(position, Position | None):
            raise BadInputError(f"options: position: {position!r} is no rules.position.Position")
        self.game.reset(position)
        self._heard[:] = SILENCE
        self.press = []
        left = self.game.alive()
        self.agents = [name for at, name in enumerate(self.possible_agents) if left[at]]
        return self._observe(self.agents), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play a phase with the actions of all agents; who gives none does nothing."""
        game, agents = self.game, self.agents
        orders = np.zeros((game.powers, game.slots), dtype=np.int64)
        words: dict[int, Integers] = {}
        for agent, action in actions.items():
            at = self._index(agent)
            if not self._has_press:
                orders[at] = _numbers(agent, action, None, game.slots)
                continue
            orders[at] = _numbers(agent, action, "orders", game.slots)
            words[at] = _numbers(agent, action, "words", game.powers)
        # What the mask leaves out for want of width is not to be had by its number either.
        orders[orders >= self.width] = 0
        if self._has_press:
            self._speak(words)
        game.step(orders)
        is_won, is_late, left = game.is_won(), game.is_out_of_time(), game.alive()
        is_over = is_won or is_late
        scores = game.scores(self._scores) if is_over else np.zeros(game.powers)
        rewards = {agent: float(scores[self._index(agent)]) for agent in agents}
        lost = {agent: not left[self._index(agent)] for agent in agents}
        terminations = {agent: is_won or bool(lost[agent]) for agent in agents}
        truncations = {agent: is_late and not terminations[agent] for agent in agents}
        self.agents = [] if is_over else [agent for agent in agents if not lost[agent]]
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        return self._observe(agents), rewards, terminations, truncations, infos

    def orders(self, agent: str) -> list[list[Order]]:
        """Return the orders that the numbers of each slot of an agent stand for."""
        found = self.game.orders(self._index(agent))
        return [orders[: self.width] for orders in found]

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _index(self, agent: str) -> int:
        if agent not in self.possible_agents:
            known = ", ".join(self.possible_agents)
            raise BadInputError(f"no such agent: {agent!r}; the agents are {known}")
        return self.possible_agents.index(agent)

    def _observe(self, agents: list[str]) -> dict[str, Observation]:
        game = self.game
        board = game.observe()
        board.flags.writeable = False  # everybody sees the same one
        turn = np.array(game.turn(), dtype=np.int64)
        left = game.alive()
        masks = (self._slot < game.counts[:, :, np.newaxis]).astype(np.int8)
        masks[:, :, 0] = 1  # where nothing is to be ordered, that
        seen: dict[str, Observation] = {}
        for agent in agents:
            power = self._index(agent)
            seen[agent] = {
                "board": board,
                "turn": turn,
                "power": power,
                "places": game.places[power].copy(),
                "action_mask": tuple(masks[power]),
            }
            if self._has_press:
                words = sayable(power, self._heard[power], left)
                mask = {"orders": seen[agent]["action_mask"], "words": tuple(words)}
                seen[agent] |= {"action_mask": mask, "heard": self._heard[power].copy()}
        return seen

    def _speak(self, words: Mapping[int, Integers]) -> None:
        """Pass on what may be said; anything else is silence."""
        powers, left = list(self.game.board.powers), self.game.alive()
        heard = np.zeros_like(self._heard)
        self.press = []
        for sender, said in words.items():
            mask = sayable(sender, self._heard[sender], left)
            for receiver, word in enumerate(said):
                if not SILENCE < word < mask.shape[1] or not mask[receiver, word]:
                    continue
                heard[receiver, sender] = word
                before = int(self._heard[sender, receiver])
                press = as_press(int(word), before, powers[sender], powers[receiver], powers)
                self.press.append((powers[sender].name, powers[receiver].name, press))
        self._heard = heard


def _numbers(agent: str, action: Any, part: str | None, count: int) -> Integers:  # noqa: ANN401 - looked at here
    """Return the numbers of an action, or of a part of it; BadInputError if they are none."""
    try:
        numbers = np.asarray(action if part is None else action[part])
    except (TypeError, ValueError, LookupError):
        numbers = np.empty(0)
    if numbers.shape != (count,) or not np.issubdtype(numbers.dtype, np.integer):
        needed = f"{count} whole numbers" + (f" under `{part}`" if part else "")
        raise BadInputError(f"actions: {agent}: {action!r:.60} is not {needed}")
    return numbers
