"""What every test may rely on."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog
from structlog.dev import ConsoleRenderer, plain_traceback

from tests.feed.brokers import RunningBroker

# What a shell starts in the background ignores Ctrl-C, what nohup starts ignores the end of its
# terminal, and so would all that the tests start.
for ignored, usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, usual)


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
