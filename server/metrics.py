"""What a server measures about itself; loaded only with --metrics."""

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING

from grammar.messages import Huh, PressReceived, Prn
from server.effects import Refused, Send
from server.exposition import Count, Histogram, Metric, Reading, exposition
from server.host import Host
from server.inputs import Received
from server.observers import Handled, ObservedRoom
from server.stage import Stage

if TYPE_CHECKING:
    from feed.publisher import Publisher

TURN_BOUNDS = (0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 600, 1800, 7200)
LAG_BOUNDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)
LAG_BEAT = 0.25


class Metrics:
    """Counts what rooms do, and reads off the rest when asked."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._received = Count("daide_messages_received_total", "Messages of clients.")
        self._sent = Count("daide_messages_sent_total", "Messages to clients.")
        self._press = Count("daide_press_total", "Press that was relayed.")
        self._garbled = Count(
            "daide_parse_errors_total", "Messages that could not be read.", "answer"
        )
        self._refused = Count("daide_messages_refused_total", "Messages that came too fast.")
        self._ended = Count("daide_games_ended_total", "Games that came to their end.", "outcome")
        self._turns = Histogram(
            "daide_turn_seconds", "How long turns took, in games' time.", TURN_BOUNDS, "phase"
        )
        self._lag = Histogram(
            "daide_loop_lag_seconds", "How late the event loop wakes up.", LAG_BOUNDS
        )
        self._began: dict[int, float] = {}
        self._is_over: set[int] = set()
        self._metrics: list[Metric] = [
            self._received,
            self._sent,
            self._press,
            self._garbled,
            self._refused,
            self._ended,
            self._turns,
            self._lag,
            *self._readings(),
        ]

    def _readings(self) -> list[Metric]:
        host = self._host
        return [
            Reading("daide_games", "Games by stage.", self._games, "stage"),
            Reading("daide_clients", "Connections with an IM.", lambda: len(host.members)),
            Reading("daide_players", "Powers that have a client.", self._players),
            Reading(
                "daide_inbox_messages",
                "Messages that wait for their game.",
                lambda: sum(room.waiting for room in host.rooms),
            ),
            Reading(
                "daide_store_waiting",
                "Entries that wait for the store.",
                lambda: host.store.waiting,
            ),
            Reading(
                "daide_store_stalled",
                "1 while the store cannot be written.",
                lambda: host.store.is_stalled,
            ),
            Reading(
                "daide_cpu_seconds_total",
                "Processor time of the server.",
                time.process_time,
                kind="counter",
            ),
        ]

    def watch_feed(self, publisher: "Publisher") -> None:
        """Tell of the feed as well."""
        self._metrics += [
            Reading(
                "daide_feed_connected",
                "1 while the broker is there.",
                lambda: publisher.is_connected,
            ),
            Reading("daide_feed_waiting", "Events that wait.", lambda: publisher.waiting),
            Reading(
                "daide_feed_published_total",
                "Events handed to the feed.",
                lambda: publisher.published,
                kind="counter",
            ),
            Reading(
                "daide_feed_dropped_total",
                "Events dropped for lack of room.",
                lambda: publisher.dropped,
                kind="counter",
            ),
        ]
        desk = self._host.stand_ins.desk
        if desk is not None:
            book = desk.book
            self._metrics += [
                Reading("daide_bot_requests", "Bots asked for, not there yet.", lambda: len(book)),
                Reading(
                    "daide_bot_requests_joined_total",
                    "Bots that hosts have started.",
                    lambda: book.joined,
                    kind="counter",
                ),
                Reading(
                    "daide_bot_requests_repeated_total",
                    "Requests for bots that were made again.",
                    lambda: book.repeated,
                    kind="counter",
                ),
            ]

    def text(self) -> str:
        """Return everything in the text format of Prometheus."""
        return exposition(self._metrics)

    # --- what rooms do ----------------------------------------------------------------------------

    def opened(self, room: ObservedRoom) -> None:
        """Note when the present turn began."""
        self._began[room.number] = room.time()

    def handled(self, room: ObservedRoom, what: Handled) -> None:
        """Count messages and turns."""
        self._received.add(sum(isinstance(each, Received) for each in what.inputs))
        for effect in what.effects:
            match effect:
                case Send(to, message):
                    self._sent.add(len(to))
                    if isinstance(message, Huh | Prn):
                        self._garbled.add(1, "HUH" if isinstance(message, Huh) else "PRN")
                    elif isinstance(message, PressReceived):
                        self._press.add()
                case Refused():
                    self._refused.add()
        if room.stage is not Stage.FORMING:
            self._count_turns(room, what)

    def closed(self, room: ObservedRoom) -> None:
        """Forget a game."""
        self._began.pop(room.number, None)
        self._is_over.discard(room.number)

    def _count_turns(self, room: ObservedRoom, what: Handled) -> None:
        if what.turns:
            played = room.game.history.turns[-len(what.turns) :]
            for each in played:
                took = what.time - self._began.get(room.number, what.time)
                self._turns.observe(took, each.turn.phase.value)
                self._began[room.number] = what.time
        if room.game.ending is not None and room.number not in self._is_over:
            self._is_over.add(room.number)
            self._ended.add(1, room.game.ending.outcome)

    def _games(self) -> dict[str, float]:
        stages = Counter(room.stage for room in self._host.rooms)
        return {stage.value: stages[stage] for stage in Stage}

    def _players(self) -> float:
        seats = (seat for room in self._host.rooms for seat in room.game.seats.values())
        return sum(seat.client is not None for seat in seats)

    # --- the loop ---------------------------------------------------------------------------------

    async def measure_lag(self) -> None:
        """Wake up again and again, and see how late it is."""
        clock = asyncio.get_running_loop().time
        while True:
            due = clock() + LAG_BEAT
            await asyncio.sleep(LAG_BEAT)
            self._lag.observe(max(0.0, clock() - due))
