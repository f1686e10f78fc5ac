"""Play two or more kinds of bots against each other, and say which is better.

    python -m tests.bots.matches --field 'banker*3,blabbot*4' --games 70

All in memory, without sockets. For every seven games the field is shuffled, and within them it goes
one seat further round the board each time, so that every bot plays every power. A solo scores 1 for
the winner and 0 for all others; otherwise a power scores its square's share of the sum of squares
of all centers. Given are the means per seat for each kind of bot, and the difference between the
first two kinds with a bootstrap interval of 95 per cent.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing import get_context
from random import Random

import structlog
from attrs import frozen

from bots.registry import make_bot
from grammar.messages import SendPress
from rules.maps import load_map
from server.settings import GameSettings
from tests.bots.in_memory import Room

_RESAMPLES = 4000


@frozen(kw_only=True)
class Match:
    """A game that is to be played."""

    bots: tuple[str, ...]
    """Who plays, in the order of the powers."""
    seed: int
    level: int
    last_year: int
    rounds: int | None


@frozen(kw_only=True)
class Outcome:
    """How a game went, by the place of each bot."""

    match: Match
    scores: tuple[float, ...]
    centers: tuple[int, ...]
    is_solo: bool
    year: int
    failures: int
    faults: int
    press: int

    def mean_of(self, name: str) -> float:
        """Return the mean score of the bots of that name."""
        found = [
            score for bot, score in zip(self.match.bots, self.scores, strict=True) if bot == name
        ]
        return sum(found) / len(found)


def field_of(text: str) -> list[str]:
    """Read `banker*3,blabbot*4`."""
    bots: list[str] = []
    for part in text.split(","):
        name, _, count = part.partition("*")
        bots += [name] * int(count or 1)
    return bots


def schedule(
    field: Sequence[str], games: int, first_seed: int
) -> list[tuple[tuple[str, ...], int]]:
    """Return who sits where in each game, and its seed."""
    planned = []
    for number in range(games):
        seats = list(field)
        Random(number // len(field)).shuffle(seats)
        shift = number % len(field)
        planned.append(((*seats[shift:], *seats[:shift]), first_seed + number))
    return planned


def play(match: Match) -> Outcome:
    """Play a game to its end."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    powers = load_map().powers
    settings = GameSettings(
        level=match.level,
        last_year=match.last_year,
        press_rounds=match.rounds,
        seats={f"bot {number}": power.name for number, power in enumerate(powers)},
    )
    room = Room([make_bot(name) for name in match.bots], settings, seed=match.seed)
    seats = list(room.seats.values())
    game = room.play()
    position = game.position
    sizes = Counter(position.owners.values())
    squares = sum(size * size for size in sizes.values())
    scores = [
        float(power == game.winner) if game.winner else sizes[power] ** 2 / squares
        for power in powers
    ]
    return Outcome(
        match=match,
        scores=tuple(scores),
        centers=tuple(sizes[power] for power in powers),
        is_solo=game.winner is not None,
        year=position.turn.year,
        failures=sum(seat.player.failures for seat in seats),
        faults=len(room.faults()),
        press=sum(isinstance(said, SendPress) for seat in seats for said in seat.said),
    )


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return where the mean lies in 95 of 100 cases, by bootstrap over the games."""
    random = Random(1)
    count = len(differences)
    means = sorted(sum(random.choices(differences, k=count)) / count for _ in range(_RESAMPLES))
    return means[int(_RESAMPLES * 0.025)], means[int(_RESAMPLES * 0.975)]


def report(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the lines of the table."""
    names = list(dict.fromkeys(name for each in outcomes for name in sorted(each.match.bots)))
    lines = []
    for name in names:
        mean = sum(each.mean_of(name) for each in outcomes) / len(outcomes)
        solos = sum(
            each.is_solo and each.match.bots[each.scores.index(1.0)] == name for each in outcomes
        )
        centers = [
            size
            for each in outcomes
            for bot, size in zip(each.match.bots, each.centers, strict=True)
            if bot == name
        ]
        lines.append(
            f"{name:40} mean score {mean:.4f}  centers {sum(centers) / len(centers):5.2f}"
            f"  solos {solos}"
        )
    if len(names) > 1:
        differences = [each.mean_of(names[0]) - each.mean_of(names[1]) for each in outcomes]
        low, high = interval(differences)
        mean = sum(differences) / len(differences)
        lines.append(f"{names[0]} - {names[1]}: {mean:+.4f} [{low:+.4f}, {high:+.4f}]")
    years = sum(each.year for each in outcomes) / len(outcomes)
    failures = sum(each.failures for each in outcomes)
    faults = sum(each.faults for each in outcomes)
    lines.append(
        f"{len(outcomes)} games, last year {years:.1f}, exceptions {failures}, faults {faults}"
    )
    return lines


def main(arguments: Sequence[str]) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.matches")
    parser.add_argument("--field", required=True)
    parser.add_argument("--games", type=int, default=70)
    parser.add_argument("--level", type=int, default=20)
    parser.add_argument("--last-year", type=int, default=1920)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args(arguments)
    matches = [
        Match(
            bots=seats,
            seed=seed,
            level=chosen.level,
            last_year=chosen.last_year,
            rounds=chosen.rounds or None,
        )
        for seats, seed in schedule(field_of(chosen.field), chosen.games, chosen.seed)
    ]
    began = time.monotonic()
    with get_context("spawn").Pool(chosen.jobs) as pool:
        outcomes = list(pool.imap(play, matches))
    for line in report(outcomes):
        print(line)  # noqa: T201 - a command
    print(f"{time.monotonic() - began:.0f} s")  # noqa: T201 - the same


if __name__ == "__main__":
    main(sys.argv[1:])
