"""The bots we ship by name, and how to find one of the user's own.

Only what is asked for is imported: the list of bots needs neither the rules nor the language.
"""

import sys
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from rules.errors import BadInputError

if TYPE_CHECKING:
    from bots.strategy import Bot


@frozen(kw_only=True)
class Entry:
    """A bot that we ship."""

    name: str
    title: str
    """What it calls itself to a server."""
    source: str
    """`module:name` of what makes it."""
    level: int
    """The highest press level that it makes use of."""
    summary: str
    variants: tuple[str, ...] = ()
    """The first one is the default."""


_ENTRIES = (
    Entry(
        name="dumbbot",
        title="DumbBot",
        source="bots.dumbbot:DumbBot",
        level=0,
        summary="David Norman's bot of 2002, the yardstick of all DAIDE bots",
        variants=("classic", "wide", "port83", "bandana"),
    ),
    Entry(
        name="dbrane",
        title="D-Brane",
        source="bots.dbrane.tactic:DBrane",
        level=0,
        summary="secures the centers that no single opponent can deny it; after D-Brane",
    ),
    Entry(
        name="holdbot",
        title="HoldBot",
        source="bots.holdbot:HoldBot",
        level=0,
        summary="holds and waives, always",
    ),
    Entry(
        name="randombot",
        title="RandomBot",
        source="bots.randombot:RandomBot",
        level=0,
        summary="goes anywhere it legally can, by lot",
    ),
    Entry(
        name="blabbot",
        title="BlabBot",
        source="bots.blabbot:blabbot",
        level=10,
        summary="DumbBot that makes peace; left with friends only, it stabs or draws",
        variants=("mac", "joe"),
    ),
    Entry(
        name="diplominator",
        title="Diplominator",
        source="bots.diplominator:diplominator",
        level=10,
        summary="makes peace, remembers who breaks it, and stabs when it is the largest",
        variants=("report", "0.2"),
    ),
)
ENTRIES = {entry.name: entry for entry in _ENTRIES}


def title_of(name: str) -> str:
    """Return what a bot is called at the table."""
    if name in ENTRIES:
        return ENTRIES[name].title
    return name.rpartition(":")[2]


def make_bot(name: str, *, variant: str | None = None) -> "Bot":
    """Return the bot of that name, or made by `module:name` for one that we do not ship.

    Raises `BadInputError` if there is none, or none of that variant.
    """
    if name in ENTRIES:
        entry = ENTRIES[name]
        if variant is not None and variant not in entry.variants:
            raise BadInputError(_no_such_variant(entry, variant))
        return _made(entry.source, variant)
    if ":" not in name:
        known = ", ".join(sorted(ENTRIES))
        raise BadInputError(
            f"no such bot: {name!r}; the bots are {known}, or write module:Class for your own"
        )
    # Behind everything else, so that no file of the user's stands in for a module of ours.
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    return _made(name, variant)


def _no_such_variant(entry: Entry, variant: str) -> str:
    if not entry.variants:
        return f"--variant: {entry.name} has no variants"
    known = ", ".join(entry.variants)
    return f"--variant: no such variant of {entry.name}: {variant!r}; choose one of {known}"


def _made(source: str, variant: str | None) -> "Bot":
    from bots.strategy import Bot, Tactic, as_bot  # noqa: PLC0415 - see above

    module, _, attribute = source.partition(":")
    try:
        factory = getattr(import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise BadInputError(f"no such module: {module!r} (for the bot {source!r})") from None
    if not callable(factory):
        raise BadInputError(f"the module {module!r} has no class {attribute!r}")
    if variant is not None and "variant" not in signature(factory).parameters:
        raise BadInputError(f"--variant: {source} has no variants")
    made = factory(variant) if variant is not None else factory()
    if not isinstance(made, Bot | Tactic):
        raise BadInputError(f"{source} makes no bot: it must be a Tactic or give a Bot")
    return as_bot(made)
