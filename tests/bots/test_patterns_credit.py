"""Pattern weights: which orders are given credit for a center."""

from bots.patterns.credit import Trails
from rules.kernel import Simulator
from rules.kernel.codes import AUTUMN, SUMMER
from rules.kernel.encode import codec_of
from rules.maps import load_map
from rules.notation import parse_order

BOARD = load_map()
CODEC = codec_of(BOARD)
POWERS = len(BOARD.powers)
TURKEY, RUSSIA = (CODEC.power_index[BOARD.power(name)] for name in ("TUR", "RUS"))


def start() -> Simulator:
    return CODEC.load(BOARD.start, CODEC.new_simulator())


def play(state: Simulator, trails: Trails, **orders: str) -> list[int]:
    """Play a movement turn; each order stands for itself in the lessons."""
    position = CODEC.position(state)
    powers, codes = [], []
    for name, texts in orders.items():
        power = BOARD.power(name)
        for text in texts.split(", "):
            powers.append(CODEC.power_index[power])
            codes.append(CODEC.code(parse_order(BOARD, position, power, text)))
    trails.follow(state, powers, codes, codes)
    state.step(codes)
    if state.season in (SUMMER, AUTUMN):
        state.step([])
    return codes


def learned(trails: Trails, state: Simulator, year: int, power: int) -> tuple[set[int], set[int]]:
    """Return what was right and what was wrong."""
    owners = CODEC.load(BOARD.start, CODEC.new_simulator()).all_owners()
    lessons = trails.close_year(state, year, owners)[power]
    right = {code for lesson in lessons if lesson.success for code in lesson.orders}
    wrong = {code for lesson in lessons if not lesson.success for code in lesson.orders}
    return right, wrong


def test_all_orders_that_led_a_unit_to_a_center_were_right() -> None:
    state, trails = start(), Trails(CODEC.tables, POWERS, 1)
    spring = play(state, trails, TUR="A CON - BUL, A SMY - SYR")
    fall = play(state, trails, TUR="A BUL H, A SYR H")
    right, wrong = learned(trails, state, 1901, TURKEY)
    assert right == {spring[0], fall[0]}
    assert wrong == {spring[1], fall[1]}


def test_a_support_is_judged_by_the_unit_that_it_helps() -> None:
    state, trails = start(), Trails(CODEC.tables, POWERS, 1)
    play(state, trails, TUR="F ANK - CON, A CON - BUL")
    fall = play(state, trails, TUR="A BUL H, F CON S A BUL")
    right, wrong = learned(trails, state, 1901, TURKEY)
    assert set(fall) <= right
    assert len(wrong) == 1  # the fleet's own way to Constantinople


def test_patience_lets_orders_wait_for_another_year() -> None:
    state, trails = start(), Trails(CODEC.tables, POWERS, 2)
    first = play(state, trails, RUS="A MOS - UKR") + play(state, trails, RUS="A UKR H")
    assert learned(trails, state, 1901, RUSSIA) == (set(), set())
    if state.year == 1901:
        state.step([])
    second = play(state, trails, RUS="A UKR - RUM") + play(state, trails, RUS="A RUM H")
    assert learned(trails, state, 1902, RUSSIA) == ({*first, *second}, set())


def test_what_has_led_nowhere_in_time_was_wrong() -> None:
    state, trails = start(), Trails(CODEC.tables, POWERS, 2)
    first = play(state, trails, RUS="A MOS - UKR") + play(state, trails, RUS="A UKR H")
    assert learned(trails, state, 1901, RUSSIA) == (set(), set())
    if state.year == 1901:
        state.step([])
    play(state, trails, RUS="A UKR H")
    play(state, trails, RUS="A UKR H")
    assert learned(trails, state, 1902, RUSSIA) == (set(), set(first))


def test_the_orders_of_a_dislodged_unit_were_wrong() -> None:
    state, trails = start(), Trails(CODEC.tables, POWERS, 2)
    spring = play(state, trails, TUR="A CON - BUL, F ANK - BLA", RUS="A WAR - GAL, F SEV - RUM")
    fall = play(state, trails, TUR="A BUL - RUM, F BLA S A BUL - RUM", RUS="F RUM H, A GAL - BUD")
    right, wrong = learned(trails, state, 1901, RUSSIA)
    assert wrong >= {spring[3], fall[2]}
    assert not right & wrong
