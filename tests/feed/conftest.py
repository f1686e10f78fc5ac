from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.feed.brokers import RunningBroker


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[RunningBroker]:
    running = RunningBroker(tmp_path)
    await running.start()
    yield running
    running.kill()
