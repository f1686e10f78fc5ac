"""Jobs as JSON, for the workers that read them a line each."""

from collections.abc import Mapping
from typing import Any

import attrs

from tournament.schedule import GameJob
from tournament.spec import Rules


def job_to_json(job: GameJob) -> dict[str, Any]:
    """Write a job."""
    return attrs.asdict(job)


def job_from_json(data: Mapping[str, Any]) -> GameJob:
    """Read a job."""
    return GameJob(**{**data, "rules": Rules(**data["rules"])})
