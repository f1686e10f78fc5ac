import pytest

from bots.banker.ledger import RAW_TERMS, Ledger, Prices, Terms, success_chance, where_it_ends
from bots.dumbbot.tactic import VARIANTS
from bots.dumbbot.value_maps import value_map
from bots.unit_places import unit_places_of
from rules.orders import Disband, Hold, Move, Order, SupportHold, SupportMove, Unit
from rules.places import Location
from tests.bots.talking import BOARD, ENGLAND, FRANCE, GERMANY

VALUATION = VARIANTS["wide"].valuation
FOOTINGS = unit_places_of(BOARD)


def unit_in(name: str) -> Unit:
    return next(each for each in BOARD.start.units if each.location.province.name == name)


def province_of(name: str) -> Location:
    return Location(next(each for each in BOARD.provinces if each.name == name))


def prices(terms: Terms | None = None) -> Prices:
    return Prices(FOOTINGS, BOARD.start, VALUATION, terms or Terms())


def test_a_stranger_has_the_first_rating() -> None:
    assert Ledger(Terms()).rating(ENGLAND) == pytest.approx(0.8)


def test_kept_promises_raise_the_rating_and_broken_ones_lower_it() -> None:
    ledger = Ledger(Terms())
    ledger.settle(ENGLAND, 100, kept=True)
    ledger.settle(GERMANY, 100, kept=False)
    assert ledger.rating(ENGLAND) == pytest.approx(0.9)
    assert ledger.rating(GERMANY) == pytest.approx(0.4)


def test_a_kept_promise_is_credited_by_the_rating_before_it() -> None:
    ledger = Ledger(Terms())
    ledger.settle(ENGLAND, 100, kept=True)
    assert ledger.account(ENGLAND).balance == pytest.approx(80)


def test_a_broken_promise_pays_nothing() -> None:
    ledger = Ledger(Terms())
    ledger.settle(ENGLAND, 100, kept=False)
    assert ledger.account(ENGLAND).balance == 0


def test_a_favour_is_charged_with_interest_and_a_refund_undoes_it() -> None:
    ledger = Ledger(Terms())
    ledger.charge(ENGLAND, 100)
    assert ledger.account(ENGLAND).balance == pytest.approx(-108)
    ledger.refund(ENGLAND, 100)
    assert ledger.account(ENGLAND).balance == pytest.approx(0)


def test_credit_runs_out() -> None:
    ledger = Ledger(Terms())
    granted = 0
    while ledger.can_afford(ENGLAND, 100):
        ledger.charge(ENGLAND, 100)
        granted += 1
    # The limit is 640 and a favour of 100 has to fit with 125.
    assert granted == 5


def test_debts_grow_and_what_we_owe_does_not() -> None:
    ledger = Ledger(Terms())
    ledger.charge(ENGLAND, 100)
    ledger.settle(GERMANY, 100, kept=True)
    ledger.add_interest()
    assert ledger.account(ENGLAND).balance == pytest.approx(-108 * 1.08)
    assert ledger.account(GERMANY).balance == pytest.approx(80)


def test_reliability_forgets() -> None:
    ledger = Ledger(Terms())
    for kept in [False] * 10 + [True] * 10:
        ledger.settle(ENGLAND, 100, kept=kept)
    account = ledger.account(ENGLAND)
    assert account.reliability == pytest.approx(11 / 12)


def test_the_usual_price_is_the_mean_of_all_deals() -> None:
    ledger = Ledger(Terms())
    assert ledger.usual_price == 0
    ledger.charge(ENGLAND, 50)
    ledger.settle(ENGLAND, 150, kept=False)
    assert ledger.usual_price == pytest.approx(100)


def test_the_best_places_of_a_power_are_worth_a_hundred_on_the_average() -> None:
    list_of_prices = prices()
    best = [
        max(
            list_of_prices.place(FRANCE, each)
            for each in (FOOTINGS.of(unit), *FOOTINGS.borders[FOOTINGS.of(unit)])
        )
        for unit in BOARD.start.units
        if unit.power == FRANCE
    ]
    assert sum(best) / len(best) == pytest.approx(100)


def test_the_raw_currency_is_the_value_map() -> None:
    unit_place = FOOTINGS.of(unit_in("PAR"))
    values = value_map(FOOTINGS, BOARD.start, FRANCE, VALUATION)
    assert prices(RAW_TERMS).place(FRANCE, unit_place) == values.values[unit_place]


def test_a_support_is_priced_by_the_map_of_whom_it_helps() -> None:
    support = SupportMove(unit_in("MUN"), unit_in("PAR"), province_of("BUR").province)
    price = prices().favour(support)
    place = prices().province(FRANCE, unit_in("PAR"), province_of("BUR").province)
    assert 0 < price < place
    assert prices().wish(FRANCE, support) == price


def test_what_helps_nobody_is_no_favour() -> None:
    assert prices().favour(Hold(unit_in("PAR"))) == 0


def test_a_usual_place_is_worth_a_hundred_or_the_raw_points() -> None:
    values = value_map(FOOTINGS, BOARD.start, FRANCE, VALUATION).values
    assert prices().usual_place(FRANCE) == 100
    assert min(values) < prices(RAW_TERMS).usual_place(FRANCE) <= max(values)


def test_more_support_makes_success_likelier() -> None:
    chances = [success_chance(ours, 2) for ours in range(5)]
    assert chances == sorted(chances)
    assert chances[1] < chances[2] < chances[3]


@pytest.mark.parametrize(
    ("order", "name"),
    [
        (Hold(unit_in("PAR")), "PAR"),
        (Move(unit_in("PAR"), province_of("BUR")), "BUR"),
        (SupportHold(unit_in("PAR"), unit_in("BRE")), "BRE"),
        (SupportMove(unit_in("PAR"), unit_in("MAR"), province_of("BUR").province), "BUR"),
    ],
)
def test_an_order_ends_where_a_unit_will_be(order: Order, name: str) -> None:
    province = where_it_ends(order)
    assert province is not None
    assert province.name == name


def test_a_disbanded_unit_ends_nowhere() -> None:
    assert where_it_ends(Disband(unit_in("PAR"))) is None
