"""What searches need of the kernel beyond the `Simulator`: compiled where that is, else plain."""

from typing import TYPE_CHECKING

from rules.kernel import IS_COMPILED

if TYPE_CHECKING or not IS_COMPILED:
    from rules.kernel.actions import Actions
    from rules.kernel.playouts import Playouts
else:
    from rules.kernel._compiled.actions import Actions
    from rules.kernel._compiled.playouts import Playouts

__all__ = ["Actions", "Playouts"]
