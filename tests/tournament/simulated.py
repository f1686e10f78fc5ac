"""Simulated tournaments: games by a simple random model, with promises, offers and stabs.

No game of Diplomacy is played. Centers drift to the strong, neighbours make peace, and liars break
it, gaining a center more often than not; so the numbers have a truth that tests can look for.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from attrs import field, frozen

from tournament.game_result import VERSION

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")
START = dict(zip(POWERS, (3, 3, 3, 3, 3, 4, 3), strict=True))
SOLO = 18


@frozen
class Kind:
    """What a simulated bot is like."""

    strength: float = 1.0
    honesty: float = 1.0
    talks: bool = True


@frozen
class Plan:
    """Who plays, and how often; the powers rotate from game to game."""

    kinds: Mapping[str, Kind]
    fields: Mapping[str, Sequence[str]]
    games: int = 28
    last_year: int = 1912
    seed: int = 1
    extra: Mapping[str, Any] = field(factory=dict)


SMALL = Plan(
    kinds={
        "banker/honesty=1": Kind(1.5, 1.0),
        "banker/honesty=0.5": Kind(1.25, 0.5),
        "dumbbot": Kind(1.0, 1.0, talks=False),
        "randombot": Kind(0.35, 1.0, talks=False),
    },
    fields={
        "banker-2v5": ["banker/honesty=1"] * 2 + ["dumbbot"] * 4 + ["randombot"],
        "liar-2v5": ["banker/honesty=0.5"] * 2 + ["dumbbot"] * 4 + ["randombot"],
        "mixed": ["banker/honesty=1"] * 2 + ["banker/honesty=0.5"] * 2 + ["dumbbot"] * 3,
    },
)


def write_tournament(directory: Path, plan: Plan = SMALL) -> Path:
    """Write the games of a plan as a tournament would, and return the directory."""
    directory.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(game) for game in tournament(plan)]
    (directory / "games.jsonl").write_text("\n".join(lines) + "\n")
    return directory


def tournament(plan: Plan = SMALL) -> list[dict[str, Any]]:
    """Return the lines of `games.jsonl`, as objects."""
    lines: list[dict[str, Any]] = []
    for name, bots in plan.fields.items():
        for index in range(plan.games):
            turn = index % len(POWERS)
            seats = [*bots[turn:], *bots[:turn]]
            players = dict(zip(POWERS, seats, strict=True))
            number = len(lines) + 1
            lines.append(
                {
                    "version": VERSION,
                    "game": number,
                    "field": name,
                    "seed": plan.seed * 1000 + number,
                    "players": players,
                    "mode": "in-process",
                    **Simulation(plan, players, Random(f"{plan.seed} {name} {index}")).play(),
                    **plan.extra,
                }
            )
    return lines


class Simulation:
    """One game."""

    def __init__(self, plan: Plan, players: Mapping[str, str], random: Random) -> None:
        self.plan = plan
        self.kinds = {power: plan.kinds[bot] for power, bot in players.items()}
        self.random = random
        self.owned = dict(START)
        self.neutral = 34 - sum(START.values())
        self.by_year = {1900: dict(START)}
        self.eliminated: dict[str, int] = {}
        self.promises: list[dict[str, Any]] = []
        self.offers: list[dict[str, Any]] = []
        self.stabs: list[dict[str, Any]] = []
        self.peace: dict[frozenset[str], list[dict[str, Any]]] = {}

    def play(self) -> dict[str, Any]:
        """Play on until somebody has won or the last year is over."""
        year = 1900
        while max(self.owned.values()) < SOLO and year < self.plan.last_year:
            year += 1
            self.talk(year)
            self.stab(year)
            self.fight()
            self.by_year[year] = dict(self.owned)
            for power, count in self.owned.items():
                if not count:
                    self.eliminated.setdefault(power, year)
        for stab in self.stabs:
            later = self.by_year.get(stab["turn"][1] + 2)
            stab["centers"][1] = later[stab["by"]] if later else None
        for promise in self.promises:
            if promise["verdict"] == "open" and self.random.random() < 0.7:
                promise["verdict"] = "kept"
        return self.result(year)

    def result(self, year: int) -> dict[str, Any]:
        """Say how it ended; now and then the last four agree on a draw."""
        living = [power for power, count in self.owned.items() if count]
        winners = [power for power in living if self.owned[power] >= SOLO]
        outcome = "solo" if winners else "year-limit"
        if not winners and len(living) <= 4:
            outcome, winners = "draw", living
        return {
            "outcome": outcome,
            "winners": winners,
            "year": year,
            "phases": 4 * (year - 1900),
            "seconds": round(self.random.uniform(2, 5), 2),
            "centers": {str(each): centers for each, centers in self.by_year.items()},
            "eliminated": self.eliminated,
            "press": {power: 3 * self.kinds[power].talks for power in POWERS},
            "promises": self.promises,
            "offers": self.offers,
            "stabs": self.stabs,
            "faults": [],
        }

    def talk(self, year: int) -> None:
        """Let talkers offer peace; other talkers mostly accept it."""
        for sender in POWERS:
            if not self.kinds[sender].talks or not self.owned[sender]:
                continue
            to = self.random.choice([power for power in POWERS if power != sender])
            pair = frozenset((sender, to))
            if not self.owned[to] or pair in self.peace:
                continue
            answer = "none"
            if self.kinds[to].talks:
                answer = "yes" if self.random.random() < 0.7 else "rej"
            self.offers.append(
                {"turn": ["SPR", year], "sender": sender, "to": to, "kind": "peace"}
                | {"answer": answer}
            )
            if answer == "yes":
                self.peace[pair] = [
                    self.promise(a, b, year) for a, b in ((sender, to), (to, sender))
                ]
                self.promises += self.peace[pair]

    def promise(self, maker: str, to: str, year: int) -> dict[str, Any]:
        """Return a promise of peace."""
        return {
            "kind": "peace",
            "maker": maker,
            "to": [to],
            "text": f"PCE ( {maker} {to} )",
            "made": ["SPR", year],
            "ended": None,
            "verdict": "open",
            "breach": None,
        }

    def stab(self, year: int) -> None:
        """Let liars attack their partners."""
        for pair, promises in list(self.peace.items()):
            for promise in promises:
                maker, victim = promise["maker"], promise["to"][0]
                risk = 0.5 * (1 - self.kinds[maker].honesty) + 0.02
                if pair not in self.peace or self.random.random() > risk:
                    continue
                promise |= {"verdict": "broken", "ended": ["FAL", year], "breach": "A BUR - BEL"}
                for other in promises:
                    if other is not promise:
                        other |= {"verdict": "kept", "ended": ["FAL", year]}
                self.stabs.append(
                    {"turn": ["FAL", year], "by": maker, "victim": victim}
                    | {"order": "A BUR - BEL", "centers": [self.owned[maker], None]}
                )
                del self.peace[pair]
                if self.random.random() < 0.6 and self.owned[victim]:
                    self.owned[victim] -= 1
                    self.owned[maker] += 1

    def fight(self) -> None:
        """Let centers change hands, to the strong and large, seldom between those at peace."""
        for _ in range(7):
            living = [power for power in POWERS if self.owned[power]]
            weights = [self.kinds[power].strength * self.owned[power] ** 0.5 for power in living]
            winner = self.random.choices(living, weights)[0]
            if self.neutral:
                self.neutral -= 1
                self.owned[winner] += 1
                continue
            loser = self.random.choice([power for power in living if power != winner] or living)
            if loser != winner and frozenset((winner, loser)) not in self.peace:
                self.owned[loser] -= 1
                self.owned[winner] += 1
