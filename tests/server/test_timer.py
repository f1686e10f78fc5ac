import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.timer import LONGEST_TIME, TurnTimer, tellable

NOW = 1_000_000.1  # a clock that has run for long, so that sums are rounded


def started(limit: int | None = 300, *, stopped: bool = False) -> TurnTimer:
    timer = TurnTimer()
    timer.start(limit, NOW, stopped=stopped)
    return timer


def test_without_a_limit_nothing_ever_happens() -> None:
    timer = started(None)
    assert timer.seconds(NOW) is None
    assert timer.next_event({18}) is None
    assert timer.notices({18}, NOW + 1000) == []
    assert not timer.has_passed(NOW + 1000)


def test_the_remaining_time_is_told_in_whole_seconds_rounded_up() -> None:
    timer = started()
    assert timer.seconds(NOW) == 300
    assert timer.seconds(NOW + 0.5) == 300
    assert timer.seconds(NOW + 1) == 299
    assert timer.seconds(NOW + 299.5) == 1
    assert timer.seconds(NOW + 300) == 0
    assert timer.seconds(NOW + 400) == 0


def test_a_time_too_long_for_a_number_is_told_as_the_longest_one() -> None:
    assert tellable(20_000) == LONGEST_TIME
    assert started(20_000).seconds(NOW) == LONGEST_TIME


def test_the_deadline_has_passed_exactly_at_the_limit() -> None:
    timer = started()
    assert not timer.has_passed(NOW + 299.999)
    assert timer.has_passed(NOW + 300)


def test_a_notice_for_the_limit_itself_is_not_sent() -> None:
    timer = started()
    assert timer.notices({300}, NOW) == []
    assert timer.next_event({300}) == NOW + 300


def test_a_notice_for_zero_comes_at_the_deadline() -> None:
    timer = started()
    assert timer.notices({0}, NOW + 299) == []
    assert timer.notices({0}, NOW + 300) == [0]
    assert timer.notices({0}, NOW + 301) == []


def test_notices_come_once_each_and_the_longest_first() -> None:
    timer = started()
    assert timer.notices({18, 100, 7}, NOW + 285) == [100, 18]
    assert timer.notices({18, 100, 7}, NOW + 285) == []
    assert timer.notices({18, 100, 7}, NOW + 293) == [7]


def test_a_notice_asked_for_after_its_moment_is_not_sent_in_this_turn() -> None:
    timer = started()
    assert timer.notices((), NOW + 250) == []
    assert timer.notices({100}, NOW + 250) == []
    assert timer.next_event({100}) == NOW + 300
    timer.start(300, NOW + 300)
    assert timer.notices({100}, NOW + 500) == [100]


def test_a_stopped_clock_keeps_its_time_and_tells_nothing() -> None:
    timer = started()
    timer.stop(NOW + 100)
    assert timer.is_stopped
    assert not timer.is_running
    assert timer.seconds(NOW + 5000) == 200
    assert timer.next_event({18}) is None
    assert timer.notices({150}, NOW + 5000) == []
    assert not timer.has_passed(NOW + 5000)
    timer.resume(NOW + 5000)
    assert timer.seconds(NOW + 5000) == 200
    assert timer.notices({150}, NOW + 5050) == [150]
    assert timer.has_passed(NOW + 5200)


def test_a_turn_can_begin_with_the_clock_stopped() -> None:
    timer = started(stopped=True)
    assert timer.is_stopped
    timer.resume(NOW + 10)
    assert timer.seconds(NOW + 10) == 300


@pytest.mark.parametrize("call", ["stop", "resume"])
def test_stopping_and_resuming_without_a_limit_does_nothing(call: str) -> None:
    timer = started(None)
    getattr(timer, call)(NOW)
    assert timer.seconds(NOW) is None


@settings(deadline=None)
@given(
    start=st.floats(0, 1e9),
    limit=st.integers(1, LONGEST_TIME),
    wanted=st.sets(st.integers(0, LONGEST_TIME), max_size=5),
)
def test_ticking_at_the_moments_that_the_timer_names_sends_every_notice_in_time(
    start: float, limit: int, wanted: set[int]
) -> None:
    timer = TurnTimer()
    timer.start(limit, start)
    told: list[int] = []
    now = start
    for _ in range(len(wanted) + 2):
        if timer.has_passed(now):
            break
        due = timer.next_event(wanted)
        assert due is not None
        assert due >= now
        now = due
        told += timer.notices(wanted, now)
    assert timer.has_passed(now)
    assert told == sorted((each for each in wanted if each < limit), reverse=True)
