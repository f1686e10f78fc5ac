"""The result of one game as a value, and as a line of `games.jsonl`: one writer and one reader.

`BadInputError` leaves this module for a line that is torn, malformed or of another version; its
text names the file and the line.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from attrs import field, frozen

from grammar.shown import shown
from rules.errors import BadInputError
from rules.outcome import EndingJson
from tournament.scoring import PowerScores, scores

VERSION = 2
"""The version of the lines; it grows when one of them means something else than before."""
OUTCOMES = ("solo", "draw", "year-limit", "aborted")
_TURN_SEASONS = {"SPR": 0.0, "SUM": 0.25, "FAL": 0.5, "AUT": 0.75, "WIN": 1.0}
_JSON_NAMES = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
}

_WRITTEN = (
    *("seed", "players", "outcome", "winners", "year", "ending", "phases", "seconds", "mode"),
    *("eliminated", "press", "promises", "offers", "stabs", "faults"),
)

Json = dict[str, Any]


@frozen(slots=False)
class GameResult:
    """One game: who played what, how it went, and what was promised."""

    number: int
    field_name: str
    seed: int
    players: dict[str, str]
    outcome: str
    winners: list[str]
    year: int
    centers: dict[int, dict[str, int]]
    ending: EndingJson | None = None
    eliminated: dict[str, int] = field(factory=dict)
    press: dict[str, int] = field(factory=dict)
    promises: list[Json] = field(factory=list)
    offers: list[Json] = field(factory=list)
    stabs: list[Json] = field(factory=list)
    faults: list[Json] = field(factory=list)
    phases: int = 0
    seconds: float = 0.0
    mode: str = ""
    error: str = ""
    """Why it was aborted."""
    record: bytes = field(default=b"", eq=False, repr=False)
    """The whole game, compressed; kept in a file of its own."""

    @property
    def is_counted(self) -> bool:
        """Whether the game came to an end and so has scores."""
        return self.outcome != "aborted" and bool(self.centers)

    @cached_property
    def scores(self) -> dict[str, PowerScores]:
        """The scores, worked out anew from what happened; an aborted game has none."""
        if not self.is_counted:
            return {}
        return scores(self.outcome, self.winners, self.centers, self.eliminated)

    @cached_property
    def seats(self) -> dict[str, list[str]]:
        """The powers of each bot."""
        found: dict[str, list[str]] = {}
        for power, bot in sorted(self.players.items()):
            found.setdefault(bot, []).append(power)
        return found


def years_of(turn: Iterable[Any]) -> float:
    """Return a turn as years and parts of years: the fall of 1901 is 1901.5."""
    season, year = turn
    return int(year) + _TURN_SEASONS.get(str(season), 0.0)


def result_to_json(result: GameResult) -> Json:
    """Write a result; `result_from_json` reads it."""
    told: Json = {"version": VERSION, "game": result.number, "field": result.field_name}
    told |= {name: getattr(result, name) for name in _WRITTEN}
    told["centers"] = {str(year): counts for year, counts in result.centers.items()}
    told["scores"] = result.scores
    return {**told, "error": result.error} if result.error else told


def result_from_line(line: str, place: str) -> GameResult:
    """Read one line of a file; `place` names both."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInputError(
            f"{place}: not JSON ({error}); remove the line and resume the tournament"
        ) from None
    if not isinstance(data, dict):
        raise BadInputError(f"{place}: each line must be an object, this is {_kind(data)}")
    if (version := data.get("version")) != VERSION:
        told = "has no version" if version is None else f"is of version {version!r}"
        raise BadInputError(
            f"{place}: the line {told}, and this daide reads version {VERSION}; "
            "play the tournament again, or read it with the daide that wrote it"
        )
    try:
        return result_from_json(data)
    except (KeyError, TypeError, ValueError) as error:
        why = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise BadInputError(f"{place}: {why}; remove the line and resume the tournament") from None


def result_from_json(data: Mapping[str, Any]) -> GameResult:
    """Read a result; raises KeyError, TypeError or ValueError for one that is malformed."""
    outcome = _get(data, "outcome", str)
    if outcome not in OUTCOMES:
        raise ValueError(f"outcome: {outcome!r} is not one of {', '.join(OUTCOMES)}")
    # The names of collected games are strangers' texts, on their way to a terminal and a page.
    named: dict[str, str] = _mapping(data, "players", str)
    players = {power: shown(name) for power, name in named.items()}
    counted = outcome != "aborted"
    centers = {
        _year(year): _mapping(each, f"centers of {year}", int, whole=True)
        for year, each in _get(data, "centers", dict, needed=counted).items()
    }
    winners = _get(data, "winners", list, needed=counted)
    _check_powers(players, centers, winners, outcome)
    return GameResult(
        number=_get(data, "game", int),
        field_name=_get(data, "field", str),
        seed=_get(data, "seed", int),
        players=players,
        outcome=outcome,
        winners=winners,
        year=_get(data, "year", int, needed=counted),
        centers=centers,
        eliminated=_mapping(data, "eliminated", int, needed=False),
        press=_mapping(data, "press", int, needed=False),
        promises=_records(data, "promises", {"kind", "maker", "to", "made", "verdict"}, players),
        offers=_records(data, "offers", {"turn", "sender", "to", "kind", "answer"}, players),
        stabs=_records(data, "stabs", {"turn", "by", "victim"}, players),
        faults=_records(data, "faults", set(), players),
        ending=data.get("ending"),
        phases=_get(data, "phases", int, needed=False),
        seconds=float(data.get("seconds") or 0.0),
        mode=_get(data, "mode", str, needed=False),
        error=_get(data, "error", str, needed=False),
    )


def _check_powers(
    players: Mapping[str, str],
    centers: Mapping[int, Mapping[str, int]],
    winners: list[Any],
    outcome: str,
) -> None:
    if outcome == "aborted":
        return
    if not players:
        raise ValueError("players: nobody plays")
    if not centers:
        raise ValueError("centers: no year is told")
    for year, each in centers.items():
        if set(each) != set(players):
            raise ValueError(f"centers of {year}: not the powers of players")
    strangers = [power for power in winners if power not in players]
    if strangers:
        raise ValueError(f"winners: {strangers[0]!r} does not play")
    if (outcome == "solo" and len(winners) != 1) or (outcome == "draw" and not winners):
        raise ValueError(f"winners: a {outcome} cannot have {len(winners)}")


def _get(data: Mapping[str, Any], key: str, kind: type, *, needed: bool = True) -> Any:  # noqa: ANN401 - of the kind asked for
    value = data[key] if needed else data.get(key)
    if value is None and not needed:
        return kind()
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{key}: must be {_JSON_NAMES[kind]}, not {_kind(value)}")
    return value


def _mapping(
    data: Mapping[str, Any], key: str, kind: type, *, needed: bool = True, whole: bool = False
) -> dict[str, Any]:
    """Return an object whose values are of one kind: the one at the key, or `data` itself."""
    value = data if whole else _get(data, key, dict, needed=needed)
    if not isinstance(value, dict):
        raise TypeError(f"{key}: must be an object, not {_kind(value)}")
    for name, each in value.items():
        if not isinstance(each, kind) or isinstance(each, bool):
            raise TypeError(f"{key}: {name} must be {_JSON_NAMES[kind]}, not {_kind(each)}")
    return value


def _records(
    data: Mapping[str, Any], key: str, wanted: set[str], players: Mapping[str, str]
) -> list[Json]:
    """Return a list of objects that have the keys the report reads, with powers that play."""
    records: list[Any] = _get(data, key, list, needed=False)
    for number, each in enumerate(records, start=1):
        if not isinstance(each, dict) or not wanted <= set(each):
            raise ValueError(f"{key}: entry {number} needs {', '.join(sorted(wanted))}")
        _check_values(each, wanted, f"{key}: entry {number}")
        powers = [each[name] for name in ("maker", "sender", "by", "victim") if name in wanted]
        to = each["to"] if "to" in wanted else []
        for power in [*powers, *(to if isinstance(to, list) else [to])]:
            if power not in players:
                raise ValueError(f"{key}: entry {number}: {power!r} does not play")
    return records


def _check_values(entry: Json, wanted: set[str], place: str) -> None:
    """Check the texts and turns of an entry, and the centers if it has any."""
    for name in wanted & {"kind", "verdict", "answer"}:
        if not isinstance(entry[name], str):
            raise TypeError(f"{place}: {name} must be a text, not {_kind(entry[name])}")
    if "to" in wanted and not isinstance(entry["to"], list if "maker" in wanted else str):
        kind = "a list of powers" if "maker" in wanted else "a power"
        raise TypeError(f"{place}: to must be {kind}, not {_kind(entry['to'])}")
    for name in ("turn", "made", "ended"):
        if name in wanted or ("made" in wanted and entry.get(name) is not None):
            match entry[name]:
                case [str(), int()]:
                    pass
                case _:
                    raise ValueError(f"{place}: {name} must be a season and a year")
    match entry.get("centers"):
        case None | [int() | None, int() | None]:
            pass
        case _:
            raise ValueError(f"{place}: centers must be two numbers")


def _year(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"centers: {text!r} is not a year")
    return int(text)


def _kind(value: object) -> str:
    if value is None:
        return "null"
    return _JSON_NAMES.get(type(value), f"{value!r}")
