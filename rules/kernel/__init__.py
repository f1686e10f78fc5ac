"""The fast core: integers and arrays only; one source, plain Python or compiled by Cython.

`Simulator` is the compiled class where it was built, else the plain one. DAIDE_PURE=1 in the
environment asks for the plain one.
"""

import os
from typing import TYPE_CHECKING

import structlog

from rules.kernel.simulator import Simulator as PlainSimulator

if TYPE_CHECKING:
    Simulator = PlainSimulator
    IS_COMPILED = False
elif os.environ.get("DAIDE_PURE") == "1":
    Simulator, IS_COMPILED = PlainSimulator, False
else:
    try:
        from rules.kernel._compiled.simulator import Simulator

        IS_COMPILED = True
    except ImportError:
        structlog.get_logger().info("rules kernel is not compiled: adjudication will be slower")
        Simulator, IS_COMPILED = PlainSimulator, False

__all__ = ["IS_COMPILED", "PlainSimulator", "Simulator"]
