import sys
from pathlib import Path

import pytest

from tests.tournament.faults import Scenario, check, run_with_kills


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_every_game_is_accounted_for_whatever_goes_wrong(tmp_path: Path) -> None:
    scenario = Scenario(healthy=9, killed=2, hanging=1, garbage=1, game_limit=5)
    check(scenario, run_with_kills(scenario, tmp_path, kills=1), tmp_path)
