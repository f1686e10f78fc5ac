"""A view's position in the kernel, with what our negotiator believes."""

from collections.abc import Iterable, Sequence

from bots.kernel import Playouts
from bots.kernel.habits import DUMBBOT, WHOLE
from bots.view import GameView
from rules.board import Board
from rules.kernel.encode import Codec, codec_of
from rules.legality import judge_order
from rules.orders import Order, OrderNote, Unit

_LARGEST_WISH = 10


class SceneMaker:
    """Keeps a player's kernel objects from turn to turn, because they take long to make."""

    def __init__(self) -> None:
        self._board: Board | None = None
        self._playouts: list[Playouts] = []

    def playouts(self, board: Board, number: int = 0) -> Playouts:
        """Return playouts for a board, as many different ones as are asked for."""
        if board is not self._board:
            self._board = board
            self._playouts = []
        while len(self._playouts) <= number:
            self._playouts.append(Playouts(codec_of(board).new_simulator()))
        return self._playouts[number]


class Scene:
    """One movement turn as the kernel sees it, ready to be searched."""

    def __init__(self, view: GameView, game: Playouts) -> None:
        self.view = view
        self.codec: Codec = codec_of(view.board)
        self.game = game
        self.power = self.codec.power_index[view.power]
        self._units = {unit.location.province: unit for unit in view.position.units}
        self.promised = self._legal(view.beliefs.promised, ours=True)
        """Codes that our orders contain in any case."""
        self.expected = self._legal(view.beliefs.expected, ours=False)
        """Codes of others that we count on."""
        self.enter(game)
        self.root = game.save()

    def enter(self, game: Playouts) -> None:
        """Put the position and the beliefs into a kernel object."""
        game.reset()
        self.codec.load(self.view.position, game.state)
        for other, factor in self.view.beliefs.attitudes.items():
            if other in self.codec.power_index:
                wish = int(WHOLE * min(max(factor, 0), _LARGEST_WISH))
                game.set_wish(self.power, self.codec.power_index[other], wish)
        game.spare(self.power)
        for province in self.view.beliefs.closed:
            if province in self.codec.province_index:
                game.close(self.codec.province_index[province], self.power)
        for code in (*self.promised, *self.expected):
            game.fix(code)
        game.state.seed(self.view.random.getrandbits(60))
        game.value(DUMBBOT)

    def orders(self, codes: Iterable[int]) -> list[Order]:
        """Return our orders for their codes."""
        return [self.codec.order(code, self.view.power, self._units) for code in codes]

    def units_by_power(self) -> list[list[int]]:
        """Return where the units of each power stand, by the numbers of powers and provinces."""
        units: list[list[int]] = [[] for _ in self.codec.powers]
        for unit in self.view.position.units:
            place = self.codec.province_index[unit.location.province]
            units[self.codec.power_index[unit.power]].append(place)
        return [sorted(each) for each in units]

    def _legal(self, orders: Sequence[Order], *, ours: bool) -> tuple[int, ...]:
        """Return the codes of those orders that can be given in this turn, one for each unit."""
        found: dict[Unit, int] = {}
        for order in orders:
            unit = getattr(order, "unit", None)
            if isinstance(unit, Unit) and (unit.power == self.view.power) is ours:
                note = judge_order(self.view.board, self.view.position, order, unit.power)
                if note is OrderNote.MIGHT_BE_VALID:
                    found[unit] = self.codec.code(order)
        return tuple(found.values())
