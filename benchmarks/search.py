"""Simulated phases per second of each searching player, and its time outside the kernel.

    python -m benchmarks.search [--seconds 1.0] [BOT ...]

Every player thinks about the same positions, for so many seconds each. Whatever it calls in the
kernel's search objects is timed; the calls are counted as outside, so the share is rather too high.
A player that needs no kernel has no simulated phases and spends all its time outside.

At last playouts run in one thread and in two: what the second one is worth by the clock, which says
something on a machine with two idle cores, and what it costs in CPU time, which always does. Beside
it stands what a second process is worth that only counts: so much this machine gives just now.
"""

import argparse
from array import array
from collections.abc import Callable
from multiprocessing import Process
from random import Random
from threading import Thread
from time import perf_counter, thread_time
from typing import Any

import bots.search.scene
import bots.search.tree
from bots.kernel import Actions, Playouts
from bots.registry import make_bot
from bots.view import GameView
from rules.kernel import IS_COMPILED
from rules.kernel.encode import codec_of
from rules.maps import load_map
from rules.position import Position

PLAYERS = (
    "mcts/best",
    *(f"mcts/v{number}" for number in range(1, 9)),
    "montecarlo/pruning",
    "montecarlo/plain",
    "dbrane",
)
PLAYOUTS = 400
RUNS = 5
COUNTED = 10**7
MOVEMENTS = (0, 3, 8, 13)
"""After how many movement turns of a game the positions are taken."""


class Meter:
    """How long the kernel's objects were at work, and what they did."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.games: list[Playouts] = []

    def phases(self) -> int:
        """Return how many phases were simulated."""
        return sum(game.phases for game in self.games)

    def playouts(self, simulator: Any) -> "Timed":  # noqa: ANN401 - as the class it stands for
        """Stand in for `Playouts`."""
        self.games.append(Playouts(simulator))
        return Timed(self.games[-1], self)

    def actions(self, game: "Timed") -> "Timed":
        """Stand in for `Actions`."""
        return Timed(Actions(game.inner), self)


class Timed:
    """An object of the kernel whose calls are timed."""

    def __init__(self, inner: Any, meter: Meter) -> None:  # noqa: ANN401 - any kernel object
        self.inner = inner
        self._meter = meter

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the object has
        found = getattr(self.inner, name)
        if not callable(found):
            return found
        timed = self._timed(found)
        setattr(self, name, timed)
        return timed

    def _timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        meter = self._meter

        def timed(*arguments: Any) -> Any:  # noqa: ANN401 - as the call
            started = perf_counter()
            result = call(*arguments)
            meter.seconds += perf_counter() - started
            return result

        return timed


def positions() -> list[Position]:
    """Return positions of one game, as the kernel plays it."""
    codec = codec_of(load_map())
    found = []
    for movements in MOVEMENTS:
        game = Playouts(codec.new_simulator())
        codec.load(codec.board.start, game.state)
        game.state.seed(1)
        game.run(movements)
        game.settle_turn()
        found.append(codec.position(game.state))
    return found


def measure(text: str, seconds: float) -> tuple[float, float, float]:
    """Return phases per second, the share outside the kernel, and the seconds of a turn."""
    meter = Meter()
    # What is measured stands in its place.
    setattr(bots.search.scene, "Playouts", meter.playouts)  # noqa: B010 - see there
    setattr(bots.search.tree, "Actions", meter.actions)  # noqa: B010 - see there
    tactic = make_bot(text).tactic
    board = load_map()
    spent = 0.0
    turns = 0
    for position in positions():
        for power in (board.powers[0], board.powers[3]):
            view = GameView(
                board=board, power=power, position=position, random=Random(1), seconds=seconds
            )
            started = perf_counter()
            tactic.choose_orders(view)
            spent += perf_counter() - started
            turns += 1
    return meter.phases() / spent, 1 - meter.seconds / spent, spent / turns


def play_on(game: Playouts, spent: list[float]) -> None:
    """Play many games by the policies from the start of the map, and note the CPU time."""
    codec = codec_of(load_map())
    codec.load(codec.board.start, game.state)
    kept = game.save()
    started = thread_time()
    game.aim(kept, 40, 0)
    starts = array("i", [0] * (PLAYOUTS + 1))
    game.weigh(array("q"), array("q"), starts, 1, array("d", bytes(8 * PLAYOUTS)))
    spent.append(thread_time() - started)


def in_threads(count: int) -> tuple[float, float]:
    """Return the seconds by the clock, and of CPU time in all, of so many threads."""
    codec = codec_of(load_map())
    games = [Playouts(codec.new_simulator()) for _ in range(count)]
    spent: list[float] = []
    threads = [Thread(target=play_on, args=(game, spent)) for game in games]
    started = perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return perf_counter() - started, sum(spent)


def second_core() -> tuple[float, float]:
    """Return what a second thread is worth, and how its CPU time compares; runs take turns."""
    runs = [(in_threads(1), in_threads(2)) for _ in range(RUNS)]
    clock_of_one, cpu_of_one = (min(one[kind] for one, _ in runs) for kind in (0, 1))
    clock_of_two, cpu_of_two = (min(two[kind] for _, two in runs) for kind in (0, 1))
    return 2 * clock_of_one / clock_of_two, cpu_of_two / (2 * cpu_of_one)


def count_up() -> None:
    """Keep one core busy."""
    for _ in range(COUNTED):
        pass


def in_processes(count: int) -> float:
    """Return the seconds by the clock of so many processes that only count."""
    processes = [Process(target=count_up) for _ in range(count)]
    started = perf_counter()
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return perf_counter() - started


def second_process() -> float:
    """Return what a second process is worth to work that shares nothing."""
    runs = [(in_processes(1), in_processes(2)) for _ in range(RUNS)]
    return 2 * min(one for one, _ in runs) / min(two for _, two in runs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("players", nargs="*", default=PLAYERS, metavar="BOT")
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    print(f"kernel: {'compiled' if IS_COMPILED else 'plain'}; {options.seconds} seconds a turn")
    print(f"{'player':<20} {'phases/s':>10} {'outside':>8} {'s/turn':>7}")
    for text in options.players:
        rate, outside, turn = measure(text, options.seconds)
        print(f"{text:<20} {rate:>10,.0f} {outside:>8.0%} {turn:>7.3f}")
    worth, cost = second_core()
    print(f"two threads play {worth:.2f} times as many games as one; CPU a game: {cost:.2f} times")
    print(f"two processes count {second_process():.2f} times as much as one")


if __name__ == "__main__":
    main()
