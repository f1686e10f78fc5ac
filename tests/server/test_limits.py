from grammar.tokens import Word
from server.limits import Limits, Meter, TokenBucket, Verdict


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
    assert verdicts == [Verdict.PASS] * 2 + [Verdict.REFUSE] * 3 + [Verdict.FLOOD]


def test_press_over_the_limit_does_not_keep_orders_out() -> None:
    meter = Meter(Limits(press_rate=0.0, press_burst=0))
    assert meter.judge((int(Word.SND),), 0.0) is Verdict.REFUSE
    assert meter.judge((int(Word.SUB),), 0.0) is Verdict.PASS


def test_refusals_now_and_then_are_no_flood() -> None:
    meter = Meter(Limits(press_rate=1.0, press_burst=1, flood=3))
    verdicts = {meter.judge((int(Word.SND),), half / 2) for half in range(200)}
    assert verdicts == {Verdict.PASS, Verdict.REFUSE}


def test_who_has_overdrawn_waits_and_the_next_begins_with_what_is_left() -> None:
    meter = Meter(Limits(work_rate=0.1, work_burst=0.2))
    meter.charge_answer(1_000_000, 0.0)
    assert meter.wait(0.0) > 2
    again = Meter(Limits(work_rate=0.1, work_burst=0.2))
    again.begin_with(meter.account_left(0.0), 0.0)
    assert again.wait(0.0) == 0, "everybody may begin with something"
    again.charge_answer(100_000, 0.0)
    assert again.wait(0.0) > 0
