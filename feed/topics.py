"""The MQTT topics of version 1: where a server tells what, and where bots are asked for.

    daide/v1/SERVER/status                       whether the server is there (retained)
    daide/v1/SERVER/games/GAME/KIND              what everybody may know
    daide/v1/SERVER/games/GAME/private/KIND      what was said in private
    daide/v1/SERVER/bots/wanted/BOT              a bot is asked for
    daide/v1/SERVER/bots/claims                  what bot hosts answer
    daide/v1/SERVER/bots/granted/HOST            which host is to start a bot
    daide/v1/hosts/HOST/status                   whether a bot host is there (retained)

One level below a game is public, two levels are not: a broker's access list needs no more.
"""

from functools import lru_cache
from urllib.parse import quote, unquote

from attrs import frozen

ROOT = "daide/v1"


class _Any(str):
    """Any name, in a filter; a name that only looks like it, such as one in a letter, is none."""

    __slots__ = ()


ANY: str = _Any("+")


def level(name: str) -> str:
    """Return a name as one level of a topic; what would part or match levels is escaped."""
    return quote(name, safe=" :,=()'", errors="surrogatepass")


def _level(name: str) -> str:
    return name if isinstance(name, _Any) else level(name)


def status(server: str) -> str:
    """Return where a server says whether it is there."""
    return f"{ROOT}/{_level(server)}/status"


@lru_cache(maxsize=1024)
def game_topic(server: str, game: str, kind: str, *, is_private: bool) -> str:
    """Return where events of a kind are told."""
    part = "private/" if is_private else ""
    return f"{ROOT}/{level(server)}/games/{level(game)}/{part}{kind}"


def public_events(server: str = ANY, game: str = ANY) -> str:
    """Return the filter for what everybody may know."""
    return f"{ROOT}/{_level(server)}/games/{_level(game)}/+"


def private_events(server: str = ANY, game: str = ANY) -> str:
    """Return the filter for what was said in private."""
    return f"{ROOT}/{_level(server)}/games/{_level(game)}/private/+"


def wanted(server: str, bot: str) -> str:
    """Return where a bot is asked for."""
    return f"{ROOT}/{_level(server)}/bots/wanted/{_level(bot)}"


def claims(server: str) -> str:
    """Return where bot hosts answer a server."""
    return f"{ROOT}/{_level(server)}/bots/claims"


def granted(server: str, host: str) -> str:
    """Return where a server tells a bot host to start a bot."""
    return f"{ROOT}/{_level(server)}/bots/granted/{_level(host)}"


def host_status(host: str) -> str:
    """Return where a bot host says whether it is there."""
    return f"{ROOT}/hosts/{_level(host)}/status"


@frozen
class Place:
    """Of which server and game a topic is."""

    server: str
    game: str


def place_of(topic: str) -> Place | None:
    """Return the server and the game of an event's topic, None for any other topic."""
    match topic.removeprefix(f"{ROOT}/").split("/"):
        case [server, "games", game, _] | [server, "games", game, "private", _]:
            return Place(unquote(server), unquote(game))
    return None
