"""Makes letters of what a server tells: the events of each game with their numbers and topics.

It runs in the relay, whose time is not the server's. Sans-I/O: facts in, letters out.
"""

from attrs import define

from feed.events import Event, Told
from feed.facts import Fact, GameForgotten, GameOpened
from feed.facts_to_events import EventMaker
from feed.outbox import Letter
from feed.wire import event_letter


@define
class _Numbered:
    """A game, and how many events of it were told to each audience."""

    maker: EventMaker
    public: int = 0
    private: int = 0

    def told(self, time: float, event: Event) -> Told:
        """Give an event its number: the public must not see how much is said in private."""
        name, run = self.maker.name, self.maker.run
        if not event.is_private:
            self.public += 1
            return Told(name, run, self.public, time, event)
        self.private += 1
        return Told(name, run, self.private, time, event, after=self.public)


class Teller:
    """Tells of all games of a server."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._games: dict[int, _Numbered] = {}

    def tell(self, fact: Fact) -> list[Letter]:
        """Return the letters that a fact gives, none for one that was told before."""
        match fact:
            case GameOpened():
                self._games[fact.game] = _Numbered(EventMaker(fact))
                return []
            case GameForgotten():
                self._games.pop(fact.game, None)
                return []
        game = self._games[fact.game]
        events = game.maker.learn(fact)
        time = fact.time
        if time is None:
            return []
        return [event_letter(self._server, game.told(time, event)) for event in events]
