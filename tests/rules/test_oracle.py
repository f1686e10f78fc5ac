"""The second resolver must itself be right before it may judge the engine."""

from typing import Any

import pytest

from rules.maps import load_map
from rules.orders import Hold, MovementOrder
from tests.rules.oracle import resolve
from tests.rules.reading import Reader, datc_cases

MOVEMENTS = [
    pytest.param(step, id=case["id"])
    for case in datc_cases()
    for step in case["steps"]
    if step["turn"][0] in ("SPR", "FAL")
]


@pytest.mark.parametrize("step", MOVEMENTS)
def test_oracle_agrees_with_the_test_case(step: dict[str, Any]) -> None:
    units = Reader(load_map()).all_units(step["units"])
    reader = Reader(load_map(), units)
    orders: dict[object, MovementOrder] = {unit: Hold(unit) for unit in units}
    expected: dict[object, str | None] = {}
    for power, text, note, result, *_ in step["orders"]:
        if note == "MBV":
            order = reader.order(power, text)
            assert isinstance(order, MovementOrder)
            orders[order.unit] = order
            expected[order.unit] = result
    for power, text, result in step.get("unordered", ()):
        order = reader.order(power, text)
        assert isinstance(order, Hold)
        expected[order.unit] = result

    verdict = resolve(load_map(), orders.values())

    results = {
        unit: " ".join(
            [*([result.value] if result else []), *(["RET"] if unit in verdict.dislodged else [])]
        )
        for unit, result in verdict.results.items()
    }
    assert results == expected
    assert {str(province) for province in verdict.contested} == set(
        step["expect"].get("contested", ())
    )
    assert [
        [
            unit.power.name,
            f"{unit.kind.name[0]} {unit.location}",
            origin.name,
            by_convoy,
            sorted(map(str, verdict.retreats[unit])),
        ]
        for unit, (origin, by_convoy) in sorted(
            verdict.dislodged.items(),
            key=lambda entry: (entry[0].power.name, str(entry[0].location)),
        )
    ] == sorted(step["expect"].get("dislodged", ()), key=lambda entry: (entry[0], entry[1][2:]))
