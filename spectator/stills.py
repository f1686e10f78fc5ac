"""Pictures of a board: the page's own drawing module, run in a small JavaScript engine.

What it needs comes with the extra `pictures`; without it a BadInputError says how to get it.
"""

import json
import re
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from cli.extras import EXTRAS
from rules.errors import BadInputError
from spectator.drawings import PAGE

THEMES = ("light", "dark")


def needed(module: str) -> ModuleType:
    """Import a module of the extra, or say how to get it."""
    try:
        return import_module(module)
    except ImportError:
        raise BadInputError(
            f"pictures need {module}, which is not installed; get it with "
            f"`{EXTRAS['pictures'].cure}`"
        ) from None


SCRIPTS = (PAGE / "draw.js", PAGE / "store.js", PAGE.with_name("stills.js"))


class Artist:
    """Draws the turns of a game."""

    def __init__(
        self, drawing: dict[str, Any], game: dict[str, Any], *, theme: str, width: int
    ) -> None:
        self._engine = needed("quickjs").Context()
        for path in SCRIPTS:
            self._engine.eval(as_script(path.read_text(encoding="utf-8")))
        self._engine.get("setUp")(json.dumps(drawing), stylesheet(theme), width)
        self._engine.get("open")(json.dumps(game))

    def svg(self, frame: int, title: str) -> str:
        """Return a turn as a whole SVG file; the one after the last shows what was left."""
        text: str = json.loads(self._engine.get("still")(frame, title))
        return text


def as_script(module: str) -> str:
    """Return a module of the page as a script for one scope; as strict as a browser takes it."""
    return '"use strict";\n' + re.sub(r"^(?:import .*;$|export )", "", module, flags=re.MULTILINE)


def colours(theme: str) -> list[str]:
    """Return the colours that a theme uses, as `#AABBCC`."""
    return re.findall(r"#[0-9A-F]{6}\b", stylesheet(theme))


@cache
def stylesheet(theme: str) -> str:
    """Return map.css with the colours of one theme in place of variables and rules for screens."""
    colours = theme_colours(theme)
    text = re.sub(r"^:root.*?\}", "", _rules(), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"@(?:media|keyframes)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", text)
    text = re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], text)
    return re.sub(r"\s+", " ", text).strip()


@cache
def theme_colours(theme: str) -> dict[str, str]:
    """Return the colours of a theme of map.css by name, such as `power-0`."""
    colours: dict[str, str] = {}
    for selector in (":root", f':root[data-theme="{theme}"]'):
        block = re.search(
            rf"^{re.escape(selector)} \{{(.*?)\}}", _rules(), re.DOTALL | re.MULTILINE
        )
        if block:
            colours.update(re.findall(r"--([\w-]+):\s*([^;]+);", block[1]))
    return colours


@cache
def _rules() -> str:
    text = (PAGE / "map.css").read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def png(svg: str) -> bytes:
    """Turn an SVG file into a PNG file."""
    data = needed("resvg_py").svg_to_bytes(svg_string=svg)
    return bytes(data)
