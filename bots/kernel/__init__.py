"""What players think with, on the integers of the rules' kernel: values, plans, playouts.

Like the rules' kernel it is one source, plain Python or compiled; which of them runs is decided
there, because the classes here build on its `Simulator`.
"""

from typing import TYPE_CHECKING

from rules.kernel import IS_COMPILED

if TYPE_CHECKING or not IS_COMPILED:
    from bots.kernel.actions import Actions
    from bots.kernel.playouts import Playouts
else:
    from bots.kernel._compiled.actions import Actions
    from bots.kernel._compiled.playouts import Playouts

__all__ = ["Actions", "Playouts"]
