"""Regret matching for several players who choose at the same time.

After Gray and others, "Human-Level Performance in No-Press Diplomacy via Equilibrium Search":
later iterations count for more (iteration t by t), and the latest regret counts twice when the next
policy is made. Each iteration is `begin`, a value in `worths` for every action of every player,
`learn` for each player, and `finish`.
"""

from array import array
from collections.abc import Sequence

TINY = 1e-12
MOST = 1 << 24
"""More actions than any machine has memory for are refused, not tried."""


class Regrets:
    """Regrets and policies of players with up to `room` actions each.

    Action a of player p is number `p * room + a` of all arrays.
    """

    def __init__(self, players: int, room: int) -> None:
        if players < 0 or room < 0 or players > MOST or players * room > MOST:
            raise ValueError(f"{players} players cannot have room for {room} actions each")
        self.players = players
        self.room = room
        self.counts = array("i", bytes(4 * players))
        self.regrets = array("d", bytes(8 * players * room))
        self.policies = array("d", bytes(8 * players * room))
        """What each player would play now."""
        self.sums = array("d", bytes(8 * players * room))
        """Of the policies, weighted."""
        self.worths = array("d", bytes(8 * players * room))
        self.gains = array("d", bytes(8 * players))
        self.iteration = 0

    def start(self, counts: Sequence[int]) -> None:
        """Forget everything, and let every player have so many actions."""
        if len(counts) != self.players:
            raise ValueError(f"{len(counts)} numbers of actions for {self.players} players")
        for player in range(self.players):
            if not 0 <= counts[player] <= self.room:
                raise ValueError(f"there is no room for {counts[player]} actions")
        for player in range(self.players):
            self.counts[player] = counts[player]
        self.restart()

    def clear(self) -> None:
        """Forget everything; nobody has an action."""
        for player in range(self.players):
            self.counts[player] = 0
        self.restart()

    def restart(self) -> None:
        """Begin again with the actions that there are."""
        self.iteration = 0
        for player in range(self.players):
            self.gains[player] = 0.0
            first = player * self.room
            for index in range(first, first + self.counts[player]):
                self.regrets[index] = 0.0
                self.sums[index] = 0.0
                self.policies[index] = 1.0 / self.counts[player]

    def check_player(self, player: int) -> None:
        """Refuse a player that is not there."""
        if not 0 <= player < self.players:
            raise IndexError(f"there is no player {player}, only {self.players}")

    def add(self, player: int) -> int:
        """Give a player one more action, which nobody regrets yet; return its number."""
        self.check_player(player)
        if self.counts[player] >= self.room:
            raise ValueError(f"there is room for {self.room} actions only")
        return self.grow(player)

    def grow(self, player: int) -> int:
        """Give a player for whom there is room one more action."""
        action = self.counts[player]
        index = player * self.room + action
        self.counts[player] += 1
        self.regrets[index] = 0.0
        self.sums[index] = 0.0
        self.policies[index] = 0.0
        return action

    def begin(self) -> None:
        """Let what was learned so far count for less."""
        factor = self.iteration / (self.iteration + 1.0)
        for player in range(self.players):
            self.gains[player] *= factor
            first = player * self.room
            for index in range(first, first + self.counts[player]):
                self.regrets[index] *= factor
                self.sums[index] *= factor

    def finish(self) -> None:
        """Count the iteration."""
        self.iteration += 1

    def learn(self, player: int) -> None:
        """Learn from the worths of a player's actions, and make its next policy."""
        self.check_player(player)
        if self.counts[player]:
            self.study(player)

    def study(self, player: int) -> None:
        """Let a player learn that is known to be there and to have an action."""
        first = player * self.room
        end = first + self.counts[player]
        mean = 0.0
        for index in range(first, end):
            mean += self.policies[index] * self.worths[index]
        self.gains[player] += mean
        total = 0.0
        best = first
        for index in range(first, end):
            gain = self.worths[index] - mean
            self.regrets[index] += gain
            self.sums[index] += self.policies[index]
            hope = self.regrets[index] + gain
            hope = max(hope, 0.0)
            self.policies[index] = hope
            total += hope
            if self.regrets[index] > self.regrets[best]:
                best = index
        if total > TINY:
            for index in range(first, end):
                self.policies[index] /= total
        else:
            for index in range(first, end):
                self.policies[index] = 0.0
            self.policies[best] = 1.0

    # Draws: `luck` is a number from 0 to 1.

    def draw(self, player: int, luck: float) -> int:
        """Return an action by the policy of the moment, -1 if there is none."""
        self.check_player(player)
        return self.pick(player, luck)

    def pick(self, player: int, luck: float) -> int:
        """Draw for a player that is known to be there."""
        first = player * self.room
        last = self.counts[player] - 1
        for action in range(last):
            luck -= self.policies[first + action]
            if luck < 0.0:
                return action
        return last

    def draw_average(self, player: int, luck: float) -> int:
        """Return an action by the average policy, -1 if there is none."""
        self.check_player(player)
        return self.pick_average(player, luck)

    def pick_average(self, player: int, luck: float) -> int:
        """Draw by the average for a player that is known to be there."""
        first = player * self.room
        last = self.counts[player] - 1
        total = 0.0
        for action in range(last + 1):
            total += self.sums[first + action]
        luck *= total
        for action in range(last):
            luck -= self.sums[first + action]
            if luck < 0.0:
                return action
        return last

    # For callers.

    def set_worths(self, player: int, worths: Sequence[float]) -> None:
        """Say what every action of a player would have been worth."""
        self.check_player(player)
        if len(worths) > self.room:
            raise ValueError(f"{len(worths)} worths of {self.room} actions at most")
        for action in range(len(worths)):
            self.worths[player * self.room + action] = worths[action]

    def policy(self, player: int) -> list[float]:
        """Return what a player would play now."""
        self.check_player(player)
        first = player * self.room
        return list(self.policies[first : first + self.counts[player]])

    def average(self, player: int) -> list[float]:
        """Return a player's average policy."""
        self.check_player(player)
        first = player * self.room
        found = list(self.sums[first : first + self.counts[player]])
        total = sum(found)
        return [each / total for each in found] if total > 0 else self.policy(player)
