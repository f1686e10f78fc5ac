from attrs import evolve

from bots.completing import complete
from bots.view import GameView
from rules.maps import load_map
from rules.orders import Build, Hold, Move, OrderNote, Remove, Waive
from rules.places import Location
from rules.turns import Phase, Season, Turn

BOARD = load_map()
FRANCE = BOARD.power("FRA")
WINTER = evolve(BOARD.start, turn=Turn(Season.WINTER, 1901))
UNITS = tuple(unit for unit in BOARD.start.units if unit.power == FRANCE)
MARSEILLES = next(unit for unit in UNITS if unit.location.province.name == "MAR")
WITHOUT_MARSEILLES = tuple(unit for unit in BOARD.start.units if unit != MARSEILLES)


def france(position: object = BOARD.start) -> GameView:
    return GameView(board=BOARD, power=FRANCE, position=position)  # type: ignore[arg-type]  # no real position


def test_a_view_shows_what_is_ours() -> None:
    view = france()
    assert view.units == UNITS
    assert view.dislodged == ()
    assert {center.name for center in view.centers[FRANCE]} == {"BRE", "MAR", "PAR"}
    assert view.survivors == BOARD.powers
    assert (view.turn, view.phase) == (BOARD.start.turn, Phase.MOVEMENT)
    assert view.has_orders_due


def test_a_view_lists_the_legal_orders_of_our_units_only() -> None:
    legal = france().legal_orders()
    assert set(legal) == set(UNITS)
    assert Move(MARSEILLES, Location(BOARD.province("SPA"))) in legal[MARSEILLES]


def test_a_winter_view_counts_builds_and_lists_them() -> None:
    view = france(evolve(WINTER, units=WITHOUT_MARSEILLES))
    assert view.adjustment == 1
    assert [home.name for home in view.open_homes] == ["MAR"]
    assert Build(MARSEILLES) in view.legal_adjustments()
    assert view.legal_orders() == {}
    assert not france(WINTER).has_orders_due


def test_a_winter_view_counts_removals_as_negative() -> None:
    owners = {center: owner for center, owner in WINTER.owners.items() if center.name != "PAR"}
    assert france(evolve(WINTER, owners=owners)).adjustment == -1


def test_there_is_nothing_to_adjust_before_winter() -> None:
    assert france(evolve(BOARD.start, units=WITHOUT_MARSEILLES)).adjustment == 0


def test_the_last_order_for_a_unit_counts() -> None:
    spain = Move(MARSEILLES, Location(BOARD.province("SPA")))
    assert spain in complete(france(), [Hold(MARSEILLES), spain]).orders


def test_what_is_left_out_is_told() -> None:
    far = Move(MARSEILLES, Location(BOARD.province("MOS")))
    completed = complete(france(), [far])
    assert completed.refused == ((far, OrderNote.NOT_ADJACENT),)
    assert completed.orders == tuple(map(Hold, UNITS))


def test_builds_beyond_what_is_due_are_left_out() -> None:
    view = france(evolve(WINTER, units=WITHOUT_MARSEILLES))
    completed = complete(view, [Build(MARSEILLES), Waive(FRANCE)])
    assert completed.orders == (Build(MARSEILLES),)
    assert len(completed.refused) == 1


def test_missing_removals_are_added() -> None:
    owners = {center: owner for center, owner in WINTER.owners.items() if owner != FRANCE}
    completed = complete(france(evolve(WINTER, owners=owners)), [Remove(MARSEILLES)])
    assert completed.orders[0] == Remove(MARSEILLES)
    assert len(set(completed.orders)) == 3
