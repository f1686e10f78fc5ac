"""DumbBot: value maps, the moves they lead to, and its rules for retreats and builds."""

from bots.dumbbot.tactic import DumbBot

__all__ = ["DumbBot"]
