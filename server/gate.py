"""The gate: an IAM, or a secret in an ADM, is judged here before any game sees it.

Games compare passcodes and secrets as well, but no game knows what a client tries elsewhere.
"""

import hmac
from collections.abc import Iterable, Sequence

import structlog

from grammar.messages import Admin
from grammar.parse import reader_for
from grammar.tokens import Tokens, Word
from server.admin import ANSWERER, WRONG, SecretTried, secret_tried
from server.guessing import GUESSES_PER_CONNECTION, Attempt, GuessBook
from server.lobby import SeatClaim, seat_claim
from server.member import Member
from server.room import Room

SECRET_LOCK = 60.0
"""The longest lock for wrong secrets, which are as long as their owner likes."""
MOST_PASSED = 2_000
REFUSED_SECRET = Admin(ANSWERER, WRONG)
_ADMIN = int(Word.ADM)

log = structlog.get_logger(__name__)


class Gate:
    """Counts what is wrong, and keeps those out who guess."""

    def __init__(self) -> None:
        self._passcodes = GuessBook()
        # A secret has no home by which its owner is known: who guesses would keep him out.
        self._secrets = GuessBook(SECRET_LOCK, slows_targets=False)
        self._passed: dict[tuple[str, int], None] = {}
        """Passcodes of games that are over: a bot that missed the end is no guesser."""

    def remember(self, room: Room) -> None:
        """Take note of a game that is over."""
        for power, seat in room.game.seats.items():
            self._passed[power.name, seat.passcode] = None
        while len(self._passed) > MOST_PASSED:
            del self._passed[next(iter(self._passed))]

    def passcodes(self, rooms: Iterable[Room]) -> set[tuple[str, int]]:
        """Return those of some games, and those that are let through without counting."""
        held = {
            (power.name, seat.passcode) for room in rooms for power, seat in room.game.seats.items()
        }
        return held | self._passed.keys()

    def lets_in(self, member: Member, tokens: Tokens, rooms: Sequence[Room], now: float) -> bool:
        """Judge an IAM; False if it is wrong or not looked at. Anything else is let through."""
        claim = seat_claim(tokens)
        seats = [seat for _, seat in claim.seats(rooms)] if claim is not None else []
        if claim is None or not seats:
            return True
        power = seats[0].power.name
        attempt = Attempt(member.address, power)
        if not _may_try(self._passcodes, member, attempt, now):
            # The owner of a seat waits less, but for that seat only: anybody can own another one.
            seats = [each for each in seats if each.is_waiting_for(member.address)]
            attempt = Attempt(member.address, power, is_home=True)
            if not seats or not _may_try(self._passcodes, member, attempt, now):
                return False
        if any(map(claim.fits, seats)) or self._is_passed(claim, power):
            return True
        _note_wrong(self._passcodes, member, attempt, now)
        return False

    def _is_passed(self, claim: SeatClaim, power: str) -> bool:
        return (power, claim.passcode) in self._passed

    def hears(self, member: Member, tokens: Tokens, now: float) -> bool:
        """Judge a secret in an ADM; False if it is not looked at."""
        tried = _secret_in(tokens)
        if tried is None or member.room is None:
            return True
        attempt = Attempt(member.address, tried.setting)
        if not _may_try(self._secrets, member, attempt, now):
            return False
        secret = getattr(member.room.game.settings, tried.setting) or ""
        if not hmac.compare_digest(*map(_bytes, (tried.words, secret))):
            _note_wrong(self._secrets, member, attempt, now)
        return True


def _may_try(book: GuessBook, member: Member, attempt: Attempt, now: float) -> bool:
    return member.wrong_guesses < GUESSES_PER_CONNECTION and book.may_try(attempt, now)


def _note_wrong(book: GuessBook, member: Member, attempt: Attempt, now: float) -> None:
    member.wrong_guesses += 1
    locked = book.note_wrong(attempt, now)
    if locked:
        log.warning(
            "guessing", address=attempt.address, at=attempt.target, locked_for=round(locked)
        )


def _secret_in(tokens: Tokens) -> SecretTried | None:
    message = reader_for(0).client(tokens) if tokens[0] == _ADMIN else None
    return secret_tried(message.text) if isinstance(message, Admin) else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
