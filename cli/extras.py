"""What is installed only on request, for what, and how. Standard library only."""

import shlex
import sys
from importlib.util import find_spec
from typing import NamedTuple


class Extra(NamedTuple):
    """Packages that one part of us needs, and the rest does not."""

    module: str
    """Whoever can import it has them all."""
    use: str
    packages: tuple[str, ...]
    """As in `pyproject.toml`."""

    @property
    def is_here(self) -> bool:
        """Whether it is installed."""
        return find_spec(self.module) is not None

    @property
    def cure(self) -> str:
        """The command that installs it where we run: by its packages, as a clone is not one."""
        return shlex.join([sys.executable, "-m", "pip", "install", *self.packages])


EXTRAS = {
    "dask": Extra("distributed", "tournaments on several machines", ("distributed",)),
    "learning": Extra(
        "pettingzoo",
        "`import learning`, games for learning programs",
        ("gymnasium", "numpy", "pettingzoo"),
    ),
    "pictures": Extra(
        "PIL", "`daide export` as pictures and films", ("pillow", "quickjs-ng", "resvg-py")
    ),
}
