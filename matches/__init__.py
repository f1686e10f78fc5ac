"""One game staged from a line-up, in this process or over TCP; `from matches import play`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matches.play_match import play

__all__ = ["play"]


def __getattr__(name: str) -> object:
    """Import what plays games only when it is asked for: a line-up needs none of it."""
    if name == "play":
        from importlib import import_module  # noqa: PLC0415 - for this only

        return import_module("matches.play_match").play
    raise AttributeError(name)
