"""What went wrong with bots in many games, for their authors: each kind once, with its place."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, frozen

from tournament.game_result import GameResult, Json

MOST = 10
"""So many kinds are told; the rest is counted."""


@define
class Kind:
    """One kind of fault of one bot."""

    bot: str
    what: str
    where: str
    """The turn in which it came first."""
    game: int
    detail: str = ""
    times: int = 0

    @property
    def sentence(self) -> str:
        """Say it in one line."""
        again = f", {self.times} times in all" if self.times > 1 else ""
        detail = f": {self.detail}" if self.detail else ""
        when = f"first in {self.where} of game {self.game}" if self.where else f"game {self.game}"
        return f"{self.bot} {self.what}{detail} ({when}{again})"


def complaints(results: Sequence[GameResult]) -> list[str]:
    """Say which bots failed, crashed, hung or left, with the author's own line, each kind once.

    And why games were aborted, which may be because of a bot that nobody could name.
    """
    kinds: dict[tuple[str, str, str], Kind] = {}
    for result in sorted(results, key=lambda each: each.number):
        for fault in result.faults:
            bot = result.players.get(str(fault.get("power")), "a bot")
            what = str(fault.get("what", "failed"))
            for each in _occasions(fault):
                new = Kind(bot, what, each.turn, result.number, each.detail)
                kinds.setdefault((bot, what, each.kind), new).times += each.times
    told = [*(kind.sentence for kind in kinds.values()), *_aborted(results)]
    left = len(told) - MOST
    return [*told[:MOST], f"and {left} more kinds of faults"] if left > 0 else told


def _aborted(results: Iterable[GameResult]) -> Iterator[str]:
    games: dict[str, list[int]] = {}
    for result in results:
        if result.error:
            games.setdefault(result.error, []).append(result.number)
    for error, numbers in games.items():
        first = f"game {min(numbers)} was aborted"
        more = f" ({len(numbers)} games in all)" if len(numbers) > 1 else ""
        yield f"{first}: {error}{more}"


@frozen
class _Occasion:
    """What is known of a fault, or of one of the errors behind it."""

    kind: str
    """What it has in common with others of its kind, whose texts may differ."""
    detail: str
    turn: str
    times: int = 1


def _occasions(fault: Json) -> Iterator[_Occasion]:
    errors = fault.get("errors")
    if not isinstance(errors, list) or not errors:
        ending = str(fault.get("ending", ""))
        yield _Occasion(ending, ending, _turn(fault.get("turn")))
        return
    for each in errors:
        error, where = str(each.get("error")), each.get("where") or []
        place = f" at {where[-1]}" if where else ""
        name = error.partition(":")[0]
        times = int(each.get("times", 1))
        yield _Occasion(f"{name}{place}", f"{error}{place}", str(each.get("turn")), times)


def _turn(told: object) -> str:
    match told:
        case [str(season), int(year)]:
            return f"{season} {year}"
    return ""
