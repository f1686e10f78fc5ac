"""Packages of others that stand where ours should: names such as `rules` are used by others too."""

from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

OURS = (
    *("bots", "cli", "daide", "exchange", "feed", "grammar", "learning", "matches"),
    *("promises", "rules", "server", "spectator", "tournament"),
)
ROOT = Path(__file__).resolve().parent.parent


def foreign_packages() -> dict[str, Path]:
    """Return where Python finds those of our packages that are not the ones beside us.

    A package that is not there at all is none of them: a server can be installed without bots.
    """
    found = {}
    for name in OURS:
        place = _place_of(_spec_of(name))
        if place is not None and place.parent != ROOT:
            found[name] = place
    return found


def _spec_of(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except (ImportError, ValueError):  # a module that somebody has made by hand has no spec
        return None


def _place_of(spec: ModuleSpec | None) -> Path | None:
    """Return the folder of a package, or the file of a module."""
    if spec is None:
        return None
    if spec.submodule_search_locations is not None:
        places = list(spec.submodule_search_locations)
        return Path(places[0]).resolve() if places else None
    return Path(spec.origin).resolve() if spec.origin else None


def complaint(found: dict[str, Path]) -> str:
    """Say in one sentence what stands in our way and what to do."""
    what = ", ".join(f"{name!r} ({place})" for name, place in found.items())
    return (
        f"another package stands in the way of ours: {what}; install daide in an environment of "
        "its own (pipx install, uv tool install, or a new venv), or leave that folder"
    )
