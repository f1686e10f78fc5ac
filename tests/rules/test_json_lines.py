import io
import json
import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from cli.adjudicate import main
from rules.adjudicate_lines import BulkJudge
from rules.board import Board
from rules.errors import BadInputError
from rules.json_lines import answer_line, run
from rules.kernel.encode import codec_of
from rules.legal_orders import legal_adjustments, legal_orders
from rules.legality import Judge
from rules.maps import load_map
from rules.notation import format_order
from rules.orders import Order, OrderNote
from rules.position import Position
from rules.position_json import position_to_json
from rules.turns import Phase


def answers(*lines: object) -> tuple[int, list[dict[str, Any]]]:
    output = io.StringIO()
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    code = run(load_map(), texts, output)
    return code, [json.loads(line) for line in output.getvalue().splitlines()]


def test_a_line_is_answered_with_notes_results_and_the_next_position() -> None:
    code, [found] = answers(
        {
            "turn": ["SPR", 1901],
            "phase": "movement",
            "units": {"ENG": ["F NTH", "A LON"], "RUS": ["F STP/SCS"]},
            "orders": [
                {"power": "ENG", "order": "A LON - NWY VIA NTH"},
                {"power": "ENG", "order": "F NTH C A LON - NWY"},
                {"power": "RUS", "order": "F STP/SCS - LON"},
            ],
        }
    )
    assert code == 0
    assert found == {
        "orders": [
            {"power": "ENG", "order": "A LON - NWY VIA NTH", "note": "MBV", "result": "SUC"},
            {"power": "ENG", "order": "F NTH C A LON - NWY", "note": "MBV", "result": "SUC"},
            {"power": "RUS", "order": "F STP/SCS - LON", "note": "FAR", "result": None},
            {
                "power": "RUS",
                "order": "F STP/SCS H",
                "note": "MBV",
                "result": "SUC",
                "automatic": True,
            },
        ],
        "units": {"ENG": ["A NWY", "F NTH"], "RUS": ["F STP/SCS"]},
        "dislodged": [],
        "contested": [],
        "centers": None,
        "turn": ["FAL", 1901],
    }


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ({"units": {}}, "the field 'turn' is missing"),
        ({"turn": ["SPX", 1901], "units": {}}, "the field 'turn' must be like"),
        ({"turn": ["SPR", 2**31], "units": {}}, "the field 'turn' must be like"),
        ({"turn": ["SPR", 10**30], "units": {}}, "the field 'turn' must be like"),
        ({"turn": ["SPR", 1901.0], "units": {}}, "the field 'turn' must be like"),
        ({"turn": ["SPR", "1901"], "units": {}}, "the field 'turn' must be like"),
        ({"turn": ["SPR", True], "units": {}}, "the field 'turn' must be like"),
        ({"turn": ["FAL", 0], "units": {}}, "the field 'turn' must be like"),
        ({"turn": ["SPR", 1901], "phase": "retreat", "units": {}}, "the field 'phase' is"),
        ({"turn": ["SPR", 1901]}, "the field 'units' is missing"),
        ({"turn": ["SPR", 1901], "units": {"ENG": ["A XYZ"]}}, "no such province: 'XYZ'"),
        ({"turn": ["SPR", 1901], "units": {"XXX": ["A LON"]}}, "no such power: 'XXX'"),
        ({"turn": ["SPR", 1901], "units": {"ENG": ["A NTH"]}}, "an army cannot be at sea: 'NTH'"),
        ({"turn": ["SPR", 1901], "units": {"ENG": ["F MUN"]}}, "a fleet cannot be inland: 'MUN'"),
        ({"turn": ["SPR", 1901], "units": {"ENG": ["F STP"]}}, "a fleet there needs a coast"),
        (
            {"turn": ["SPR", 1901], "units": {"ENG": ["A LON"], "FRA": ["F LON"]}},
            "two units in a province: 'LON' in 'units'",
        ),
        (
            {"turn": ["SPR", 1901], "units": {}, "orders": [{"power": "ENG"}]},
            "the field 'order' is missing",
        ),
        (
            {"turn": ["WIN", 1901], "units": {}, "centers": {"ENG": ["NTH"]}},
            "not a supply center: 'NTH' in 'centers'",
        ),
        (
            {"turn": ["WIN", 1901], "units": {"ENG": ["A LON"]}, "centres": {"ENG": ["LON"]}},
            "no such field: 'centres' (did you mean 'centers'?)",
        ),
        ({"turn": ["SPR", 1901], "unit": {}}, "no such field: 'unit' (did you mean 'units'?)"),
        (
            {"turn": ["WIN", 1901], "units": {"ENG": ["A LON"]}},
            "the field 'centers' is missing: who may have how many units?",
        ),
    ],
)
def test_a_bad_line_is_named_in_its_place_and_the_rest_goes_on(
    line: object, complaint: str
) -> None:
    good = {"turn": ["SPR", 1901], "units": {"ENG": ["F LON"]}}
    code, [first, second, third] = answers(good, line, good)
    assert code == 1
    assert second["error"].startswith(f"line 2: {complaint}")
    assert first == third


def test_fields_of_the_users_own_are_passed_over() -> None:
    line = {"turn": ["SPR", 1901], "units": {"ENG": ["F LON"]}}
    code, [plain, more] = answers(
        line, line | {"id": "6.A.1", "expect": {}, "centres": {}, "centers": {}}
    )
    assert code == 0
    assert (more["units"], more["orders"]) == (plain["units"], plain["orders"])


def test_an_order_for_a_unit_that_is_not_there_gets_its_note() -> None:
    _, [found] = answers(
        {
            "turn": ["SPR", 1901],
            "units": {"ENG": ["F LON"]},
            "orders": [{"power": "ENG", "order": "A WAL H"}],
        }
    )
    assert [row["note"] for row in found["orders"]] == ["NSU", "MBV"]


def test_retreats_are_worked_out_from_the_attack() -> None:
    _, [found] = answers(
        {
            "turn": ["SUM", 1901],
            "units": {"GER": ["A MUN", "A BOH"]},
            "dislodged": [{"power": "AUS", "unit": "A BOH", "attacker_from": "SIL"}],
            "contested": ["VIE"],
            "orders": [{"power": "AUS", "order": "A BOH RTO TYR"}],
        }
    )
    assert found["units"]["AUS"] == ["A TYR"]


def test_the_short_way_gives_the_same_answers_as_the_long_way(board: Board) -> None:
    bulk = BulkJudge(board)
    for data in random_lines(board, 150):
        short = bulk.answer(data)
        assert short is not None
        assert short == answer_line(board, data, explain=False)


MOVEMENT = {
    "turn": ["SPR", 1901],
    "phase": "movement",
    "units": {"ENG": ["F NTH", "A LON"], "RUS": ["F STP/SCS"]},
    "centers": {"ENG": ["LON"]},
    "orders": [
        {"power": "ENG", "order": "A LON - NWY VIA NTH"},
        {"power": "ENG", "order": "F NTH C A LON - NWY"},
        {"power": "RUS", "order": "F STP/SCS S A LON"},
    ],
}
WINTER = {
    "turn": ["WIN", 1901],
    "units": {"ENG": ["F NTH"]},
    "centers": {"ENG": ["LON", "EDI", "LVP"]},
    "orders": [{"power": "ENG", "order": "A LVP BLD"}, {"power": "ENG", "order": "WVE"}],
}
ODD_VALUES: list[Any] = [
    *(None, True, -1, 1.5, 10**30, "", " ", "x", "A", "A LON", "A  LON H", "A LON H\n", "\ud800"),
    *([], [1], [[]], [None], ["A LON"], {}, {"": []}, {"ENG": None}, {"ENG": "A LON"}),
    *({"power": "ENG"}, [{"power": "ENG", "order": 5}], [{"power": [], "order": "A LON H"}]),
]


def places_in(value: object, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to every part of a JSON value."""
    if place:
        yield place
    parts = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value if isinstance(value, list) else ())
    )
    for key, part in parts:
        yield from places_in(part, (*place, key))


def with_value(data: dict[str, Any], place: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """Return a copy with another value at one place."""
    changed = deepcopy(data)
    part: Any = changed
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    return changed


@pytest.mark.parametrize("line", [MOVEMENT, WINTER], ids=["movement", "winter"])
def test_both_ways_answer_alike_whatever_a_line_holds(board: Board, line: dict[str, Any]) -> None:
    bulk = BulkJudge(board)
    known = refused = 0
    for place in places_in(line):
        for value in ODD_VALUES:
            data = with_value(line, place, value)
            short = bulk.answer(data)
            known += short is not None
            try:
                full = answer_line(board, data, explain=False)
            except BadInputError:
                refused += 1
                full = None
            assert short is None or short == full, (place, value)
    assert known > 3
    assert refused > 300


def test_the_short_way_knows_what_it_does_not_know(board: Board) -> None:
    bulk, rng = BulkJudge(board), random.Random(8)
    lines = random_lines(board, 150)
    texts = sorted({entry["order"] for data in lines for entry in data["orders"]})
    known = 0
    for data in lines:
        for entry in data["orders"]:
            if rng.random() < 0.2:
                entry["order"] = rng.choice(texts).replace(" ", "  ")
            if rng.random() < 0.1:
                entry["power"] = rng.choice(board.powers).name
        data["orders"] += rng.choices(data["orders"], k=2) if data["orders"] else []
        if rng.random() < 0.3:
            del data["centers"]
        short = bulk.answer(data)
        known += short is not None
        assert short is None or short == answer_line(board, data, explain=False)
    assert known > 60


def random_lines(board: Board, count: int) -> list[dict[str, Any]]:
    """Return lines of movement and adjustment turns, some of them with orders left out."""
    codec, rng = codec_of(board), random.Random(5)
    state = codec.new_simulator()
    lines: list[dict[str, Any]] = []
    while len(lines) < count:
        codec.load(board.start, state)
        state.seed(len(lines))
        while state.year < 1908:
            position = codec.position(state)
            if position.turn.phase is not Phase.RETREAT:
                orders = random_orders(board, position, rng)
                told = position_to_json(position)
                lines.append(
                    {
                        "turn": told["turn"],
                        "units": told["units"],
                        "centers": told["centers"],
                        "orders": orders[rng.randrange(2) :],
                    }
                )
            state.step_by_dice()
    return lines


def random_orders(board: Board, position: Position, rng: random.Random) -> list[dict[str, str]]:
    chosen: list[tuple[str, Order]] = []
    if position.turn.phase is Phase.MOVEMENT:
        found = legal_orders(board, position)
        chosen = [(unit.power.name, rng.choice(orders)) for unit, orders in found.items()]
    else:
        judge = Judge(board, position)
        for power in board.powers:
            wanted = legal_adjustments(board, position, power)
            rng.shuffle(wanted)
            taken: list[Order] = []
            for order in wanted:
                if judge.judge(order, power, taken) is OrderNote.MIGHT_BE_VALID:
                    taken.append(order)
            chosen += [(power.name, order) for order in taken]
    return [{"power": name, "order": format_order(order)} for name, order in chosen]


def test_the_command_reads_a_file_and_explains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lines"
    path.write_text('{"turn": ["SPR", 1901], "units": {"ENG": ["F LON"]}}\n\n')
    assert main([str(path), "--explain"]) == 0
    [row] = json.loads(capsys.readouterr().out)["orders"]
    assert row["explanation"] == "held for want of an order"


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(BadInputError, match="'nowhere': cannot be read"):
        main(["nowhere"])


@pytest.mark.parametrize(("notes", "expected"), [("cases", "NSA"), ("reference", "NSU")])
@pytest.mark.parametrize("explain", [True, False])
def test_the_notes_are_those_that_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], notes: str, expected: str, *, explain: bool
) -> None:
    line = {
        "turn": ["SPR", 1901],
        "units": {"ENG": ["F LON", "F NTH"]},
        "orders": [{"power": "ENG", "order": "F NTH C A LON - BEL"}],
    }
    (tmp_path / "lines").write_text(json.dumps(line))
    flags = ["--explain"] if explain else []
    assert main([str(tmp_path / "lines"), "--notes", notes, *flags]) == 0
    found = json.loads(capsys.readouterr().out)["orders"]
    assert [row["note"] for row in found if row["order"].endswith("- BEL")] == [expected]
