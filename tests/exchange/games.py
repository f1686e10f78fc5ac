"""Records of whole games for the exchange, played in this process."""

import json
from typing import Any

from matches.in_process import play_in_process
from matches.match import Match
from rules.maps import load_map
from server.record import record_to_json

LINEUP = ("randombot", "dumbbot", "randombot", "dumbbot/wide", "randombot", "blabbot", "randombot")


def random_record(seed: int) -> dict[str, Any]:
    """Play a game of bots that convoy, retreat, build and talk, and return its record."""
    powers = [power.name for power in load_map("standard").powers]
    turned = LINEUP[seed % 7 :] + LINEUP[: seed % 7]
    match = Match(
        players=dict(zip(powers, turned, strict=True)),
        seed=seed,
        last_year=1907,
        name=f"exchange-{seed}",
    )
    found: dict[str, Any] = json.loads(json.dumps(record_to_json(play_in_process(match).record)))
    return found


def without_extras(saved: dict[str, Any]) -> dict[str, Any]:
    """Return a saved game as the package would have written it."""
    phases = [{key: each[key] for key in each if key != "daide"} for each in saved["phases"]]
    return {**{key: saved[key] for key in saved if key != "daide"}, "phases": phases}
