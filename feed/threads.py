"""Which press answers which: a reply quotes what it replies to, and names its sender."""

from attrs import Factory, define

from grammar.press import (
    Accept,
    Cancel,
    Decline,
    DontKnow,
    NotUnderstood,
    PositionExplains,
    Press,
    Refuse,
    Sorry,
    Why,
)
from rules.places import Power

MOST_REMEMBERED = 5_000
"""So many messages can be answered; who floods others with press must not fill our memory."""


@define
class Threads:
    """Numbers the press of one game, and remembers who said what last."""

    count: int = 0
    _said: dict[tuple[Power, Power, Press], int] = Factory(dict)
    """The number of a message by sender, recipient and words; the newest of equal ones."""
    _last: dict[tuple[Power, Power], int] = Factory(dict)
    """The number of what one power said to another last, apart from replies."""

    def hear(
        self, sender: Power, recipients: tuple[Power, ...], press: Press
    ) -> tuple[int, int | None]:
        """Return the number of a message, and of the one that it answers or takes back."""
        self.count += 1
        answered = self._answered(sender, recipients, press)
        for power in recipients:
            self._said.pop((sender, power, press), None)  # the newest stand last
            self._said[sender, power, press] = self.count
            if not isinstance(press, NotUnderstood):
                self._last[sender, power] = self.count
        while len(self._said) > MOST_REMEMBERED:
            del self._said[next(iter(self._said))]
        return self.count, answered

    def _answered(self, sender: Power, recipients: tuple[Power, ...], press: Press) -> int | None:
        match press:
            case Cancel(quoted):
                found = [self._said.get((sender, power, quoted)) for power in recipients]
            case NotUnderstood():
                # It quotes mere tokens, some of them marked: the last thing said is meant.
                found = [self._last.get((power, sender)) for power in recipients]
            case (
                Accept(quoted)
                | Refuse(quoted)
                | Decline(quoted)
                | DontKnow(quoted)
                | Sorry(quoted)
                | Why(quoted)
                | PositionExplains(quoted)
            ):
                found = [self._said.get((power, sender, quoted)) for power in recipients]
            case _:
                return None
        return max(filter(None, found), default=None)
