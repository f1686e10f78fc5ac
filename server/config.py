"""What `daide serve` can be told, on the command line and in a TOML file; the flags win.

One table says the name, the kind and the meaning of every option, for both. Raises BadInputError
with the file and the key, or with the flag.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from attrs import Factory, frozen

from cli.parsing import is_host, suggestion
from daide import DEFAULT_PORT
from grammar.dialects import Dialect
from grammar.tables import LEVELS
from rules.errors import BadInputError, unreadable
from rules.turns import Season, Turn, turn_from_code
from rules.variants import load_board
from server import toml_values
from server.limits import Limits
from server.passcodes import MOST_GAMES
from server.settings import AbsentPolicy, GameSettings
from server.toml_values import Reader, flag, read_toml

if TYPE_CHECKING:
    from feed.address import BrokerAddress

DEFAULT_WEB_PORT = 16780
LONGEST_LIMIT = 8191


@frozen
class ServerConfig:
    """How a server is to run."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    port_per_game: bool = False
    variant: str = "standard"
    games: int = 1
    """How many games may form or be played at the same time."""
    resume: str | None = None
    """The record whose game is played on, from `resume_turn`."""
    resume_turn: Turn | None = None
    chosen: frozenset[str] = frozenset()
    """The settings that somebody has asked for: they hold for a resumed game as well."""
    expire_after: float = 86_400.0
    """For how many seconds a game is kept that nobody plays."""
    deserted: int = 20
    """How many of those are kept at most."""
    exit_after: int | None = None
    """End when so many games are over."""
    store: str | None = None
    """The file, None for the default one."""
    durability: str = "process"
    record: str | None = None
    """Where the records of finished games go, a line each."""
    seed: int | None = None
    fill: str | None = None
    fill_after: float = 20.0
    stand_in: str | None = None
    return_grace: float = 60.0
    """For so long the first NME of a player that a game waits for is refused."""
    json_logs: bool = False
    log_level: str = "info"
    tls_cert: str | None = None
    tls_key: str | None = None
    mqtt: "BrokerAddress | None" = None
    """The broker that events go to, None for none."""
    mqtt_name: str | None = None
    """The server's name in topics, None for one made of the machine and the port."""
    bot_hosts: bool = False
    """Whether bots are asked for at the broker instead of being started here."""
    announce: str | None = None
    """Where bot hosts find the server, None for the address it listens on."""
    metrics: tuple[str, int] | None = None
    """Where metrics, health and readiness are told, None for nowhere."""
    web: tuple[str, int] | None = None
    """Where the page is served, None for nowhere."""
    web_names: tuple[str, ...] = ()
    """The names under which browsers may reach it, besides addresses and localhost."""
    web_press: str = "secret"
    """Who reads the press of games that are over: whoever has the `secret`, or `all`."""
    dialect: Dialect = Dialect.REFERENCE
    """Whose numbers clients use for the few words that programs number differently."""
    settings: GameSettings = Factory(GameSettings)
    limits: Limits = Factory(Limits)


# --- kinds of values ------------------------------------------------------------------------------


def whole(lowest: int, highest: int) -> Reader:
    """Read a whole number within bounds, from a file or from the command line."""
    strict = toml_values.whole(lowest, highest)

    def read(value: object) -> object:
        if not isinstance(value, str):
            return strict(value)
        try:
            return strict(int(value))
        except BadInputError:
            raise
        except ValueError:
            return strict(value)

    return read


def seconds(value: object) -> float:
    """Read a time."""
    try:
        number = float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        number = None
    if number is None or isinstance(value, bool) or not 0 <= number < 1e9:
        raise BadInputError(f"{value!r} is not a number of seconds")
    return number


def words(value: object) -> str:
    """Read a text."""
    if not isinstance(value, str) or not value or "\0" in value:
        raise BadInputError(f"{value!r} is not a text")
    return value


def machine(value: object) -> str:
    """Read the name or the address of a machine."""
    if not is_host(name := words(value)):
        raise BadInputError(f"{value!r} is no name of a machine, nor an address")
    return name


def one_of(*choices: str | int) -> Reader:
    """Read one of a few values, numbers also as text."""
    strict = toml_values.one_of(*choices)
    return lambda value: strict(next((each for each in choices if str(each) == value), value))


def variant(value: object) -> str:
    """Read the name of a map that we have, or the place of one."""
    load_board(words(value))
    return str(value)


def turn(value: object) -> Turn:
    """Read a turn, such as F1903M or FAL 1903."""
    season, _, year = words(value).partition(" ")
    try:
        return Turn(Season(season.upper()), int(year)) if year else turn_from_code(season)
    except ValueError:
        raise BadInputError(f"{value!r} is not a turn such as F1903M or 'FAL 1903'") from None


def broker(value: object) -> "BrokerAddress":
    """Read the address of an MQTT broker."""
    from feed.address import read_address  # noqa: PLC0415 - only for those who have a broker

    try:
        return read_address(words(value))
    except BadInputError as error:  # it names the option, and so do we
        raise BadInputError(str(error).removeprefix("--mqtt: ")) from None


def place(value: object) -> tuple[str, int]:
    """Read a port, or an address and a port."""
    host, _, port = str(value).rpartition(":")
    return machine(host.strip("[]") or "127.0.0.1"), whole(0, 65535)(port)


def names(value: object) -> tuple[str, ...]:
    """Read names that are separated by commas."""
    return tuple(each.strip().lower() for each in words(value).split(",") if each.strip())


def dialect(value: object) -> Dialect:
    """Read the name of a dialect."""
    return Dialect(one_of(*(each.value for each in Dialect))(value))


def _limit(value: object) -> int | None:
    """Read a time limit of a turn; 0 is none."""
    return whole(0, LONGEST_LIMIT)(value) or None


# --- the table ------------------------------------------------------------------------------------


@frozen
class Option:
    """One option: `--movement-limit` on the command line, `movement-limit` in a file."""

    name: str
    read: Reader
    meaning: str
    field: str = ""
    """Where it goes: a field of the configuration, or of its settings if it is one of theirs."""
    metavar: str = "N"
    is_flag: bool = False

    @property
    def target(self) -> str:
        """The field that it sets."""
        return self.field or self.name.replace("-", "_")


_YEARS = whole(1, 9999)
OPTIONS = (
    Option("host", machine, "the address to listen on (default: 127.0.0.1)", metavar="ADDRESS"),
    Option("port", whole(0, 65535), "the port; 0 takes any free one (default: 16713)"),
    Option("port-per-game", flag, "give every game a port of its own as well", is_flag=True),
    Option("press-level", one_of(*LEVELS), "0, 10, ... 130 or 8000 (default: 0)", "level"),
    Option("variant", variant, "the map, or a folder of variant files (default: standard)",
           metavar="NAME"),
    Option("games", whole(1, MOST_GAMES), "how many games at the same time (default: 1)"),
    Option("resume", words, "begin with a game of this record, from --turn on", metavar="FILE"),
    Option("turn", turn, "the turn to begin with, such as F1903M", "resume_turn", metavar="TURN"),
    Option("expire-after", seconds, "seconds until a game is given up that all players have left"
           " (default: 86400, a day)", metavar="S"),
    Option("deserted", whole(0, MOST_GAMES), "how many games without any player are kept at most"
           " (default: 20)"),
    Option("exit-after", whole(1, 10**9), "end after so many games"),
    Option("store", words, "the file that keeps the games; :memory: for none", metavar="FILE"),
    Option("durability", one_of("process", "power"), "what is survived: process or power",
           metavar="WHAT"),
    Option("movement-limit", _limit, "seconds for a movement turn, 0 for no limit (default: 300)"),
    Option("retreat-limit", _limit, "seconds for a retreat turn (default: 120)"),
    Option("build-limit", _limit, "seconds for a build turn (default: 120)"),
    Option("press-limit", _limit, "no press in the last seconds of a movement turn (PTL)"),
    Option("last-year", _YEARS, "draw the game when this year is over"),
    Option("years-without-change", whole(1, 1000), "draw after so many years without a conquest"),
    Option("absent", one_of("wait", "default-orders"), "orders of a power without client: wait for"
           " them, or take default-orders at once", metavar="WHAT"),
    Option("stand-in-after", seconds, "let a bot take over a power after so many seconds"),
    Option("stand-in", words, "the bot that takes over (default: that of --fill)", metavar="BOT"),
    Option("return-grace", seconds, "refuse for so many seconds the first NME of a player that a"
           " game waits for, so that it sends IAM (default: 60, 0: never)"),
    Option("fill", words, "fill up games with this bot", metavar="BOT"),
    Option("fill-after", seconds, "seconds from the first client to the filling (default: 20)"),
    Option("press-rounds", whole(1, 1000), "relay press in rounds, at most so many a turn"),
    Option("aoa", flag, "accept any order (AOA)", "any_orders", is_flag=True),
    Option("dsd", flag, "the clock stops on disconnection (DSD)", "stops_on_disconnection",
           is_flag=True),
    Option("pda", flag, "partial draws are allowed (PDA)", "partial_draws", is_flag=True),
    Option("npr", flag, "no press in retreat turns (NPR)", "no_press_in_retreats", is_flag=True),
    Option("npb", flag, "no press in build turns (NPB)", "no_press_in_builds", is_flag=True),
    Option("bare-orders", flag, "take an order without SUB as submitted", is_flag=True),
    Option("unknown-provinces", flag, "answer an order for a province that the map has not with NSP"
           " instead of HUH", is_flag=True),
    Option("tell-missed-deadlines", flag, "send CCD for a missed deadline",
           "tells_missed_deadlines", is_flag=True),
    Option("power-in-name", flag, "a client called FRA:Name asks for France", is_flag=True),
    Option("map-limit", seconds, "seconds in which a client that has a place must accept the map"
           " (default: 60)", metavar="S"),
    Option("linger", seconds, "how long clients may stay after the end (default: 5)",
           metavar="S"),
    Option("record", words, "write the record of every finished game here, as JSON lines",
           metavar="FILE"),
    Option("seed", whole(0, 2**63), "make games repeatable: powers and passcodes come from this"
           " number; for play among friends only"),
    Option("tls-cert", words, "speak TLS with this certificate", metavar="FILE"),
    Option("tls-key", words, "the key of the certificate", metavar="FILE"),
    Option("mqtt", broker, "publish the games' events at this MQTT broker", metavar="URL"),
    Option("mqtt-name", words, "the server's name in topics (default: machine-port)",
           metavar="NAME"),
    Option("bot-hosts", flag, "let bot hosts at the broker start the bots that are needed",
           is_flag=True),
    Option("announce", machine, "where bot hosts find this server (default: that of --host)",
           metavar="ADDRESS"),
    Option("metrics", place, "tell /metrics, /healthz and /readyz on this port of this machine",
           metavar="[HOST:]PORT"),
    Option("web", place, "serve the page on this port: lobby, watching, playing (default: 16780)",
           metavar="[HOST:]PORT"),
    Option("web-name", names, "the names under which browsers reach the page, with commas",
           "web_names", metavar="NAMES"),
    Option("web-press", one_of("secret", "all"), "who may read the press of a game that is over:"
           " who has the secret, or all (default: secret)", metavar="WHO"),
    Option("dialect", dialect, "whose numbers clients use for FCT, FOR, FWD, CCL and NAR: those of"
           " the reference server, of the protocol document, or of the package diplomacy"
           " (default: reference)", metavar="NAME"),
    Option("json-logs", flag, "write the log as JSON lines", is_flag=True),
    Option("log-level", one_of("debug", "info", "warning", "error"), "what to log (default: info)",
           metavar="LEVEL"),
)  # fmt: skip
BY_NAME = {option.name: option for option in OPTIONS}
# Not on the command line, which every user of the machine can read.
SECRETS = {
    "admin-secret": Option("admin-secret", words, "makes a client master of its game"),
    "observer-secret": Option("observer-secret", words, "lets an observer see all press"),
}
_SETTINGS = {field.name for field in attrs.fields(GameSettings)}
_DEFAULT_TIMES = {"movement_limit": 300, "retreat_limit": 120, "build_limit": 120}


# --- reading --------------------------------------------------------------------------------------


def read_config(flags: Mapping[str, Any], file: str | None = None) -> ServerConfig:
    """Put together what the file and the flags say."""
    values: dict[str, Any] = {}
    parts: dict[str, Any] = {}
    if file is not None:
        table = _load(file)
        for part, read in (("seats", _read_seats), ("limits", _read_limits)):
            if part in table:
                parts[part] = read(table.pop(part), file)
        values |= _read_values(table, f"{file}: ")
    values |= _read_values(flags, "--")
    values |= _secrets_from_environment()
    return _build(values, parts)


def _secrets_from_environment() -> dict[str, str]:
    """Take DAIDE_ADMIN_SECRET and DAIDE_OBSERVER_SECRET if they are there."""
    found = {
        option.target: os.environ.get(f"DAIDE_{option.target.upper()}")
        for option in SECRETS.values()
    }
    return {target: secret for target, secret in found.items() if secret}


def _load(file: str) -> dict[str, Any]:
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from None
    return read_toml(text, file)


def _read_values(table: Mapping[str, Any], place: str) -> dict[str, Any]:
    values = {}
    for key, value in table.items():
        name = key.replace("_", "-")
        option = BY_NAME.get(name) or SECRETS.get(name)
        if option is None:
            meant = suggestion(name, BY_NAME)
            raise BadInputError(
                f"{place}{key}: there is no such option{meant}; see daide serve --help"
            )
        try:
            values[option.target] = option.read(value)
        except BadInputError as error:
            raise BadInputError(f"{place}{key}: {error}") from None
    return values


def _read_seats(table: object, file: str) -> dict[str, str]:
    """Read which client name gets which power."""
    if not isinstance(table, dict) or not all(isinstance(each, str) for each in table.values()):
        raise BadInputError(f"{file}: seats: write it as a table of names and powers")
    doubled = {power for power in table.values() if list(table.values()).count(power) > 1}
    if doubled:
        raise BadInputError(f"{file}: seats: {min(doubled)} is given to two clients")
    return table


def _read_limits(table: object, file: str) -> Limits:
    if not isinstance(table, dict):
        raise BadInputError(f"{file}: limits: write it as a table")
    kinds = {field.name: field.type for field in attrs.fields(Limits)}
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in kinds:
            known = ", ".join(sorted(kinds))
            raise BadInputError(f"{file}: limits.{key}: there is no such limit; choose of {known}")
        try:
            values[name] = whole(0, 10**9)(value) if kinds[name] is int else seconds(value)
        except BadInputError as error:
            raise BadInputError(f"{file}: limits.{key}: {error}") from None
    return Limits(**values)


def _build(values: dict[str, Any], parts: dict[str, Any]) -> ServerConfig:
    settings = {key: values.pop(key) for key in tuple(values) if key in _SETTINGS}
    values["chosen"] = frozenset(settings)
    settings = _DEFAULT_TIMES | settings
    if "absent" in settings:
        settings["absent"] = AbsentPolicy(settings["absent"])
    board = load_board(values.get("variant", "standard"))
    if "seats" in parts:
        settings["seats"] = parts.pop("seats")
        for name, power in settings["seats"].items():
            if power not in {each.name for each in board.powers}:
                raise BadInputError(f"seats.{name}: no such power: {power!r}")
    if values.get("tls_key") and not values.get("tls_cert"):
        raise BadInputError("--tls-key: goes with --tls-cert")
    if values.get("bot_hosts") and not values.get("mqtt"):
        raise BadInputError("--bot-hosts: goes with --mqtt")
    if bool(values.get("resume")) != bool(values.get("resume_turn")):
        raise BadInputError("--resume and --turn: give both or neither")
    return ServerConfig(settings=GameSettings(**settings), **values, **parts)
