"""The players `searchbot` and `brbot`.

After Gray and others, "Human-Level Performance in No-Press Diplomacy via Equilibrium Search" (ICLR
2021), without human games: candidates come from DumbBot's planning and D-Brane's plans, the value
of positions was learned in games of our own.
"""

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from bots.kernel import Subgame
from bots.search.budget import Budget, Patience
from bots.search.proposals import refresh
from bots.search.scene import Scene
from bots.search.searcher import Searcher
from bots.searchbot.blueprint import Blueprint, Custom, blueprint_named
from bots.searchbot.candidates import Width, candidates
from bots.searchbot.equilibrium import Equilibrium, EquilibriumManner
from bots.searchbot.models import DBRANE, MODELS, NONE, SEVERAL, Models, Plans
from bots.searchbot.settling import settle
from bots.searchbot.value import judge_for, value_named
from bots.strategy import Negotiator
from bots.view import GameView
from rules.board import Board
from rules.errors import BadInputError
from rules.kernel import Variations
from rules.kernel.encode import codec_of
from rules.orders import Order
from rules.turns import Phase

VALUE, BLUEPRINT = "searched", "dumbbot"
"""The parts that every searcher has unless it is told otherwise."""
ROOM = 96
"""How many candidates a power can have, those found on the way included."""
LONGEST_ROLLOUT = 6
YEARS_BEFORE_DRAWS = 3
"""At the beginning half of the powers are below the mean, which says nothing."""
CAREFUL = 0.75
"""The part of what the game allows that is used: on a busy machine the last step may take long."""
LEAST_FOR_PLANS = 0.05
"""With fewer seconds there is no time to ask D-Brane."""
LEAST_FOR_SEVERAL = 0.25
"""With fewer seconds there is no time to ask more programs than D-Brane."""
USUAL_OF_SEVERAL = 0.6
"""How often the others do what is usual, where several programs say what that is."""


class EquilibriumSearcher(Searcher, Negotiator):
    """Searches all powers' order sets at once. It says nothing, but it has a vote on draws."""

    def __init__(  # noqa: PLR0913 - the parts that it is put together from
        self,
        patience: Patience,
        manner: EquilibriumManner,
        *,
        value: str,
        blueprint: Blueprint,
        width: Width,
        rollout: int,
        models: str | None,
        informed: EquilibriumManner,
    ) -> None:
        super().__init__(patience)
        self._manner = manner
        self._informed = informed
        self._judgement, self._weights = value_named(value)
        self._blueprint = blueprint
        self._width = width
        self._rollout = rollout
        self._wanted = models
        self._models = Models()
        self._subgame: tuple[Board, int, Subgame, Custom] | None = None
        self._first_year: int | None = None

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Search; where there are few orders, try them all."""
        if not view.has_orders_due:
            return ()
        if view.phase is Phase.MOVEMENT:
            allowed = None if view.seconds is None else view.seconds * CAREFUL
            return self.search(view, self._patience.start(allowed))
        judgement, subgame, _ = self._subgame_for(view.board)
        game = subgame.game
        game.reset()
        subgame.enter(game.save(), judgement, 0, 1)
        return settle(view, subgame)

    def search(self, view: GameView, budget: Budget) -> Sequence[Order]:
        """Let all powers learn what to play, and answer that."""
        scene, equilibrium = self.explore(view, budget)
        return scene.orders(equilibrium.choose(budget))

    def explore(self, view: GameView, budget: Budget) -> tuple[Scene, Equilibrium]:
        """Let all powers learn what to play, and leave it to the caller to ask what is best."""
        judgement, subgame, usual = self._subgame_for(view.board)
        scene = Scene(view, subgame.game)
        subgame.enter(scene.root, judgement, self._rollout, view.random.getrandbits(31))
        manner, plans = self._ask_programs(scene, budget)
        refresh(scene.game, scene.root)
        for power in range(subgame.powers):
            units = subgame.unit_counts[power]
            if units:
                most = self._width.of(units)
                for orders, count in candidates(scene.game, power, usual, plans, most):
                    subgame.add(power, orders, float(count))
        subgame.open()
        scene.game.clear_fixed()
        equilibrium = Equilibrium(scene, subgame, manner)
        equilibrium.search(budget, neighbours(scene))
        return scene, equilibrium

    def _ask_programs(self, scene: Scene, budget: Budget) -> tuple[EquilibriumManner, Plans]:
        """Return what programs would order for all powers, and how to search with that."""
        wanted = self._wanted or self._by_time(budget)
        if wanted == SEVERAL:
            return self._informed, self._models.several(scene, budget)
        return self._manner, self._models.dbrane(scene, budget) if wanted == DBRANE else {}

    def _by_time(self, budget: Budget) -> str:
        if budget.has_seconds(LEAST_FOR_SEVERAL):
            return SEVERAL
        return DBRANE if budget.has_seconds(LEAST_FOR_PLANS) else NONE

    def projected(self, view: GameView) -> float:
        """Return the share of the sum of squares that the value expects for us."""
        judgement, subgame, _ = self._subgame_for(view.board)
        codec = codec_of(view.board)
        subgame.game.reset()
        codec.load(view.position, subgame.state)
        subgame.enter(subgame.game.save(), judgement, 0, 1)
        return subgame.worths()[codec.power_index[view.power]]

    def votes_for_draw(self, view: GameView) -> bool:
        """Want a draw of all survivors when we can hope for less than a part of it."""
        if self._first_year is None:
            self._first_year = view.turn.year
        is_early = view.turn.year - self._first_year < YEARS_BEFORE_DRAWS
        if is_early or view.phase is not Phase.MOVEMENT or not view.units:
            return False
        return self.projected(view) * len(view.survivors) < 1

    def _subgame_for(self, board: Board) -> tuple[int, Subgame, Custom]:
        if self._subgame is None or self._subgame[0] is not board:
            game = self._stage.playouts(board)
            judgement, network = judge_for(game, board, self._judgement, self._weights)
            judged = Variations(codec_of(board).new_simulator())
            usual = self._blueprint.on(game, board)
            self._subgame = board, judgement, Subgame(game, network, judged, ROOM), usual
        return self._subgame[1:]


def neighbours(scene: Scene) -> list[int]:
    """Return the other powers with a unit within two steps of one of ours."""
    tables, root, provinces = scene.codec.tables, scene.root, scene.game.provinces
    ours = {
        place
        for place in range(provinces)
        if root[place] >= 0 and root[provinces + place] == scene.power
    }
    near = set(ours)
    for _ in range(2):
        for place in tuple(near):
            near.update(tables.around[tables.around_start[place] : tables.around_start[place + 1]])
    found = {root[provinces + place] for place in near - ours if root[place] >= 0}
    return sorted(found - {scene.power})


def searchbot(  # noqa: PLR0913 - what a user may set in the bot's text
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    value: str = VALUE,
    blueprint: str = BLUEPRINT,
    candidates: float = 2.0,
    rollout: int = 0,
    usual: float | None = None,
    play: str = "best",
    rounds: int | None = None,
    learning: float = 0.4,
    others: float | None = None,
    guesses: int | None = None,
    models: str | None = None,
) -> EquilibriumSearcher:
    """Return SearchBot.

    `seconds` is the most that it thinks in a turn, by default what the game allows or one second;
    `iterations` makes it repeatable instead. `value`, `blueprint` and `candidates` (for each unit)
    name its parts, `rollout` is how many movement turns are played on before positions are judged.
    `usual` is how often we think that the others do what is usual; `play` says whether we answer
    what they do (`best`) or play the equilibrium's policy (`final`, `average`). What only serves
    variations and answers is refused where there are none. `models` are the programs whose plans
    are thought to be usual: `dbrane`, `several` or `none`, by default as many as there is time for,
    and none where iterations are counted.
    """
    if not 0 <= rollout <= LONGEST_ROLLOUT:
        raise BadInputError(f"rollout: {rollout} must be between 0 and {LONGEST_ROLLOUT}")
    tuned = {"usual": usual, "rounds": rounds, "others": others, "guesses": guesses}
    given: dict[str, Any] = {name: value for name, value in tuned.items() if value is not None}
    for name in given:
        if why := _why_dead(name, play=play, learning=learning, rounds=rounds):
            raise BadInputError(f"{name}: {why}; leave it out")
    if models is not None and models not in MODELS:
        raise BadInputError(f"models: {models!r} is not one of {', '.join(MODELS)}")
    manner = EquilibriumManner(play=play, learning=learning, **given)
    return EquilibriumSearcher(
        Patience(seconds=seconds, iterations=iterations),
        manner,
        value=value,
        blueprint=blueprint_named(blueprint),
        width=Width(each=candidates),
        rollout=rollout,
        models=models,
        informed=manner if usual is not None else evolve(manner, usual=USUAL_OF_SEVERAL),
    )


def _why_dead(name: str, *, play: str, learning: float, rounds: int | None) -> str:
    """Return why a parameter would change nothing beside the others; empty if it does."""
    answers = play not in {"final", "average"}
    if learning >= 1 and not answers:
        return f"with learning=1 and play={play} nothing is varied and nobody answered"
    if learning >= 1 and name in {"rounds", "others"}:
        return "with learning=1 nothing is varied"
    if rounds == 1 and name == "others":
        return "with rounds=1 nothing is varied for the others"
    if rounds == 1 and name == "usual" and not answers:
        return f"with rounds=1 and play={play} nobody is answered"
    if name == "guesses" and not answers:
        return f"with play={play} nothing is compared in the end"
    return ""


def brbot(  # noqa: PLR0913 - the same as for searchbot
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    value: str = VALUE,
    blueprint: str = BLUEPRINT,
    candidates: float = 2.0,
    rollout: int = 0,
) -> EquilibriumSearcher:
    """Return BRBot: as SearchBot, but the others do what is usual and nothing else."""
    return searchbot(
        seconds=seconds,
        iterations=iterations,
        value=value,
        blueprint=blueprint,
        candidates=candidates,
        rollout=rollout,
        usual=1.0,
        learning=0.0,
        rounds=1,
    )
