"""Lines a second of `daide adjudicate`, by phase: `python -m benchmarks.lines [--games N]`.

The lines are those of games that the kernel plays by DumbBot's planning, with every seventh order
by dice, so that there are convoys and supports of all kinds. CPU time of this process.
"""

import argparse
import io
import json
import random
import time
from typing import Any

from bots.kernel import Playouts
from bots.kernel.habits import DUMBBOT
from rules.board import Board
from rules.json_lines import run
from rules.kernel.codes import FALL, SPRING, mover_of
from rules.kernel.encode import Codec, codec_of
from rules.legal_orders import legal_adjustments, legal_orders
from rules.legality import Judge
from rules.maps import load_map
from rules.notation import format_order
from rules.orders import Order, OrderNote
from rules.position import Position
from rules.position_json import position_to_json
from rules.turns import Phase

BY_DICE = 0.15
RUNS = 3


def lines_of_games(board: Board, games: int) -> dict[str, list[str]]:
    """Return the lines of some games by phase."""
    codec, rng = codec_of(board), random.Random(1)
    found: dict[str, list[str]] = {phase.value: [] for phase in Phase}
    for seed in range(games):
        game = Playouts(codec.new_simulator())
        codec.load(board.start, game.state)
        game.state.seed(seed)
        while game.state.year < 1912 and game.state.winner < 0:
            position = codec.position(game.state)
            orders = orders_for(codec, game, position, rng)
            data: dict[str, Any] = {**position_to_json(position)}
            data["orders"] = [
                {"power": name, "order": format_order(order)} for name, order in orders
            ]
            found[position.turn.phase.value].append(json.dumps(data) + "\n")
            codec.load(position, game.state)
            game.state.step([codec.code(order) for _, order in orders])
    return found


def orders_for(
    codec: Codec, game: Playouts, position: Position, rng: random.Random
) -> list[tuple[str, Order]]:
    """Return legal orders for everybody."""
    board = codec.board
    if position.turn.phase is Phase.ADJUSTMENT:
        judge = Judge(board, position)
        chosen: list[tuple[str, Order]] = []
        for power in board.powers:
            wanted = legal_adjustments(board, position, power)
            taken: list[Order] = []
            for order in rng.sample(wanted, len(wanted)):
                if judge.judge(order, power, taken) is OrderNote.MIGHT_BE_VALID:
                    taken.append(order)
            chosen += [(power.name, order) for order in taken]
        return chosen
    plans: dict[int, int] = {}
    if game.state.season in (SPRING, FALL):
        game.value(DUMBBOT)
        for number in range(game.powers):
            plans |= {mover_of(code): code for code in game.sample(number)}
    found = legal_orders(board, position)
    by_place = {unit.location.province: unit for unit in position.units}
    return [
        (
            unit.power.name,
            rng.choice(orders)
            if rng.random() < BY_DICE or not plans
            else codec.order(plans[codec.mover(unit)], unit.power, by_place),
        )
        for unit, orders in found.items()
    ]


def rate(board: Board, lines: list[str], *, explain: bool) -> float:
    """Return how many lines a second are answered; the best of some runs."""
    best = float("inf")
    for _ in range(RUNS):
        started = time.process_time()
        run(board, lines, io.StringIO(), explain=explain)
        best = min(best, time.process_time() - started)
    return len(lines) / best


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=30, metavar="N")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    board = load_map()
    found = lines_of_games(board, options.games)
    found["all"] = [line for lines in found.values() for line in lines]
    figures = {
        phase: {
            "plain": rate(board, lines, explain=False),
            "explain": rate(board, lines, explain=True),
        }
        for phase, lines in found.items()
    }
    if options.json:
        print(json.dumps(figures))
        return
    for phase, each in figures.items():
        count = len(found[phase])
        print(f"{phase:<12} {count:>6} lines {each['plain']:>10,.0f} a second", end="")
        print(f" {each['explain']:>10,.0f} with --explain")


if __name__ == "__main__":
    main()
