"""Games of a server's store on the page: in the lobby by a card, and whole when somebody asks."""

import asyncio
from typing import Any, cast

import structlog
from attrs import Factory, define

from rules.errors import BadInputError
from rules.outcome import OUTCOMES, EndingKind
from rules.position_json import PositionJson
from rules.variants import load_board
from server.stored_games import StoredGame, StoredGames
from spectator.web.chronicle import Chronicle, home_tints, tints_of
from spectator.web.facts_from_record import chronicle_of
from spectator.web.library import Library

log = structlog.get_logger(__name__)


@define
class Shelf:
    """Fills a library from a store."""

    store: StoredGames
    library: Library
    _numbers: dict[str, int] = Factory(dict)

    async def fill(self) -> None:
        """Put the cards of all finished games into the lobby."""
        self.library.fetch = self.fetch
        for game in await asyncio.to_thread(lambda: list(self.store.games())):
            card = _card(game)
            self._numbers[card["game"]] = game.number
            if card["game"] not in self.library.games:
                self.library.stored[card["game"]] = card

    async def fetch(self, name: str) -> Chronicle | None:
        """Return a game of the store."""
        number = self._numbers.get(name)
        if number is None:
            return None
        try:
            return await asyncio.to_thread(self._chronicle, number, name)
        except BadInputError as error:
            log.error("stored game cannot be shown", game=name, why=str(error))  # noqa: TRY400 - the reason is in it
            return None

    def _chronicle(self, number: int, name: str) -> Chronicle:
        chronicle = chronicle_of(self.store.record(number), f"{self.store.path}, {name}")
        if self.library.tells_press_after:
            chronicle.open_press()
        return chronicle


def _card(game: StoredGame) -> dict[str, Any]:
    setup, settings, position = game.setup, game.setup["settings"], game.position
    assert position is not None
    standing = cast("PositionJson", position)
    board = load_board(setup["variant"])
    card: dict[str, Any] = {
        "game": setup["name"],
        "variant": board.name,
        "stage": "ended",
        "press_level": settings["level"],
        "last_year": settings["last_year"],
        "seats": len(board.powers),
        "players": len(board.powers),
        "free": 0,
        "turn": position["turn"],
        "counts": {each.name: len(position["centers"].get(each.name, ())) for each in board.powers},
        "tints": home_tints(board) | tints_of(board, standing),
    }
    if game.ending is not None:
        kind, powers = EndingKind(game.ending["kind"]), game.ending["powers"]
        is_solo = kind is EndingKind.SOLO
        card["result"] = {
            "outcome": OUTCOMES[kind],
            "ending": kind.value,
            "winner": powers[0] if is_solo else None,
            "draw": [] if is_solo else powers,
        }
    return card
