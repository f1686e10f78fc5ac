"""What is to be played: who sits where, on which map, with which press, and how long."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeAlias

from attrs import field, frozen

from bots.contract import check_contract
from bots.registry import make_bot
from bots.strategy import Bot, Tactic, as_bot
from cli.parsing import HIGHEST_SEED
from rules.errors import BadInputError
from rules.position import Position
from server.record import GameSetup
from server.settings import AbsentPolicy, GameSettings

Player: TypeAlias = str | Bot | Tactic | Callable[[], Bot | Tactic]
"""A bot's name as in `daide bots`, the text `module:Class`, a bot itself, or a class of bots."""

SEEDS_PER_GAME = 100


@frozen(kw_only=True)
class Match:
    """One game to be played: everything that its result depends on."""

    players: Mapping[str, Player] = field()
    """Who plays which power, by its name, in the order of the map."""
    variant: str = "standard"
    seed: int = 0
    press_level: int = 20
    press_rounds: int = 6
    """How often a turn press is passed on; see docs/press-rounds.md."""
    last_year: int | None = None
    years_without_change: int | None = None
    think: float | None = None
    """The seconds that a bot may think about a turn."""
    turn_limit: float = 60.0
    """After so many seconds without progress a bot in a process of its own counts as hung."""
    name: str = "game-1"
    start: Position | None = None
    """The position it starts from, None for that of the map."""
    humans: frozenset[str] = frozenset()
    """The powers that people play, who come by themselves and take their time."""

    @players.validator
    def _check_players(self, _: object, players: Mapping[str, Player]) -> None:
        """Two powers cannot share an object: it remembers the game of one."""
        objects = Counter(id(each) for each in players.values() if isinstance(each, Bot | Tactic))
        for power, player in players.items():
            if objects[id(player)] > 1:
                raise BadInputError(
                    f"players: {power} shares its {type(player).__name__} with another power; "
                    "give the class instead of one object"
                )

    @property
    def setup(self) -> GameSetup:
        """How a server is to host it: no deadlines, and every bot has its power."""
        settings = GameSettings(
            level=self.press_level,
            # People talk when they like.
            press_rounds=self.press_rounds if self.press_level and not self.humans else None,
            last_year=self.last_year,
            years_without_change=self.years_without_change,
            absent=AbsentPolicy.DEFAULT_ORDERS,
            power_in_name=True,
            linger=0.0,
        )
        return GameSetup(self.name, self.variant, settings, self.seed, self.start)

    @property
    def patience(self) -> float:
        """How long a turn may take at most: bots that may think get their time besides."""
        thoughts = len(self.players) * (1 + self.press_rounds)
        return self.turn_limit + thoughts * (self.think or 0.0)

    def seed_of(self, power: str) -> int:
        """Return the seed of a bot, one that `daide bot` takes whatever that of the game is."""
        return (self.seed * SEEDS_PER_GAME + list(self.players).index(power)) % HIGHEST_SEED

    def bot_name(self, power: str) -> str:
        """Return what the bot of a power is called in results."""
        player = self.players[power]
        if isinstance(player, str):
            return player
        if isinstance(player, Bot):
            player = player.tactic
        return getattr(player, "__name__", type(player).__name__)

    def seat_name(self, power: str) -> str:
        """Return what a bot calls itself; so it asks the server for its power."""
        return f"{power}:{self.bot_name(power)}"

    def make_bot(self, power: str) -> Bot:
        """Return the bot of a power, ready to play."""
        player = self.players[power]
        if isinstance(player, str):
            return make_bot(player)
        made = player if isinstance(player, Bot | Tactic) else player()
        if not isinstance(made, Bot | Tactic):
            raise BadInputError(f"players: {power}: {self.bot_name(power)} made {made!r}, no bot")
        bot = as_bot(made)
        check_contract(bot, f"players: {power}: {self.bot_name(power)}")
        return bot
