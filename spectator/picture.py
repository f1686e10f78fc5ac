"""A picture of a turn as a value: a notebook shows it, and it can be saved.

Needs what `daide export` needs, the extra `pictures`; raises BadInputError without it, and for a
turn that was not played.
"""

from argparse import Namespace
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rules.errors import BadInputError
from rules.turns import Turn
from server.toml_values import whole
from spectator.export_cli import NARROWEST, WIDEST, ExportRequest, drawn
from spectator.stills import THEMES, png

WIDTH = 900


@frozen
class Picture:
    """A drawing; the last line of a notebook's cell shows it."""

    svg: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write it as SVG or PNG, as the name says."""
        target = Path(path)
        if target.suffix == ".svg":
            target.write_text(self.svg, encoding="utf-8")
        elif target.suffix == ".png":
            target.write_bytes(png(self.svg))
        else:
            raise BadInputError(f"{path}: a picture is saved as .svg or .png")


def picture_of(
    record: dict[str, Any], turn: str | Turn, *, theme: str = THEMES[0], width: int = WIDTH
) -> Picture:
    """Draw a turn of a record, such as `F1905M`: the position before it, and its orders."""
    if theme not in THEMES:
        raise BadInputError(f"theme: {theme!r} is none of {', '.join(THEMES)}")
    if not isinstance(turn, str | Turn):
        raise BadInputError(f"turn: {turn!r} is no turn; write it like S1901M, F1901R or W1901A")
    try:
        whole(NARROWEST, WIDEST)(width)
    except BadInputError as error:
        raise BadInputError(f"width: {error}") from None
    code = turn.code if isinstance(turn, Turn) else turn
    options = Namespace(turn=code, theme=theme, width=width)
    [(_, _, svg)] = drawn(ExportRequest(record, "the game", options))
    return Picture(svg)
