"""The Diplomacy Adjudicator Test Cases, with their numbers as test ids.

`tests/data/datc.json` has one entry a case, one line a turn. An order there is power, text, note,
result, and other notes that would do as well.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from rules.adjudicate import adjudicate
from rules.kernel import IS_COMPILED, Simulator
from rules.kernel.encode import codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.legality import Judge, Notes
from rules.maps import load_map
from rules.orders import Order, OrderNote
from rules.position import DislodgedUnit, Position
from rules.resolution import OrderReport, Resolution
from rules.turns import Phase, Season, Turn
from tests.rules.reading import Reader, datc_cases

if TYPE_CHECKING:
    from rules.places import Province

BOARD = load_map()
STEPS = [
    pytest.param(step, id=f"{case['id']}{'-' + str(number) if number > 1 else ''}")
    for case in datc_cases()
    for number, step in enumerate(case["steps"], start=1)
]


def position_of(step: dict[str, Any]) -> Position:
    """Build the position of a turn."""
    reader = Reader(BOARD)
    season, year = step["turn"]
    dislodged = [
        DislodgedUnit(reader.unit(power, unit), tuple(reader.place(place) for place in retreats))
        for power, unit, _, _, retreats in step.get("dislodged", ())
    ]
    return Position(
        turn=Turn(Season(season), year),
        units=reader.all_units(step["units"]),
        dislodged=tuple(sorted(dislodged, key=lambda out: out.unit.location.province.name)),
        owners={
            BOARD.province(name): BOARD.power(power)
            for power, names in step.get("centers", {}).items()
            for name in names
        },
    )


def reader_for(position: Position) -> Reader:
    """Return a reader that knows all units, so that orders can name them without their power."""
    return Reader(BOARD, (*(out.unit for out in position.dislodged), *position.units))


def judged(step: dict[str, Any], position: Position) -> list[tuple[Order, str | None]]:
    """Check the note of every order; return the accepted ones with the results they should have."""
    reader = reader_for(position)
    accepted: list[tuple[Order, str | None]] = []
    for power, text, note, result, *also in step["orders"]:
        order = reader.order(power, text)
        earlier = tuple(order for order, _ in accepted)
        judge = Judge(BOARD, position, notes=Notes.CASES)
        given = judge.judge(order, BOARD.power(power), earlier)
        assert given.value in {note, *(also[0] if also else ())}, text
        # Whether it may be tried must be as in the case, whatever the reason for a refusal.
        if given is OrderNote.MIGHT_BE_VALID and result is not None:
            accepted.append((order, result))
    return accepted


def words(report: OrderReport) -> str:
    """Write a result as DAIDE does."""
    result = [report.result.value] if report.result else []
    return " ".join([*result, *(["RET"] if report.dislodged else [])])


@pytest.fixture(params=["plain", "compiled"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the engine use one of its two kernels."""
    name: str = request.param
    if name == "compiled" and not IS_COMPILED:
        pytest.skip("the kernel is not compiled here")
    simulator = (Simulator if name == "compiled" else PlainSimulator)(codec_of(BOARD).tables)
    monkeypatch.setattr(codec_of(BOARD), "_spare", simulator)
    return name


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("step", STEPS)
def test_case(step: dict[str, Any]) -> None:
    position = position_of(step)
    accepted = judged(step, position)
    resolution = adjudicate(BOARD, position, [order for order, _ in accepted])

    given = {report.order: words(report) for report in resolution.reports if not report.automatic}
    assert given == dict(accepted)
    check_automatic(step, position, resolution)
    check_outcome(step, resolution)


def check_automatic(step: dict[str, Any], position: Position, resolution: Resolution) -> None:
    """Compare the orders that the rules gave to those who had none."""
    reader = reader_for(position)
    automatic = [report for report in resolution.reports if report.automatic]
    match position.turn.phase:
        case Phase.MOVEMENT:
            expected = {
                reader.order(power, text): result
                for power, text, result in step.get("unordered", ())
            }
            assert {report.order: words(report) for report in automatic} == expected
        case Phase.ADJUSTMENT:
            wanted = [reader.order(power, text) for power, text in step.get("automatic", ())]
            assert Counter(report.order for report in automatic) == Counter(wanted)


def check_outcome(step: dict[str, Any], resolution: Resolution) -> None:
    """Compare units, dislodgements with their retreats, and contested provinces."""
    reader, expected = Reader(BOARD), step["expect"]
    assert resolution.position.units == reader.all_units(expected["units"])
    dislodged = {
        (
            out.unit,
            out.attacker_from,
            out.attacker_convoyed,
            frozenset(out.retreats),
        )
        for out in resolution.dislodgements
    }
    assert dislodged == {
        (
            reader.unit(power, unit),
            BOARD.province(origin),
            by_convoy,
            frozenset(reader.place(place) for place in retreats),
        )
        for power, unit, origin, by_convoy, retreats in expected.get("dislodged", ())
    }
    contested: set[Province] = {BOARD.province(name) for name in expected.get("contested", ())}
    assert set(resolution.contested) == contested


def test_there_are_180_cases_with_numbers_of_their_own() -> None:
    assert len({case["id"] for case in datc_cases()}) == len(datc_cases()) == 180
