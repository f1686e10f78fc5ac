"""What can be seen to be wrong before a server starts: said then, with nothing left behind.

Raises BadInputError. Nothing is kept open: what happens between the look and the start is found out
again by whoever opens the file or the port.
"""

from pathlib import Path

from cli.children import why_no_bot
from cli.parsing import why_not_writable
from rules.errors import BadInputError
from rules.variants import load_board
from server.config import ServerConfig
from server.listener import open_port, tls_context
from server.record import resume_from_file
from server.store import IN_MEMORY

_DATABASE = b"SQLite format 3\0"


def check(config: ServerConfig) -> None:
    """Raise what would be raised later, by which time a store would be there."""
    _check_year(config)
    if config.resume is not None and config.resume_turn is not None:
        resume_from_file(config.resume, config.resume_turn)
    if config.tls_cert is not None:
        tls_context(config.tls_cert, config.tls_key)
    if config.record is not None and (problem := why_not_writable(Path(config.record))):
        raise BadInputError(f"--record: {problem}")
    if config.mqtt_name is not None and set(config.mqtt_name) & set("/+#"):
        raise BadInputError(f"--mqtt-name: {config.mqtt_name!r} is part of a topic: no /, + or #")
    _check_store(config.store)
    _check_port(config.host, config.port, "")
    if config.metrics is not None:
        _check_port(*config.metrics, "--metrics: ")
    if config.web is not None:
        _check_port(*config.web, "--web: ")
    if not config.bot_hosts:
        _check_bots(config)


def _check_year(config: ServerConfig) -> None:
    first = load_board(config.variant).start.turn.year
    last = config.settings.last_year
    if last is not None and last < first:
        raise BadInputError(f"--last-year: the game starts in {first}, after {last}")


def _check_store(path: str | None) -> None:
    if path is None or path == IN_MEMORY:
        return
    if problem := why_not_writable(Path(path)):
        raise BadInputError(f"--store: {problem}")
    if Path(path).is_file():
        with Path(path).open("rb") as file:
            begin = file.read(len(_DATABASE))
        if begin not in (b"", _DATABASE):
            raise BadInputError(f"--store: {path!r} is no store of games; name another file")


def _check_port(host: str, port: int, place: str) -> None:
    try:
        open_port(host, port).close()
    except BadInputError as error:
        raise BadInputError(f"{place}{error}") from None


def _check_bots(config: ServerConfig) -> None:
    for option, bot in (("--fill", config.fill), ("--stand-in", config.stand_in)):
        if bot is not None and (problem := why_no_bot(bot)):
            raise BadInputError(f"{option}: {problem}")
