"""`daide export`: a recorded game in another form: pictures, films, texts of other programs."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from cli.parsing import command_parser
from exchange.texts import daide_log, orders_csv
from exchange.to_diplomacy import saved_game
from rules.errors import BadInputError, unwritable
from rules.turns import Phase, turn_from_code
from server.record_file import naming, read_record
from spectator.drawings import drawing_of
from spectator.film import gif
from spectator.offline import replay_file
from spectator.recorded_turns import TurnPicture, turn_pictures
from spectator.stills import THEMES, Artist, colours, png
from spectator.web.facts_from_record import chronicle_of
from spectator.web.views import ALL

EXAMPLE = """examples:
  daide play --record game.json
  daide export game.json --format svg --turn F1901M --out fall.svg
  daide export game.json --format png --out pictures
  daide export game.json --format gif --width 640 --theme dark --out game.gif
  daide export game.json --format html > game.html
  daide export game.json --format diplomacy-json --out saved.json

Texts go to standard output unless --out says where. Pictures need --out: one turn becomes a file, a
whole game a folder with a file a turn, or one film. They are those of the page: daggers mark
attacks that broke somebody's word, seals orders that were promised, stripes the zones that powers
keep out of. They need the extra `pictures`; `daide doctor` says how to get it."""

NARROWEST, WIDEST = 200, 4000
MOVES, OTHERS = 1200, 700  # milliseconds that a turn is shown in a film


@frozen
class ExportRequest:
    """What was asked for."""

    record: dict[str, Any]
    place: str
    options: argparse.Namespace


@frozen
class Format:
    """A form in which a game can be written."""

    summary: str
    write: Callable[[ExportRequest], list[Path]]
    width: int | None = None
    """Of a picture in pixels, unless asked for another; None for what is no picture."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    chosen = FORMATS[options.format]
    if options.turn is not None and chosen.width is None:
        raise BadInputError(f"--turn: {options.format} holds the whole game; leave it out")
    if options.width is not None and chosen.width is None:
        raise BadInputError(f"--width: {options.format} is no picture; leave it out")
    options.width = chosen.width if options.width is None else options.width
    if options.width is not None and not NARROWEST <= options.width <= WIDEST:
        raise BadInputError(f"--width: {options.width} is not between {NARROWEST} and {WIDEST}")
    record = read_record(options.record, options.game)
    if chosen.width is not None and options.out is None:
        example = f"--out {options.record.stem}.{options.format}"
        raise BadInputError(f"--out: say where to write the pictures, such as {example}")
    written = chosen.write(ExportRequest(record, str(options.record), options))
    if len(written) == 1:
        print(written[0])
    elif written:
        print(f"{len(written)} files in {written[0].parent}")
    return 0


def _write_stills(request: ExportRequest) -> list[Path]:
    kind = request.options.format
    stills = [(name, text if kind == "svg" else png(text)) for _, name, text in drawn(request)]
    out: Path = request.options.out
    if request.options.turn is not None:
        return [_save(out, stills[0][1])]
    return [_save(out / f"{name}.{kind}", data) for name, data in stills]


def _write_film(request: ExportRequest) -> list[Path]:
    frames = (
        (png(text), MOVES if shown.turn.phase is Phase.MOVEMENT else OTHERS)
        for shown, _, text in drawn(request)
    )
    return [_save(request.options.out, gif(frames, colours(request.options.theme)))]


def drawn(request: ExportRequest) -> Iterator[tuple[TurnPicture, str, str]]:
    """Give every turn asked for, its name for files, and its SVG."""
    options = request.options
    wanted = turn_from_code(options.turn) if options.turn is not None else None
    chronicle = chronicle_of(request.record, request.place)
    game = chronicle.document(ALL)
    drawing = drawing_of(chronicle.board)
    artist = Artist(drawing, game, theme=options.theme, width=options.width)
    found = False
    turns = list(turn_pictures(chronicle, game))
    for number, shown in enumerate(turns, 1):
        if wanted is not None and (shown.turn != wanted or (shown.is_end and found)):
            continue
        found = True
        _progress(number, len(turns), quiet=wanted is not None)
        name = "end" if shown.is_end else shown.turn.code
        yield shown, name, artist.svg(shown.frame, shown.title)
    if not found:
        first, last = turns[0].turn.code, turns[-1].turn.code
        raise BadInputError(
            f"{request.place}: has no turn {options.turn}; it goes from {first} to {last}"
        )


def _progress(number: int, count: int, *, quiet: bool) -> None:
    if quiet or not sys.stderr.isatty():
        return
    end = "\n" if number == count else ""
    print(f"\rdrawing turn {number} of {count}", end=end, file=sys.stderr, flush=True)


def _save(path: Path, data: str | bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise unwritable(path, error) from None
    return path


def _write_text(make: Callable[[ExportRequest], str]) -> Callable[[ExportRequest], list[Path]]:
    """Return what writes a whole game as text: to standard output unless --out says where."""

    def write(request: ExportRequest) -> list[Path]:
        text = make(request)
        with naming(request.place):
            # Bytes of a client that were no UTF-8 come out as they came in.
            data = text.encode("utf-8", "surrogateescape")
        if request.options.out is None:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            return []
        return [_save(request.options.out, data)]

    return write


def _write_record(make: Callable[[dict[str, Any]], str]) -> Callable[[ExportRequest], list[Path]]:
    """Return what writes a text that is made of the record as it stands in the file."""

    def made(request: ExportRequest) -> str:
        with naming(request.place):
            return make(request.record)

    return _write_text(made)


FORMATS = {
    "csv": Format("every order with its result", _write_record(orders_csv)),
    "daide-log": Format("DAIDE text, as an observer hears it", _write_record(daide_log)),
    "diplomacy-json": Format(
        "a saved game of the package diplomacy",
        _write_record(lambda record: json.dumps(saved_game(record)) + "\n"),
    ),
    "gif": Format("one film of the game", _write_film, 720),
    "html": Format(
        "the page with the game in it, one file to send around",
        _write_text(lambda request: replay_file(chronicle_of(request.record, request.place))),
    ),
    "png": Format("a picture a turn", _write_stills, 1000),
    "svg": Format("the same, to be scaled at will", _write_stills, 1000),
}


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("export", "Write a recorded game in another form.", EXAMPLE)
    known = "; ".join(f"{name}: {each.summary}" for name, each in FORMATS.items())
    parser.add_argument("record", type=Path, metavar="RECORD", help="a file of --record")
    parser.add_argument("--format", required=True, choices=list(FORMATS), help=known)
    parser.add_argument("--turn", metavar="TURN", help="only this one, such as S1901M or W1901A")
    parser.add_argument("--game", metavar="NAME", help="which game, if the file holds several")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="the file or folder to write (default: standard output)",
    )
    parser.add_argument("--width", type=int, metavar="PIXELS", help="1000, a film 720")
    parser.add_argument("--theme", choices=THEMES, default=THEMES[0], help="default: %(default)s")
    return parser
