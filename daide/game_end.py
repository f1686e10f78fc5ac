"""How a game ended, for those who see nothing but the messages of its server.

DAIDE tells a solo from a draw and leaves open why a game was drawn. Our server says so in an ADM
before the verdict to whoever has asked for it with `ASK`; `EndingReader` reads it, and works out
what it can where a server says nothing of the kind.
"""

import re
from collections.abc import Mapping

from attrs import define

from grammar.messages import (
    Admin,
    DrawDeclared,
    Now,
    OrderOutcome,
    ServerMessage,
    SoloDeclared,
    Summary,
)
from rules.outcome import Ending, EndingKind
from rules.places import Power
from rules.position import DislodgedUnit
from rules.turns import Season, Turn

SERVER = "Server"
ASK = f"{SERVER}: tell ending"
"""The text of the ADM that asks to be told."""
_KINDS = "|".join(kind.value for kind in EndingKind)
_SEASONS = "|".join(season.value for season in Season)
_NOTE = re.compile(
    rf"game over: (?P<kind>{_KINDS}) after (?P<season>{_SEASONS}) (?P<year>\d{{1,5}})"
    r"(?: \((?P<powers>[A-Z ]+)\))?"
)


def ending_note(ending: Ending) -> Admin:
    """Return what the server says when a game is over."""
    names = " ".join(power.name for power in ending.powers)
    text = f"game over: {ending.kind.value} after {ending.turn}"
    return Admin(SERVER, f"{text} ({names})" if names else text)


@define
class EndingReader:
    """Learns from messages how a game ended; `ending` is None as long as that is not known."""

    ending: Ending | None = None
    _reached: Turn | None = None
    """The turn of the last NOW."""
    _played: Turn | None = None
    """The turn of the last results."""
    _on_board: frozenset[Power] = frozenset()
    """The powers that have units."""
    _note: re.Match[str] | None = None
    _declared: SoloDeclared | DrawDeclared | None = None

    def learn(self, message: ServerMessage) -> None:
        """Take note of a message."""
        match message:
            case Now(turn, units):
                self._reached = turn
                self._on_board = frozenset(
                    each.unit.power if isinstance(each, DislodgedUnit) else each.power
                    for each in units
                )
            case OrderOutcome(turn):
                self._played = turn
            case Admin(name, text) if name == SERVER and (note := _NOTE.fullmatch(text)):
                self._note = note
                if note["kind"] == EndingKind.ABORTED.value:
                    # No result follows.
                    self.ending = _noted(note, {})
            case SoloDeclared() | DrawDeclared():
                self._declared = message
            case Summary():
                self.ending = self._concluded(message)
            case _:
                pass

    def _concluded(self, summary: Summary) -> Ending:
        players = {each.power.name: each.power for each in summary.players}
        if self._note is not None:
            return _noted(self._note, players)
        turn = self._played or self._reached or summary.turn
        if isinstance(self._declared, SoloDeclared):
            return Ending(EndingKind.SOLO, (self._declared.power,), turn)
        owners = tuple(each.power for each in summary.players if each.centers)
        if self._played is not None and self._played == self._reached:
            # It ended with the turn itself, before the NOW of the next: nobody could vote there.
            return Ending(EndingKind.YEAR_LIMIT, owners, turn)
        named = self._declared.powers if self._declared is not None else ()
        alive = (
            each.power for each in summary.players if each.centers or each.power in self._on_board
        )
        return Ending(EndingKind.AGREED_DRAW, named or tuple(alive), turn)


def _noted(note: re.Match[str], players: Mapping[str, Power]) -> Ending:
    names = (note["powers"] or "").split()
    return Ending(
        EndingKind(note["kind"]),
        tuple(players[name] for name in names if name in players),
        Turn(Season(note["season"]), int(note["year"])),
    )
