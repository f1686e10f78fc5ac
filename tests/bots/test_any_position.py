"""Laws of the younger players on positions that nobody has chosen: dice, crowds, and leftovers.

A player that gives an illegal order or raises is not seen in a game: what lacks is completed, and
the game goes on with units that hold. So the laws are asked of the players themselves.
"""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from attrs import evolve

from bots.completing import complete
from bots.registry import make_bot
from bots.strategy import Tactic
from bots.view import Beliefs, GameView
from rules.board import Board
from rules.kernel.encode import codec_of
from rules.legal_orders import legal_orders
from rules.maps import load_map
from rules.orders import Build, Hold, Move, MoveByConvoy, Order, Remove, Retreat, Waive
from rules.places import Power
from rules.position import Position
from rules.turns import Phase, Season, Turn
from tests.rules.positions import generate

PLAYERS = (
    "searchbot/iterations=4",
    "brbot/iterations=4",
    "talleyrand/iterations=4",
    "project20m",
    "probable",
    "bordeaux",
    "diplomat",
)
MAPS = ("standard", "lagoon", "fourwinds")
each_player = pytest.mark.parametrize("player", PLAYERS)
each_map = pytest.mark.parametrize("variant", MAPS)


def made(player: str) -> Tactic:
    return make_bot(player).tactic


def seen(
    board: Board, position: Position, power: Power, beliefs: Beliefs | None = None
) -> GameView:
    return GameView(
        board=board,
        power=power,
        position=position,
        random=Random(5),
        beliefs=beliefs or Beliefs(),
    )


@cache
def diced(variant: str) -> tuple[Position, ...]:
    """Return positions of games in which everybody plays by dice, of all phases."""
    board = load_map(variant)
    codec = codec_of(board)
    found: list[Position] = []
    for seed in range(3):
        state = codec.load(board.start, codec.new_simulator())
        state.seed(seed)
        played = []
        for _ in range(60):
            state.step_by_dice()
            played.append(codec.position(state))
        for phase in Phase:
            of_phase = [each for each in played if each.turn.phase is phase]
            found += of_phase[len(of_phase) // 2 :][:1]
    assert {each.turn.phase for each in found} == set(Phase)
    return tuple(found)


@cache
def crowded(variant: str) -> tuple[Position, ...]:
    """Return movement turns full of trouble; nobody owns a center in them."""
    board = load_map(variant)
    return tuple(generate(board, seed, most_units=14).position for seed in range(3))


def assert_lawful(tactic: Tactic, view: GameView) -> None:
    """Assert that the orders are legal, and all that are wanted."""
    wanted = list(tactic.choose_orders(view))
    done = complete(view, wanted)
    assert done.refused == (), (view.power, view.position)
    assert sorted(map(str, wanted)) == sorted(map(str, done.orders)), (view.power, view.position)


@each_map
@each_player
def test_orders_are_legal_and_complete_wherever_dice_lead(player: str, variant: str) -> None:
    board, tactic = load_map(variant), made(player)
    for number, position in enumerate(diced(variant)):
        power = board.powers[number % len(board.powers)]
        assert_lawful(tactic, seen(board, position, power))


@each_map
@each_player
def test_orders_are_legal_and_complete_in_a_crowd_without_owners(player: str, variant: str) -> None:
    board, tactic = load_map(variant), made(player)
    for position in crowded(variant):
        power = max(board.powers, key=lambda each: len(seen(board, position, each).units))
        assert_lawful(tactic, seen(board, position, power))


def leftovers(board: Board) -> Iterator[tuple[Power, Position]]:
    """Give positions in which little is left: of us, of the others, or of everybody."""
    ours, theirs = board.powers[:2]
    start = board.start
    one = next(unit for unit in start.units if unit.power == ours)
    nobody: dict[object, object] = {}
    for turn in (Turn(Season.SPRING, 1907), Turn(Season.WINTER, 1907)):
        of_others = tuple(unit for unit in start.units if unit.power != ours)
        alone = tuple(unit for unit in start.units if unit.power == ours)
        taken = dict.fromkeys(board.centers, theirs)
        yield ours, Position(turn, of_others, (), taken)  # we are out of the game
        yield ours, Position(turn, (one, *of_others), (), taken)  # one unit, no center
        yield ours, Position(turn, alone, (), dict.fromkeys(board.centers, ours))  # all is ours
        yield ours, Position(turn, (one,), (), nobody)  # type: ignore[arg-type]  # may be no unit of ours
        yield ours, Position(turn, (), (), start.owners)  # nobody has a unit
        yield ours, Position(turn, (), (), nobody)  # type: ignore[arg-type]  # nobody owns a thing


@each_map
@each_player
def test_little_is_enough(player: str, variant: str) -> None:
    board, tactic = load_map(variant), made(player)
    for power, position in leftovers(board):
        assert_lawful(tactic, seen(board, position, power))


@each_player
def test_the_same_chances_give_the_same_orders_in_every_phase(player: str) -> None:
    board = load_map()
    for position in diced("standard")[:3]:
        view = seen(board, position, board.power("TUR"))
        first = list(made(player).choose_orders(view))
        assert list(made(player).choose_orders(evolve(view, random=Random(5)))) == first


def movements(variant: str) -> list[Position]:
    return [each for each in diced(variant) if each.turn.phase is Phase.MOVEMENT]


def entered(order: Order) -> str:
    """Return the province that an order leads into, '' if into none."""
    match order:
        case Move() | Retreat():
            return order.destination.province.name
        case MoveByConvoy():
            return order.destination.name
    return ""


@each_player
def test_whatever_was_promised_is_ordered(player: str) -> None:
    """Promises of any kind: holds, moves and supports of any unit."""
    board, random = load_map(), Random(2)
    for position in movements("standard"):
        for power in board.powers:
            view = seen(board, position, power)
            if not view.units:
                continue
            options = legal_orders(board, position, power)[random.choice(view.units)]
            promised = random.choice(options)
            beliefs = Beliefs(promised=(promised,))
            given = made(player).choose_orders(seen(board, position, power, beliefs))
            assert promised in given, (power, promised)


@each_player
def test_what_is_closed_is_not_entered_in_any_phase(player: str) -> None:
    board, random = load_map(), Random(4)
    for position in diced("standard"):
        for power in board.powers[:4]:
            closed = frozenset(random.sample(board.provinces, 25))
            view = seen(board, position, power, Beliefs(closed=closed))
            names = {each.name for each in closed}
            assert not names & {entered(each) for each in made(player).choose_orders(view)}


@each_player
def test_in_winter_there_are_as_many_orders_as_are_due(player: str) -> None:
    board = load_map()
    for position in (each for each in diced("standard") if each.turn.phase is Phase.ADJUSTMENT):
        for power in board.powers:
            view = seen(board, position, power)
            given = list(made(player).choose_orders(view))
            assert len(given) == abs(view.adjustment)
            kinds = Remove if view.adjustment < 0 else Build | Waive
            assert all(isinstance(each, kinds) for each in given)


def test_the_laws_are_asked_of_a_player_who_breaks_them() -> None:
    """A law that nobody can break says nothing."""

    class Stubborn(Tactic):
        def choose_orders(self, view: GameView) -> list[Order]:
            return [Hold(unit) for unit in view.position.units]

    board = load_map()
    with pytest.raises(AssertionError):
        assert_lawful(Stubborn(), seen(board, board.start, board.powers[0]))
