from math import inf

from grammar.tokens import Word
from server.addresses import is_local, network_of
from server.limits import Limits, Meter, Overdrawn, Ruling, TokenBucket


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    bucket = TokenBucket(rate=2.0, burst=3.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(0.5)
    assert not bucket.take(0.6)


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = TokenBucket(rate=2.0, burst=3.0)
    assert [bucket.take(1e6) for _ in range(4)] == [True, True, True, False]


def test_press_over_the_limit_is_refused_and_then_a_flood() -> None:
    meter = Meter(Limits(press_rate=0.0, press_burst=2, flood=3))
    verdicts = [meter.judge((int(Word.SND),), 0.0) for _ in range(6)]
    assert verdicts == [Ruling.PASS] * 2 + [Ruling.REFUSE] * 3 + [Ruling.FLOOD]


def test_press_over_the_limit_does_not_keep_orders_out() -> None:
    meter = Meter(Limits(press_rate=0.0, press_burst=0))
    assert meter.judge((int(Word.SND),), 0.0) is Ruling.REFUSE
    assert meter.judge((int(Word.SUB),), 0.0) is Ruling.PASS


def test_refusals_now_and_then_are_no_flood() -> None:
    meter = Meter(Limits(press_rate=1.0, press_burst=1, flood=3))
    verdicts = {meter.judge((int(Word.SND),), half / 2) for half in range(200)}
    assert verdicts == {Ruling.PASS, Ruling.REFUSE}


def test_who_has_overdrawn_waits_and_the_next_begins_with_what_is_left() -> None:
    meter = Meter(Limits(work_rate=0.1, work_burst=0.2))
    meter.charge_answer(1_000_000, 0.0)
    assert meter.wait(0.0) > 2
    again = Meter(Limits(work_rate=0.1, work_burst=0.2))
    again.begin_with(meter.accounts(0.0), 0.0)
    assert again.wait(0.0) == 0, "everybody may begin with something"
    again.charge_answer(100_000, 0.0)
    assert again.wait(0.0) > 0


def test_one_who_reconnects_has_no_fresh_account_nor_have_those_after_it() -> None:
    limits = Limits(work_rate=0.1, work_burst=0.2)
    overdrawn, meter = Overdrawn(limits), Meter(limits)
    meter.charge_answer(1_000_000, 0.0)
    overdrawn.note("2001:db8::1", meter, 0.0)
    # A connection that stays idle must not take the debt away for the next one.
    assert [overdrawn.left("2001:db8::2", 1.0).work < 0 for _ in range(3)] == [True] * 3
    assert overdrawn.left("2001:db8:0:1::2", 1.0).work == inf, "somebody else"
    assert overdrawn.left("2001:db8::2", 100.0).work > 0, "time heals"


def test_addresses_that_one_person_can_have_count_as_one() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1")
    assert network_of("2001:db8::1") != network_of("2001:db8:0:1::1")
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7")
    assert network_of("fe80::1%eth0") == network_of("fe80::2%eth0")
    assert network_of("") != network_of("192.0.2.7") != network_of("192.0.2.8")


def test_this_machine_is_known_in_every_writing() -> None:
    assert all(map(is_local, ("127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "")))
    assert not any(map(is_local, ("192.0.2.7", "2001:db8::1", "::ffff:192.0.2.7")))
