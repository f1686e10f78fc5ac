"""The three stages of a game."""

from enum import Enum


class Stage(Enum):
    """How far a game has come."""

    FORMING = "forming"
    RUNNING = "running"
    ENDED = "ended"
