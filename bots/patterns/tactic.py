"""The player that uses learned pattern weights.

After Shapiro, Fuchs and Levinson (2002). It knows nothing of the game but which features of orders
went with success in games against itself. The weights are about movement orders; retreats and
adjustments are drawn by lot, or DumbBot's where asked for.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from bots.bot_text import check_range
from bots.dumbbot.tactic import DumbBot
from bots.kernel import Scene
from bots.patterns.training import Chooser, fitting_of
from bots.patterns.weights import Database, Weights, variant_of
from bots.randombot.tactic import RandomBot
from bots.strategy import Tactic
from bots.view import GameView
from rules.errors import BadInputError
from rules.kernel.codes import MOVE, MOVE_BY_CONVOY, kind_of, target_of
from rules.kernel.encode import Codec, codec_of
from rules.orders import Order, Waive
from rules.turns import Phase

SHIPPED = Path(__file__).parent / "trained.json.gz"
REST: dict[str, Callable[[], Tactic]] = {"lot": RandomBot, "dumbbot": DumbBot}
"""Who can give the orders that are not learned."""


class PatternWeights(Tactic):
    """Gives a set of orders that scores well by the weights of a database.

    `candidates` is how many sets are looked at, `top` among how many of the best one is drawn, and
    `rest` who retreats, builds and removes: `lot` or `dumbbot`. Numbers that are not given are the
    variant's: `units` and `coordinated` look at all sets and give the best, the others draw one of
    the best five of 3000, as the paper's player does.
    """

    def __init__(
        self,
        *,
        database: str | None = None,
        candidates: int | None = None,
        top: int | None = None,
        rest: str = "lot",
    ) -> None:
        check_range("candidates", candidates, 1)
        check_range("top", top, 1)
        self._database = _read(SHIPPED if database is None else Path(database))
        variant = variant_of(self._database.variant)
        self._candidates = candidates or variant.candidates
        self._top = top or variant.plays_among
        if rest not in REST:
            raise BadInputError(f"rest must be one of {', '.join(REST)}, not {rest!r}")
        self._rest = REST[rest]()

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Score the sets of orders in movement turns; otherwise leave it to the other tactic."""
        if view.phase is not Phase.MOVEMENT:
            return self._rest.choose_orders(view)
        codec = codec_of(view.board)
        state = codec.load(view.position, codec.new_simulator())
        variant = variant_of(self._database.variant)
        scene = Scene(state, is_wide=variant.is_wide)
        power = codec.power_index[view.power]
        choices = scene.own_choices()[power]
        choices = [self._allowed(view, codec, codes) for codes in choices]
        # A power that the database does not know, on another map, plays without experience.
        weights = self._database.powers.get(view.power.name) or Weights()
        chooser = Chooser(weights, fitting_of(codec, variant), variant, self._candidates, self._top)
        chosen = chooser.choose(scene, power, choices, view.random)
        return [codec.order(code, view.power) for code in chosen]

    def _allowed(self, view: GameView, codec: Codec, codes: list[int]) -> list[int]:
        """Leave out what our agreements forbid; a unit can always hold."""
        beliefs = view.beliefs
        promised = {
            codec.code(order)
            for order in beliefs.promised
            if not isinstance(order, Waive) and order.unit in view.units
        }
        for code in codes:
            if code in promised:
                return [code]
        friends = {power for power, factor in beliefs.attitudes.items() if factor < 1}
        shut = {codec.province_index[each] for each in beliefs.closed}
        shut |= {
            codec.province_index[unit.location.province]
            for unit in view.position.units
            if unit.power in friends
        }
        province_of = codec.tables.province_of
        return [
            code
            for code in codes
            if kind_of(code) not in (MOVE, MOVE_BY_CONVOY)
            or province_of[target_of(code)] not in shut
        ]


@cache
def _read(path: Path) -> Database:
    return Database.load(path)
