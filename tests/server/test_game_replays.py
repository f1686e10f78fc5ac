"""Whole random games, heard by a client that checks every result against the next position."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from grammar.messages import Now, OrderOutcome
from grammar.write import write
from rules.board import Board
from rules.maps import load_map, map_names
from rules.orders import Convoy, Hold, OrderResult
from server.effects import Effect, Send
from server.settings import GameSettings
from tests.patience import PATIENCE
from tests.server.red import FoundWrongUnitError, Replay
from tests.server.table import Heard, Table, heard_by, unit_text


class WatchedTable(Table):
    """A table whose every broadcast R.E.D. hears as tokens."""

    def __init__(self, settings: GameSettings, board: Board, seed: int) -> None:
        super().__init__(settings, board=board, seed=seed)
        self.replay = Replay()
        self.outcomes: list[OrderOutcome] = []

    def _told(self, effects: list[Effect]) -> Heard:  # type: ignore[override]  # narrower here
        watcher = self.numbers.get("watcher")
        names = self.game.representation
        for effect in effects:
            if isinstance(effect, Send) and watcher in effect.to:
                self.replay.hear_tokens(write(effect.message, names), names)
                if isinstance(effect.message, OrderOutcome):
                    self.outcomes.append(effect.message)
        return super()._told(effects)


def play(settings: GameSettings, board: Board, seed: int) -> WatchedTable:
    """Play a game of random orders, some of them missing at the deadline."""
    table = WatchedTable(settings, board, seed)
    table.observe()
    table.fill()
    chance = Random(seed)
    while table.game.stage.value == "running":
        turn = table.game.position.turn
        for name in table.powers:
            text = table.random_orders(name, chance) if table.game.position.turn == turn else ""
            if text and chance.random() < 0.95 and table.game.stage.value == "running":
                table.say(name, text)
        if table.game.position.turn == turn:
            table.wait(1)
    return table


LIMITS = GameSettings(movement_limit=1, retreat_limit=1, build_limit=1, last_year=1910)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", map_names())
def test_every_position_of_a_whole_game_follows_from_the_results_before_it(
    name: str, seed: int
) -> None:
    table = play(LIMITS, load_map(name), seed)
    assert table.game.ending
    assert table.replay.positions > 10 or table.game.ending.winner
    assert len(table.game.history.turns) == table.replay.positions - 1


def wild_order(table: Table, unit: str, chance: Random) -> str:
    """Return an order that can be read, and hardly ever makes sense."""
    places = [each.name for each in table.board.provinces]
    seas = [each.name for each in table.board.provinces if each.is_sea]
    place, goal = chance.choice(places), chance.choice(places)
    other = unit_text(chance.choice(table.game.position.units))
    coast = chance.choice(["NCS", "SCS", "ECS", "WCS"])
    via = " ".join(chance.choices(seas, k=chance.randint(1, 30)))
    return chance.choice(
        [
            f"( {unit} ) HLD",
            f"( {unit} ) MTO {place}",
            f"( {unit} ) MTO ( {place} {coast} )",
            f"( {unit} ) SUP ( {other} )",
            f"( {unit} ) SUP ( {unit} ) MTO {goal}",
            f"( {unit} ) SUP ( {other} ) MTO {goal}",
            f"( {unit} ) CVY ( {other} ) CTO {goal}",
            f"( {unit} ) CTO {goal} VIA ( {via} )",
            f"( {unit} ) RTO {place}",
            f"( {unit} ) RTO ( {place} {coast} )",
            f"( {other} ) HLD",
            f"( {unit} ) BLD",
            f"( {unit} ) REM",
            f"( {unit} ) DSB",
        ]
    )


@pytest.mark.parametrize("any_orders", [True, False])
@pytest.mark.parametrize("name", map_names())
def test_wild_orders_never_break_a_game_or_its_results(name: str, *, any_orders: bool) -> None:
    chance = Random(13)
    table = WatchedTable(evolve(LIMITS, any_orders=any_orders), load_map(name), 13)
    table.observe()
    table.fill()
    while table.game.stage.value == "running":
        for power in table.powers:
            position = table.game.position
            units = [*position.units, *(out.unit for out in position.dislodged)]
            mine = [unit_text(each) for each in units if each.power.name == power]
            if mine and table.game.stage.value == "running":
                wild = " ".join(f"( {wild_order(table, each, chance)} )" for each in mine)
                answers = table.ask(power, f"SUB {wild}")
                assert sum(each.startswith("THX") for each in answers) == len(mine)
        table.wait(1)
    assert table.replay.positions > 10


def test_a_convoy_is_never_reported_as_bounced() -> None:
    table = play(evolve(LIMITS, last_year=1906), load_map(), 5)
    results = {each.result for each in table.outcomes if isinstance(each.order, Convoy)}
    assert OrderResult.BOUNCED not in results
    assert results <= {OrderResult.SUCCEEDED, OrderResult.NO_SUCH_ORDER, None}


def test_the_check_finds_a_unit_that_no_result_explains() -> None:
    table = WatchedTable(LIMITS, load_map(), 0)
    table.observe()
    table.fill()
    now = table.replay.now
    assert now is not None
    for unit in table.board.start.units:
        table.replay.hear(OrderOutcome(now.turn, Hold(unit), OrderResult.SUCCEEDED))
    units = now.units[1:]
    with pytest.raises(FoundWrongUnitError, match="found wrong unit"):
        table.replay.hear(Now(now.turn, units))


def test_two_games_with_the_same_seed_and_decisions_are_the_same_to_the_letter() -> None:
    first, second = (play(evolve(LIMITS, last_year=1904), load_map("lagoon"), 11) for _ in range(2))
    assert heard_by("watcher", first.log) == heard_by("watcher", second.log)


PRINT_A_GAME = """
import sys
import structlog
from attrs import evolve
from rules.maps import load_map
from tests.server.test_game_replays import LIMITS, play
# Its lines have the time of day, which is no part of the game.
structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
print(play(evolve(LIMITS, last_year=1903), load_map(), 17).log)
"""


def test_a_game_is_the_same_in_processes_that_hash_differently() -> None:
    root = Path(__file__).parents[2]
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PRINT_A_GAME],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
        )
        for seed in ("1", "2")
    ]
    first, second = (process.communicate(timeout=PATIENCE)[0] for process in started)
    assert len(first) > 10_000
    assert first == second
