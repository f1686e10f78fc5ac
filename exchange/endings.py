"""How a game ended, there and back: the package `diplomacy` tells it in the note of a position."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from exchange.diplomacy_names import POWERS
from rules.board import Board
from rules.outcome import Ending, EndingKind, solo_winner
from rules.places import Power
from rules.position import Position
from rules.turns import Turn

Json = dict[str, Any]
LAST_PHASE = "COMPLETED"
_NOTE = re.compile(r"Victory by: (\w{3}(?:, \w{3})*)")


def note_of(powers: Sequence[str]) -> str:
    """Return what the package notes where these powers have won, or share a draw."""
    return f"Victory by: {', '.join(powers)}" if powers else ""


def victors_of(record: Mapping[str, Any]) -> list[str]:
    """Return the powers that a record gives the game to."""
    winner, draw = record.get("winner"), record.get("draw")
    return [winner] if winner else list(draw or ())


def is_cut_short(record: Mapping[str, Any]) -> bool:
    """Whether a game ended within a turn, whose orders nobody judged."""
    ending = record.get("ending") or {}
    told = ending.get("kind") in {kind.value for kind in EndingKind}
    return told and not EndingKind(ending["kind"]).is_at_year_end


def is_unplayed(phase: Mapping[str, Any], following: Mapping[str, Any]) -> bool:
    """Whether a game was over before this phase was judged, as the package does with a draw."""
    if following["name"] != LAST_PHASE or phase.get("results"):
        return False
    if any((phase.get("orders") or {}).values()):
        return False
    state, after = phase["state"], following["state"]
    return all(_sorted(state[key]) == _sorted(after[key]) for key in ("units", "centers"))


def _sorted(by_power: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    kept = {power: [text for text in texts if text[:1] != "*"] for power, texts in by_power.items()}
    return {power: sorted(texts) for power, texts in kept.items() if texts}


def ending_of(
    board: Board, last: Position, phase: Mapping[str, Any], played: Turn | None
) -> Ending | None:
    """Return how a saved game ended; None if it goes on, or does not say."""
    victors = _noted(board, phase["state"])
    turn = played or last.turn
    if phase["name"] == LAST_PHASE and len(victors) > 1:
        return Ending(EndingKind.AGREED_DRAW, victors, turn)
    winner = solo_winner(board, last.owners)
    if phase["name"] == LAST_PHASE and victors:
        winner = victors[0]
    return Ending(EndingKind.SOLO, (winner,), turn) if winner else None


def _noted(board: Board, state: Mapping[str, Any]) -> tuple[Power, ...]:
    match = _NOTE.fullmatch(str(state.get("note") or ""))
    names = set(match[1].split(", ")) if match else set()
    return tuple(power for power in board.powers if power.name in names & set(POWERS))
