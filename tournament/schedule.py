"""Which games a tournament consists of: who sits where, and with which seed.

Seats go round by a Latin square. The players of a field are written down one after the other, each
as often as it plays; a block is as many games as there are powers. For each block the list is
shuffled once, and in the game number i of the block it is turned by i places. So every place in the
list has every power once in a block, and a bot with k seats plays every power exactly k times in
it; who sits beside whom changes from block to block.

The shuffles depend on the seed of the tournament and the number of the block, not on the field.
With `paired` the games number i of all fields have the same seed as well, so that two fields differ
in nothing but their players.
"""

from collections.abc import Mapping
from random import Random

from attrs import frozen

from matches.match import Match
from tournament.spec import FieldPlan, Rules, Spec

SEEDS_PER_TOURNAMENT = 1_000_000


@frozen
class GameJob:
    """One game to be played: everything that its result depends on."""

    number: int
    field: str
    seed: int
    players: Mapping[str, str]
    """Which bot, by its name in the spec, plays which power."""
    bots: Mapping[str, str]
    """What the names stand for."""
    rules: Rules
    variant: str = "standard"
    mode: str = "auto"
    game_limit: float = 60.0
    keeps_record: bool = False
    """Whether everything that is said and ordered is kept, and not only the result."""

    def bot_of(self, power: str) -> str:
        """Return the text that names the bot of a power."""
        name = self.players[power]
        return self.bots.get(name, name)

    @property
    def match(self) -> Match:
        """The game as it is to be staged."""
        rules = self.rules
        return Match(
            players={power: self.bot_of(power) for power in self.players},
            variant=self.variant,
            seed=self.seed,
            press_level=rules.press_level,
            press_rounds=rules.press_rounds,
            last_year=rules.last_year,
            years_without_change=rules.years_without_change,
            think=rules.think,
            turn_limit=self.game_limit,
            name=f"game-{self.number}",
        )


def jobs_of(spec: Spec) -> list[GameJob]:
    """Return all games, the fields in turn, so that one cut off early has some of each."""
    powers = spec.powers
    planned = [
        (field, index)
        for index in range(max(field.games for field in spec.fields))
        for field in spec.fields
        if index < field.games
    ]
    return [
        _job(spec, field, number, index, seats(field.players, powers, index, spec.seed))
        for number, (field, index) in enumerate(planned)
    ]


def _job(
    spec: Spec, field: FieldPlan, number: int, index: int, players: Mapping[str, str]
) -> GameJob:
    return GameJob(
        number=number,
        field=field.name,
        seed=spec.seed * SEEDS_PER_TOURNAMENT + (index if spec.paired else number),
        players=players,
        bots={name: spec.bot_text(name) for name in field.players},
        rules=field.rules,
        variant=spec.variant,
        mode=spec.mode,
        game_limit=spec.game_limit,
    )


def seats(
    lineup: Mapping[str, int], powers: tuple[str, ...], index: int, seed: int
) -> dict[str, str]:
    """Return who plays which power in the game of that index."""
    names = [name for name, count in lineup.items() for _ in range(count)]
    block, turned = divmod(index, len(powers))
    places = list(range(len(powers)))
    Random(f"{seed} seats {block}").shuffle(places)  # noqa: S311 - a draw of lots
    return {power: names[places[(at + turned) % len(powers)]] for at, power in enumerate(powers)}
