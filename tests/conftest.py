"""What every test may rely on."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings
from structlog.dev import ConsoleRenderer, plain_traceback

from tests.feed.brokers import RunningBroker

# On a busy machine it takes long to draw an example and to try it, which says nothing about a law.
# Half as many examples as usual: with every run of the tests there are others, and `tests.fuzz` has
# millions.
settings.register_profile(
    "any machine", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

LONGEST_FIRST = ("spectator", "cli", "tournament", "bots", "server", "rules", "grammar")

# What a shell starts in the background ignores Ctrl-C, what nohup starts ignores the end of its
# terminal, and so would all that the tests start.
for ignored, usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, usual)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long first: workers that end with small files end together."""
    ranks = {folder: rank for rank, folder in enumerate(LONGEST_FIRST)}
    tests = Path(__file__).parent
    items.sort(
        key=lambda item: ranks.get(item.path.relative_to(tests).parts[0], len(LONGEST_FIRST))
    )


@pytest.fixture(autouse=True)
def plain_logs() -> None:
    """Undo how a command that ran in this process set up its log: its stream is closed by now.

    Tracebacks are plain: the pretty ones of bots that fail on purpose take seconds.
    """
    structlog.reset_defaults()
    structlog.configure(processors=[ConsoleRenderer(exception_formatter=plain_traceback)])


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[RunningBroker]:
    """Run a real MQTT broker on a port of its own."""
    running = RunningBroker(tmp_path)
    await running.start()
    yield running
    running.kill()
