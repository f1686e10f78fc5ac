"""What players think with, on the integers of the rules' kernel: values, plans, playouts.

Like the rules' kernel it is one source, plain Python or compiled; which of them runs is decided
there, because the classes here build on its `Simulator`.
"""

from typing import TYPE_CHECKING

from rules.kernel import IS_COMPILED

if TYPE_CHECKING or not IS_COMPILED:
    from bots.kernel.actions import Actions
    from bots.kernel.chances import Chances
    from bots.kernel.draws import Draws
    from bots.kernel.examples import Examples
    from bots.kernel.fitting import Fitting
    from bots.kernel.foreseen import Foreseen
    from bots.kernel.habitual import Habitual
    from bots.kernel.imitation import Imitator
    from bots.kernel.learning import Learner
    from bots.kernel.lessons import Lessons
    from bots.kernel.memory import Memory
    from bots.kernel.network import Network
    from bots.kernel.playouts import Playouts
    from bots.kernel.policy import Policy
    from bots.kernel.prospects import Prospects
    from bots.kernel.regrets import Regrets
    from bots.kernel.scene import Scene
    from bots.kernel.selfplay import SelfPlay
    from bots.kernel.spreading import Spreading
    from bots.kernel.subgame import Subgame
    from bots.kernel.valuing import Valuing
else:
    from bots.kernel._compiled.actions import Actions
    from bots.kernel._compiled.chances import Chances
    from bots.kernel._compiled.draws import Draws
    from bots.kernel._compiled.examples import Examples
    from bots.kernel._compiled.fitting import Fitting
    from bots.kernel._compiled.foreseen import Foreseen
    from bots.kernel._compiled.habitual import Habitual
    from bots.kernel._compiled.imitation import Imitator
    from bots.kernel._compiled.learning import Learner
    from bots.kernel._compiled.lessons import Lessons
    from bots.kernel._compiled.memory import Memory
    from bots.kernel._compiled.network import Network
    from bots.kernel._compiled.playouts import Playouts
    from bots.kernel._compiled.policy import Policy
    from bots.kernel._compiled.prospects import Prospects
    from bots.kernel._compiled.regrets import Regrets
    from bots.kernel._compiled.scene import Scene
    from bots.kernel._compiled.selfplay import SelfPlay
    from bots.kernel._compiled.spreading import Spreading
    from bots.kernel._compiled.subgame import Subgame
    from bots.kernel._compiled.valuing import Valuing

__all__ = [
    "Actions",
    "Chances",
    "Draws",
    "Examples",
    "Fitting",
    "Foreseen",
    "Habitual",
    "Imitator",
    "Learner",
    "Lessons",
    "Memory",
    "Network",
    "Playouts",
    "Policy",
    "Prospects",
    "Regrets",
    "Scene",
    "SelfPlay",
    "Spreading",
    "Subgame",
    "Valuing",
]
