"""What a long training prints when nobody watches, and how Ctrl-C ends it between two steps."""

import os
import signal

import pytest

from bots.training_progress import LINES, progress, stop_asked


def told(total: int, steps: range, capsys: pytest.CaptureFixture[str]) -> list[str]:
    with progress("games", total, as_json=False) as show:
        for done in steps:
            show(done, lambda done=done: f"after {done}")  # type: ignore[misc]  # its own number
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("total", "step"), [(LINES * 50, 1), (1000, 30), (3, 1), (1, 1)])
def test_a_run_prints_a_few_lines_and_always_the_last(
    total: int, step: int, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = range(step, total + step, step)
    lines = told(total, range(step, total + 1, step), capsys)
    assert len(lines) <= LINES
    assert len(lines) >= min(LINES, len(steps)) - 1
    if total % step == 0:
        assert lines[-1] == f"{total} of {total} games: after {total}"


def test_what_came_of_it_is_worked_out_only_for_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    asked = []
    with progress("games", 1000, as_json=False) as show:
        for done in range(1, 1001):
            show(done, lambda done=done: str(asked.append(done)))  # type: ignore[func-returns-value,misc]  # counted
    assert len(asked) == len(capsys.readouterr().out.splitlines()) == LINES


def test_nothing_stands_beside_a_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("games", 2, as_json=True) as show:
        show(1, lambda: "one")
        show(2, lambda: "two")
    assert capsys.readouterr() == ("", "")


def test_ctrl_c_is_asked_for_and_ends_nothing_by_itself() -> None:
    before = signal.getsignal(signal.SIGINT)
    with stop_asked() as is_stopped:
        assert not is_stopped()
        os.kill(os.getpid(), signal.SIGINT)
        assert is_stopped()
    assert signal.getsignal(signal.SIGINT) is before
    with stop_asked() as is_stopped:
        assert not is_stopped()
