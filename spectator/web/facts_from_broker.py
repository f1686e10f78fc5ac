"""Games that are told at an MQTT broker, told to the page: letters in, facts out. Sans-I/O."""

from collections import defaultdict
from collections.abc import Callable
from typing import cast

from attrs import Factory, define, field

from feed.events import Lobby, PlainEvent, PositionReached, Told, told_from_bytes
from feed.facts import EventTold, Fact, GameOpened
from feed.outbox import Letter
from feed.topics import Place, place_of
from rules.errors import BadInputError
from rules.position_json import position_to_json
from rules.variants import load_board

HELD = 500
"""So many events of a game are kept while it cannot be shown yet."""


@define
class Gathered:
    """What is known of a game that is not shown yet."""

    lobby: Lobby | None = None
    position: PositionReached | None = None
    events: list[Told] = Factory(list)


@define
class BrokerFacts:
    """Makes of what is published what the page of each server would be told."""

    tell: Callable[[Fact], None]
    complain: Callable[[str], None]
    server: str | None = None
    game: str | None = None
    variant: str | None = None
    """In place of the one that the server names, which may be a folder of its own."""
    names: dict[Place, str] = field(factory=dict)
    """How the games are called on the page."""
    _gathered: dict[Place, Gathered] = Factory(lambda: defaultdict(Gathered))
    _numbers: dict[Place, int] = Factory(dict)
    _seen: dict[Place, set[tuple[str, bool, int]]] = Factory(lambda: defaultdict(set))
    _refused: set[Place] = Factory(set)

    def receive(self, letter: Letter) -> None:
        """Take a letter."""
        place = place_of(letter.topic)
        if place is None or not self._is_wanted(place):
            return
        told = told_from_bytes(letter.payload)
        # A letter may come twice, as QoS 1 has it.
        if (key := (told.run, told.event.is_private, told.number)) in self._seen[place]:
            return
        self._seen[place].add(key)
        if place in self._numbers:
            self._pass_on(place, told)
        else:
            self._gather(place, told)

    def _is_wanted(self, place: Place) -> bool:
        is_asked = self.server in (None, place.server) and self.game in (None, place.game)
        return is_asked and place not in self._refused

    def _gather(self, place: Place, told: Told) -> None:
        known = self._gathered[place]
        known.events.append(told)
        del known.events[:-HELD]
        match told.event:
            case Lobby() as lobby:
                known.lobby = lobby
            case PositionReached() as position:
                known.position = position
        if known.lobby is None or (known.position is None and known.lobby.stage != "forming"):
            return
        try:
            self._open(place, known.lobby, known)
        except BadInputError as error:
            self._refused.add(place)
            self.complain(f"{place.game} cannot be shown: {error}; name its map with --variant")
        del self._gathered[place]

    def _open(self, place: Place, lobby: Lobby, known: Gathered) -> None:
        variant = self.variant or lobby.variant
        start = position_to_json(load_board(variant).start)
        if known.position is not None:
            start = known.position.position
        name = place.game
        if name in self.names.values():
            name = f"{place.game} ({place.server})"
        self.names[place] = name
        number = self._numbers[place] = len(self._numbers) + 1
        opened = GameOpened(
            game=number,
            name=name,
            run=known.events[-1].run,
            variant=variant,
            press_level=lobby.press_level,
            has_partial_draws=False,
            start=start,
        )
        self.tell(opened)
        for told in sorted(known.events, key=_place_in_time):
            self._pass_on(place, told)

    def _pass_on(self, place: Place, told: Told) -> None:
        # The broker has what a relay has made already: there is nothing more to make of it.
        event = cast("PlainEvent", told.event)
        self.tell(EventTold(self._numbers[place], told.time, event))


def _place_in_time(told: Told) -> tuple[int, bool, int]:
    public = told.number if told.after is None else told.after
    return public, told.event.is_private, told.number
