"""Hold the parser against a second, slow reading of the syntax documents.

    python -m tests.grammar.second_reading_long 100000

Messages are made from every rule of the documents at every press level, and read whole, at a level
of chance, and with one token changed. Both readings must agree on whether a message is good and, if
not, on the place of ERR. Exit code 1 at a difference.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from random import Random

from grammar.parse import Garbled, Unbalanced, reader_for
from grammar.tables import LEVELS
from grammar.text import to_text
from grammar.tokens import Word
from tests.grammar.second_reading import STARTS, Choice, Part, read, rules, terminal

LONGEST = 600
OUT_OF_REACH = 99
WORDS = [int(word) for word in Word]


class Generator:
    """Makes messages of one level, and prefers the choices that were made least so far."""

    def __init__(self, level: int, random: Random, *, partial_draws: bool) -> None:
        self.random = random
        self.used: Counter[Choice] = Counter()
        possible = {
            name: [each for each in choices if each.level <= level and is_real(each)]
            for name, choices in rules(partial_draws=partial_draws).items()
        }
        self.heights = heights(possible)
        # What needs a rule of a higher level cannot be made.
        self.rules = {
            name: [each for each in choices if self._height(each) < OUT_OF_REACH]
            for name, choices in possible.items()
        }

    def _height(self, choice: Choice) -> int:
        return height(choice, self.heights)

    def message(self, start: str) -> list[int]:
        """Make one message."""
        return self._made(Part(start), self.random.randint(4, 14))

    def _made(self, part: Part, depth: int) -> list[int]:
        least = {"": 1, "+": 1, "*": 0}[part.times]
        times = 1 if not part.times else self.random.choice((least, least, 1, 2, 3))
        return [token for _ in range(times) for token in self._once(part.name, depth)]

    def _once(self, name: str, depth: int) -> list[int]:
        if name == "any":
            return quoted(self.random)
        if name not in self.rules:
            return [self.random.choice(terminal(name))]
        choices = [each for each in self.rules[name] if self._height(each) <= depth]
        choices = choices or [min(self.rules[name], key=self._height)]
        fewest = min(self.used[each] for each in choices)
        chance = self.random.random() < 0.5
        rare = [each for each in choices if chance or self.used[each] == fewest]
        choice = self.random.choice(rare)
        self.used[choice] += 1
        return [token for part in choice.parts for token in self._made(part, depth - 1)]


def is_real(choice: Choice) -> bool:
    """Whether something can be made of a choice: `never` only marks a place."""
    return all(part.name != "never" for part in choice.parts)


def heights(by_name: dict[str, list[Choice]]) -> dict[str, int]:
    """Return how many rules the flattest message of each name has below each other."""
    known = dict.fromkeys(by_name, OUT_OF_REACH)
    for _ in by_name:
        for name, choices in by_name.items():
            known[name] = min((height(each, known) for each in choices), default=OUT_OF_REACH)
    return known


def height(choice: Choice, known: dict[str, int]) -> int:
    """Return the height of a choice; what is no rule is a token."""
    below = max((known.get(part.name, 0) for part in choice.parts), default=0)
    return min(1 + below, OUT_OF_REACH)


def quoted(random: Random) -> list[int]:
    """Make what a HUH may quote: anything with brackets that match."""
    inner = [random.choice(WORDS) for _ in range(random.randrange(4))]
    inner = [token for token in inner if token not in (Word.BRA, Word.KET)]
    return [*inner, int(Word.BRA), int(Word.ERR), int(Word.KET)] if random.random() < 0.3 else inner


def mutated(tokens: Sequence[int], random: Random) -> list[int]:
    """Change one token: take it out, double it, swap it, or put another one in its place."""
    tokens = list(tokens)
    place = random.randrange(len(tokens))
    other = random.choice((random.choice(WORDS), random.choice(tokens), random.randrange(0x6000)))
    match random.randrange(5):
        case 0:
            del tokens[place]
        case 1:
            tokens.insert(place, other)
        case 2:
            tokens[place] = other
        case 3:
            far = random.randrange(len(tokens))
            tokens[place], tokens[far] = tokens[far], tokens[place]
        case _:
            tokens.append(other)
    return tokens


def ours(tokens: Sequence[int], start: str, level: int, *, partial_draws: bool) -> int | str | None:
    """Return what the parser says."""
    reader = reader_for(level, partial_draws=partial_draws)
    found = getattr(reader, start)(tuple(tokens))
    if isinstance(found, Unbalanced):
        return "PRN"
    return found.at if isinstance(found, Garbled) else None


class Comparison:
    """Makes messages and counts where the two readings differ."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)
        self.verdicts: Counter[str] = Counter()
        self.differences: list[str] = []
        self._generators = {
            (level, partial): Generator(level, self.random, partial_draws=partial)
            for level in LEVELS
            for partial in (True, False)
        }

    @property
    def compared(self) -> int:
        """How many messages have been read twice."""
        return self.verdicts.total()

    @property
    def unused(self) -> set[Choice]:
        """The choices that no message was made of."""
        made = self._generators.values()
        every = {each for one in made for choices in one.rules.values() for each in choices}
        return every - {each for one in made for each in one.used}

    def run(self, count: int) -> None:
        """Compare so many messages."""
        while self.compared < count:
            level = self.random.choice(LEVELS)
            partial = self.random.random() < 0.5
            start = self.random.choice([each for each in STARTS if level or each != "press"])
            message = self._generators[level, partial].message(start)
            if not message or len(message) > LONGEST:
                continue
            other = self.random.choice([each for each in LEVELS if each or start != "press"])
            self.compare(message, start, level, partial=partial)
            self.compare(message, start, other, partial=partial)
            for _ in range(3):
                changed = mutated(message, self.random)
                self.compare(changed, start, self.random.choice((level, other)), partial=partial)

    def compare(self, tokens: Sequence[int], start: str, level: int, *, partial: bool) -> None:
        """Read a message twice."""
        # What starts with PRN is not read at all, and quotes what need not match.
        if not tokens or (tokens[0] == Word.PRN and start in ("client", "server")):
            return
        second = read(tokens, start, level, partial_draws=partial)
        first = ours(tokens, start, level, partial_draws=partial)
        self.verdicts["good" if second is None else "PRN" if second == "PRN" else "HUH"] += 1
        if first != second:
            self.differences.append(
                f"{start} at level {level}, partial draws {partial}: {to_text(tokens)}\n"
                f"    the parser says {first}, the documents say {second}"
            )


def main(count: int, seed: int = 0) -> int:
    """Compare, tell how far it is, and return the exit code."""
    comparison = Comparison(seed)
    while comparison.compared < count and len(comparison.differences) < 10:
        comparison.run(min(count, comparison.compared + max(1, count // 10)))
        sys.stderr.write(f"{comparison.compared} messages: {dict(comparison.verdicts)}\n")
    for difference in comparison.differences:
        sys.stdout.write(f"{difference}\n")
    found = f"{len(comparison.differences)} differences"
    unused = f"{len(comparison.unused)} choices of the rules not used"
    sys.stdout.write(f"{comparison.compared} messages, {found}, {unused}\n")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) if len(sys.argv) > 1 else main(100_000))
