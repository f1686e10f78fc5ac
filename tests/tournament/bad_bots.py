"""Bots that go wrong, each in its own way, in the fall of a year of the game."""

import ctypes
import os
import resource
import signal
import stat
import sys
import time
from collections.abc import Sequence

from bots.dumbbot.tactic import DumbBot
from bots.strategy import Negotiator, Tactic
from bots.view import GameView
from grammar.messages import SendPress
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


class Sleeper(Trouble):
    def make_trouble(self) -> None:
        time.sleep(10**6)


class Stumbler(Trouble):
    """Reads where there is no memory."""

    def make_trouble(self) -> None:
        ctypes.string_at(0)


class Leaver(Trouble):
    def make_trouble(self) -> None:
        sys.exit("that is enough")


class Flooder(Trouble):
    """Prints more than anybody wants to read; that is no fault."""

    def make_trouble(self) -> None:
        for _ in range(20_000):
            sys.stdout.write("x" * 99 + "\n")
            sys.stderr.write("y" * 99 + "\n")


class Hog(Trouble):
    """Takes all the memory that it may have."""

    def make_trouble(self) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))
        kept = []
        while True:
            kept.append(bytearray(16 << 20))


class Garbler(Trouble):
    """Returns what is no order."""

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        return [*super().choose_orders(view), "A PAR - BUR"]  # type: ignore[list-item]  # that is it

    def make_trouble(self) -> None:
        """Make none besides."""


class Mumbler(Trouble, Negotiator):
    """Cannot open its mouth."""

    words = ("PRP", "PCE", "YES", "REJ")

    def open_turn(self, view: GameView) -> Sequence[SendPress]:
        raise LookupError(f"no words for {view.power}")

    def make_trouble(self) -> None:
        """Make none besides."""
