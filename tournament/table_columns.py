"""The columns of the tidy tables, each with its kind; `docs/tables.md` says what they mean."""

from collections.abc import Mapping
from typing import TypeAlias

Columns: TypeAlias = Mapping[str, type]

_WHEN: Columns = {"season": str, "year": int}

TABLES: Mapping[str, Columns] = {
    "games": {
        "game": int,
        "field": str,
        "seed": int,
        "outcome": str,
        "ending": str,
        "winners": str,
        "year": int,
        "season": str,
        "phases": int,
        "press": int,
        "seconds": float,
        "mode": str,
        "error": str,
    },
    "seats": {
        "game": int,
        "power": str,
        "bot": str,
        "centers": int,
        "eliminated": int,
        "press": int,
        "solo": int,
        "draw_size": float,
        "sum_of_squares": float,
        "rank": float,
        "win": float,
        "survived": bool,
    },
    "turns": {
        "game": int,
        "turn": int,
        **_WHEN,
        "power": str,
        "units": int,
        "centers": int,
        "standing": str,
        "dislodged": str,
        "owning": str,
    },
    "orders": {
        "game": int,
        "number": int,
        "turn": int,
        **_WHEN,
        "power": str,
        "order": str,
        "result": str,
        "note": str,
        "dislodged": bool,
        "automatic": bool,
        "reason": str,
    },
    "press": {
        "game": int,
        "number": int,
        **_WHEN,
        "sender": str,
        "recipients": str,
        "text": str,
    },
    "promises": {
        "game": int,
        "number": int,
        "kind": str,
        "maker": str,
        "to": str,
        "text": str,
        "made_season": str,
        "made_year": int,
        "ended_season": str,
        "ended_year": int,
        "verdict": str,
        "breach": str,
    },
    "offers": {
        "game": int,
        "number": int,
        **_WHEN,
        "sender": str,
        "to": str,
        "kind": str,
        "answer": str,
    },
    "stabs": {
        "game": int,
        "number": int,
        **_WHEN,
        "by": str,
        "victim": str,
        "order": str,
        "centers_then": int,
        "centers_later": int,
    },
}
FROM_RECORDS = ("turns", "orders", "press")
"""The tables that need whole games."""
