"""Asking bot hosts for bots: what a server and the hosts tell each other, and who decides.

A server publishes what it wants; a shared subscription brings it to one host, which claims it. Only
the server's grant lets the host start a bot, so that a request is answered once, whatever brokers
repeat or deliver late. The host tells when the bot has its place. A request whose claim or bot does
not come in time, or whose host is lost, is made again under a new number.

Sans-I/O: news and the time go in, letters come out.
"""

import json
import re
from typing import Any, Literal, TypeAlias

import attrs
import structlog
from attrs import define, frozen

from feed.outbox import Letter
from feed.shapes import check, hints_of
from feed.topics import claims, granted, wanted
from rules.errors import BadInputError

CLAIM_TIME = 5.0
"""Seconds until a request that nobody claims is made again."""
JOIN_TIME = 30.0
"""Seconds that a bot has to get its place."""
RETRY = 2.0
"""Seconds until a request is made again that a host could not fulfil."""
LONGEST_NAME = 1000
_ADDRESS = re.compile(r"[A-Za-z0-9_:\[][A-Za-z0-9_.:\]\[-]*")
_POWER = re.compile(r"[A-Z0-9]{3}")

log = structlog.get_logger(__name__)
Answer: TypeAlias = Literal["claimed", "joined", "busy", "failed"]


@frozen(kw_only=True)
class BotRequest:
    """A bot that a server wants."""

    id: str
    server: str
    bot: str
    address: str
    port: int
    game: str
    power: str | None = None
    """The power to take over, with its passcode; None for a place in a game that forms."""
    passcode: int | None = None


@frozen
class HostAnswer:
    """What a host says to a request."""

    id: str
    host: str
    state: Answer


@frozen
class Grant:
    """What a server says to a claim: the host is to start the bot."""

    id: str


def to_bytes(message: BotRequest | HostAnswer | Grant) -> bytes:
    """Write a message as JSON."""
    return json.dumps(attrs.asdict(message)).encode()


def request_from(data: bytes | str) -> BotRequest:
    """Read a request; nothing in it may be taken for an option by the bot's command."""
    request = BotRequest(**_fields(data, BotRequest))
    if not _ADDRESS.fullmatch(request.address) or not 0 < request.port < 65536:
        raise BadInputError(f"bot request: {request.address!r}:{request.port} is no address")
    if request.power is not None and not _POWER.fullmatch(request.power):
        raise BadInputError(f"bot request: {request.power!r} is no power")
    return request


def answer_from(data: bytes | str) -> HostAnswer:
    """Read what a host says."""
    return HostAnswer(**_fields(data, HostAnswer))


def grant_from(data: bytes | str) -> Grant:
    """Read what a server says."""
    return Grant(**_fields(data, Grant))


def _fields(data: bytes | str, kind: type) -> dict[str, Any]:
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        raise BadInputError("bot request: not JSON") from None
    if not isinstance(fields, dict):
        raise BadInputError("bot request: not a JSON object")
    for name, value in fields.items():
        if isinstance(value, str) and not is_name(value):
            raise BadInputError(f"bot request: {name}: not a name: {value[:50]!r}")
    hints = hints_of(kind)
    for name, hint in hints.items():
        check(fields.get(name), hint, f"bot request: {name}")
    return {name: fields[name] for name in hints}


def is_name(text: str) -> bool:
    """Tell whether a text can be part of a topic, where signs are escaped, and stand in a log."""
    return len(text) <= LONGEST_NAME and text.isprintable()


@define
class _Open:
    """A request that is not fulfilled yet."""

    number: int
    request: BotRequest
    due: float
    """When it is made again unless something happens."""
    host: str | None = None
    attempt: int = 1


class RequestBook:
    """The requests of one server."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._open: dict[int, _Open] = {}
        self._numbers = 0
        self.joined = 0
        """How many requests have been fulfilled."""
        self.repeated = 0
        """How often a request had to be made again."""

    def __len__(self) -> int:
        return len(self._open)

    @property
    def requests(self) -> list[BotRequest]:
        """The requests that are not fulfilled yet."""
        return [each.request for each in self._open.values()]

    def ask(self, request: BotRequest, now: float) -> list[Letter]:
        """Make a request; its id is given here."""
        self._numbers += 1
        made = _Open(self._numbers, request, now)
        self._open[made.number] = made
        return [self._letter(made, now)]

    def hear(self, answer: HostAnswer, now: float) -> list[Letter]:
        """Take what a host says; a claim that is still wanted is granted, any other is not."""
        made = next((each for each in self._open.values() if each.request.id == answer.id), None)
        if made is None or made.host not in (None, answer.host):
            return []
        match answer.state:
            case "claimed":
                if made.host is not None:
                    return []
                made.host, made.due = answer.host, now + JOIN_TIME
                log.info("bot granted", bot=made.request.bot, host=answer.host)
                return [Letter(granted(self._server, answer.host), to_bytes(Grant(answer.id)))]
            case "joined":
                del self._open[made.number]
                self.joined += 1
                log.info("bot joined", bot=made.request.bot, host=answer.host)
            case "busy" | "failed":
                made.due = now + RETRY
        return []

    def lose(self, host: str, now: float) -> list[Letter]:
        """Make the requests of a host again that it had not fulfilled."""
        mine = [each for each in self._open.values() if each.host == host]
        return [self._repeat(each, now, f"host {host} lost") for each in mine]

    def tick(self, now: float) -> list[Letter]:
        """Make those requests again for which it is time."""
        late = [each for each in self._open.values() if now >= each.due]
        return [self._repeat(each, now, "nobody came") for each in late]

    def forget(self, request: BotRequest) -> None:
        """Drop a request that is needed no more; what a host still does for it is not granted."""
        for number, made in tuple(self._open.items()):
            if made.request.id == request.id:
                del self._open[number]

    def _repeat(self, made: _Open, now: float, why: str) -> Letter:
        # Once is news; who is never there is not to fill the log.
        if made.attempt == 1:
            log.warning("bot asked for again", bot=made.request.bot, why=why)
        made.attempt += 1
        made.host = None
        self.repeated += 1
        return self._letter(made, now)

    def _letter(self, made: _Open, now: float) -> Letter:
        made.due = now + CLAIM_TIME
        made.request = attrs.evolve(
            made.request, id=f"{self._server}/{made.number}.{made.attempt}", server=self._server
        )
        topic = wanted(self._server, made.request.bot)
        # The broker need not keep what will be asked again under another number.
        return Letter(topic, to_bytes(made.request), expires=int(CLAIM_TIME))


class Offers:
    """The host's side: claims what it offers, and starts what it is granted."""

    def __init__(self, host: str, bots: frozenset[str], most: int) -> None:
        self._host = host
        self._bots = bots
        self._most = most
        self._claimed: dict[str, BotRequest] = {}
        self.running = 0
        """How many bots run; whoever starts and ends them keeps count."""

    def hear_request(self, request: BotRequest) -> list[Letter]:
        """Answer a request: only for what is on our own list."""
        if request.bot not in self._bots or request.id in self._claimed:
            return []
        if self.running + len(self._claimed) >= self._most:
            return [self.answer(request, "busy")]
        self._claimed[request.id] = request
        return [self.answer(request, "claimed")]

    def hear_grant(self, grant: Grant) -> BotRequest | None:
        """Return what is to be started; a grant that comes twice starts nothing."""
        return self._claimed.pop(grant.id, None)

    def forget(self, request: BotRequest) -> None:
        """Give up a claim that was not granted."""
        self._claimed.pop(request.id, None)

    def answer(self, request: BotRequest, state: Answer) -> Letter:
        """Return the letter that tells the server something."""
        return Letter(claims(request.server), to_bytes(HostAnswer(request.id, self._host, state)))
