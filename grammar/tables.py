"""LALR tables: the states in which the parser of a press level can be.

The files of a level and of all levels below it are joined into one grammar, with the additions of
Parlance, and the option for partial draws may add its own file. Lark analyses the grammar
(`grammar.compile`) and `grammar.machine` runs the tables, because a loop over integers reads a
message several times faster than Lark's own. Like Python's bytecode, tables are kept in
`__pycache__`, so that only the first process that needs a level takes the time to analyse it.
"""

import marshal
import os
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from attrs import astuple

from grammar.parse_table import ParseTable, Production

FOLDER = Path(__file__).with_name("levels")
CACHE = Path(__file__).with_name("__pycache__")
LEVELS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 8000)


class UnknownLevelError(ValueError):
    """A number that is no press level."""


@cache
def table_for(level: int, *, partial_draws: bool) -> ParseTable:
    """Return the parser of a press level."""
    text = grammar_text(level, partial_draws=partial_draws)
    starts = ["client_message", "server_message", "order", *(["press"] if level else [])]
    recipe = Path(__file__).with_name("compile.py").read_text()
    name = sha256(f"{starts} {recipe} {text}".encode()).hexdigest()[:16]
    kept = CACHE / f"level_{level:03}.{name}.table"
    return _load(kept) or _make(text, starts, kept)


def grammar_text(level: int, *, partial_draws: bool) -> str:
    """Join the files that make up a level."""
    if level not in LEVELS:
        known = ", ".join(map(str, LEVELS))
        raise UnknownLevelError(f"no such press level: {level}; the levels are {known}")
    first, *higher = [f"level_{each:03}.lark" for each in LEVELS if each <= level]
    names = [first, "parlance.lark", *higher]
    if partial_draws and level:
        names.append("partial_draws.lark")
    return "\n".join((FOLDER / name).read_text() for name in names)


def _load(kept: Path) -> ParseTable | None:
    """Read a table from the cache; None if it is not there or not whole."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        terminals, productions, *rest = marshal.loads(kept.read_bytes())  # noqa: S302 - as .pyc
        return ParseTable(terminals, tuple(Production(*each) for each in productions), *rest)
    return None


def _make(text: str, starts: list[str], kept: Path) -> ParseTable:
    """Analyse a grammar, and keep the table if this installation can be written to."""
    from grammar.compile import compile_grammar  # noqa: PLC0415 - loads Lark, seldom needed

    table = compile_grammar(text, starts)
    with suppress(OSError):
        CACHE.mkdir(exist_ok=True)
        draft = kept.with_suffix(f".{os.getpid()}")
        draft.write_bytes(marshal.dumps(astuple(table)))
        # In one step, since several bots may start at once.
        draft.replace(kept)
    return table
