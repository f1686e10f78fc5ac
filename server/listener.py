"""Sockets: who is let in, and how many; from then on each has its `ClientLink`.

Connections count from the moment they are accepted, with TLS before its handshake.
"""

import asyncio
import socket
import ssl
import sys
from asyncio.sslproto import SSLProtocol
from collections import Counter, deque
from contextlib import suppress
from pathlib import Path

import structlog

from daide.frames import Entries
from grammar.representation import Representation
from rules.errors import BadInputError
from server.addresses import is_local, network_of
from server.client_link import LAST_GRACE, ClientLink
from server.game_ports import GamePorts
from server.host import Host
from server.link import Leaving
from server.room import Room

BACKLOG = 1024
ACCEPTED_AT_ONCE = 4
SHORT_OF_FILES = 0.5
"""Seconds until the next connection is taken when the system has no more files for us."""
LAST_WAIT = LAST_GRACE + 0.3
PIECES_PER_TURN = 2
FULL = 0.005
"""Seconds until it is tried again to read on when too much waits for the games."""
LOOKED_AT = 64
"""After so many more strangers it is seen who of them has said who it is."""
HANDSHAKE_EVERY = 0.01
"""Seconds from one handshake of TLS to the next: each takes everybody some milliseconds."""
MOST_HANDSHAKES = 256
"""Of TLS at a time: each takes fifty times the memory of a connection that waits."""
DECRYPTED_AT_ONCE = 1_024
"""Bytes of TLS: asyncio would take 256 kB, in which there is room for 11,000 records."""

log = structlog.get_logger(__name__)


class Listener:
    """Listens on one address, and knows its connections and those of the games' own ports."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.entries: Entries = Representation.from_board(host.board).entries()
        self._links: dict[ClientLink, None] = {}
        """All of them, the oldest first."""
        self._strangers: dict[ClientLink, None] = {}
        """Those that had not said who they are when they were looked at, the oldest first."""
        self._spectators: dict[ClientLink, None] = {}
        """Those that only looked on, the oldest first."""
        self._sorted = 0
        """How many strangers there were when they were looked at last."""
        self._wanting: deque[ClientLink] = deque()
        """Those that wait for their turn to begin the handshake of TLS."""
        self._has_wanting = asyncio.Event()
        self._shaking: dict[ClientLink, None] = {}
        """Those in the middle of the handshake of TLS, the oldest first."""
        self._networks: Counter[str] = Counter()
        """How many connections there are from where."""
        self.unread = 0
        """How many bytes wait for those clients for whom much waits."""
        self._all_gone = asyncio.Event()
        self._all_gone.set()
        self._line: deque[ClientLink] = deque()
        self._has_line = asyncio.Event()
        self._turn = host.pace.turn()
        self._socket: socket.socket | None = None
        self._tls: ssl.SSLContext | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def bind(self) -> tuple[str, int]:
        """Take the port; whoever connects from now on is answered once `start` is called."""
        config = self.host.config
        self._tls = tls_context(config.tls_cert, config.tls_key) if config.tls_cert else None
        self._socket = open_port(config.host, config.port)
        host, port = self._socket.getsockname()[:2]
        self.host.stand_ins.address = (host, port)
        if config.port_per_game:
            self.host.use_game_ports(GamePorts(config.host, self.accept_all))
        return host, port

    async def start(self) -> None:
        """Accept connections."""
        assert self._socket is not None
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self.accept_all(self._socket), name="listener.accept"),
            loop.create_task(self._read_in_turns(), name="listener.read"),
        ]
        if self._tls is not None:
            self._tasks.append(loop.create_task(self._shake_hands(self._tls), name="listener.tls"))

    async def stop(self) -> None:
        """Accept no more, send everybody away, and wait a moment until all are gone."""
        for task in self._tasks[:1]:
            task.cancel()
            await asyncio.wait([task])
        if self._socket is not None:
            self._socket.close()
        for link in tuple(self._links):
            link.turn_off()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WAIT):
                await self._all_gone.wait()
        for link in tuple(self._links):
            link.drop(Leaving.SERVER_ENDS)
        for task in self._tasks[1:]:
            task.cancel()
            await asyncio.wait([task])

    # --- accepting --------------------------------------------------------------------------------

    async def accept_all(self, listening: socket.socket, home: Room | None = None) -> None:
        """Accept connections at a port until cancelled."""
        listening.settimeout(0)
        turn = self.host.pace.turn()
        while True:
            try:
                await self._accept_in_passing(listening, home)
            except OSError as error:
                log.warning("no connection can be accepted", why=str(error))
                await asyncio.sleep(SHORT_OF_FILES)
            else:
                # What follows for each of them is more than this: others go first.
                await asyncio.sleep(0)
                await turn.begin()

    async def _accept_in_passing(self, listening: socket.socket, home: Room | None) -> None:
        """Accept whoever comes until many have come at once, or others wait for their turn."""
        loop = asyncio.get_running_loop()
        if sys.platform == "win32":  # whose loop watches no sockets
            self._accept(*await loop.sock_accept(listening), home)
            self._accept_some(listening, home)
            return
        done = loop.create_future()

        def take() -> None:
            if done.done():
                return
            try:
                are_many = self._accept_some(listening, home)
            except OSError as error:
                done.set_exception(error)
            else:
                if are_many or not self.host.pace.is_free:
                    done.set_result(None)

        loop.add_reader(listening, take)
        try:
            await done
        finally:
            loop.remove_reader(listening)

    def _accept_some(self, listening: socket.socket, home: Room | None) -> bool:
        """Accept a few of those who wait; tell whether there may be more."""
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                connected, peer = listening.accept()
            except BlockingIOError:  # none is waiting
                return False
            connected.settimeout(0)
            self._accept(connected, peer, home)
        return True

    def _accept(self, connected: socket.socket, peer: object, home: Room | None) -> None:
        address = str(peer[0]) if isinstance(peer, tuple) and peer else ""
        if not self._has_room(address):
            log.warning("connection refused: too many", address=address)
            connected.close()
            return
        link = ClientLink(self, address, home)
        self._links[link] = self._strangers[link] = None
        self._all_gone.clear()
        self._networks[network_of(address)] += 1
        link.open(connected, self._tls)

    def _has_room(self, address: str) -> bool:
        """Judge whether there is room for one more connection, or make it."""
        limits = self.host.config.limits
        if self.host.is_closing:
            return False
        from_there = self._networks[network_of(address)]
        if from_there >= limits.connections_per_address and not is_local(address):
            return False
        if len(self._strangers) >= self._sorted + LOOKED_AT:
            self._sort_strangers()
        if len(self._strangers) >= limits.unidentified:
            self._drop_stranger()
        if len(self._spectators) > limits.observers:
            self._drop_spectator()
        if len(self._links) >= limits.connections:
            self._drop_stranger()
        if len(self._links) >= limits.connections:
            if not self._spectators:
                self._sort_strangers()
            self._drop_spectator()
        return len(self._links) < limits.connections

    def _sort_strangers(self) -> None:
        """See who has said who it is; whoever has just done so is looked at again later."""
        for link in tuple(self._strangers):
            if link.is_spectator:
                self._spectators[link] = None
            elif not link.is_settled:
                continue
            del self._strangers[link]
        self._sorted = len(self._strangers)

    def _drop_stranger(self) -> None:
        """Let the oldest go that has not said who it is."""
        link = next((each for each in self._strangers if each.is_stranger), None)
        if link is not None:
            self._make_room(link)

    def _drop_spectator(self) -> None:
        """Let the oldest go that only looks on: whoever plays, or wants to, comes first."""
        while self._spectators:
            link = next(iter(self._spectators))
            del self._spectators[link]
            if link.is_spectator:
                self._make_room(link)
                return

    def _make_room(self, link: ClientLink) -> None:
        link.drop(Leaving.MAKES_ROOM)
        # The system may tell later that it is gone; it counts no more.
        self.forget(link)

    # --- called by links --------------------------------------------------------------------------

    def wants_tls(self, link: ClientLink) -> None:
        """Let a link begin the handshake of TLS when it is its turn."""
        self._wanting.append(link)
        self._has_wanting.set()

    async def _shake_hands(self, tls: ssl.SSLContext) -> None:
        """Begin one handshake after the other, in turns that of the newest and of the oldest.

        Of those that are not done the oldest makes room.
        """
        turn, is_newest = self.host.pace.turn(), True
        while True:
            await self._has_wanting.wait()
            await turn.begin()
            # The newest as well: whoever comes now does not stand behind thousands that stopped.
            link = self._wanting.pop() if is_newest else self._wanting.popleft()
            is_newest = not is_newest
            if not self._wanting:
                self._has_wanting.clear()
            if link.begin_tls(tls):
                self._shaking[link] = None
                if len(self._shaking) > MOST_HANDSHAKES:
                    self._make_room(next(iter(self._shaking)))
                await asyncio.sleep(HANDSHAKE_EVERY)

    def ends_tls(self, link: ClientLink) -> None:
        """Note that the handshake is done."""
        self._shaking.pop(link, None)

    def forget(self, link: ClientLink) -> None:
        """Note that a connection has ended."""
        self.host.memory.note_leaving(self.host.clock.now())
        self._strangers.pop(link, None)
        self._spectators.pop(link, None)
        self._shaking.pop(link, None)
        if link in self._links:
            del self._links[link]
            network = network_of(link.address)
            self._networks[network] -= 1
            if not self._networks[network]:
                del self._networks[network]
        if not self._links:
            self._all_gone.set()

    def line_up(self, link: ClientLink) -> None:
        """Let a link go on reading when it is its turn."""
        self._line.append(link)
        self._has_line.set()

    async def _read_in_turns(self) -> None:
        """Let those in line read a little, one after the other."""
        while True:
            await self._has_line.wait()
            await self._turn.begin()
            backlog = self.host.backlog
            while self._line and not self._turn.is_up and not backlog.is_full:
                self._line.popleft().read_on(PIECES_PER_TURN)
            if backlog.is_full:
                await asyncio.sleep(FULL)
            if not self._line:
                self._has_line.clear()


def open_port(host: str, port: int) -> socket.socket:
    """Return a socket that listens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        why = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise BadInputError(
            f"cannot listen on {host}:{port}: {why}; choose another host or port"
        ) from None


def tls_context(certificate: str, key: str | None) -> ssl.SSLContext:
    """Return what a TLS listener needs; raises BadInputError if the files are not usable."""
    given = {"--tls-cert": certificate} | ({"--tls-key": key} if key else {})
    # The library says of no error which of the files it is about.
    for option, path in given.items():
        try:
            Path(path).open("rb").close()
        except OSError as error:
            raise BadInputError(
                f"{option} {path}: cannot be read: {error.strerror}; name a file in PEM"
            ) from None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # A peer can ask for new keys as often as it likes: with 1.3 in 27 bytes, each time for all the
    # work of making them, of which nobody tells us and for which nothing can be charged.
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    # What every connection brings is decrypted before it can wait for its turn.
    SSLProtocol.max_size = DECRYPTED_AT_ONCE
    try:
        context.load_cert_chain(certificate, key)
    except ssl.SSLError:
        files = " and ".join(f"{option} {path}" for option, path in given.items())
        raise BadInputError(
            f"{files}: no certificate and private key in PEM that fit; name the files of both"
        ) from None
    return context
