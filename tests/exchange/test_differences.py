"""Where the package `diplomacy` judges differently: each known reason, on the smallest position."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from exchange.differences import DISRUPTED, HEAD_TO_HEAD, OWN_UNIT, RETREATS, UNKNOWN
from exchange.diplomacy_names import POWERS
from exchange.from_diplomacy import imported

Json = dict[str, Any]
Texts = Mapping[str, Sequence[str]]


def phase(
    name: str,
    units: Texts,
    orders: Texts | None = None,
    results: Texts | None = None,
    retreats: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
) -> Json:
    everybody = POWERS.values()
    state = {
        "name": name,
        "units": {power: list(units.get(power, ())) for power in everybody},
        "retreats": {power: dict((retreats or {}).get(power, {})) for power in everybody},
        "centers": {power: [] for power in everybody},
    }
    return {"name": name, "state": state, "orders": orders, "results": results, "messages": []}


def game(*phases: Json) -> Json:
    return {"id": "small", "map": "standard", "rules": [], "phases": list(phases)}


AT_SEA = {"RUSSIA": ["F BLA", "A SEV"], "TURKEY": ["F CON", "A BUL"]}


def test_support_of_a_voyage_against_the_helpers_own_unit() -> None:
    before = phase(
        "S1902M",
        AT_SEA,
        {
            "RUSSIA": ["F BLA C A SEV - CON", "A SEV - CON VIA"],
            "TURKEY": ["F CON H", "A BUL S A SEV - CON"],
        },
        {"F CON": ["dislodged"]},
    )
    after = phase(
        "S1902R",
        {"RUSSIA": ["F BLA", "A CON"], "TURKEY": ["A BUL", "*F CON"]},
        retreats={"TURKEY": {"F CON": ["AEG", "ANK", "SMY", "BLA", "BUL/EC"]}},
    )
    found = imported(game(before, after))
    [difference] = found.differences
    assert difference.reason == f"{OWN_UNIT} (A BUL S A SEV - CON)"
    assert "RUS A CON" in difference.theirs
    assert found.record["turns"][-1]["position"]["units"]["RUS"] == ["A CON", "F BLA"]


def test_retreats_to_where_units_stand_after_a_voyage() -> None:
    units = {"TURKEY": ["A ANK", "F BLA", "A SYR"], "RUSSIA": ["F ARM"]}
    before = phase(
        "F1903M",
        units,
        {
            "TURKEY": ["A ANK - ARM VIA", "F BLA C A ANK - ARM", "A SYR S A ANK - ARM"],
            "RUSSIA": ["F ARM H"],
        },
        {"F ARM": ["dislodged"]},
    )
    after = phase(
        "F1903R",
        {"TURKEY": ["A ARM", "F BLA", "A SYR"], "RUSSIA": ["*F ARM"]},
        retreats={"RUSSIA": {"F ARM": ["ANK", "BLA", "SEV"]}},
    )
    [difference] = imported(game(before, after)).differences
    assert difference.reason == RETREATS
    assert (difference.theirs, difference.ours) == (
        "RUS F ARM free to ANK BLA SEV",
        "RUS F ARM free to ANK SEV",
    )


def test_a_convoy_that_is_stopped_without_losing_its_fleet() -> None:
    units = {"ENGLAND": ["F NTH", "A YOR"]}
    orders = {"ENGLAND": ["F NTH C A YOR - BEL", "A YOR - BEL VIA"]}
    before = phase("S1905M", units, orders, {"F NTH": ["disrupted"], "A YOR": ["no convoy"]})
    [difference] = imported(game(before, phase("F1905M", units))).differences
    assert difference.reason == f"{DISRUPTED} (F NTH)"
    assert difference.ours == "ENG A BEL"


def test_supports_of_both_sides_head_to_head() -> None:
    units = {"RUSSIA": ["A UKR", "F ARM", "A GAL"], "TURKEY": ["A SEV", "F BLA"]}
    orders = {
        "RUSSIA": ["A UKR - SEV", "F ARM S A UKR - SEV", "A GAL S A SEV - UKR"],
        "TURKEY": ["A SEV - UKR", "F BLA S A UKR - SEV"],
    }
    before = phase("F1904M", units, orders, {"A SEV": ["bounce", "dislodged"]})
    after = phase(
        "F1904R",
        {"RUSSIA": ["A SEV", "F ARM", "A GAL"], "TURKEY": ["*A SEV", "F BLA"]},
        retreats={"TURKEY": {"A SEV": ["MOS", "RUM"]}},
    )
    [difference] = imported(game(before, after)).differences
    assert difference.reason == f"{HEAD_TO_HEAD} (A GAL S A SEV - UKR)"


def test_what_nothing_explains_is_said_to_be_that() -> None:
    orders = {"FRANCE": ["A PAR - BUR"]}
    before = phase("S1901M", {"FRANCE": ["A PAR"]}, orders, {"A PAR": []})
    [difference] = imported(game(before, phase("F1901M", {"FRANCE": ["A PIC"]}))).differences
    assert difference.reason == UNKNOWN


def test_an_army_that_fleets_carry_to_a_neighbour_goes_by_sea_where_the_saved_game_does() -> None:
    units = {"TURKEY": ["A CON", "F ANK", "F BLA"]}
    orders = {"TURKEY": ["A CON - ANK", "F ANK - CON", "F BLA C A CON - ANK"]}
    before = phase("S1906M", units, orders, {"A CON": [], "F ANK": [], "F BLA": []})
    found = imported(game(before, phase("F1906M", {"TURKEY": ["A ANK", "F CON", "F BLA"]})))
    assert found.differences == ()
    given = {each["order"] for each in found.record["turns"][0]["orders"]}
    assert "A CON - ANK VIA BLA" in given


@pytest.mark.parametrize(
    ("orders", "words", "result"),
    [
        # A support for an attack on a unit of one's own: the package calls it void, we a success.
        (
            {"AUSTRIA": ["A VIE - TRI", "A BUD S A VIE - TRI", "F TRI H"]},
            {"A VIE": ["bounce"], "A BUD": ["void"], "F TRI": []},
            "SUC",
        ),
        (
            {"AUSTRIA": ["A VIE H", "A BUD S A VIE - TRI", "F TRI H"]},
            {"A VIE": [], "A BUD": ["void"], "F TRI": []},
            "NSO",
        ),
    ],
)
def test_void_means_two_things(orders: Texts, words: Texts, result: str) -> None:
    units = {"AUSTRIA": ["A VIE", "A BUD", "F TRI"]}
    found = imported(game(phase("S1901M", units, orders, words), phase("F1901M", units)))
    assert found.differences == ()
    told = {each["order"]: each["result"] for each in found.record["turns"][0]["orders"]}
    assert told["A BUD S A VIE - TRI"] == result
