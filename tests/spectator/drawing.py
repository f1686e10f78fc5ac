"""draw.js in a small JavaScript engine, for tests."""

import json
from typing import Any

import pytest

from rules.maps import load_map
from rules.position_json import position_to_json
from spectator.drawings import drawing_of
from spectator.stills import SCRIPTS, as_script

quickjs = pytest.importorskip("quickjs", reason="the extra `pictures` is not installed")

START = position_to_json(load_map("standard").start)


class Sketch:
    """Calls functions of draw.js with JSON."""

    def __init__(self) -> None:
        self._engine = quickjs.Context()
        for path in SCRIPTS:
            self._engine.eval(as_script(path.read_text(encoding="utf-8")))
        self._engine.eval(
            "function call(f, a) { return JSON.stringify(eval(f)(...JSON.parse(a))); }"
        )
        self.map = self.call("unpacked", drawing_of(load_map("standard")))

    def call(self, function: str, *arguments: object) -> Any:
        return json.loads(self._engine.get("call")(function, json.dumps(arguments)))

    def draw(self, orders: list[Any], units: dict[str, list[str]], **more: object) -> Any:
        before = {"units": units, "centers": {}, "dislodged": more.pop("dislodged", [])}
        return self.call("draw", {"map": self.map, "before": before, "orders": orders, **more})


def classes(shapes: list[Any]) -> list[str]:
    """All classes in shapes, at any depth."""
    found = []
    for shape in shapes:
        found += shape.get("class", "").split() + classes(shape.get("children", []))
    return found
