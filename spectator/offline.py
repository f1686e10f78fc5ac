"""Replays as files: the page with a game in it, which browsers open from the disk.

Either everything is in one file, or many games share the files of the page beside them.
"""

import base64
import gzip
import hashlib
import json
import re
from functools import cache
from graphlib import TopologicalSorter
from html import escape
from typing import Any
from urllib.parse import quote

from rules.maps import load_map
from spectator.drawings import PAGE, drawing_of
from spectator.web.board_document import board_document
from spectator.web.chronicle import Chronicle
from spectator.web.library import Library
from spectator.web.views import ALL

SCRIPT_NAME, STYLE_NAME = "page.js", "page.css"
START = "app"
_IMPORT = re.compile(r'^import \{ (.*?) \} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def replay_file(chronicle: Chronicle) -> str:
    """Return a game as one HTML file that needs nothing else."""
    style, script = shared_style(), shared_script()
    policy = f"script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:"
    return _html(
        chronicle, policy, f"<style>{style}</style>", f"<script>{script}</script>", home=None
    )


def replay_beside(chronicle: Chronicle, home: str) -> str:
    """Return a game as a HTML file beside those of the page; `home` is where it leads back."""
    # A file has no origin that 'self' could mean, in some browsers.
    policy = "script-src 'self' file:; style-src 'self' file:; img-src data:"
    style = f'<link rel="stylesheet" href="{STYLE_NAME}">'
    return _html(chronicle, policy, style, f'<script src="{SCRIPT_NAME}"></script>', home=home)


def _html(chronicle: Chronicle, policy: str, style: str, script: str, *, home: str | None) -> str:
    start = f"#/g/{_component(chronicle.name)}"
    back = f' data-home="{escape(home)}"' if home else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(chronicle.name)}</title>\n{style}\n</head>\n<body>\n"
        '<div id="app" class="loading"><p class="veil">Unfolding the map ...</p></div>\n'
        f'<script type="text/plain" id="replay" data-start="{escape(start)}"{back}>'
        f"{_packed(chronicle)}</script>\n"
        f"{script}\n</body>\n</html>\n"
    )


def _packed(chronicle: Chronicle) -> str:
    """Return all that the page asks for, by its address; no letter of it can end the script."""
    library = Library()
    library.add(chronicle)
    board = chronicle.board
    told: dict[str, Any] = {
        "/api/lobby": json.loads(library.lobby("daide").body),
        f"/api/games/{_component(chronicle.name)}": chronicle.document(ALL),
        f"/api/boards/{_component(board.name)}": board_document(board),
    }
    drawing = drawing_of(board)
    if drawing != _standard():
        told[f"/page/maps/{_component(board.name)}.json"] = drawing
    data = json.dumps(told, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def _component(name: str) -> str:
    """Return what `encodeURIComponent` of the browser makes of a name."""
    return quote(name, safe="!'()*-._~")


@cache
def shared_style() -> str:
    """Return the style sheets of the page as one."""
    return "\n".join(_text(name) for name in ("map.css", "page.css"))


@cache
def shared_script() -> str:
    """Return the modules of the page as one script, which begins by itself."""
    needs: dict[str, set[str]] = {}
    unread = {START}
    while unread:
        name = unread.pop()
        needs[name] = {found[1] for found in _IMPORT.findall(_text(f"{name}.js"))}
        unread |= needs[name] - needs.keys()
    drawings = json.dumps({"/page/maps/standard.json": _standard()}, separators=(",", ":"))
    parts = [f"const drawings = {drawings};", _text_beside("offline.js"), "const modules = {};"]
    parts += [_wrapped(name) for name in TopologicalSorter(needs).static_order()]
    icon = base64.b64encode((PAGE / "icon.svg").read_bytes()).decode()
    script = "\n".join(parts).replace("/page/icon.svg", f"data:image/svg+xml;base64,{icon}")
    return f'"use strict";\n{script}\n'


@cache
def _standard() -> dict[str, Any]:
    return drawing_of(load_map("standard"))


def _wrapped(name: str) -> str:
    """Return a module as a function that gives what it exports."""
    code = _text(f"{name}.js")
    given = ", ".join(_EXPORT.findall(code))
    code = _IMPORT.sub(lambda found: f"const {{ {found[1]} }} = modules.{found[2]};", code)
    return f"modules.{name} = (() => {{\n{_EXPORT.sub('', code)}\nreturn {{ {given} }};\n}})();"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _text(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def _text_beside(name: str) -> str:
    return PAGE.with_name(name).read_text(encoding="utf-8")
