"""What every test may rely on."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def logs_as_they_come() -> Iterator[None]:
    """Undo how a command under test set up its log: its standard error is closed after the test."""
    yield
    structlog.reset_defaults()
