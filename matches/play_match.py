"""One call for a whole game: what a notebook needs."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from matches.call_checks import (
    check_hook,
    check_match,
    check_players,
    check_variant,
    checked_settings,
)
from matches.finished_game import FinishedGame
from matches.in_process import OnTurn, do_nothing, play_in_process
from matches.match import Match, Player
from rules.errors import BadInputError
from rules.position import Position
from rules.variants import load_board

Players = Sequence[Player] | Mapping[str, Player]
LAST_YEAR = 1920
TURN_LIMIT = 60.0


def play(  # noqa: PLR0913 - settings, all by name
    players: Players,
    *,
    variant: str = "standard",
    seed: int = 0,
    press_level: int = 20,
    press_rounds: int = 6,
    last_year: int | None = LAST_YEAR,
    years_without_change: int | None = None,
    think: float | None = None,
    turn_limit: float = TURN_LIMIT,
    start: Position | None = None,
    name: str = "game-1",
    on_turn: OnTurn = do_nothing,
    over_tcp: bool = False,
) -> FinishedGame:
    """Play a game to its end and return everything about it.

    `players` are bots in the order of the map's powers, or by the names of powers: names of
    `daide bots`, `module:Class`, classes or objects. After every turn `on_turn` is called with what
    was played so far. With `over_tcp` every bot has a process of its own, and one that holds up the
    game for `turn_limit` seconds is ended. The other settings are those of `matches.match.Match`.
    """
    numbers = checked_settings(
        {
            "seed": seed,
            "press_level": press_level,
            "press_rounds": press_rounds,
            "last_year": last_year,
            "years_without_change": years_without_change,
            "think": think,
            "turn_limit": turn_limit,
        }
    )
    match = Match(
        players=seats(players, variant), variant=variant, start=start, name=name, **numbers
    )
    check_match(match)
    check_hook("on_turn", on_turn)
    if not over_tcp:
        return play_in_process(match, on_turn)
    from matches.over_tcp import play_over_tcp  # noqa: PLC0415 - sockets only if needed

    if not _has_loop():
        return play_over_tcp(match, on_turn)
    # A notebook's own loop runs in this thread, so the server's needs another.
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(play_over_tcp, match, on_turn).result()


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def seats(players: Players, variant: str) -> dict[str, Player]:
    """Return who plays which power, in the order of the map."""
    check_players(players)
    check_variant(variant)
    names = [power.name for power in load_board(variant).powers]
    if isinstance(players, Mapping):
        if set(players) != set(names):
            raise BadInputError(f"players: the powers of {variant} are {', '.join(names)}")
        return {name: players[name] for name in names}
    if len(players) != len(names):
        raise BadInputError(f"players: {len(players)} bots for {len(names)} powers of {variant}")
    return dict(zip(names, players, strict=True))
