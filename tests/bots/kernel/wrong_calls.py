"""Call everything public of the players' kernel in any order and with anything, in a process alone.

`python -m tests.bots.kernel.wrong_calls SEED CALLS` ends with code 0 unless the interpreter dies.
What is refused with an exception is as it should be.
"""

import sys
from array import array
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bots.kernel import (
    Actions,
    Chances,
    Draws,
    Examples,
    Fitting,
    Foreseen,
    Habitual,
    Imitator,
    Learner,
    Lessons,
    Memory,
    Network,
    Playouts,
    Policy,
    Prospects,
    Regrets,
    Scene,
    SelfPlay,
    Spreading,
    Subgame,
    Valuing,
)
from bots.unit_places import unit_places_of
from rules.kernel import Variations
from rules.kernel.codes import WINTER
from rules.kernel.encode import codec_of
from rules.maps import load_map

REFUSALS = (TypeError, ValueError, IndexError, ArithmeticError, AttributeError, BufferError)
ODD = (-(1 << 40), -1000, -1, 0, 1, 2, 5, 7, 74, 75, 81, 162, 1000, 1 << 20, 1 << 31, 1 << 62)
NEW = 0.05
PATIENT = ("run", "set_up")
LENGTHS = (0, 1, 2, 7, 34, 35, 228, 500)


class Caller:
    """Draws objects, calls and arguments."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.codec = codec_of(load_map(self.random.choice(("standard", "lagoon"))))
        self.game = Playouts(self.codec.new_simulator())
        if self.random.random() < 0.8:
            self.codec.load(self.codec.board.start, self.game.state)
        self.saved: Any = self.game.save()
        self.actions = Actions(self.game)
        self.prospects = Prospects(self.game, Variations(self.codec.new_simulator()))
        places = unit_places_of(self.codec.board)
        units = [places.of(unit) for unit in self.codec.board.start.units[:5]]
        self.targets = [
            *(self.game, self.actions, self.prospects, self.game.state),
            *(self.codec.new_simulator(), Variations(self.codec.new_simulator())),
            Chances(self.game),
            Foreseen(self.game.state, [[self.code() for _ in range(5)] for _ in range(3)]),
            Draws(units, [places.borders[each] for each in units], places.province_of),
            Spreading(places.sources, places.twins),
            Valuing(
                Spreading(places.sources, places.twins),
                places.province_of,
                places.reach,
                places.centers,
                len(self.codec.board.powers),
            ),
            Scene(self.game.state, is_wide=True),
            Memory(3),
            Fitting(self.codec.tables, has_convoys=True, may_exchange=False),
        ]
        network = Network(self.game, 4)
        room = self.random.choice((1, 3, 40))
        judged = Variations(self.codec.new_simulator())
        subgame = Subgame(self.game, network, judged, room)
        lessons = Lessons(self.game, self.random.choice((1, 2, 50)), 0.5)
        self.targets += [
            *(network, Learner(network, 1), lessons, subgame, subgame.regrets),
            *(SelfPlay(subgame, lessons), Regrets(self.random.choice((0, 1, 3, 7)), room)),
        ]
        policy = Policy(self.game, self.random.choice((0, 2)))
        examples = Examples(subgame, policy, self.random.choice((1, 2, 50)))
        self.targets += [policy, examples, Imitator(policy, 1), Habitual(policy, lessons)]
        # The same of another map: what is made for one may be handed to the other.
        other = codec_of(load_map(self.random.choice(("standard", "lagoon", "fourwinds"))))
        theirs = Playouts(other.new_simulator())
        their_policy = Policy(theirs, 1)
        their_subgame = Subgame(
            theirs,
            Network(theirs, 2),
            Variations(other.new_simulator()),
            self.random.choice((1, 9)),
        )
        their_lessons = Lessons(theirs, 3, 0.5)
        self.targets += [
            *(theirs, their_policy, their_subgame, their_lessons, Imitator(their_policy, 1)),
            Examples(their_subgame, their_policy, 3),
        ]
        self.makers: list[Callable[..., Any]] = [
            *(lambda: Network(self.game, self.number()), lambda: Learner(network, self.number())),
            *(
                lambda: Policy(self.game, self.number()),
                lambda: Imitator(self.any(), self.number()),
            ),
            *(lambda: Habitual(self.any(), self.any()), lambda: SelfPlay(self.any(), self.any())),
            lambda: Examples(self.any(), self.any(), self.number()),
            lambda: Subgame(self.any(), self.any(), self.any(), self.number()),
            self.of_anything,
            lambda: Lessons(self.game, self.number(), self.number()),
            lambda: Subgame(self.game, network, judged, self.number()),
            lambda: Regrets(self.number(), self.number()),
            lambda: Memory(self.number()),
            lambda: Foreseen(self.game.state, [list(self.numbers("q"))] * 3),
            lambda: Draws(self.numbers("i"), [self.numbers("i")] * 5, places.province_of),
            lambda: Spreading([list(self.numbers("i"))] * 3, list(self.numbers("i"))),
        ]

    def any(self) -> Any:
        """Return any object at all, or none."""
        return self.random.choice([*self.targets, None])

    def of_anything(self) -> object:
        """Make an object of any class from whatever."""
        kind = self.random.choice([type(each) for each in self.targets])
        # What is none, or of another kind, is refused before it is looked into.
        return kind(*(self.argument() for _ in range(self.random.randrange(1, 6))))

    def make(self) -> None:
        """Make another object, from whatever."""
        try:
            made = self.random.choice(self.makers)()
        except (*REFUSALS, MemoryError):
            return
        self.targets.append(made)

    def number(self) -> int:
        """Return a number, mostly a small one."""
        return self.random.choice((self.random.choice(ODD), self.random.randrange(-2, 12)))

    def numbers(self, kind: str) -> "array[Any]":
        """Return an array, perhaps of the right size, perhaps a position or a damaged one."""
        if kind == "i" and self.random.random() < 0.5:
            found = array("i", self.saved)
            if self.random.random() < 0.5:
                found[self.random.randrange(len(found))] = self.random.randrange(-3, 400)
            return found
        length = self.random.choice(LENGTHS)
        if kind in "df":
            return array(kind, [self.random.random() for _ in range(length)])
        if kind == "q":
            return array("q", [self.code() for _ in range(length)])
        return array("i", sorted(self.random.randrange(-1, 40) for _ in range(length)))

    def code(self) -> int:
        """Return an order code, or something like one."""
        place = self.random.randrange(self.game.provinces)
        state = self.game.state
        known = state.legal(place) if state.season != WINTER and state.unit[place] >= 0 else []
        if known and self.random.random() < 0.5:
            return self.random.choice(known)
        return self.random.getrandbits(self.random.choice((8, 34, 62)))

    def argument(self) -> object:
        """Return anything that an argument may be."""
        return self.random.choice(
            (
                self.number,
                self.number,
                self.number,
                self.code,
                lambda: self.numbers("i"),
                lambda: self.numbers("q"),
                lambda: self.numbers("d"),
                lambda: self.numbers("f"),
                lambda: self.random.choice((-1.5, 0.0, 0.3, 1e300, float("nan"), float("inf"))),
                lambda: self.random.choice(self.targets),
                lambda: list(self.numbers("q")),
                lambda: None,
                lambda: "x",
            )
        )()

    def call(self) -> None:
        """Call something."""
        if self.random.random() < NEW:
            self.make()
        target = self.random.choice(self.targets)
        names = [name for name in dir(target) if not name.startswith("_")]
        found = getattr(target, self.random.choice(names))
        if not callable(found):
            return
        for shape in self.shapes(found):
            try:
                made = found(*shape)
            except REFUSALS:
                continue
            if isinstance(made, array) and len(made) == len(self.saved):
                self.saved = made
            return

    def shapes(self, found: Callable[..., Any]) -> Sequence[tuple[Any, ...]]:
        """Return argument lists of each length, those that fit the name among them."""
        if found.__name__ in PATIENT:
            # They do as much as they are asked to, and that is not what is looked for here.
            return [
                tuple(self.random.randrange(-2, 12) for _ in range(count)) for count in (1, 3, 5)
            ]
        return [tuple(self.argument() for _ in range(count)) for count in range(7)] + [
            (self.numbers("q"), self.numbers("q"), self.numbers("i"), 5, self.numbers("d")),
            (self.numbers("i"), self.numbers("q"), self.number(), list(self.numbers("q"))),
            (self.numbers("d"), self.numbers("i"), self.number(), 1.0),
            (self.numbers("i"), self.number(), self.number()),
            (self.numbers("i"), self.numbers("q"), self.numbers("i"), self.numbers("i")),
            (self.number(), self.number(), self.number(), self.number(), self.numbers("d")),
            (self.number(), self.number(), self.number(), self.numbers("i")),
            (self.any(), self.numbers("i"), self.number(), self.number(), self.number()),
            (self.any(), array("i", range(-1, 3)), 1, self.random.randrange(1, 5), 1),
            (self.number(), self.random.choice((1, 1901, 1903, self.number()))),
            (self.numbers("f"), self.numbers("f")),
        ]


def main(seed: int, calls: int) -> None:
    """Call so often, with new objects now and then."""
    for number in range(calls // 200 + 1):
        caller = Caller(seed * 1000 + number)
        for _ in range(200):
            caller.call()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
