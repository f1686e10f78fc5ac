"""The host: many games at once, and the clients that come, play, leave and come back."""

import asyncio
import logging
import secrets
from collections.abc import Iterable, Sequence
from random import Random

import structlog
from attrs import evolve

from daide.connection import WrittenMessage
from grammar.messages import IAm, Name, Rej, SelectGame, ServerMessage
from grammar.parse import reader_for
from grammar.tokens import Tokens, Word
from grammar.write import write
from rules.board import Board
from rules.errors import BadInputError
from rules.turns import Turn
from rules.variants import load_board
from server.clock import HostClock
from server.config import ServerConfig
from server.desertion import Deserted
from server.effects import Aside, Effect, Refused, StandInWanted
from server.game import Game, representation_of
from server.game_choice import CHOICE_WORDS, Choice, answers, players_needed
from server.game_log import who
from server.game_ports import GamePorts
from server.gate import REFUSED_SECRET, Gate
from server.inputs import Connected, Disconnected, Received, largest_client
from server.limits import Meter, Overdrawn, Ruling
from server.link import Leaving, Link
from server.lobby import (
    is_introduction,
    is_unidentified,
    live_rooms,
    only_watches,
    room_for,
    rooms_asked_for,
)
from server.member import Member
from server.memory import Keeper
from server.observers import Observer
from server.pace import Pace, TurnToWork
from server.passcodes import MOST_GAMES, draw_passcodes
from server.record import GameSetup, repeat, resume_from_file
from server.recorder import Ended, Recorder
from server.returning import Returners
from server.room import Room, Surroundings
from server.seat import ClientId
from server.settings import SECRETS
from server.stage import Stage
from server.stand_ins import StandIns
from server.store import GameId, Store

HEARTBEAT = 1.0
LAST_WORK = 1.0
"""How long a server that ends goes on with what has come in."""
_NAME, _ADMIN = int(Word.NME), int(Word.ADM)
GUARDED_WORDS = frozenset((_NAME, int(Word.IAM), _ADMIN))
"""What is looked at before a game sees it."""

log = structlog.get_logger(__name__)


class Host:
    """Runs the games of one server."""

    def __init__(self, config: ServerConfig, store: Store, clock: HostClock | None = None) -> None:
        self.config = config
        self.store = store
        self.board: Board = load_board(config.variant)
        self.clock = clock or HostClock()
        self.members: dict[ClientId, Member] = {}
        self.rooms: list[Room] = []
        self.is_closing = False
        self.done = asyncio.Event()
        """Set when as many games have been played as were asked for."""
        self.stand_ins = StandIns(config)
        self.stand_ins.is_needed = self.still_wants
        self._gate = Gate()
        self._returners = Returners(config.return_grace)
        self._recorder = Recorder(config.record, store)
        self._game_ports: GamePorts | None = None
        self._next_client: ClientId = 1
        self._games_over = 0
        self._pauses_told = 0
        self._overdrawn = Overdrawn(config.limits)
        self.memory = Keeper(store.release_memory)
        self._deserted = Deserted(config.deserted, config.expire_after)
        self._fill_alarms: dict[GameId, asyncio.TimerHandle] = {}
        self._tasks: asyncio.TaskGroup | None = None
        self._heart: asyncio.Task[None] | None = None
        self.pace = Pace()
        self._around = Surroundings(
            store,
            self.clock,
            self.pace,
            self.members,
            self._on_effect,
            self._on_change,
            self._on_end,
        )
        self.backlog = self._around.backlog
        # Deadlines wait for a store that cannot be written.
        store.on_stall, store.on_recovery = self.clock.stop, self.clock.go_on
        self._restore()
        if config.resume is not None and config.resume_turn is not None:
            self.new_room(self._resumed(config.resume, config.resume_turn))

    # --- connections ------------------------------------------------------------------------------

    def enter(self, link: Link, address: str, home: Room | None = None) -> Member:
        """Take in a connection that has sent its IM, perhaps through the game_port of a game."""
        meter = Meter(self.config.limits)
        member = Member(
            self._next_client, link, meter, address, home=home, is_at_door=home is not None
        )
        member.heard = self.clock.now()
        meter.begin_with(self._overdrawn.left(address, member.heard), member.heard)
        self._next_client += 1
        self.members[member.number] = member
        return member

    def receive(self, member: Member, tokens: Tokens) -> None:
        """Pass a message on to the game it belongs to."""
        member.heard = self.clock.now()
        ruling = member.meter.judge(tokens, member.heard)
        if ruling is Ruling.FLOOD:
            if member.room is not None:
                member.room.forget(member.number)
            member.link.drop(Leaving.FLOOD)
            return
        if ruling is Ruling.PASS and self._is_answered(member, tokens):
            return
        if member.room is None or self._may_move(member, tokens):
            self._find_room(member, tokens)
        if member.room is None:
            if member.home is not None and not self.is_closing:
                member.link.drop(Leaving.GAME_OVER)
            return
        passes = ruling is Ruling.PASS
        member.room.post((Received if passes else Refused)(member.number, tokens))

    def _is_answered(self, member: Member, tokens: Tokens) -> bool:
        """Answer what no game is to see; nearly everything is for a game."""
        word = tokens[0]
        if word in CHOICE_WORDS:
            return self._choose(member, tokens)
        if word not in GUARDED_WORDS:
            return False
        if word == _ADMIN and member.room is None:
            # The secret that it may try is that of the game it comes to.
            self._find_room(member, tokens)
        answer = self._refusal(member, tokens)
        if answer is not None:
            self._tell(member, (answer,))
        return answer is not None

    def _refusal(self, member: Member, tokens: Tokens) -> ServerMessage | None:
        """Return the answer to a wrong IAM or secret, or to an NME that should be an IAM."""
        rooms = self._rooms_open_to(member)
        if not self._gate.lets_in(member, tokens, rooms, member.heard):
            message = reader_for(0, representation_of(self.board)).client(tokens)
            # What cannot be read is for a game to say.
            return Rej(message) if isinstance(message, IAm) else None
        if not self._gate.hears(member, tokens, member.heard):
            return REFUSED_SECRET
        name = self._name_to_refuse(member, tokens) if tokens[0] == _NAME else None
        return Rej(name) if name else None

    def _name_to_refuse(self, member: Member, tokens: Tokens) -> Name | None:
        """Return the NME of a player that a game waits for: after REJ it will send its IAM."""
        rooms = [room for room in self._rooms_open_to(member) if room.absentees]
        if not rooms or not _is_free(member):
            return None
        message = reader_for(0, representation_of(self.board)).client(tokens)
        if not isinstance(message, Name):
            return None
        return message if self._returners.sends_back(member, message, rooms) else None

    def leave(self, member: Member, why: Leaving) -> None:
        """Take out a connection that has ended."""
        del self.members[member.number]
        self._overdrawn.note(member.address, member.meter, self.clock.now())
        self._returners.forget(member)
        level = logging.WARNING if why.is_misconduct else logging.INFO
        log.log(level, "client left", reason=why.value, **_described(member))
        if member.room is not None:
            member.room.post(Disconnected(member.number))

    def is_stranger(self, member: Member) -> bool:
        """Tell whether a connection has not said who it is, nor is about to."""
        return _is_free(member)

    def is_spectator(self, member: Member) -> bool:
        """Tell whether a connection only looks on."""
        return member.room is not None and only_watches(member.room, member.number)

    def dismiss_silent(self) -> None:
        """Let those go that have sent their IM long ago and nothing that says who they are."""
        latest = self.clock.now() - self.config.limits.introduction
        for member in tuple(self.members.values()):
            if member.heard < latest and _is_free(member):
                member.link.drop(Leaving.NEVER_INTRODUCED)

    def _may_move(self, member: Member, tokens: Tokens) -> bool:
        """Tell whether a client that is in a game may be put into another.

        One of which the game knows nothing, as after REJ ( IAM ) or REJ ( NME ), may try elsewhere.
        """
        return is_introduction(tokens) and _is_free(member)

    def _choose(self, member: Member, tokens: Tokens) -> bool:
        """Answer LST, SEL and PNG; False if the message is wrong, which is for a game to say."""
        settings = self.config.settings
        names = representation_of(self.board)
        reader = reader_for(settings.level, names, partial_draws=settings.partial_draws)
        message = reader.client(tokens)
        if not isinstance(message, Choice):
            return False
        games = {room.game.name: room for room in self._rooms_shown_to(member)}
        if isinstance(message, SelectGame) and _is_free(member):
            member.home = games.get(message.game or "", member.home)
        current = (_is_free(member) and member.home) or member.room
        listed = rooms_asked_for(message, games)
        if listed:
            self._tell_written(member, tuple(room.listed for room in listed))
        else:
            self._tell(member, answers(message, (), current.game.name if current else None))
        if member.room is not None and member.room is not current:
            member.room.post(Disconnected(member.number))
            member.room = None
        return True

    def _rooms_shown_to(self, member: Member) -> list[Room]:
        """Return the games that a client may choose from."""
        rooms = self._rooms_open_to(member) if member.is_at_door else self.rooms
        return [room for room in rooms if not room.is_stopped]

    def _tell(self, member: Member, messages: tuple[ServerMessage, ...]) -> None:
        names = representation_of(self.board)
        self._tell_written(member, tuple(WrittenMessage(write(each, names)) for each in messages))

    def _tell_written(self, member: Member, messages: tuple[WrittenMessage, ...]) -> None:
        """Send something after whatever the client's game has to tell it before."""
        if member.room is not None:
            member.room.post(Aside(member.number, messages))
            return
        now = self.clock.now()
        for each in messages:
            member.meter.charge_answer(len(each.tokens), now)
        member.link.send(messages)

    def _find_room(self, member: Member, tokens: Tokens) -> None:
        if self.is_closing:
            # A game that began now would have nobody to end it.
            return
        open_rooms = [room for room in self._rooms_open_to(member) if not room.is_stopped]
        room = room_for(tokens, open_rooms)
        may_begin = room is None and member.home is None and len(self.rooms) < MOST_GAMES
        if may_begin and len(live_rooms(open_rooms)) < self.config.games:
            room = self.new_room()
        room = room or member.room or next(reversed(open_rooms), None)
        if room is None or room is member.room:
            return
        if member.room is not None:
            member.room.post(Disconnected(member.number))
        member.room = room
        log.info("client enters", client=member.number, game=room.game.name, address=member.address)
        room.post(Connected(member.number, member.address))

    def _rooms_open_to(self, member: Member) -> list[Room]:
        """Return the games that a client may enter."""
        return [room for room in self.rooms if member.home in (None, room)]

    # --- games ------------------------------------------------------------------------------------

    def new_room(self, setup: GameSetup | None = None) -> Room:
        """Begin a game."""
        setup = self._with_passcodes(setup or self._next_setup())
        number = self.store.new_game(setup)
        room = Room(number, self._hosted(setup.new_game()), self._around)
        told = {"game": setup.name, "press_level": setup.settings.level}
        if self.config.seed is not None:
            told["seed"] = setup.seed
        if self._game_ports is not None:
            self._game_ports.open(room)
            told["port"] = room.port
        log.info("game created", **told)
        self._open(room)
        return room

    def use_game_ports(self, game_ports: GamePorts) -> None:
        """Give a port of its own to every game, also to those that are there already."""
        self._game_ports = game_ports
        for room in self.rooms:
            game_ports.open(room)
            log.info("game reopened", game=room.game.name, port=room.port)

    def add_observer(self, observer: Observer) -> None:
        """Let somebody look on, also at the games that are there already."""
        self._around.observers.append(observer)
        for room in self.rooms:
            observer.opened(room)

    def _hosted(self, game: Game) -> Game:
        game.host = self
        return game

    def _next_setup(self) -> GameSetup:
        number = self.store.next_game
        seed = self.config.seed
        return GameSetup(
            name=f"game-{number}",
            variant=self.config.variant,
            settings=self.config.settings,
            seed=secrets.randbits(32) if seed is None else seed + self._games_made,
        )

    def _with_passcodes(self, setup: GameSetup) -> GameSetup:
        """Draw passcodes that no other game has, from the seed only if games are repeatable."""
        repeatable = self.config.seed is not None
        chance = Random(setup.seed) if repeatable else secrets.SystemRandom()  # noqa: S311 - as above
        drawn = draw_passcodes(self.board.powers, chance, self._gate.passcodes(self.rooms))
        return evolve(setup, passcodes=drawn)

    @property
    def _games_made(self) -> int:
        return len(self.rooms) + self._games_over

    def _resumed(self, path: str, turn: Turn) -> GameSetup:
        """Return the setup of the game that is to be played on."""
        setup = resume_from_file(path, turn)
        if setup.variant != self.config.variant:
            raise BadInputError(f"--resume: the record needs --variant {setup.variant}")
        # The record keeps no secrets; those of today hold, and so does what was asked for today.
        today = self.config.settings
        now = {name: getattr(today, name) for name in {*SECRETS, *self.config.chosen}}
        return evolve(setup, settings=evolve(setup.settings, **now))

    def _restore(self) -> None:
        """Take up the games that were being played when the last server ended."""
        for number in self.store.games(finished=False):
            try:
                self._restore_game(number)
            except Exception as error:  # noqa: BLE001 - the others are worth more than one game
                why = str(error) if isinstance(error, BadInputError) else repr(error)
                log.error("game set aside, the others go on", game=number, why=why)  # noqa: TRY400 - why says it

    def _restore_game(self, number: GameId) -> None:
        kept = self.store.load_from_snapshot(number)
        if kept is None:
            record = self.store.load(number)
            game, before, batches = record.setup.new_game(), 0, record.batches
        else:
            game, before, batches = kept
        if game.board != self.board:
            log.warning("game left alone: another variant", game=game.name)
            return
        repeat(game, batches)
        missing = self.store.turns_kept(number) - len(game.history.turns)
        if missing > 0:
            raise BadInputError(f"the last {missing} turns that were kept cannot be played again")
        newest = max(largest_client(batches), max(game.clients, default=0))
        self._next_client = max(self._next_client, newest + 1)
        self._hosted(game)
        if game.stage is not Stage.RUNNING:
            # Nobody has lost anything: whoever waited for the start asks for a place again.
            if game.ending is not None:
                self._recorder.keep_found(Ended(number, game.name, game.ending))
                return
            if game.candidates():
                waited = len(game.candidates())
                log.warning("game begins anew: it had not started", game=game.name, players=waited)
            self.store.finish(number)
            return
        time = batches[-1].time if batches else game.now
        room = Room(number, game, self._around, batches=before + len(batches), time=time)
        for client in tuple(game.clients):
            room.post(Disconnected(client))
        log.info("game restored", game=game.name, turn=str(game.position.turn))
        self._deserted.take_up(room, self.clock.now())
        self.rooms.append(room)

    def _open(self, room: Room) -> None:
        self.rooms.append(room)
        for observer in self._around.observers:
            observer.opened(room)
        if self._tasks is not None:
            self._start(room, self._tasks)

    def _start(self, room: Room, tasks: asyncio.TaskGroup) -> None:
        tasks.create_task(self._play(room), name=f"{room.game.name}.play")

    async def _play(self, room: Room) -> None:
        try:
            if self._game_ports is not None:
                self._game_ports.serve(room)
            await room.run()
        except Exception:
            # A bug of ours ends this game, not the others; its record is kept for a restart.
            log.exception("game stopped", game=room.game.name)
            room.is_stopped = True
            for member in self._members_of(room):
                member.link.drop(Leaving.GAME_FAILED)
        finally:
            if self._game_ports is not None:
                self._game_ports.close(room)
        if room.is_over:
            for member in self._members_bound_to(room):
                member.link.drop(Leaving.GAME_OVER)
            self._take_out(room)
            self._games_over += 1
            if self._games_over == self.config.exit_after:
                await self._recorder.tried()
                self.done.set()
        elif room.is_deserted:
            self.store.forget(room.number)
            self._take_out(room)

    def _take_out(self, room: Room) -> None:
        self._gate.remember(room)
        self._deserted.forget(room)
        self.rooms.remove(room)
        for observer in self._around.observers:
            observer.closed(room)

    async def _on_end(self, room: Room, turn: TurnToWork) -> None:
        """Keep the record of a game that has ended, before anybody is told of its end."""
        assert room.game.ending is not None
        await self._recorder.keep(Ended(room.number, room.game.name, room.game.ending), turn)

    # --- what admin commands may ask of the host --------------------------------------------------

    def games(self) -> Iterable[str]:
        """Describe the games, a line each."""
        for room in self.rooms:
            players = sum(seat.client is not None for seat in room.game.seats.values())
            waiting = len(room.game.candidates())
            turn = room.game.position.turn
            port = f", port {room.port}" if room.port is not None else ""
            yield (
                f"{room.game.name}: {room.stage.value}, {turn}, {players + waiting} players{port}"
            )

    def start_bots(self, game: str, words: Sequence[str]) -> str:
        """Start bots for the free places of a game: `start bots [COUNT]`, of the kind of --fill."""
        room = next(each for each in self.rooms if each.game.name == game)
        if self.config.fill is None or room.stage is not Stage.FORMING:
            return "no bots can be started: the server has no --fill, or the game has begun"
        free = players_needed(room.game)
        count = int(words[0]) if words and words[0].isdecimal() else free
        self.stand_ins.fill(min(count, free), game, room.port)
        return f"{min(count, free)} bots of kind {self.config.fill} are coming"

    def _members_of(self, room: Room) -> list[Member]:
        return [member for member in self.members.values() if member.room is room]

    def _members_bound_to(self, room: Room) -> list[Member]:
        """Return those who could enter this game only, and have not done so."""
        bound = (member for member in self.members.values() if member.home is room)
        return [member for member in bound if member.room is None]

    def still_wants(self, game: str, power: str | None) -> bool:
        """Tell whether a game needs a bot: one for that power, or any while it forms."""
        room = next((each for each in self.rooms if each.game.name == game), None)
        if room is None or room.is_stopped or self.is_closing:
            return False
        if power is None:
            return room.has_place
        seat = room.game.seats[room.game.board.power(power)]
        return room.stage is Stage.RUNNING and seat.client is None

    # --- what games want --------------------------------------------------------------------------

    def _on_effect(self, room: Room, effect: Effect) -> None:
        match effect:
            case StandInWanted(power, passcode):
                log.info("stand-in wanted", game=room.game.name, power=power.name)
                self.stand_ins.take_over(power.name, passcode, room.game.name, room.port)
            case _:
                log.error("effect not known", game=room.game.name, effect=type(effect).__name__)

    def _on_change(self, room: Room) -> None:
        """See whether anybody plays a game, and whether it is to be filled up."""
        self._deserted.look_at(room, self.clock.now())
        self._plan_filling(room)

    def expire_deserted(self) -> None:
        """End games that nobody has played for long, and those that are too many."""
        for room in self._deserted.to_expire(self.clock.now()):
            log.warning("game expired: nobody plays it", game=room.game.name)
            room.is_deserted = True
            for member in self._members_of(room):
                member.link.drop(Leaving.GAME_OVER)
            room.stop()

    def _plan_filling(self, room: Room) -> None:
        """Fill the empty places of a game some time after the first client has asked for one."""
        waits = room.stage is Stage.FORMING and room.game.candidates()
        alarm = self._fill_alarms.get(room.number)
        if self.config.fill is None or bool(waits) is (alarm is not None):
            return
        if alarm is not None:
            self._fill_alarms.pop(room.number).cancel()
            return
        loop = asyncio.get_running_loop()
        self._fill_alarms[room.number] = loop.call_later(self.config.fill_after, self._fill, room)

    def _fill(self, room: Room) -> None:
        if room.stage is Stage.FORMING and not self.is_closing:
            missing = players_needed(room.game) - room.knocking
            self.stand_ins.fill(missing, room.game.name, room.port)

    # --- life -------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play games until `stop`, which may have come before the first of them began."""
        if self.is_closing:
            return
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            self._recorder.start()
            for room in tuple(self.rooms):
                self._start(room, tasks)
            self._heart = tasks.create_task(self._beat(), name="host.heartbeat")
            tasks.create_task(self.stand_ins.run(), name="host.stand-ins")
        self._tasks = None
        await self._recorder.ended()

    async def _beat(self) -> None:
        """Look at the clock often enough for it to notice when the process was stopped."""
        while True:
            self.check_clock()
            self.dismiss_silent()
            self.expire_deserted()
            self.store.check()
            self.memory.look(self.clock.now())
            await asyncio.sleep(HEARTBEAT)

    def check_clock(self) -> None:
        """Tell everybody the time again after the process was stopped: their own clocks ran on."""
        self.clock.now()
        if self.clock.pauses == self._pauses_told:
            return
        self._pauses_told = self.clock.pauses
        log.warning("the server stood still")
        for room in self.rooms:
            room.command("tell time")

    def stop(self) -> None:
        """Finish what has come in, keep it, and end; games go on when a server starts again."""
        self.is_closing = True
        for room in self.rooms:
            room.stop()
        asyncio.get_running_loop().call_later(LAST_WORK, self._give_up)
        for alarm in self._fill_alarms.values():
            alarm.cancel()
        self.stand_ins.stop()
        self._recorder.stop()
        if self._heart is not None:
            self._heart.cancel()

    def _give_up(self) -> None:
        for room in self.rooms:
            room.give_up()
        if self.store.is_stalled:
            # Whoever waits for it was not thanked.
            self.store.give_up()


def _is_free(member: Member) -> bool:
    """Tell whether no game knows who a client is, nor is about to learn it."""
    room = member.room
    return room is None or (member.pending == 0 and is_unidentified(room, member.number))


def _described(member: Member) -> dict[str, object]:
    """Return who and where a client is, for the log."""
    game = member.room.game if member.room else None
    client = game.clients.get(member.number) if game else None
    told = who(client) if client else {"client": member.number}
    return told | {"game": game.name if game else None, "address": member.address}
