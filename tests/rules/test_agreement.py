"""Engine and second resolver agree, plain and compiled kernel agree, and the laws hold.

`benchmarks/agreement.py` does the same with as many turns as one has time for.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.adjudicate import adjudicate
from rules.kernel import IS_COMPILED
from rules.legality import judge_order
from rules.maps import load_map
from rules.orders import Move, MoveByConvoy, OrderNote, Unit
from tests.rules.agreement import (
    BOARDS,
    DENSE,
    Kernels,
    Shortcuts,
    dense_cases,
    disagreement,
    facts,
    small_cases,
)
from tests.rules.positions import Case, generate

PARTS = 5
SMALL_CASES = 5_000
DENSE_CASES = 2_500

turns = st.builds(
    lambda name, seed: generate(load_map(name), seed, most_units=DENSE),
    st.sampled_from(BOARDS),
    st.integers(0, 2**32),
)


@pytest.mark.parametrize("part", range(PARTS))
def test_engine_agrees_with_the_second_resolver(part: int) -> None:
    count = SMALL_CASES // PARTS
    for case in small_cases(count, first=part * count):
        assert disagreement(case) is None


@pytest.mark.skipif(not IS_COMPILED, reason="the kernel is not compiled here")
@pytest.mark.parametrize("part", range(PARTS))
def test_plain_and_compiled_kernel_agree(part: int) -> None:
    kernels = {name: Kernels(load_map(name)) for name in BOARDS}
    count = DENSE_CASES // PARTS
    for case in dense_cases(count, first=part * count):
        assert kernels[case.board.name].disagreement(case) is None


@pytest.mark.parametrize("part", range(PARTS))
def test_variations_of_a_plan_come_out_as_whole_plans_do(part: int) -> None:
    shortcuts = {name: Shortcuts(load_map(name)) for name in BOARDS}
    count = DENSE_CASES // PARTS
    for case in dense_cases(count, first=part * count):
        assert shortcuts[case.board.name].disagreement(case) is None


@given(turns)
@settings(max_examples=80, deadline=None)
def test_no_unit_is_lost_or_made(case: Case) -> None:
    resolution = adjudicate(case.board, case.position, case.orders)
    after = [*resolution.position.units, *(out.unit for out in resolution.position.dislodged)]
    before = case.position.units
    assert sorted(str((u.power, u.kind)) for u in after) == sorted(
        str((u.power, u.kind)) for u in before
    )


@given(turns)
@settings(max_examples=80, deadline=None)
def test_no_two_units_end_in_one_province(case: Case) -> None:
    units = adjudicate(case.board, case.position, case.orders).position.units
    assert len({unit.location.province for unit in units}) == len(units)


@given(turns)
@settings(max_examples=80, deadline=None)
def test_units_are_where_they_were_or_where_they_were_sent(case: Case) -> None:
    allowed = set(case.position.units)
    for order in case.orders:
        unit = order.unit
        if isinstance(order, Move):
            allowed.add(Unit(unit.power, unit.kind, order.destination))
        elif isinstance(order, MoveByConvoy):
            there = type(unit.location)(order.destination)
            allowed.add(Unit(unit.power, unit.kind, there))
    assert allowed.issuperset(adjudicate(case.board, case.position, case.orders).position.units)


@given(turns, st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_the_sequence_of_orders_does_not_matter(case: Case, random: object) -> None:
    shuffled = list(case.orders)
    getattr(random, "shuffle")(shuffled)  # noqa: B009 - hypothesis does not type its random
    one = adjudicate(case.board, case.position, case.orders)
    other = adjudicate(case.board, case.position, shuffled)
    assert facts(one) == facts(other)
    assert one.position == other.position


@given(turns)
@settings(max_examples=60, deadline=None)
def test_every_generated_order_is_legal(case: Case) -> None:
    for order in case.orders:
        note = judge_order(case.board, case.position, order, order.unit.power)
        assert note is OrderNote.MIGHT_BE_VALID
