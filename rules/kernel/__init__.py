"""The fast core: integers and arrays only; one source, plain Python or compiled by Cython.

`Simulator` is the compiled class where it was built, else the plain one, which `PlainSimulator`
always is. DAIDE_PURE=1 in the environment asks for the plain one.
"""

import os
from typing import TYPE_CHECKING

IS_COMPILED = False

if TYPE_CHECKING or os.environ.get("DAIDE_PURE") == "1":
    from rules.kernel.simulator import Simulator
    from rules.kernel.variations import Variations
else:
    try:
        from rules.kernel._compiled.simulator import Simulator
        from rules.kernel._compiled.variations import Variations

        IS_COMPILED = True
    except ImportError:
        from rules.kernel.simulator import Simulator
        from rules.kernel.variations import Variations

__all__ = ["IS_COMPILED", "Simulator", "Variations"]
