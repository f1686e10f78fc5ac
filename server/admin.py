"""Commands to the server in the text of ADM: `Server: help`.

Anybody may ask for help, who and status; everything else is for the master of the game, whom a
secret makes, and there is no master where the settings have no secret. A command is never passed
on, and its answer goes to the asker alone. Names of players are told to the master only: the
protocol keeps them to itself until the game is over.
"""

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeAlias

from attrs import frozen

from daide.game_end import SERVER
from grammar import messages as m
from rules.places import Power
from rules.turns import Phase, Turn
from server.answering import DescribedGame
from server.game_log import note, warn, who
from server.seat import Client, ClientId, Role
from server.stage import Stage
from server.timer import LONGEST_TIME

PREFIX = "server:"
ANSWERER = "Server"
MASTERED = "you are master of this game"
UNKNOWN = "no such command; 'Server: help' lists them"
FOR_MASTER = "only the master of the game may do that"
WRONG = "refused"
REFUSALS = frozenset((UNKNOWN, FOR_MASTER, WRONG))
WRONG_SECRETS_PER_CLIENT = 3


class HostDesk(Protocol):
    """What the host of many games lends to the commands of one."""

    def games(self) -> Iterable[str]:
        """Describe the games of the host, a line each."""

    def start_bots(self, game: str, words: Sequence[str]) -> str:
        """Start bots for a game, as the words say, and return what to tell the asker."""


class MasteredGame(DescribedGame, Protocol):
    """What ADM and its commands see of a game, and what its master may do to it."""

    @property
    def turn(self) -> Turn:
        """The turn that is played."""

    @property
    def is_paused(self) -> bool:
        """Whether its master has stopped it."""

    @property
    def seconds_left(self) -> int | None:
        """The time left in this turn, None without a deadline."""

    @property
    def clients(self) -> Mapping[ClientId, Client]:
        """Everybody who is here."""

    @property
    def host(self) -> HostDesk | None:
        """Who keeps it, if anybody."""

    def is_alive(self, power: Power) -> bool:
        """Whether a power is still in the game."""

    def post(self, to: Iterable[ClientId], message: m.ServerMessage) -> None:
        """Send a message to these clients, if there are any."""

    def stop_play(self) -> None:
        """Stop the clock and process nothing."""

    def resume_play(self) -> None:
        """Go on."""

    def abort_play(self) -> None:
        """End the game without a result."""

    def end_play(self) -> None:
        """End the game as a draw."""

    def send_away(self, power: Power) -> None:
        """Send the client of a power away."""

    def set_limit(self, phase: Phase, seconds: int | None) -> None:
        """Set the time of a phase, from its next turn on."""


_Words: TypeAlias = Sequence[str]
_Answer: TypeAlias = str | Iterable[str]
_Run: TypeAlias = Callable[["MasteredGame", Client, _Words], _Answer]


@frozen
class Command:
    """One command: the words it begins with, its arguments, and what it does."""

    words: tuple[str, ...]
    arguments: str
    purpose: str
    run: _Run
    for_master: bool = True
    secret: str = ""
    """The setting that holds the secret which follows it, if one does."""


@frozen
class SecretTried:
    """A secret that somebody tries, and the setting with the right one."""

    setting: str
    words: str


def is_command(text: str) -> bool:
    """Whether the text of an ADM is meant for the server."""
    return text.lstrip()[: len(PREFIX)].casefold() == PREFIX


def secret_tried(text: str) -> SecretTried | None:
    """Return the secret in the text of an ADM, which must not be shown to anybody."""
    if not is_command(text):
        return None
    command, rest = _find(_words(text))
    if command is None or not command.secret:
        return None
    return SecretTried(command.secret, " ".join(rest))


def on_admin(game: MasteredGame, sender: Client, message: m.Admin) -> None:
    """Obey a command to the server; pass other ADM on among those who have said who they are.

    It may come at any time, so a stranger's is answered as others are, but nobody else hears it.
    """
    if is_command(message.text):
        _obey(game, sender, message.text)
        return
    # What the server says by itself, such as that the game is over, nobody else may say.
    if not game.settings.relays_admin or message.name.strip().casefold() == SERVER.casefold():
        game.answer(sender, message, accepted=False)
        return
    identified = [
        each.number
        for each in game.clients.values()
        if each.role is not Role.UNIDENTIFIED and not each.is_dismissed
    ]
    is_stranger = sender.role is Role.UNIDENTIFIED
    game.post([sender.number] if is_stranger else identified, message)


def _obey(game: MasteredGame, sender: Client, text: str) -> None:
    """Carry out a command and answer the sender."""
    command, arguments = _find(_words(text))
    answer: _Answer
    if command is None:
        answer = UNKNOWN
    elif command.for_master and not sender.is_master:
        told = {"game": game.name, **who(sender), "what": command.words}
        warn("command refused", **told)
        answer = FOR_MASTER
    else:
        if command.for_master:
            note("command", game=game.name, **who(sender), what=command.words)
        answer = command.run(game, sender, arguments)
    for line in (answer,) if isinstance(answer, str) else answer:
        game.send(sender, m.Admin(ANSWERER, line))


def _words(text: str) -> list[str]:
    return text.lstrip()[len(PREFIX) :].split()


def _find(words: list[str]) -> tuple[Command | None, list[str]]:
    """Return the command that the words begin with, and the words that follow."""
    for command in COMMANDS:
        length = len(command.words)
        if [word.casefold() for word in words[:length]] == list(command.words):
            return command, words[length:]
    return None, words


# --- for everybody --------------------------------------------------------------------------------


def _help(_: MasteredGame, sender: Client, __: _Words) -> Iterable[str]:
    for command in COMMANDS:
        if sender.is_master or not command.for_master:
            usage = " ".join((*command.words, *command.arguments.split()))
            yield f"{usage}: {command.purpose}"


def _who(game: MasteredGame, sender: Client, _: _Words) -> Iterable[str]:
    observers = sum(each.role is Role.OBSERVER for each in game.clients.values())
    if game.stage is Stage.FORMING:
        yield f"players: {len(game.candidates())} of {len(game.seats)}"
    else:
        for seat in game.seats.values():
            state = "here" if seat.client is not None else "absent"
            if not game.is_alive(seat.power):
                state = f"eliminated, {state}"
            player = f" {seat.name} ({seat.version})" if sender.is_master else ""
            yield f"{seat.power.name}{player}: {state}"
    yield f"observers: {observers}"


def _status(game: MasteredGame, _: Client, __: _Words) -> str:
    parts = [
        f"{game.name}: {game.stage.value}",
        f"map {game.board.name}",
        f"level {game.settings.level}",
        f"turn {game.turn}",
    ]
    if game.is_paused:
        parts.append("paused")
    seconds = game.seconds_left
    if seconds is not None:
        parts.append(f"{seconds} seconds left")
    return ", ".join(parts)


# --- secrets --------------------------------------------------------------------------------------


def _become_master(game: MasteredGame, sender: Client, words: _Words) -> str:
    if not _knows(game, sender, words, game.settings.admin_secret):
        return WRONG
    sender.is_master = True
    return MASTERED


def _observe_all(game: MasteredGame, sender: Client, words: _Words) -> str:
    if sender.role is not Role.OBSERVER:
        return "only an observer may see all press"
    if not _knows(game, sender, words, game.settings.observer_secret):
        return WRONG
    sender.is_omniscient = True
    return "you see all press from now on"


def _tell_ending(_: MasteredGame, sender: Client, __: _Words) -> str:
    sender.hears_ending = True
    return "you will be told why the game ends"


def _knows(game: MasteredGame, sender: Client, words: _Words, secret: str | None) -> bool:
    """Judge a secret; after three wrong ones a client is not listened to any more."""
    if not secret or sender.wrong_secrets >= WRONG_SECRETS_PER_CLIENT:
        return False
    if hmac.compare_digest(_bytes(" ".join(words)), _bytes(secret)):
        return True
    sender.wrong_secrets += 1
    told = {"game": game.name, **who(sender), "times": sender.wrong_secrets}
    warn("wrong secret", **told)
    return False


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# --- for the master -------------------------------------------------------------------------------


def _games(game: MasteredGame, _: Client, __: _Words) -> Iterable[str]:
    return list(game.host.games()) if game.host else ["this game stands alone"]


def _start_bots(game: MasteredGame, _: Client, words: _Words) -> str:
    return game.host.start_bots(game.name, words) if game.host else "no bots can be started here"


def _pause(game: MasteredGame, _: Client, __: _Words) -> str:
    game.stop_play()
    return "paused"


def _resume(game: MasteredGame, _: Client, __: _Words) -> str:
    game.resume_play()
    return "resumed"


def _end(game: MasteredGame, _: Client, __: _Words) -> str:
    if game.stage is not Stage.RUNNING:
        return "the game is not running"
    game.end_play()
    return "ended as a draw"


def _abort(game: MasteredGame, _: Client, __: _Words) -> str:
    if game.stage is Stage.ENDED:
        return "the game is over"
    game.abort_play()
    return "ended without a result"


def _eject(game: MasteredGame, _: Client, words: _Words) -> str:
    power = _power(game, words)
    if power is None:
        return "eject which power?"
    if game.seats[power].client is None:
        return f"{power.name} has no client"
    game.send_away(power)
    return f"the client of {power.name} was sent away"


def _power(game: MasteredGame, words: _Words) -> Power | None:
    names = [word.upper() for word in words]
    return next((power for power in game.seats if names == [power.name]), None)


def _limit(name: str, phase: Phase, game: MasteredGame, _: Client, words: _Words) -> str:
    if (limit := _seconds(words)) is None:
        return _LIMIT_USAGE
    game.set_limit(phase, limit or None)
    turn = "build" if phase is Phase.ADJUSTMENT else phase.value
    return f"{name} is {limit or 'off'} from the next {turn} turn on"


_LIMIT_USAGE = f"a limit is a number of seconds from 1 to {LONGEST_TIME}, or off"


def _seconds(words: _Words) -> int | None:
    """Return the limit that is asked for, 0 for off, None if it is neither."""
    text = words[0].casefold() if len(words) == 1 else ""
    if text == "off":
        return 0
    is_number = text.isascii() and text.isdecimal() and len(text) <= 4
    return int(text) if is_number and 0 < int(text) <= LONGEST_TIME else None


COMMANDS = (
    Command(("help",), "", "say what may be asked for", _help, for_master=False),
    Command(("who",), "", "say who is here", _who, for_master=False),
    Command(("status",), "", "say how the game stands", _status, for_master=False),
    Command(
        ("become", "master"),
        "SECRET",
        "be allowed to do everything",
        _become_master,
        for_master=False,
        secret="admin_secret",  # noqa: S106 - the name of a setting
    ),
    Command(
        ("observe", "all"),
        "SECRET",
        "see all press as an observer",
        _observe_all,
        for_master=False,
        secret="observer_secret",  # noqa: S106 - the same
    ),
    Command(("tell", "ending"), "", "be told why the game ends", _tell_ending, for_master=False),
    Command(("games",), "", "list the games of this server", _games),
    Command(("list",), "", "the same as games", _games),
    Command(("start", "bots"), "...", "fill the empty seats", _start_bots),
    Command(("pause",), "", "stop the clock", _pause),
    Command(("resume",), "", "let the clock run again", _resume),
    Command(("eject",), "POWER", "send a client away", _eject),
    Command(("end",), "", "end the game as a draw", _end),
    Command(("abort",), "", "end the game without a result", _abort),
    Command(
        ("mtl",),
        "SECONDS|off",
        "set the time for movements",
        partial(_limit, "MTL", Phase.MOVEMENT),
    ),
    Command(
        ("rtl",), "SECONDS|off", "set the time for retreats", partial(_limit, "RTL", Phase.RETREAT)
    ),
    Command(
        ("btl",), "SECONDS|off", "set the time for builds", partial(_limit, "BTL", Phase.ADJUSTMENT)
    ),
)
