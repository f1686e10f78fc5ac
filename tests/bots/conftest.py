from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def plain_logs() -> Iterator[None]:
    """Undo what a command that ran in this process did: its stream is closed by now."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
