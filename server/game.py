"""One game: who sits where, what is ordered and said, and when a turn is processed.

Sans-I/O: messages and the time go in, effects come out, to be carried out in their order by the one
task that owns the game. Everything follows from the inputs, so a game can be rebuilt from them.

Where the documents leave a choice:

- A power whose client is gone holds a turn up only while its orders are incomplete; its orders and
  its votes for a draw stand.
- A power is in the game while it has a unit or a center: one that lost its last center still
  removes its units in the winter, and is not asked about a draw after that. It has no part in a
  draw that a year limit declares before this winter.
- IAM is refused while the power has a client, and to a connection after three wrong passcodes;
  whoever guesses over many connections is stopped by the host, which knows where they come from.
- A client that has a place and does not accept the map in time loses it.
- Press names no eliminated power, except in quotations of old press.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from random import Random

from daide.game_end import ending_note
from grammar import messages as m
from grammar.boards import now_message, ownership_message
from grammar.messages import ClientMessage, Rej, ServerMessage, Yes
from grammar.parse import Fault, Garbled, Unbalanced
from grammar.representation import Representation
from grammar.tokens import Tokens
from rules.adjudicate import adjudicate
from rules.board import Board
from rules.outcome import Ending, EndingKind, center_counts, solo_winner, survivors
from rules.places import Power
from rules.position import Position
from rules.resolution import Resolution
from rules.turns import Phase, Season, Turn
from server.admin import HostDesk
from server.effects import Drop, Effect, Send, StandInWanted
from server.game_log import note, note_late, who
from server.handlers import HANDLERS, UNANSWERED
from server.history import History, PlayedTurn, summary_message
from server.joining import send_away_late
from server.order_book import OrderBook
from server.passcodes import draw_passcodes
from server.press_desk import RoundBook, close_round, relay_round
from server.reading import GameReader
from server.seat import Client, ClientId, Role, Seat
from server.settings import AbsentPolicy, GameSettings
from server.stage import Stage
from server.timer import TurnTimer, tellable


@cache
def representation_of(board: Board) -> Representation:
    """Return the token numbers of a board: all its games share one reader."""
    return Representation.from_board(board)


class Game:
    """The state of one game, and the answer to everything that happens to it."""

    def __init__(  # noqa: PLR0913 - all that is decided before anything happens
        self,
        board: Board,
        settings: GameSettings,
        *,
        name: str = "game",
        seed: int = 0,
        start: Position | None = None,
        passcodes: Mapping[str, int] | None = None,
    ) -> None:
        self.name = name
        self.board = board
        self.settings = settings
        self.stage = Stage.FORMING
        self.representation = representation_of(board)
        self.history = History(board, start or board.start)
        self.ending: Ending | None = None
        # Draws powers, and passcodes where none are given: those follow from the seed.
        self.chance = Random(seed)  # noqa: S311 - a replay must draw the same again
        drawn = draw_passcodes(board.powers, self.chance) | dict(passcodes or {})
        self.seats = {power: Seat(power, drawn[power.name]) for power in board.powers}
        self.clients: dict[ClientId, Client] = {}
        self.timer = TurnTimer()
        self.is_paused = False
        self.host: HostDesk | None = None
        self._take_stock()
        self.rounds = RoundBook()
        self._reader = GameReader(settings, self.representation)
        self.effects: list[Effect] = []
        self.now = 0.0
        self._off_at: float | None = None
        # The last year of which the changes are known: no center can have changed hands since.
        turn = self.position.turn
        self._last_change = turn.year - (turn.season is not Season.WINTER)

    # --- what happens to a game -------------------------------------------------------------------

    def connect(self, client: ClientId, now: float, address: str = "") -> list[Effect]:
        """Take in a client of which nothing is known yet but where it comes from."""
        self.now = now
        self.clients[client] = Client(client, address=address)
        return self._flush()

    def receive(self, client: ClientId, tokens: Tokens, now: float) -> list[Effect]:
        """Read a message of a client and act on it."""
        self.now = now
        sender = self.clients[client]
        if sender.is_dismissed:
            return []
        self._tell_time()
        self._note_speech(sender)
        is_player = self.playing(sender) is not None
        is_forming = self.stage is Stage.FORMING
        message = self._reader.read(tokens, is_forming=is_forming, is_player=is_player)
        if isinstance(message, Garbled | Unbalanced):
            self._complain(sender, message)
        else:
            self._handle(sender, message)
        self._process_if_ready()
        return self._flush()

    def disconnect(self, client: ClientId, now: float) -> list[Effect]:
        """Take out a client whose connection has ended."""
        self.now = now
        gone = self.clients.pop(client)
        if gone.role is Role.PLAYER and gone.power is not None:
            self._lose_player(self.seats[gone.power])
        self._process_if_ready()
        return self._flush()

    def tick(self, now: float) -> list[Effect]:
        """Do what the time asks for: notices, deadlines, stand-ins, the end after the end."""
        self.now = now
        self._tell_time()
        if self.stage is Stage.RUNNING and self.timer.has_passed(now):
            self._process_turn()
            self._process_if_ready()
        self._ask_for_stand_ins()
        send_away_late(self)
        if self._off_at is not None and now >= self._off_at:
            self._off_at = None
            self.turn_off()
        return self._flush()

    def next_tick(self) -> float | None:
        """Return when `tick` should be called, None if nothing depends on time."""
        times: list[float | None] = [self._off_at]
        if self.stage is Stage.FORMING:
            times += (each.map_due for each in self.candidates() if not each.has_map)
        if self.stage is Stage.RUNNING:
            times.append(self.timer.next_event(self._wanted_times()))
            times += self._stand_in_times().values()
        return min((time for time in times if time is not None), default=None)

    # --- what a host may do -----------------------------------------------------------------------

    def obey(self, words: str, now: float) -> list[Effect]:
        """Do what the host says: `pause`, `resume`, `end`, `close`, `tell time` or `eject FRA`."""
        self.now = now
        match words.split():
            case ["pause"]:
                self.stop_play()
            case ["resume"]:
                self.resume_play()
            case ["end"]:
                self.end_play()
            case ["close"]:
                self.abort_play()
                self.turn_off()
            case ["tell", "time"]:
                self._announce_time()
            case ["eject", name]:
                self.send_away(self.board.power(name))
            case _:
                raise ValueError(f"no such command: {words!r}")
        self._process_if_ready()
        return self._flush()

    def _announce_time(self) -> None:
        """Tell everybody the time that is left, as after a pause of the server."""
        seconds = self.seconds_left
        if self.timer.is_running and seconds is not None:
            self.broadcast(m.TimeLeft(seconds))

    # What an admin command may do as well.

    def stop_play(self) -> None:
        """Stop the clock and process nothing until `resume_play`."""
        self.is_paused = True
        self._stop_timer()

    def resume_play(self) -> None:
        """Let the clock run again."""
        self.is_paused = False
        self._restart_timer()

    def end_play(self) -> None:
        """End a running game as a draw of the survivors."""
        if self.stage is Stage.RUNNING:
            self.declare_draw(self.survivors, EndingKind.ENDED_BY_HOST)

    def abort_play(self) -> None:
        """End a game that is not over without a result."""
        if self.stage is not Stage.ENDED:
            self._finish(EndingKind.ABORTED, ())

    def set_limit(self, phase: Phase, seconds: int | None) -> None:
        """Set the time of a phase, from its next turn on."""
        self.settings = self.settings.with_limit(phase, seconds)

    def send_away(self, power: Power) -> None:
        """Send the client of a power away; the power is vacant from now on."""
        seat = self.seats[power]
        if seat.client is not None:
            ejected = self.clients[seat.client]
            self.dismiss(ejected)
            ejected.role, ejected.power = Role.UNIDENTIFIED, None
            self._lose_player(seat)

    def turn_off(self) -> None:
        """Tell every client to leave."""
        for client in self.clients.values():
            self.dismiss(client)

    # --- what may be asked about it ---------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The current position."""
        return self.history.position

    @property
    def turn(self) -> Turn:
        """The turn that is played."""
        return self.position.turn

    @property
    def remaining(self) -> float | None:
        """The seconds until the deadline, None without one."""
        return self.timer.remaining(self.now)

    @property
    def seconds_left(self) -> int | None:
        """The same as TME tells it."""
        return self.timer.seconds(self.now)

    @property
    def is_held_up(self) -> bool:
        """Whether the clock stands still."""
        return self.timer.is_stopped

    def is_alive(self, power: Power) -> bool:
        """Whether a power is still in the game."""
        return power in self.survivors

    def candidates(self) -> list[Client]:
        """Return the clients that wait for the start."""
        return [
            each
            for each in self.clients.values()
            if each.role is Role.CANDIDATE and not each.is_dismissed
        ]

    # --- sending ----------------------------------------------------------------------------------

    def _flush(self) -> list[Effect]:
        effects, self.effects = self.effects, []
        return effects

    def send(self, client: Client, *messages: ServerMessage) -> None:
        """Send messages to one client."""
        self.effects += (Send((client.number,), message) for message in messages)

    def post(self, to: Iterable[ClientId], *messages: ServerMessage) -> None:
        """Send messages to these clients, if there are any."""
        numbers = tuple(to)
        if numbers:
            self.effects += (Send(numbers, message) for message in messages)

    def broadcast(self, *messages: ServerMessage) -> None:
        """Send to all clients that take part: players and observers that have the map."""
        to = (client.number for client in self.clients.values() if client.has_map)
        self.post(to, *messages)

    def dismiss(self, client: Client) -> None:
        """Tell a client to leave, and close its connection if it does not."""
        if not client.is_dismissed:
            client.is_dismissed, client.has_map, client.is_omniscient = True, False, False
            self.effects += (Send((client.number,), m.TurnOff()), Drop(client.number))

    # --- reading ----------------------------------------------------------------------------------

    def _complain(self, sender: Client, fault: Fault) -> None:
        answer = fault.answer()
        note("message refused", game=self.name, **who(sender), at=fault.at)
        if answer is not None:
            self.send(sender, answer)

    def _note_speech(self, sender: Client) -> None:
        """Take a power that missed a deadline as back when it says anything at all."""
        seat = self.seat_of(sender)
        if seat is not None and seat.missed_deadline:
            seat.missed_deadline = False
            self.broadcast(m.BackInOrder(seat.power))

    def seat_of(self, client: Client) -> Seat | None:
        """Return the seat of a player, None for everybody else."""
        if client.role is not Role.PLAYER or client.power is None:
            return None
        return self.seats[client.power]

    def _handle(self, sender: Client, message: ClientMessage) -> None:
        if not isinstance(message, UNANSWERED):
            HANDLERS[type(message)](self, sender, message)

    def answer(self, sender: Client, message: ClientMessage, *, accepted: bool) -> None:
        """Send YES or REJ with the message itself."""
        self.send(sender, Yes(message) if accepted else Rej(message))

    # --- joining ----------------------------------------------------------------------------------

    def hello(self, client: Client) -> m.Hello:
        """Return the HLO for a client."""
        seat = self.seat_of(client)
        if seat is None:
            return m.Hello(None, 0, self.settings.options)
        return m.Hello(seat.power, seat.passcode, self.settings.options)

    def start(self) -> None:
        """Begin to play: every seat has its client."""
        self.stage = Stage.RUNNING
        for client in self.clients.values():
            if client.has_map:
                self.send(client, self.hello(client))
        position = self.position
        self.broadcast(ownership_message(self.board, position), now_message(position))
        self._begin_timer()

    def welcome(self, client: Client) -> None:
        """Tell a client that comes late how the game stands."""
        self.send(client, self.hello(client), ownership_message(self.board, self.position))
        if self.ending is not None and client.hears_ending:
            self.send(client, ending_note(self.ending))
        self.send(client, *self.verdict(), now_message(self.position))
        seconds = self.seconds_left
        if self.timer.is_running and seconds is not None:
            self.send(client, m.TimeLeft(seconds))

    def take_back(self, seat: Seat) -> None:
        """Tell everybody that a power has a client again, and let the clock run."""
        self.broadcast(m.BackInOrder(seat.power))
        self._restart_timer()

    def _lose_player(self, seat: Seat) -> None:
        seat.leave()
        if self.stage is not Stage.RUNNING:
            return
        seat.absent_since = self.now
        self.broadcast(m.CivilDisorder(seat.power))
        if self._waits_for_absent():
            self._stop_timer()

    def playing(self, sender: Client, *, alive: bool = False) -> Seat | None:
        """Return the seat of a player of a running game, of a surviving one if so asked."""
        seat = self.seat_of(sender)
        if seat is None or self.stage is not Stage.RUNNING:
            return None
        return None if alive and not self.is_alive(seat.power) else seat

    # --- turns ------------------------------------------------------------------------------------

    def _take_stock(self) -> None:
        """See who is left in the current position, and what is due."""
        self.survivors = survivors(self.board, self.position)
        self._surviving_seats = [self.seats[power] for power in self.survivors]
        self.book = OrderBook(self.board, self.position, any_orders=self.settings.any_orders)

    def owes_orders(self, seat: Seat) -> bool:
        """Whether orders of a power are missing."""
        return not self.book.is_complete(seat.power)

    def _process_if_ready(self) -> None:
        self._end_if_agreed()
        while self.stage is Stage.RUNNING and not self.is_paused and self._is_ready():
            if self.rounds.is_empty:
                self._process_turn()
            else:
                close_round(self)

    def _is_ready(self) -> bool:
        """Whether nobody has anything left to say or to order in this turn."""
        # With nobody there, turns would fly past without a witness.
        has_witness = False
        for seat in self._surviving_seats:
            has_witness = has_witness or seat.client is not None
            if self.is_awaited(seat):
                return False
        return has_witness

    def is_awaited(self, seat: Seat) -> bool:
        """Whether the turn waits for a power, although, or because, its client may be gone."""
        if seat.client is None:
            return self.settings.absent is AbsentPolicy.WAIT and self.owes_orders(seat)
        return not seat.go or self.owes_orders(seat)

    def _process_turn(self) -> None:
        turn = self.position.turn
        if self.timer.has_passed(self.now):
            note_late(self.name, turn, self._surviving_seats, self.book)
        self._tell_missed_deadline()
        # A deadline ends the talk as well; what was said in time still reaches everybody.
        relay_round(self)
        resolution = adjudicate(self.board, self.position, self.book.orders())
        outcomes = tuple(
            m.OrderOutcome(turn, report.order, report.result, report.dislodged)
            for report in resolution.reports
        )
        self._note_changes(resolution)
        automatic = frozenset(each.order for each in resolution.reports if each.automatic)
        self.history.turns.append(PlayedTurn(turn, outcomes, resolution.position, automatic))
        self._take_stock()
        self.broadcast(*outcomes)
        if resolution.ownership_updated:
            self.broadcast(ownership_message(self.board, resolution.position))
            if self._end_if_over(resolution):
                return
        self._begin_turn()

    def _note_changes(self, resolution: Resolution) -> None:
        if not resolution.ownership_updated:
            return
        year = self.position.turn.year
        before, after = self.position.owners, resolution.position.owners
        if dict(before) != dict(after):
            self._last_change = year
        counts = center_counts(self.board, after)
        for power, seat in self.seats.items():
            if counts[power] == 0 and seat.eliminated_in is None:
                seat.eliminated_in = year
            elif counts[power]:
                seat.eliminated_in = None

    def _end_if_over(self, resolution: Resolution) -> bool:
        """End the game if a power has won or a limit is reached; SLO or DRW stands before NOW."""
        winner = solo_winner(self.board, resolution.position.owners)
        if winner is not None:
            self._finish(EndingKind.SOLO, (winner,))
        elif (limit := self._limit_reached()) is not None:
            counts = center_counts(self.board, resolution.position.owners)
            self._finish(limit, (power for power in self.survivors if counts[power]))
        else:
            return False
        self.broadcast(now_message(self.position))
        return True

    def _limit_reached(self) -> EndingKind | None:
        """Return which limit the year that was just played has reached."""
        played = self.history.last_played.year
        last_year, patience = self.settings.last_year, self.settings.years_without_change
        if last_year is not None and played >= last_year:
            return EndingKind.YEAR_LIMIT
        if patience is not None and played - self._last_change >= patience:
            return EndingKind.YEARS_WITHOUT_CHANGE
        return None

    def _begin_turn(self) -> None:
        self.rounds = RoundBook()
        for seat in self.seats.values():
            seat.begin_turn()
        for client in self.clients.values():
            client.cancelled_times.clear()
        self.broadcast(now_message(self.position))
        self._begin_timer()

    def _begin_timer(self) -> None:
        """Start the clock of a turn and say how long it is."""
        limit = self.settings.limit(self.turn.phase)
        stopped = self.is_paused or self._waits_for_absent()
        self.timer.start(limit, self.now, stopped=stopped)
        if limit is not None:
            seconds = tellable(limit)
            self.broadcast(m.TimerStopped(seconds) if stopped else m.TimeLeft(seconds))

    def _waits_for_absent(self) -> bool:
        """Whether the clock stands still for a power: DSD."""
        return self.settings.stops_on_disconnection and any(
            seat.client is None and self.is_awaited(seat) for seat in self._surviving_seats
        )

    def _stop_timer(self) -> None:
        """Stop the clock and say so."""
        if self.timer.is_running:
            self.timer.stop(self.now)
            self.broadcast(m.TimerStopped(self.seconds_left or 0))

    def _restart_timer(self) -> None:
        """Let the clock run again if nothing holds it."""
        if self.timer.is_stopped and not self.is_paused and not self._waits_for_absent():
            self.timer.resume(self.now)
            self.broadcast(m.TimeLeft(self.seconds_left or 0))

    def _tell_time(self) -> None:
        if self.stage is not Stage.RUNNING:
            return
        for seconds in self.timer.notices(self._wanted_times(), self.now):
            for client in self.clients.values():
                if seconds in client.notices and not client.is_dismissed:
                    self.send(client, m.TimeLeft(seconds))

    def _wanted_times(self) -> set[int]:
        # Asked after every message, so nothing is joined where nobody has asked for anything.
        wanted: set[int] = set()
        for client in self.clients.values():
            if client.time_requests or client.cancelled_times:
                wanted |= client.notices
        return wanted

    def _tell_missed_deadline(self) -> None:
        if not self.settings.tells_missed_deadlines or not self.timer.has_passed(self.now):
            return
        for seat in self._surviving_seats:
            is_known = seat.missed_deadline or seat.client is None
            if not is_known and self.owes_orders(seat):
                seat.missed_deadline = True
                self.broadcast(m.CivilDisorder(seat.power))

    def _ask_for_stand_ins(self) -> None:
        if self.stage is not Stage.RUNNING:
            return
        for power, time in self._stand_in_times().items():
            if self.now >= time:
                seat = self.seats[power]
                seat.stand_in_asked = True
                self.effects.append(StandInWanted(power, seat.passcode))

    def _stand_in_times(self) -> dict[Power, float]:
        """Return when a stand-in is to be asked for, by the power that is without a client."""
        patience = self.settings.stand_in_after
        if patience is None:
            return {}
        return {
            seat.power: seat.absent_since + patience
            for seat in self._surviving_seats
            if seat.absent_since is not None and not seat.stand_in_asked
        }

    # --- the end ----------------------------------------------------------------------------------

    def _end_if_agreed(self) -> None:
        """End the game if all survivors accept the same draw.

        Where press goes in rounds a vote counts when those who are waited for have finished, so
        that it does not depend on timing what else is said in the round.
        """
        seats = self._surviving_seats
        if self.stage is not Stage.RUNNING or not seats or not all(seat.draws for seat in seats):
            return
        if self.settings.press_rounds is not None and not all(seat.go for seat in seats):
            return
        agreed = [draw for draw in seats[0].draws if all(draw in seat.draws for seat in seats)]
        if agreed:
            # Of several that are accepted together the widest counts, then the order of powers.
            self.declare_draw(max(agreed, key=self._draw_rank), EndingKind.AGREED_DRAW)

    def _draw_rank(self, draw: Iterable[Power]) -> tuple[int, list[bool]]:
        members = frozenset(draw)
        return len(members), [power in members for power in self.board.powers]

    def declare_draw(self, powers: Iterable[Power], why: EndingKind) -> None:
        """End the game as a draw; what was said until now still reaches everybody."""
        relay_round(self)
        self._finish(why, powers)

    def _finish(self, why: EndingKind, powers: Iterable[Power]) -> None:
        chosen = set(powers)
        ordered = tuple(power for power in self.board.powers if power in chosen)
        self.ending = Ending(why, ordered, self.history.last_played)
        self.stage = Stage.ENDED
        self.timer.start(None, self.now)
        self._off_at = self.now + self.settings.linger
        note = ending_note(self.ending)
        curious = [each for each in self.clients.values() if each.has_map and each.hears_ending]
        self.effects += (Send((each.number,), note) for each in curious)
        self.broadcast(*self.verdict())

    def verdict(self) -> tuple[ServerMessage, ...]:
        """Return SLO or DRW, and SMR; nothing of a game that is not over or has no result."""
        if self.ending is None or self.ending.kind is EndingKind.ABORTED:
            return ()
        summary = summary_message(self.board, self.position, self.seats.values(), self.ending)
        if self.ending.winner is not None:
            return m.SoloDeclared(self.ending.winner), summary
        members = self.ending.draw
        lists = self.settings.partial_draws and self.settings.level >= 10 and len(members) > 1
        return m.DrawDeclared(members if lists else ()), summary
