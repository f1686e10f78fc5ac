"""`daide searchbot`: learn what searchers go by, the value and the policy; measure equilibria."""

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic

from attrs import asdict

from bots.kernel.facts import MOST_HIDDEN
from bots.kernel.habits import COLDEST, HOTTEST, MOST_HEATS
from bots.searchbot.blueprint import blueprint_named
from bots.searchbot.exploitability import Curve, measure
from bots.searchbot.policy_training import DRAWS, MeasuredPolicy, PolicyRecipe, PolicyTraining
from bots.searchbot.training import HABITUAL_HEATS, Measured, Recipe, Training
from bots.training_progress import INTERRUPTED, Progress, progress, stop_asked
from cli.parsing import command_parser, new_file, seed, whole
from rules.errors import BadInputError
from rules.maps import load_map

EXAMPLE = """examples:
  daide searchbot train --games 100000 --out standard.value.gz --seed 1
  daide searchbot train --games 100000 --searched 2000 --out mine.value.gz --resume
  daide bot searchbot/value=mine.value.gz
  daide searchbot train --policy --games 1000 --out mine.policy.gz --seed 1
  daide bot searchbot/blueprint=mine.policy.gz
  daide searchbot exploitability --positions 100

The same settings give the same file, in one run or in several. A run that is stopped goes on with
--resume after its last round; what it has learned so far is in FILE.part until it is over."""
SECONDS_BETWEEN_CHECKPOINTS = 20.0
ITERATIONS = (1, 4, 16, 64, 256, 1024)
"""After how many iterations policies are measured."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    return _train(options) if options.action == "train" else _exploitability(options)


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "searchbot",
        "Learn what positions are worth and what is usual, or see how well a search balances.",
        EXAMPLE,
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="train|exploitability")
    train = actions.add_parser("train", help="play games on the kernel and learn from them")
    train.add_argument(
        "--policy", action="store_true", help="learn what is usual, not what positions are worth"
    )
    train.add_argument(
        "--games",
        type=whole(1),
        required=True,
        metavar="N",
        help="games of DumbBot's planning; for a policy, games in which all powers search",
    )
    train.add_argument(
        "--searched",
        type=whole(0),
        default=0,
        metavar="N",
        help="games after them in which all powers search (default: 0)",
    )
    train.add_argument(
        "--habitual",
        type=whole(0),
        default=0,
        metavar="N",
        help="games by the learned policy, before those with search (default: 0)",
    )
    train.add_argument(
        "--heats",
        type=_heats,
        metavar="H,H,...",
        help="temperatures at which powers draw in them (default: 0.6,1,1,1.5)",
    )
    train.add_argument("--out", type=new_file, required=True, metavar="FILE", help="the result")
    train.add_argument(
        "--hidden",
        type=whole(0),
        metavar="N",
        help="the network's size (default: 32, of a policy 16)",
    )
    train.add_argument("--seed", type=seed, default=0, metavar="N", help="default: 0")
    train.add_argument("--resume", action="store_true", help="go on with FILE.part")
    train.add_argument("--json", action="store_true", help="print the result as JSON")
    curve = actions.add_parser(
        "exploitability", help="how much could be gained against policies, by iterations"
    )
    curve.add_argument("--positions", type=whole(1), default=100, metavar="N", help="default: 100")
    curve.add_argument(
        "--blueprint",
        default="dumbbot",
        metavar="NAME",
        help="whose candidates: dumbbot, narrow, learned, mixed or a file (default: dumbbot)",
    )
    curve.add_argument("--seed", type=seed, default=0, metavar="N", help="default: 0")
    curve.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


def _train(options: argparse.Namespace) -> int:
    training = _policy_training(options) if options.policy else _value_training(options)
    part = options.out.with_name(f"{options.out.name}.part")
    if options.out.exists():
        raise BadInputError(f"--out: {str(options.out)!r} exists; choose another name")
    if part.exists():
        if not options.resume:
            raise BadInputError(f"--out: {str(part)!r} exists; add --resume to go on with it")
        training.resume(part)
    start = monotonic()
    with (
        progress("games", training.total, as_json=options.json) as show,
        stop_asked() as is_stopped,
    ):
        _run(training, part, show, is_stopped)
    if not training.is_over:
        training.save(part)
        print(f"stopped after {training.done} games; go on with --resume", file=sys.stderr)
        return INTERRUPTED
    training.weights().save(options.out)
    part.unlink(missing_ok=True)
    _report(training.measure(), options.out, monotonic() - start, as_json=options.json)
    return 0


def _value_training(options: argparse.Namespace) -> Training:
    hidden = _hidden(options, 1, 32)
    recipe = Recipe(
        games=options.games,
        searched=options.searched,
        habitual=options.habitual,
        heats=options.heats or HABITUAL_HEATS,
        hidden=hidden,
        seed=options.seed,
    )
    return Training(load_map(), recipe)


def _heats(text: str) -> tuple[float, ...]:
    """Read temperatures."""
    try:
        heats = tuple(float(each) for each in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} are no numbers with commas between") from None
    if len(heats) > MOST_HEATS or not all(COLDEST <= heat <= HOTTEST for heat in heats):
        raise argparse.ArgumentTypeError(
            f"{text!r} are not up to {MOST_HEATS} temperatures from {COLDEST} to {HOTTEST:g}"
        )
    return heats


def _policy_training(options: argparse.Namespace) -> PolicyTraining:
    if options.searched or options.habitual or options.heats:
        raise BadInputError(
            "--policy: all its games are searched; leave out --searched, --habitual, --heats"
        )
    hidden = _hidden(options, 0, 16)
    recipe = PolicyRecipe(games=options.games, hidden=hidden, seed=options.seed)
    return PolicyTraining(load_map(), recipe)


def _hidden(options: argparse.Namespace, fewest: int, usual: int) -> int:
    hidden: int = usual if options.hidden is None else options.hidden
    if not fewest <= hidden <= MOST_HIDDEN:
        raise BadInputError(f"--hidden: {hidden} must be between {fewest} and {MOST_HIDDEN}")
    return hidden


def _exploitability(options: argparse.Namespace) -> int:
    blueprint = blueprint_named(options.blueprint)
    found: Curve | None = None
    with (
        progress("positions", options.positions, as_json=options.json) as show,
        stop_asked() as is_stopped,
    ):
        for found in measure(load_map(), options.positions, ITERATIONS, options.seed, blueprint):
            show(found.positions, partial(_last, found))
            if is_stopped():
                break
    assert found is not None
    print(json.dumps(asdict(found)) if options.json else _curve_text(found))
    return 0 if found.positions == options.positions else INTERRUPTED


def _last(curve: Curve) -> str:
    return f"{curve.alone[ITERATIONS[-1]]:.4f}"


def _curve_text(curve: Curve) -> str:
    rows = [
        f"{curve.positions} positions; the sum of what each power would gain by its best answer",
        f"{'uniform':>10} {curve.uniform:8.4f}",
        f"{'usual':>10} {curve.usual:8.4f}",
        f"{'iterations':>10} {'one run':>8} {'mean of two':>12}",
    ]
    rows += [
        f"{count:>10} {alone:8.4f} {curve.together[count]:12.4f}"
        for count, alone in curve.alone.items()
    ]
    return "\n".join(rows)


def _run(
    training: Training | PolicyTraining, part: Path, show: Progress, is_stopped: Callable[[], bool]
) -> None:
    saved = monotonic()
    while not training.is_over and not is_stopped():
        loss = training.step()
        show(training.done, partial("loss {:.4f}".format, loss))
        if monotonic() - saved > SECONDS_BETWEEN_CHECKPOINTS:
            training.save(part)
            saved = monotonic()


def _report(
    measured: Measured | MeasuredPolicy, out: Path, seconds: float, *, as_json: bool
) -> None:
    if as_json:
        print(json.dumps({**asdict(measured), "file": str(out), "seconds": round(seconds, 1)}))
        return
    if isinstance(measured, MeasuredPolicy):
        print(
            f"{out}: {measured.best:.1%} of {measured.decisions} orders of other games were the "
            f"most likely ones, loss {measured.loss:.4f}; drawn unit by unit "
            f"{measured.learned:.4f}, by DumbBot's planning {measured.dumbbot:.4f}; whole order "
            f"sets among {DRAWS}: {measured.sets_learned:.1%}, {measured.sets_dumbbot:.1%}"
        )
        return
    print(
        f"{out}: mean squared error {measured.learned:.4f} over {measured.positions} positions of "
        f"other games; centers {measured.centers:.4f}, projection {measured.projection:.4f}"
    )
