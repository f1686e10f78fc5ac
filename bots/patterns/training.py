"""Self-play: seven learners play each other, and each learns from every game.

In the paper a game ends when a power has seven centers, and those have succeeded that have kept all
their home centers and are among the first three. The learning rate falls from 5 to 1 over the run.
Variants of our own judge each year, or each unit by the center that it gains (see `credit`).
Retreats, builds and removals are drawn by lot: only the movement orders are learned.
"""

from collections.abc import Iterator, Sequence
from random import Random

from attrs import define, frozen

from bots.kernel import Fitting, Scene
from bots.patterns.choosing import coherent_sets, draw, thinned
from bots.patterns.concrete import concrete_sets, patterns_of
from bots.patterns.credit import Lesson, Trails
from bots.patterns.weights import Database, Variant, Weights, variant_of
from rules.board import Board
from rules.kernel import Simulator
from rules.kernel.codes import (
    CONVOY,
    FALL,
    HOLD,
    SPRING,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WINTER,
    kind_of,
    mover_of,
    target_of,
)
from rules.kernel.encode import Codec, codec_of

TOP = 5
FIRST_RATE = 5.0
LAST_RATE = 1.0
_LEADERS = 3
_OPENINGS = 10
_WORDS = {
    HOLD: "hold",
    SUPPORT_HOLD: "support",
    SUPPORT_MOVE: "support",
    CONVOY: "convoy",
}


@frozen(kw_only=True)
class Settings:
    """How a run is made."""

    games: int
    seed: int = 0
    variant: str = "units"
    candidates: int | None = None
    """To how many sets the choices of a turn are thinned; None for what the variant does."""


@define(eq=False)
class SelfPlayGame:
    """What came of a game of self-play."""

    successes: list[bool]
    centers: list[int]
    moves: int
    lessons: list[list[Lesson]]
    """By power what there is to learn."""


class Trainer:
    """Plays and learns; the same seed gives the same weights, in one run or several."""

    def __init__(self, board: Board, settings: Settings, database: Database | None = None) -> None:
        self._board = board
        self._settings = settings
        self._codec = codec_of(board)
        self._variant = variant_of(settings.variant)
        self._fitting = fitting_of(self._codec, self._variant)
        names = [power.name for power in board.powers]
        self.database = database or Database(
            {name: Weights(sizes=self._variant.sizes) for name in names},
            settings.variant,
            settings.seed,
        )
        self._weights = [self.database.powers[name] for name in names]

    def run(self) -> Iterator[SelfPlayGame]:
        """Play on until all games of the settings are played."""
        while self.database.games < self._settings.games:
            number = self.database.games
            random = Random(f"{self._settings.seed} patterns {number}")  # noqa: S311 - for play
            game = self.play(random)
            rate = self._rate(number)
            for weights, lessons in zip(self._weights, game.lessons, strict=True):
                learn = weights.learn_patterns if self._variant.is_featureless else weights.learn
                for lesson in lessons:
                    learn(lesson.orders, success=lesson.success, rate=rate)
            self.database.games += 1
            yield game

    def play(self, random: Random) -> SelfPlayGame:
        """Play one game with the weights as they are."""
        state = self._codec.load(self._board.start, self._codec.new_simulator())
        variant = self._variant
        given: list[dict[int, int]] = [{} for _ in self._weights]
        lessons: list[list[Lesson]] = [[] for _ in self._weights]
        trails = Trails(self._codec.tables, len(self._weights), variant.patience)
        centers = self._centers(state)
        moves = 0
        while state.year <= variant.last_year and max(centers) < variant.ends_at:
            year, owners = state.year, list(state.all_owners())
            while state.year == year and state.season != WINTER:
                if state.season in (SPRING, FALL):
                    moves += 1
                    self._move(state, random, given, trails)
                else:
                    state.step(by_lot(state, random))
            before, centers = centers, self._centers(state)
            if variant.patience:
                for power, learned in enumerate(trails.close_year(state, year, owners)):
                    lessons[power] += learned
            elif variant.learns_by_year:
                for power, orders in enumerate(given):
                    lessons[power].append(Lesson(orders, centers[power] > before[power]))
                given = [{} for _ in self._weights]
            if state.season == WINTER:
                state.step(by_lot(state, random))
        successes = self._successes(state)
        if not (variant.patience or variant.learns_by_year):
            lessons = [[Lesson(*each)] for each in zip(given, successes, strict=True)]
        return SelfPlayGame(successes, centers, moves, lessons)

    def _rate(self, game: int) -> float:
        done = game / max(1, self._settings.games - 1)
        return FIRST_RATE + (LAST_RATE - FIRST_RATE) * min(1.0, done)

    def _move(
        self, state: Simulator, random: Random, given: list[dict[int, int]], trails: Trails
    ) -> None:
        """Play a movement turn, and keep in mind what was ordered."""
        scene = Scene(state, is_wide=self._variant.is_wide)
        chosen: list[int] = []
        powers: list[int] = []
        kept: list[int] = []
        for power, choices in enumerate(scene.own_choices()):
            if choices:
                chooser = Chooser(
                    self._weights[power],
                    self._fitting,
                    self._variant,
                    self._settings.candidates or self._variant.candidates,
                )
                orders = chooser.choose(scene, power, self._noticed(choices, random), random)
                chosen += orders
                powers += [power] * len(orders)
                remembered = list(self._remembered(scene, power, orders))
                kept += remembered
                counts = given[power]
                for each in remembered:
                    counts[each] = counts.get(each, 0) + 1
        if self._variant.patience:
            trails.follow(state, powers, chosen, kept)
        state.step(chosen)

    def _remembered(self, scene: Scene, power: int, orders: Sequence[int]) -> Iterator[int]:
        """Go through what a learner keeps of the orders of a turn."""
        if self._variant.is_featureless:
            return patterns_of(orders)
        return (scene.vector(power, code) for code in orders)

    def _noticed(self, choices: list[list[int]], random: Random) -> list[list[int]]:
        """Leave out some orders by lot, where learners do; every unit keeps one at least."""
        if not self._variant.forgets:
            return choices
        return [
            [code for code in codes if random.random() >= self._variant.forgets] or codes
            for codes in choices
        ]

    def _centers(self, state: Simulator) -> list[int]:
        counts = [0] * len(self._weights)
        for owner in state.all_owners():
            if owner >= 0:
                counts[owner] += 1
        return counts

    def _successes(self, state: Simulator) -> list[bool]:
        centers = self._centers(state)
        least = sorted(centers, reverse=True)[_LEADERS - 1]
        owners = state.all_owners()
        homes = self._codec.tables.is_home
        return [
            count >= least
            and all(
                owners[province] == power
                for province in range(state.provinces)
                if homes[power * state.provinces + province]
            )
            for power, count in enumerate(centers)
        ]


@frozen
class Chooser:
    """Chooses one of the best sets of orders that a power has by its weights."""

    weights: Weights
    fitting: Fitting
    variant: Variant
    candidates: int | None = None
    """To how many sets the choices are thinned; None for not at all."""
    top: int = TOP
    """Among how many of the best sets one is drawn."""

    def choose(
        self, scene: Scene, power: int, choices: Sequence[Sequence[int]], random: Random
    ) -> list[int]:
        """Return an order for each unit, out of the choices that it has."""
        left = choices if self.candidates is None else thinned(choices, self.candidates, random)
        return draw(self.best(scene, power, left, random, choices), random)

    def best(
        self,
        scene: Scene,
        power: int,
        choices: Sequence[Sequence[int]],
        random: Random,
        spare: Sequence[Sequence[int]],
    ) -> list[tuple[float, list[int]]]:
        """Return the best sets with their scores; `spare` are the orders before thinning."""
        if self.variant.is_featureless:
            pairs = list(zip(choices, spare, strict=True))
            return concrete_sets(pairs, self.top, self.weights, self.fitting, random)
        scored = self._scored(scene, power, choices)
        # Where nothing was thinned there is nothing to spare.
        rest = None if spare is choices else self._scored(scene, power, spare)
        if self.variant.draws_ties:
            for each in (*scored, *(rest or ())):
                random.shuffle(each)
        return coherent_sets(scored, self.top, self.fitting, rest)

    def _scored(
        self, scene: Scene, power: int, choices: Sequence[Sequence[int]]
    ) -> list[list[tuple[float, int]]]:
        score = self.weights.memory.score
        return [[(score(scene.vector(power, code)), code) for code in codes] for codes in choices]


def fitting_of(codec: Codec, variant: Variant) -> Fitting:
    """Return what finds sets of orders for that kind of learner."""
    return Fitting(codec.tables, has_convoys=variant.has_convoys, may_exchange=variant.may_exchange)


def opening(board: Board, database: Database, power: str) -> dict[str, dict[str, int]]:
    """Return what each unit of a power does in the best sets of its first turn, in per cent."""
    codec = codec_of(board)
    variant = variant_of(database.variant)
    state = codec.load(board.start, codec.new_simulator())
    scene = Scene(state, is_wide=variant.is_wide)
    number = codec.power_index[board.power(power)]
    choices = scene.own_choices()[number]
    chooser = Chooser(database.powers[power], fitting_of(codec, variant), variant, None, _OPENINGS)
    sets = chooser.best(scene, number, choices, Random(0), choices)  # noqa: S311 - for ties
    found: dict[str, dict[str, int]] = {}
    for _, codes in sets:
        for code in sorted(codes):
            unit = str(codec.mover_places[mover_of(code)][1])
            what = _WORDS.get(kind_of(code)) or str(codec.locations[target_of(code)])
            shares = found.setdefault(unit, {})
            shares[what] = shares.get(what, 0) + 100 // len(sets)
    return found


def by_lot(state: Simulator, random: Random) -> list[int]:
    """Draw the orders of a retreat or adjustment turn."""
    if state.season != WINTER:
        return [choices[int(random.random() * len(choices))] for choices in state.legal_all()]
    orders = []
    for choices in state.legal_all():
        random.shuffle(choices)
        orders += choices
    return orders
