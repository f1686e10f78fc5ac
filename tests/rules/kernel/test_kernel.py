import json
import random
import subprocess
import sys
from array import array

import pytest

from rules.board import Board
from rules.errors import BadInputError
from rules.kernel import IS_COMPILED, Simulator, codes
from rules.kernel.encode import Codec, codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.maps import load_map
from rules.notation import format_order
from rules.orders import MoveByConvoy, Unit, UnitKind
from rules.places import Location, Power

needs_compiler = pytest.mark.skipif(not IS_COMPILED, reason="the kernel is not compiled here")


@pytest.fixture
def codec() -> Codec:
    return codec_of(load_map())


def crowd(codec: Codec, rng: random.Random, count: int) -> tuple[list[tuple[int, int]], int]:
    """Put units close together, many fleets at sea among them: (mover, power) each."""
    tables = codec.tables
    movers = list(codec.mover_places)
    rng.shuffle(movers)
    start = tables.mover_province[movers[0]]
    near = {start}
    while len(near) < count:
        here = rng.choice(sorted(near))
        near.update(tables.around[tables.around_start[here] : tables.around_start[here + 1]])
    found: dict[int, tuple[int, int]] = {}
    for mover in movers:
        province = tables.mover_province[mover]
        if province in near and province not in found:
            found[province] = (mover, rng.randrange(3))
    return list(found.values())[:count], rng.randrange(2**31)


def matched_orders(state: Simulator, rng: random.Random) -> list[int]:
    """Choose convoys that stand, then moves, and supports and attacks that fit what was chosen."""
    lists = {codes.mover_of(found[0]): found for found in state.legal_all()}
    chosen: dict[int, int] = {}
    wanted: set[tuple[int, int]] = set()
    goals: set[int] = set()
    movers = list(lists)
    rng.shuffle(movers)
    for mover in movers:
        convoyed = [code for code in lists[mover] if codes.kind_of(code) == codes.MOVE_BY_CONVOY]
        if convoyed and len(goals) < 4:
            fleets = launch(state, rng.choice(convoyed), chosen)
            goals.update(fleets)
    wanted.update((mover, codes.target_of(code)) for mover, code in chosen.items())
    for mover in movers:
        if mover in chosen:
            continue
        found = lists[mover]
        fitting = [code for code in found if is_wanted(code, wanted)]
        moves = [code for code in found if codes.kind_of(code) == codes.MOVE]
        attacks = [code for code in moves if codes.target_of(code) in goals]
        options = [group for group in (fitting, fitting, attacks, moves) if group]
        code = rng.choice(rng.choice(options) if options else found)
        if codes.kind_of(code) == codes.MOVE:
            wanted.add((mover, codes.target_of(code)))
        chosen[mover] = code
    return list(chosen.values())


def launch(state: Simulator, code: int, chosen: dict[int, int]) -> list[int]:
    """Order a move by convoy and all its fleets, if they are free; return their seas."""
    army, goal = codes.mover_of(code), codes.target_of(code)
    seas = state.seas_of_path(army, goal, codes.path_of(code))
    fleets = [state.unit[sea] for sea in seas]
    if army in chosen or any(fleet in chosen for fleet in fleets):
        return []
    chosen[army] = code
    for fleet in fleets:
        chosen[fleet] = codes.pack(codes.CONVOY, fleet, goal, army)
    return seas


def is_wanted(code: int, wanted: set[tuple[int, int]]) -> bool:
    kind = codes.kind_of(code)
    helps = kind in (codes.SUPPORT_MOVE, codes.CONVOY)
    return helps and (codes.other_of(code), codes.target_of(code)) in wanted


def place(state: Simulator, units: list[tuple[int, int]]) -> None:
    state.clear()
    state.set_turn(codes.SPRING, 1901)
    for mover, power in units:
        state.place_unit(mover, power)


@needs_compiler
@pytest.mark.parametrize("seed", range(4))
def test_plain_and_compiled_agree_on_crowded_positions(codec: Codec, seed: int) -> None:
    rng = random.Random(seed)
    fast, plain = Simulator(codec.tables), PlainSimulator(codec.tables)
    for _ in range(5000):
        units, _seed = crowd(codec, rng, rng.randrange(4, 16))
        place(fast, units)
        place(plain, units)
        orders = matched_orders(fast, rng)
        assert fast.judge_all(orders) == plain.judge_all(orders)
        fast.step(orders)
        plain.step(orders)
        assert codec.position(fast) == codec.position(plain)


@needs_compiler
def test_plain_and_compiled_list_the_same_legal_orders(codec: Codec) -> None:
    rng = random.Random(2)
    fast, plain = Simulator(codec.tables), PlainSimulator(codec.tables)
    for _ in range(30):
        units, _seed = crowd(codec, rng, 12)
        place(fast, units)
        place(plain, units)
        assert fast.legal_all() == plain.legal_all()


@needs_compiler
def test_the_same_seed_plays_the_same_game_plain_or_compiled(codec: Codec, board: Board) -> None:
    fast, plain = Simulator(codec.tables), PlainSimulator(codec.tables)
    for seed in (1, 2**40 + 3):
        for state in (fast, plain):
            codec.load(board.start, state)
            state.seed(seed)
            state.play(1908, 10_000)
        assert codec.position(fast) == codec.position(plain)


def test_results_do_not_depend_on_the_order_of_the_input(codec: Codec) -> None:
    rng = random.Random(3)
    state = codec.new_simulator()
    for _ in range(100):
        units, _seed = crowd(codec, rng, 12)
        place(state, units)
        orders = matched_orders(state, rng)
        outcomes = dict(zip(orders, state.judge_all(orders), strict=True))
        rng.shuffle(orders)
        assert dict(zip(orders, state.judge_all(orders), strict=True)) == outcomes


def test_random_games_to_1920_never_stop_early(codec: Codec, board: Board) -> None:
    state = codec.new_simulator()
    for seed in range(40 if IS_COMPILED else 2):
        codec.load(board.start, state)
        state.seed(seed)
        state.play(1920, 10**6)
        assert state.winner >= 0 or state.year == 1921


def test_a_phase_limit_ends_a_playout(codec: Codec, board: Board) -> None:
    state = codec.load(board.start, codec.new_simulator())
    assert state.play(1920, 3) == 3


def test_a_batch_gives_the_outcomes_of_single_calls(codec: Codec, board: Board) -> None:
    rng = random.Random(4)
    state = codec.load(board.start, codec.new_simulator())
    lists = state.legal_all()
    sets = [[rng.choice(found) for found in lists] for _ in range(20)]
    flat = array("q", [code for orders in sets for code in orders])
    starts = array("i", [22 * number for number in range(21)])
    outcomes = bytearray(len(flat))
    state.judge_batch(flat, starts, outcomes)  # type: ignore[arg-type]  # arrays when compiled
    assert bytes(outcomes) == b"".join(state.judge_all(orders) for orders in sets)


def test_nonsense_codes_are_passed_over(codec: Codec, board: Board) -> None:
    state = codec.load(board.start, codec.new_simulator())
    rng = random.Random(6)
    nonsense = [rng.getrandbits(62) for _ in range(3000)]
    state.judge_all(nonsense)
    for season in range(5):
        codec.load(board.start, state)
        state.set_turn(season, 1901)
        state.step(nonsense)


@pytest.mark.parametrize("ends", [(-1, 0), (0, -1), (81, 100_827_155), (1 << 20, 0)])
def test_a_path_between_provinces_that_are_not_there_is_refused(
    codec: Codec, ends: tuple[int, int]
) -> None:
    for state in (codec.new_simulator(), PlainSimulator(codec.tables)):
        with pytest.raises(IndexError, match="there is no province"):
            state.seas_of_path(*ends, 8)
        with pytest.raises(IndexError, match="there is no province"):
            state.number_of_path(*ends, [1])


def test_every_legal_code_is_judged_fine_and_survives_decoding(codec: Codec, board: Board) -> None:
    rng = random.Random(7)
    state = codec.new_simulator()
    units, _seed = crowd(codec, rng, 14)
    place(state, units)
    power = board.powers[0]
    for found in state.legal_all():
        for code in found:
            assert state.note_for(code) == codes.FINE
            assert codec.code(codec.order(code, power)) == code


def test_convoys_of_any_length_are_listed(codec: Codec, board: Board) -> None:
    state = codec.new_simulator()
    seas = ["NTH", "ECH", "MAO", "WES", "TYS", "ION", "AEG"]
    fleet = UnitKind.FLEET
    movers = [
        codec.movers[fleet, codec.locations[codec.province_index[board.province(sea)]]]
        for sea in seas
    ]
    army = codec.province_index[board.province("NWY")]
    place(state, [*((mover, 0) for mover in movers), (army, 0)])
    orders = [codec.order(code, board.powers[0]) for code in state.legal(army)]
    longest = max(
        (order for order in orders if isinstance(order, MoveByConvoy)),
        key=lambda order: len(order.via),
    )
    assert [sea.name for sea in longest.via] == seas
    assert "A NWY - CON VIA NTH ECH MAO WES TYS ION AEG" in map(format_order, orders)


def test_a_unit_that_cannot_stand_there_is_named(codec: Codec, board: Board) -> None:
    sea = Location(board.province("NTH"))
    with pytest.raises(BadInputError, match="an army cannot be at sea: 'NTH'"):
        codec.numbers(Unit(board.powers[0], UnitKind.ARMY, sea))
    with pytest.raises(BadInputError, match="no such power: 'XXX'"):
        codec.numbers(Unit(Power("XXX"), UnitKind.FLEET, sea))


def test_the_plain_kernel_can_be_asked_for() -> None:
    program = "from rules.kernel import IS_COMPILED; print(IS_COMPILED)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"DAIDE_PURE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"


def test_without_the_extension_everything_works() -> None:
    program = (
        "import sys; sys.modules['rules.kernel._compiled.simulator'] = None\n"
        "from cli.adjudicate import main; sys.exit(main([]))"
    )
    line = '{"turn": ["SPR", 1901], "units": {"ENG": ["F LON"]}}'
    done = subprocess.run(
        [sys.executable, "-c", program], input=line, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["units"] == {"ENG": ["F LON"]}
    assert done.stderr == ""


@pytest.mark.parametrize("is_crowded", [False, True])
def test_dice_draw_from_all_legal_orders_and_no_others(codec: Codec, *, is_crowded: bool) -> None:
    rng = random.Random(11)
    state = PlainSimulator(codec.tables)
    if is_crowded:
        state.sure_length = 1  # as if every other path might be too long for a code
    for _ in range(150):
        units, _seed = crowd(codec, rng, rng.randrange(4, 18))
        place(state, units)
        lists = state.legal_all()
        state.number_orders()
        if is_crowded:
            state.is_crowded = 1  # as if there were more armies and fleets than a mask has bits
        for found, province in zip(lists, state.units, strict=False):
            drawn = []
            for number in range(state.count_orders(province)):
                state.count_orders(province)
                drawn.append(state.order_at(province, number))
            assert drawn == found
