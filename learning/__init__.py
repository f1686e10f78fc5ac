"""Games for learning programs: PettingZoo's parallel API and batches of games, on the kernel.

It needs the extra `learning` (numpy, gymnasium, pettingzoo); nothing else of ours imports it. See
docs/learning.md.
"""

from learning.batch import GameBatch
from learning.environment import DiplomacyEnvironment

__all__ = ["DiplomacyEnvironment", "GameBatch"]
