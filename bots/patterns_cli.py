"""`daide patterns`: train pattern weights by self-play, and show what was learned."""

import argparse
import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic

from bots.kernel.memory import SCALE
from bots.patterns import concrete
from bots.patterns.features import is_support, is_useless_support, name_of, size_of
from bots.patterns.training import SelfPlayGame, Settings, Trainer, opening
from bots.patterns.weights import VARIANTS, Database, Weights, variant_of
from bots.training_progress import INTERRUPTED, Progress, progress, stop_asked
from cli.parsing import command_parser, new_file, seed, whole
from rules.errors import BadInputError
from rules.kernel.encode import codec_of
from rules.maps import load_map

EXAMPLE = """examples:
  daide patterns train --games 252 --variant paper --out paper.json.gz --seed 1
  daide patterns train --games 25000 --out best.json.gz --resume
  daide patterns show best.json.gz --power TUR
  daide bot patternweights/database=best.json.gz

The same seed gives the same weights, in one run or in several. A run that is stopped with Ctrl-C
goes on with --resume where it was, one that was killed goes on from its last checkpoint."""
SECONDS_BETWEEN_CHECKPOINTS = 30.0
RECENT = 50
"""How many of the last games the progress is about."""
NAMES = {1: "1-patterns", 2: "2-patterns", 3: "3-patterns", 0: "n-patterns"}


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    return _train(options) if options.action == "train" else _show(options)


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "patterns", "Train the player `patternweights` by self-play and show its weights.", EXAMPLE
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="train|show")
    train = actions.add_parser("train", help="play against itself and learn")
    train.add_argument("--games", type=whole(1), required=True, metavar="N", help="games in all")
    train.add_argument("--out", type=new_file, required=True, metavar="FILE", help="the database")
    train.add_argument("--resume", action="store_true", help="go on with what FILE has")
    train.add_argument("--seed", type=seed, metavar="N", help="default: 0, or that of FILE")
    train.add_argument("--variant", metavar="NAME", help=f"one of {', '.join(VARIANTS)}")
    train.add_argument(
        "--candidates",
        type=whole(1),
        metavar="N",
        help="sets of orders a turn; default: the variant's",
    )
    train.add_argument("--json", action="store_true", help="print the result as JSON")
    show = actions.add_parser("show", help="print the patterns with the highest weights")
    show.add_argument("database", type=Path, metavar="FILE")
    show.add_argument("--power", required=True, metavar="TUR")
    show.add_argument(
        "--most", type=whole(1), default=10, metavar="N", help="how many of each size"
    )
    show.add_argument(
        "--least-age", type=whole(0), default=30, metavar="N", help="leave out rarer ones"
    )
    show.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


# --- train ----------------------------------------------------------------------------------------


def _train(options: argparse.Namespace) -> int:
    database = _begun(options)
    settings = Settings(
        games=options.games,
        seed=database.seed if database else options.seed or 0,
        variant=database.variant if database else options.variant or next(iter(VARIANTS)),
        candidates=options.candidates,
    )
    trainer = Trainer(load_map(), settings, database)
    first, start = trainer.database.games, monotonic()
    with (
        progress("games", settings.games, as_json=options.json) as show,
        stop_asked() as is_stopped,
    ):
        _run(trainer, options.out, show, is_stopped)
    trainer.database.save(options.out)
    seconds = monotonic() - start
    _report(trainer.database, first, seconds, options)
    return 0 if trainer.database.games >= settings.games else INTERRUPTED


def _begun(options: argparse.Namespace) -> Database | None:
    """Return the database that a run goes on with, if any."""
    variant_of(options.variant or next(iter(VARIANTS)))
    if not options.out.exists():
        return None
    if not options.resume:
        raise BadInputError(f"--out: {str(options.out)!r} exists; add --resume to go on with it")
    found = Database.load(options.out)
    for name in ("seed", "variant"):
        wanted, has = getattr(options, name), getattr(found, name)
        if wanted is not None and wanted != has:
            raise BadInputError(f"--{name}: {str(options.out)!r} was begun with {has!r}")
    return found


def _run(trainer: Trainer, out: Path, show: Progress, is_stopped: Callable[[], bool]) -> None:
    saved = monotonic()
    recent: deque[SelfPlayGame] = deque(maxlen=RECENT)
    is_featureless = variant_of(trainer.database.variant).is_featureless
    summary = _concrete_summary if is_featureless else _summary
    for game in trainer.run():
        recent.append(game)
        show(trainer.database.games, partial(summary, recent))
        if monotonic() - saved > SECONDS_BETWEEN_CHECKPOINTS:
            trainer.database.save(out)
            saved = monotonic()
        if is_stopped():
            break


def _orders_of(games: Sequence[SelfPlayGame]) -> Counter[int]:
    orders: Counter[int] = Counter()
    for game in games:
        for lessons in game.lessons:
            for lesson in lessons:
                orders.update(lesson.orders)
    return orders


def _concrete_summary(games: Sequence[SelfPlayGame]) -> str:
    """Say how the last games of learners without features went."""
    orders = {
        pattern: count
        for pattern, count in _orders_of(games).items()
        if concrete.size_of(pattern) == 1
    }
    supports = sum(count for pattern, count in orders.items() if concrete.is_support(pattern))
    moves = sum(game.moves for game in games) / len(games)
    return f"{moves:.1f} moves a game, supports {supports / sum(orders.values()):.0%} of the orders"


def _summary(games: Sequence[SelfPlayGame]) -> str:
    """Say how the last games went."""
    orders = _orders_of(games)
    supports = sum(count for vector, count in orders.items() if is_support(vector))
    useless = sum(count for vector, count in orders.items() if is_useless_support(vector))
    moves = sum(game.moves for game in games) / len(games)
    return (
        f"{moves:.1f} moves a game, supports {supports / orders.total():.0%} of the orders, "
        f"{useless / max(1, supports):.0%} of them useless"
    )


def _report(database: Database, first: int, seconds: float, options: argparse.Namespace) -> None:
    played = database.games - first
    sizes = {name: len(weights.known) for name, weights in database.powers.items()}
    by_size = {name: _by_size(database, weights) for name, weights in database.powers.items()}
    if options.json:
        print(
            json.dumps(
                {
                    "games": database.games,
                    "played": played,
                    "seconds": round(seconds, 1),
                    "seed": database.seed,
                    "variant": database.variant,
                    "patterns": sizes,
                    "sizes": by_size,
                    "file": str(options.out),
                }
            )
        )
        return
    print(f"{played} games in {seconds:.0f} s, {database.games} in all: {options.out}")
    for name, counts in by_size.items():
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        print(f"  {name}: {told}")


def _by_size(database: Database, weights: Weights) -> dict[str, int]:
    """Count the patterns of a power, the small ones first."""
    size = concrete.size_of if variant_of(database.variant).is_featureless else size_of
    counts = Counter(map(size, weights.known))
    return {title: counts[each] for each, title in NAMES.items() if each in counts}


# --- show -----------------------------------------------------------------------------------------


def _show(options: argparse.Namespace) -> int:
    database = Database.load(options.database)
    weights = database.powers.get(options.power)
    if weights is None:
        known = ", ".join(database.powers)
        raise BadInputError(f"--power: no such power: {options.power!r}; choose one of {known}")
    board = load_map()
    size_in, name_in = size_of, name_of
    if variant_of(database.variant).is_featureless:
        power = board.power(options.power)
        size_in = concrete.size_of
        name_in = partial(concrete.name_of, codec=codec_of(board), power=power)
    tables = {}
    for size, title in NAMES.items():
        rows = _best(
            (
                (weight / SCALE, age, pattern)
                for pattern, (weight, age) in weights.known.items()
                if size_in(pattern) == size and age >= options.least_age
            ),
            options.most,
            name_in,
        )
        if rows:
            tables[title] = rows
    first = opening(board, database, options.power)
    if options.json:
        document = {
            title: [{"weight": weight, "age": age, "pattern": name} for weight, age, name in rows]
            for title, rows in tables.items()
        }
        head = {"power": options.power, "games": database.games, "opening": first}
        print(json.dumps({**head, **document}))
        return 0
    print(f"{options.power} after {database.games} games ({database.variant})")
    for title, rows in tables.items():
        print(f"\n{title}")
        for weight, age, name in rows:
            print(f"  {weight:.4f} {age:>7}  {name}")
    print("\nfirst orders, in per cent of the ten best sets")
    for unit, shares in first.items():
        told = ", ".join(f"{order} {share}" for order, share in shares.items())
        print(f"  {unit}: {told}")
    return 0


def _best(
    rows: Iterable[tuple[float, int, int]], most: int, name_in: Callable[[int], str]
) -> list[tuple[float, int, str]]:
    ranked = sorted(rows, key=lambda row: (-row[0], -row[1], row[2]))[:most]
    return [(weight, age, name_in(pattern)) for weight, age, pattern in ranked]
