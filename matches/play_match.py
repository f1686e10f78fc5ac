"""One call for a whole game: what a notebook needs."""

from collections.abc import Mapping, Sequence

from matches.finished_game import FinishedGame
from matches.in_process import OnTurn, do_nothing, play_in_process
from matches.match import Match, Player
from rules.errors import BadInputError
from rules.variants import load_board

Players = Sequence[Player] | Mapping[str, Player]


def play(
    players: Players,
    *,
    on_turn: OnTurn = do_nothing,
    over_tcp: bool = False,
    variant: str = "standard",
    **settings: object,
) -> FinishedGame:
    """Play a game to its end and return everything about it.

    `players` are bots in the order of the map's powers, or by the names of powers: names of
    `daide bots`, `module:Class`, classes or objects. `settings` are those of `matches.match.Match`:
    `seed`, `press_level`, `last_year`, `think` and so on. After every turn `on_turn` is called with
    what was played so far. With `over_tcp` every bot has a process of its own.
    """
    seated = seats(players, variant)
    match = Match(**{"last_year": 1920, **settings, "players": seated, "variant": variant})  # type: ignore[arg-type]  # attrs checks the names
    if not over_tcp:
        return play_in_process(match, on_turn)
    from matches.over_tcp import play_over_tcp  # noqa: PLC0415 - sockets only if needed

    return play_over_tcp(match, on_turn)


def seats(players: Players, variant: str) -> dict[str, Player]:
    """Return who plays which power, in the order of the map."""
    names = [power.name for power in load_board(variant).powers]
    if isinstance(players, Mapping):
        if set(players) != set(names):
            raise BadInputError(f"players: the powers of {variant} are {', '.join(names)}")
        return {name: players[name] for name in names}
    if len(players) != len(names):
        raise BadInputError(f"players: {len(players)} bots for {len(names)} powers of {variant}")
    return dict(zip(names, players, strict=True))
