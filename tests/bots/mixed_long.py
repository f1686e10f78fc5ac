"""Play games of all bots mixed and count what a server had to complain about.

    python -m tests.bots.mixed_long 100

No bot may send what is answered with HUH or PRN, nor want an order whose note is not MBV, nor fail
in any other way, whatever the others say: one seat in seven belongs to a babbler. Exit code 1 if
one did.
"""

import logging
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

import structlog
from structlog.testing import capture_logs

from bots.dumbbot.tactic import DumbBot
from bots.registry import ENTRIES, make_bot
from bots.strategy import Bot
from grammar.messages import Huh, OrderAnswer, Prn, Rej
from rules.orders import OrderNote
from server.settings import GameSettings
from tests.bots.in_memory import Room, is_fault
from tests.bots.negotiators import Babbler

LEVELS = (0, 10, 20, 20, 20, 130, 8000)
TALKERS = ("banker", "banker/honesty=0", "banker/raw", "market", "randombot")
VARIANTS = (
    *("blabbot/joe", "diplominator/0.2", "dbrane/paper", "dbrane+banker", "mcts/v8/iterations=50"),
    *("mcts/v3/iterations=50+market", "searchbot/iterations=30/models=several"),
)
SEARCHERS = {
    "mcts": 100,
    "montecarlo": 200,
    "searchbot": 60,
    "brbot": 60,
    "talleyrand": 20,
}
"""How long those think who would go by the clock."""
OTHERS = (
    *(name for name in ENTRIES if name not in {*TALKERS, *SEARCHERS}),
    *(f"{name}/iterations={iterations}" for name, iterations in SEARCHERS.items()),
    *VARIANTS,
)


def bots_of(random: Random) -> list[Bot]:
    """Return seven bots by lot, one of them a babbler."""
    names = [random.choice(TALKERS if random.random() < 0.6 else OTHERS) for _ in range(6)]
    bots = [make_bot(name) for name in names]
    bots.insert(random.randrange(7), Bot(DumbBot(), Babbler()))
    return bots


def complaints(room: Room, *, in_rounds: bool) -> Iterator[str]:
    """Give a word for each complaint and each exception; without rounds an REJ may be late."""
    for message in room.heard():
        match message:
            case Huh() | Prn():
                yield type(message).__name__
            case OrderAnswer(_, note) if note is not OrderNote.MIGHT_BE_VALID:
                yield f"THX {note.value}"
            case Rej() if in_rounds and is_fault(message):
                yield "REJ"
    for seat in room.seats.values():
        yield from ["exception"] * seat.player.failures


def play(seed: int, last_year: int) -> Counter[str]:
    """Play one game and count the complaints."""
    random = Random(f"mixed {seed}")
    rounds = random.choice((None, 2, 6, 6))
    settings = GameSettings(
        level=random.choice(LEVELS),
        last_year=last_year,
        press_rounds=rounds,
        no_press_in_retreats=random.random() < 0.2,
        no_press_in_builds=random.random() < 0.2,
        partial_draws=random.random() < 0.2,
    )
    room = Room(bots_of(random), settings, seed=seed)
    with capture_logs() as logged:
        room.play()
    assert room.is_over
    left_out = (each["note"] for each in logged if each["event"] == "order left out")
    found = Counter(complaints(room, in_rounds=rounds is not None))
    return found + Counter(f"left out: {note}" for note in left_out)


def main(games: int, last_year: int = 1910) -> int:
    """Play and print; return the exit code."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    total: Counter[str] = Counter()
    for seed in range(games):
        found = play(seed, last_year)
        total += found
        if found:
            print(f"game {seed}: {dict(found)}")  # noqa: T201 - a command
    said = dict(total) or "none"
    print(f"{games} games of {len(ENTRIES)} kinds of bots, complaints: {said}")  # noqa: T201 - its result
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
