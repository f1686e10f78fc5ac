"""A long check of its own: the notebook as it stands, with all its games.

python -m tests.tournament.notebook_long [FOLDER FOR ITS PICTURES]
"""

import sys
import time
from pathlib import Path

from tests.tournament.notebooks import code_cells, executed


def main(folder: str | None = None) -> int:
    started = time.monotonic()
    done = executed(code_cells()).names
    if folder is not None:
        for name in ("plot", "stab"):
            done[name].save(Path(folder) / f"{name}.svg")
    points = sum(map(len, done["points"].values()))
    sys.stdout.write(
        f"{len(done['games'])} games, {len(done['by_pair'])} pairs, {points} points, "
        f"the largest stab {done['turn'].code} for {done['gain']:+} centers: "
        f"{time.monotonic() - started:.0f} s\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
