"""Positions of games, and what came of them: what a network learns from.

A position's target is what every power had at the end of its year and of the years after it, as
shares of the squares; each later year counts for less by the factor `patience`, and the last year
that was played stands for all that would have followed.
"""

from array import array

from rules.kernel.codes import AUTUMN, FALL, SPRING, WINTER

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

from .playouts import Playouts

MOST_YEARS = 200
MOST_LESSONS = 1 << 20
# How far the planning of a power strays, by lot: alternative and steepness of `Planner.set_chance`.
SPREADS = (500, 5000, 500, 5000, 500, 1500, 700, 400)


class Lessons:
    """Keeps positions, each as `Playouts.save` does but shorter, and their targets."""

    def __init__(self, game: Playouts, room: int, patience: float) -> None:
        if not 0 < room <= MOST_LESSONS:
            raise ValueError(f"there cannot be room for {room} lessons")
        self.game = game
        self.state = game.state
        self.powers = game.powers
        self.provinces = game.provinces
        self.width = 3 * game.provinces + 2
        self.room = room
        self.patience = patience
        self.positions = array("h", bytes(2 * room * self.width))
        self.targets = array("d", bytes(8 * room * self.powers))
        self.years = array("i", bytes(4 * room))
        self.spreads = array("i", SPREADS)
        self.count = 0
        self.first = 0
        self.first_year = 0
        self.years_closed = 0
        self.yearly = array("d", bytes(8 * MOST_YEARS * self.powers))
        self.opening = array("i", game.save())

    def clear(self) -> None:
        """Throw all lessons away."""
        self.count = 0

    # One game.

    def begin_game(self) -> None:
        """Get ready for a game that begins with the position on the board."""
        self.first = self.count
        self.first_year = self.state.year
        self.years_closed = 0

    def note(self) -> None:
        """Keep the position on the board, which has no dislodged units, if there is room."""
        if self.count >= self.room:
            return
        base = self.count * self.width
        for province in range(self.provinces):
            self.positions[base + province] = self.state.unit[province]
            self.positions[base + self.provinces + province] = self.state.power[province]
            self.positions[base + 2 * self.provinces + province] = self.state.owner[province]
        self.positions[base + 3 * self.provinces] = self.state.season
        self.positions[base + 3 * self.provinces + 1] = self.state.winner
        self.years[self.count] = self.state.year
        self.count += 1

    def close_year(self) -> None:
        """Note what every power has after a fall."""
        if self.years_closed >= MOST_YEARS:
            return
        base = self.years_closed * self.powers
        for power in range(self.powers):
            self.yearly[base + power] = 0.0
        if self.state.winner >= 0:
            self.yearly[base + self.state.winner] = 1.0
        else:
            for number in range(self.game.center_total):
                owner = self.state.owner[self.game.centers[number]]
                if owner >= 0:
                    self.yearly[base + owner] += 1.0
            total = 0.0
            for power in range(self.powers):
                self.yearly[base + power] *= self.yearly[base + power]
                total += self.yearly[base + power]
            for power in range(self.powers):
                self.yearly[base + power] /= total
        self.years_closed += 1

    def end_game(self) -> None:
        """Give the positions of the game their targets."""
        for year in range(self.years_closed - 2, -1, -1):
            base = year * self.powers
            for power in range(self.powers):
                self.yearly[base + power] = (1.0 - self.patience) * self.yearly[
                    base + power
                ] + self.patience * self.yearly[base + self.powers + power]
        if not self.years_closed:
            self.close_year()  # nothing was played: what is there now stands for all
        for number in range(self.first, self.count):
            year = self.years[number] - self.first_year
            if year >= self.years_closed:
                year = self.years_closed - 1
            year = max(year, 0)
            for power in range(self.powers):
                self.targets[number * self.powers + power] = self.yearly[year * self.powers + power]

    # What every way to play such a game does turn by turn.

    def begin_turn(self) -> int:
        """Keep the position if it has no dislodged units, and return the season."""
        season = self.state.season
        if season == SPRING or season == FALL or season == WINTER:
            self.note()
        return season

    def end_turn(self, season: int) -> None:
        """Take note of what every power has if the turn of that season has ended the fall."""
        if (season == FALL or season == AUTUMN) and self.state.season != AUTUMN:
            self.close_year()

    def spread(self, power: int) -> None:
        """Let the planning of a power stray as far as the dice say."""
        number = 2 * (self.state.roll() % 4)
        self.game.alternative[power] = self.spreads[number]
        self.game.steepness[power] = self.spreads[number + 1]

    def show(self, number: int) -> None:
        """Put a position on the board."""
        if not 0 <= number < self.count:
            raise IndexError(f"there is no lesson {number}, only {self.count}")
        self.put(number)

    def put(self, number: int) -> None:
        """Put a position on the board that is known to be there."""
        base = number * self.width
        for province in range(self.provinces):
            self.state.unit[province] = self.positions[base + province]
            self.state.power[province] = self.positions[base + self.provinces + province]
            self.state.owner[province] = self.positions[base + 2 * self.provinces + province]
            self.state.out[province] = -1
        self.state.season = self.positions[base + 3 * self.provinces]
        self.state.winner = self.positions[base + 3 * self.provinces + 1]
        self.state.year = self.years[number]
        self.state.out_count = 0
        self.state.is_stale = 1

    # Games that are played by DumbBot's planning, every power with a spread of its own.

    def play(self, seed: int, last_year: int) -> None:
        """Play a game from the opening and keep its positions."""
        self.check_year(last_year)
        with cython.nogil:
            self.play_on(seed, last_year)

    def check_year(self, last_year: int) -> None:
        """Refuse games that are longer than can be kept."""
        if last_year > self.opening[3 * self.provinces + 1] + MOST_YEARS:
            raise ValueError(f"a game to {last_year} has more than {MOST_YEARS} years")

    def play_on(self, seed: int, last_year: int) -> None:
        """Play it."""
        self.game.go_to(self.opening)
        self.state.seed(seed)
        for power in range(self.powers):
            self.spread(power)
        self.begin_game()
        while self.state.winner < 0 and self.state.year <= last_year:
            season = self.begin_turn()
            self.game.step_by_policies()
            self.end_turn(season)
        self.end_game()
