"""Secrets of the page: what each of them opens, and how slowly wrong ones are answered."""

import hmac
import secrets
from collections.abc import Mapping

from attrs import Factory, define, field, frozen

from spectator.web.views import ALL, PUBLIC

BITS = 128
FIRST_WAIT = 0.25
LONGEST_WAIT = 8.0
MOST_REMEMBERED = 10_000


def new_secret() -> str:
    """Make a secret that nobody can guess."""
    return secrets.token_hex(BITS // 8)


@frozen
class SeatKey:
    """The seat that a secret opens."""

    game: str
    power: str | None
    """None until the game has begun, for nobody knows it before."""


@define
class Keys:
    """All secrets of one server."""

    all_games: str = field(repr=False)
    """Opens all games."""
    seats: dict[str, SeatKey] = field(factory=dict, repr=False)
    _wrong: dict[str, int] = Factory(dict)
    """How often an address has been wrong."""

    def reader(self, secret: str | None, game: str) -> str | None:
        """Return as whom somebody reads a game, None for a secret that does not open it."""
        if not secret:
            return PUBLIC
        if _is_same(secret, self.all_games):
            return ALL
        key = self._seat(secret)
        return key.power or PUBLIC if key is not None and key.game == game else None

    def seat(self, secret: str | None) -> SeatKey | None:
        """Return the seat that a secret opens."""
        return self._seat(secret) if secret else None

    def _seat(self, secret: str) -> SeatKey | None:
        found = None
        for known, key in self.seats.items():
            if _is_same(secret, known):
                found = key
        return found

    # --- wrong ones -------------------------------------------------------------------------------

    def wait_of(self, address: str) -> float:
        """Return how long a wrong secret waits for its answer; the next one waits longer."""
        wrong = self._wrong.pop(address, 0)
        if len(self._wrong) >= MOST_REMEMBERED:
            del self._wrong[next(iter(self._wrong))]
        self._wrong[address] = wrong + 1
        return float(min(FIRST_WAIT * 2 ** min(wrong, 10), LONGEST_WAIT))


def _is_same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


def bearer(headers: Mapping[str, str]) -> str | None:
    """Return the secret in the header of a request, None if there is none."""
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    return secret.strip() or None if scheme.lower() == "bearer" else None
