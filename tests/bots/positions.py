"""What the tests of tactics share: positions in a few words, and what a player sees of them."""

from collections.abc import Mapping, Sequence
from random import Random

from bots.view import Beliefs, GameView
from rules.board import Board
from rules.maps import load_map
from rules.notation import parse_order, parse_unit
from rules.orders import Order, Unit
from rules.places import Power, Province
from rules.position import Position, by_province
from rules.turns import Season, Turn

BOARD = load_map()
FALL = Turn(Season.FALL, 1903)


def view(
    power: str = "FRA",
    position: Position = BOARD.start,
    *,
    board: Board = BOARD,
    seed: int = 1,
    beliefs: Beliefs | None = None,
    seconds: float | None = None,
) -> GameView:
    """Return what a power sees."""
    return GameView(
        board=board,
        power=board.power(power),
        position=position,
        random=Random(seed),
        beliefs=beliefs or Beliefs(),
        seconds=seconds,
    )


def view_of(
    where: Position, power: Power | None = None, seed: int = 1, **beliefs: object
) -> GameView:
    """Return what France, or another power, sees there with such beliefs."""
    believed = Beliefs(**beliefs)  # type: ignore[arg-type]  # as beliefs have them
    return view(power.name if power else "FRA", where, seed=seed, beliefs=believed)


def units_of(units: Mapping[str, Sequence[str]]) -> tuple[Unit, ...]:
    """Return units such as `{"FRA": ["A PAR"]}`, in the order of a position."""
    found = (
        parse_unit(BOARD, BOARD.power(name), text)
        for name, texts in units.items()
        for text in texts
    )
    return tuple(sorted(found, key=by_province))


def owners_of(owners: Mapping[str, Sequence[str]]) -> dict[Province, Power]:
    """Return who owns what, of such as `{"FRA": ["PAR", "BRE"]}`."""
    return {
        BOARD.province(center): BOARD.power(name)
        for name, centers in owners.items()
        for center in centers
    }


def placed(
    units: Mapping[str, Sequence[str]],
    owners: Mapping[str, Sequence[str]],
    season: Season = Season.FALL,
) -> Position:
    """Put units on an empty board."""
    return Position(Turn(season, 1905), units_of(units), (), owners_of(owners))


def position(turn: Turn = FALL, owners: str | None = None, **units: str) -> Position:
    """Return a position with units such as `FRA="A PAR, F BRE"`.

    The owners are such as `owners="FRA PAR BRE, GER MUN"`; if nobody says who, those of the start,
    and France of what has none then.
    """
    standing = units_of({name: texts.split(", ") for name, texts in units.items()})
    if owners is None:
        france = BOARD.power("FRA")
        owned = {center: BOARD.start.owners.get(center, france) for center in BOARD.centers}
    else:
        told = [each.split() for each in filter(None, owners.split(", "))]
        owned = owners_of({name: centers for name, *centers in told})
    return Position(turn, standing, (), owned)


def order(where: Position, power: Power, text: str) -> Order:
    """Read an order for a unit that stands there."""
    return parse_order(BOARD, where, power, text)
