"""A mutational fuzzer of the decoder and the language: `python -m tests.fuzz --seconds 60`.

Every input is what a client sends after its IM. It goes through the connection, through the reader
of each level, and into a running game. It fails if anything raises, takes too long, or is accepted
and not written back as the same tokens. Inputs with a behaviour that was not seen before are bred
from, and kept with `--keep`; the tests run all of `tests/data/corpus` again. Where atheris is
installed, `--atheris` lets it choose the inputs.
"""

import argparse
import importlib
import re
import struct
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import perf_counter, thread_time

import structlog
from attrs import Factory, define

from daide.connection import Connection, Event, TokensReceived
from daide.frames import InitialMessage
from grammar.messages import ClientMessage
from grammar.parse import Fault, Garbled, Reader, Unbalanced, reader_for
from grammar.tables import LEVELS
from grammar.tokens import Tokens, Word, tokens_from_bytes
from grammar.write import write
from server.settings import GameSettings
from tests.grammar.cases import ACCEPTED, REFUSED
from tests.long_run import conclude
from tests.server.table import Table

CORPUS = Path(__file__).parent / "data" / "corpus" / "inputs.hex"
FUZZED_LEVELS = (*(level for level in LEVELS if level <= 20), LEVELS[-1])
SLOW = 0.05
LONGEST_KEPT = 160
TOLD_EVERY = 10.0
"""Seconds between two lines that tell how far it is."""
INPUTS_PER_GAME = 400
_IM = InitialMessage().to_bytes()
_WORDS = [int(word) for word in Word]
_NAMES = [*range(0x4100, 0x4107), *range(0x5000, 0x5007), *range(0x5531, 0x5537), 0x574A]
_BRACKETS = [int(Word.BRA), int(Word.KET)]

_STRING = re.compile("'[^']*'")

Behaviour = tuple[object, ...]


class FuzzError(AssertionError):
    """An input that does what no input may do."""


# --- what is checked ------------------------------------------------------------------------------


class Target:
    """Everything that bytes of a client go through; the game lives on for a while."""

    def __init__(self) -> None:
        self._inputs = 0
        self._table = Table()

    def check(self, data: bytes) -> Behaviour:
        """Let an input through everything; return what it did, raise if that was wrong."""
        events = _decode(data)
        if events != _decode(data, cut=len(data) // 2):
            raise FuzzError("what is read depends on how the stream is cut")
        messages = [event.tokens for event in events if isinstance(event, TokensReceived)]
        kinds = tuple(type(event).__name__ for event in events[:3])
        return (kinds, *(self._check_message(tokens) for tokens in messages[:3]))

    def _check_message(self, tokens: Tokens) -> Behaviour:
        answers = self._play(tokens)
        return (*(_read(tokens, level) for level in FUZZED_LEVELS), answers)

    def _play(self, tokens: Tokens) -> Behaviour:
        """Let England say it in a game, and check that everybody else can read what they hear."""
        self._inputs += 1
        if self._inputs % INPUTS_PER_GAME == 1 or "ENG" not in self._table.numbers:
            self._table = Table(GameSettings(level=20, movement_limit=300)).fill()
        table = self._table
        game, number = table.game, table.numbers["ENG"]
        heard = table._told(game.receive(number, tokens, table.now))
        for name, text in heard:
            if name != "ENG" and "0x" in _STRING.sub("", text):
                raise FuzzError(f"{name} is sent a token that it cannot know: {text}")
        if game.clients[number].is_dismissed:
            del table.numbers["ENG"]
        return tuple(sorted({(name == "ENG", text[:3]) for name, text in heard}))


def _decode(data: bytes, cut: int = 0) -> list[Event]:
    connection = Connection.server()
    events: list[Event] = []
    for part in (_IM, data[:cut], data[cut:]):
        events += connection.receive(part)
    return events + connection.receive_eof()


def _read(tokens: Tokens, level: int) -> Behaviour:
    """Read a message at a level and check that it is written back as it was."""
    reader = reader_for(level)
    message, seconds = _timed(reader, tokens)
    if seconds > SLOW:
        # Three times by chance, because the machine had other work, is not likely.
        seconds = min(seconds, *(_timed(reader, tokens)[1] for _ in range(2)))
    if seconds > SLOW:
        raise FuzzError(f"level {level} took {seconds:.3f} s")
    if not isinstance(message, Garbled | Unbalanced):
        if write(message) != tokens:
            raise FuzzError(f"level {level} writes {message} as other tokens")
        return (type(message).__name__, type(getattr(message, "press", None)).__name__)
    answer = message.answer()
    if answer is not None and isinstance(reader.server(write(answer)), Garbled | Unbalanced):
        raise FuzzError(f"level {level} gives an answer that cannot be read: {answer}")
    wrong = tokens[message.at] if message.at < len(tokens) else None
    before = tokens[message.at - 1] if message.at else None
    return (type(message).__name__, _category(before), _category(wrong))


def _timed(reader: Reader, tokens: Tokens) -> tuple[ClientMessage | Fault, float]:
    # The time of the processor: on a busy machine the clock would time other programs as well.
    began = thread_time()
    return reader.client(tokens), thread_time() - began


def _category(token: int | None) -> object:
    """Return a word as it is, and of everything else what kind of token it is."""
    if token is None or token in _WORDS:
        return token
    return "number" if token < 0x4000 else token >> 8


# --- inputs ---------------------------------------------------------------------------------------


def frame(tokens: Tokens) -> bytes:
    """Return a message as a frame, also one that we would not send."""
    body = struct.pack(f">{len(tokens)}H", *tokens)
    return struct.pack(">BxH", 2, len(body)) + body


def corpus() -> list[bytes]:
    """Return the inputs that were kept."""
    return [bytes.fromhex(line) for line in CORPUS.read_text().split()] if CORPUS.exists() else []


def seeds() -> list[bytes]:
    """Return the inputs to breed from: what was kept, and a message of each production."""
    return [*corpus(), *(frame(case.tokens) for case in ACCEPTED + REFUSED)]


@define
class Breeder:
    """Makes new inputs from old ones."""

    chance: Random
    pool: list[bytes] = Factory(seeds)

    def breed(self) -> bytes:
        data = self.chance.choice(self.pool)
        if self.chance.random() < 0.1:
            return self._mutate_bytes(bytearray(data))
        body = data[4 : 4 + (len(data) - 4) // 2 * 2]
        tokens = list(tokens_from_bytes(body))
        for _ in range(self.chance.choice((1, 1, 2, 4, 8))):
            self._mutate(tokens)
        return frame(tuple(tokens[:32767]))

    def _mutate_bytes(self, data: bytearray) -> bytes:
        for _ in range(self.chance.choice((1, 2, 4))):
            place = self.chance.randrange(len(data) + 1)
            data[place : place + self.chance.randrange(2)] = self.chance.randbytes(1)
        return bytes(data)

    def _mutate(self, tokens: list[int]) -> None:
        start = self.chance.randrange(len(tokens) + 1)
        end = min(len(tokens), start + self.chance.choice((1, 1, 2, 3, 8)))
        part = tokens[start:end]
        match self.chance.randrange(7):
            case 0:
                del tokens[start:end]
            case 1:
                tokens[start:start] = part * self.chance.choice((1, 1, 2, 100))
            case 2:
                tokens[start:end] = [self._token() for _ in part]
            case 3:
                tokens.insert(start, self._token())
            case 4:
                depth = self.chance.choice((1, 1, 2, 70))
                tokens[start:end] = [_BRACKETS[0]] * depth + part + [_BRACKETS[1]] * depth
            case 5:
                other = self.chance.choice(self.pool)
                body = other[4 : 4 + (len(other) - 4) // 2 * 2]
                tokens[start:end] = tokens_from_bytes(body)[self.chance.randrange(8) :]
            case _:
                self.chance.shuffle(part)
                tokens[start:end] = part
        del tokens[20_000:]

    def _token(self) -> int:
        choices: tuple[Sequence[int], ...] = (
            _WORDS,
            _NAMES,
            _BRACKETS,
            range(0x10000),
            range(0x4B00, 0x4C00),
        )
        return self.chance.choice(self.chance.choice(choices))


# --- the command ----------------------------------------------------------------------------------


@define
class Report:
    """How a run went."""

    inputs: int = 0
    novel: list[bytes] = Factory(list)
    failures: list[tuple[bytes, str]] = Factory(list)


def run(
    inputs: Iterator[bytes],
    target: Target,
    breeder: Breeder,
    seen: set[Behaviour],
    report: Report | None = None,
) -> Report:
    """Check inputs and breed from those that do something new; add to a report, or begin one."""
    report = report or Report()
    told_at = perf_counter()
    for data in inputs:
        report.inputs += 1
        if perf_counter() - told_at > TOLD_EVERY:
            told_at = perf_counter()
            failed = len(report.failures)
            sys.stderr.write(f"{report.inputs} inputs, {len(seen)} behaviours, {failed} failures\n")
        try:
            behaviour = target.check(data)
        except Exception:  # noqa: BLE001 - whatever it is, it is a finding
            report.failures.append((data, traceback.format_exc(limit=-3)))
            continue
        if behaviour not in seen:
            seen.add(behaviour)
            breeder.pool.append(data)
            report.novel.append(data)
    return report


def bred(breeder: Breeder, seconds: float, most: int | None = None) -> Iterator[bytes]:
    """Give new inputs until the time is over."""
    ends_at = perf_counter() + seconds
    made = 0
    while perf_counter() < ends_at and made != most:
        made += 1
        yield breeder.breed()


def keep(inputs: list[bytes], most: int) -> int:
    """Add short inputs to the corpus, and return how many."""
    known = set(corpus())
    fresh = sorted((each for each in inputs if len(each) <= LONGEST_KEPT), key=len)
    fresh = [each for each in fresh if each not in known]
    fresh = fresh[:: len(fresh) // most + 1]  # of all lengths
    CORPUS.parent.mkdir(parents=True, exist_ok=True)
    with CORPUS.open("a") as file:
        file.writelines(f"{each.hex()}\n" for each in fresh)
    return len(fresh)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=int, default=0, help="how many new inputs to keep")
    parser.add_argument("--atheris", action="store_true", help="let atheris choose the inputs")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    target = Target()
    if options.atheris:
        return _run_atheris(target)
    breeder, seen, report = Breeder(Random(options.seed)), set[Behaviour](), Report()

    def so_far() -> dict[str, object]:
        return {
            "inputs": report.inputs,
            "behaviours": len(seen),
            "failures": len(report.failures),
            "first failures": [
                {"input": data.hex()[:2000], "what": text} for data, text in report.failures[:10]
            ],
        }

    def fuzz() -> dict[str, object]:
        run(iter(tuple(breeder.pool)), target, breeder, seen, report)
        report.novel.clear()
        run(bred(breeder, options.seconds), target, breeder, seen, report)
        kept = keep(report.novel, options.keep) if options.keep else 0
        return {"ok": not report.failures, **so_far(), "inputs kept": kept}

    return conclude(fuzz, so_far)


def _run_atheris(target: Target) -> int:
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        sys.stdout.write("atheris is not installed\n")
        return 2
    atheris.instrument_all()
    atheris.Setup([sys.argv[0]], target.check)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
