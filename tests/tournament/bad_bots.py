"""Bots that go wrong, each in its own way, in the fall of a year of the game."""

import os
import signal
import stat
from collections.abc import Sequence

from bots.dumbbot.tactic import DumbBot
from bots.strategy import Tactic
from bots.view import GameView
from rules.orders import Order
from rules.turns import Season


class Trouble(Tactic):
    """DumbBot, until its time has come."""

    def __init__(self) -> None:
        self._dumbbot = DumbBot()

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        if view.turn.season is Season.FALL and view.turn.year == 1901:
            self.make_trouble()
        return self._dumbbot.choose_orders(view)

    def make_trouble(self) -> None:
        raise NotImplementedError


class Crasher(Trouble):
    def make_trouble(self) -> None:
        os._exit(3)


class Hanger(Trouble):
    def make_trouble(self) -> None:
        while True:
            pass


class Raiser(Trouble):
    def make_trouble(self) -> None:
        raise ValueError("a bug")


class Babbler(Trouble):
    """Writes garbage into whatever connection its process has."""

    def make_trouble(self) -> None:
        for number in range(3, 64):
            try:
                is_socket = stat.S_ISSOCK(os.fstat(number).st_mode)
            except OSError:
                continue
            if is_socket:
                try:
                    os.write(number, b"\xff" * 64)
                except OSError:
                    continue


class Quitter(Tactic):
    """Does not even come to the table."""

    def __init__(self) -> None:
        os._exit(4)

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        raise NotImplementedError


class Victim(Trouble):
    """Is killed, with no time for anything."""

    def make_trouble(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class AlwaysRaiser(Tactic):
    def choose_orders(self, view: GameView) -> Sequence[Order]:
        raise KeyError(view.power.name)
