"""Guessing passcodes and secrets: sans-I/O, and against a real server from many addresses."""

import asyncio
import re
from collections import Counter
from random import Random

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from rules.maps import load_map
from server.clock import HostClock
from server.guessing import (
    FIRST_LOCK,
    FORGOTTEN_AFTER,
    GUESSES_PER_ADDRESS,
    HOME_LOCK,
    Attempt,
    GuessBook,
)
from server.passcodes import LARGEST_PASSCODE, draw_passcodes
from server.record import GameSetup, setup_to_json
from server.room import Room
from server.store import Store
from tests.server.hosting import (
    CONFIG,
    SETTINGS,
    Hosted,
    RawPeer,
    SetClock,
    becomes,
    hosting,
    seated,
)

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")
SECRET = evolve(CONFIG, settings=evolve(SETTINGS, admin_secret="open sesame"))
THIEF, OWNER = "10.0.0.1", "10.0.0.2"


def looked_at(book: GuessBook, attempt: Attempt, times: int, pace: float, begin: float = 0) -> int:
    """Guess wrongly so often, and return how often somebody looked."""
    seen = 0
    for number in range(times):
        now = begin + pace * number
        if book.may_try(attempt, now):
            seen += 1
            book.note_wrong(attempt, now)
    return seen


@pytest.mark.parametrize(
    ("pace", "most"), [(0.001, 5), (1.0, 13), (60.0, 180)], ids=["at once", "slowly", "for days"]
)
def test_few_of_ten_thousand_guesses_from_one_address_are_looked_at(pace: float, most: int) -> None:
    assert looked_at(GuessBook(), Attempt(THIEF, "FRA"), 10_000, pace) <= most


def test_few_of_ten_thousand_guesses_from_fifty_addresses_are_looked_at() -> None:
    book = GuessBook()
    seen = sum(
        looked_at(book, Attempt(f"10.0.1.{number}", "FRA"), 200, 0.01) for number in range(50)
    )
    assert seen <= 10


def test_an_owner_is_not_slowed_by_guesses_from_elsewhere() -> None:
    book = GuessBook()
    for number in range(50):
        looked_at(book, Attempt(f"10.0.1.{number}", "FRA"), 20, 0.01)
    assert book.may_try(Attempt(OWNER, "FRA", is_home=True), 1.0)
    assert not book.may_try(Attempt(OWNER, "FRA"), 1.0), "a stranger is"
    assert book.may_try(Attempt(OWNER, "ENG"), 1.0), "at this power only"


def test_where_a_seat_was_played_from_a_lock_is_short_however_much_was_guessed_there() -> None:
    book = GuessBook()
    looked_at(book, Attempt(OWNER, "FRA", is_home=True), 100_000, 0.01)
    last = 1000.0
    assert book.may_try(Attempt(OWNER, "FRA", is_home=True), last + HOME_LOCK + 0.1)
    assert not book.may_try(Attempt(OWNER, "ENG"), last + HOME_LOCK + 0.1)


def test_each_wrong_guess_doubles_the_lock_and_hours_of_peace_end_it() -> None:
    book, attempt = GuessBook(), Attempt(THIEF, "FRA")
    locks = [book.note_wrong(attempt, 0.0) for _ in range(GUESSES_PER_ADDRESS + 2)]
    assert locks[-3:] == [FIRST_LOCK, 2 * FIRST_LOCK, 4 * FIRST_LOCK]
    assert book.note_wrong(attempt, FORGOTTEN_AFTER + 1) == 0


def test_the_addresses_that_one_guesser_has_count_as_one() -> None:
    book = GuessBook()
    for number in range(GUESSES_PER_ADDRESS):
        book.note_wrong(Attempt(f"2001:db8::{number}", "FRA"), 0.0)
    assert not book.may_try(Attempt("2001:db8::ffff", "ENG"), 1.0)
    assert book.may_try(Attempt("2001:db8:0:1::1", "ENG"), 1.0)
    book.note_wrong(Attempt("::ffff:10.0.0.1", "FRA"), 0.0)
    assert looked_at(book, Attempt(THIEF, "ENG"), 100, 0.001) == GUESSES_PER_ADDRESS - 1


# --- passcodes ------------------------------------------------------------------------------------


def test_no_two_games_share_a_passcode_of_a_power() -> None:
    powers = load_map().powers
    chance, taken = Random(1), set[tuple[str, int]]()
    for _ in range(1000):
        drawn = set(draw_passcodes(powers, chance, taken).items())
        assert not drawn & taken
        taken |= drawn
    assert all(1 <= number <= LARGEST_PASSCODE for _, number in taken)


async def test_live_games_never_share_a_passcode_of_a_power() -> None:
    async with hosting(evolve(CONFIG, seed=None, games=300)) as hosted:
        for _ in range(300):
            hosted.host.new_room()
        for power in POWERS:
            codes = [
                seat.passcode
                for room in hosted.host.rooms
                for seat in room.game.seats.values()
                if seat.power.name == power
            ]
            assert len(set(codes)) == len(codes) == 300


async def test_the_seed_tells_no_passcode_unless_games_are_to_be_repeatable() -> None:
    with capture_logs() as logs:
        async with hosting(evolve(CONFIG, seed=None)) as hosted:
            room = hosted.host.new_room()
            await becomes(lambda: not hosted.host.store.waiting)
            record = hosted.host.store.load(room.number)
    derived = draw_passcodes(load_map().powers, Random(record.setup.seed))
    assert record.setup.passcodes != derived
    assert record.setup.passcodes == codes_of(room)
    assert not any("seed" in entry for entry in logs)
    async with hosting(evolve(CONFIG, seed=7)) as hosted:
        assert codes_of(hosted.host.new_room()) == draw_passcodes(load_map().powers, Random(7))


def test_passcodes_are_stored_and_not_shown() -> None:
    setup = GameSetup("x", "standard", SETTINGS, 1, passcodes={"FRA": 4711})
    assert setup_to_json(setup)["passcodes"] == {"FRA": 4711}
    assert "4711" not in repr(setup)


def codes_of(room: Room) -> dict[str, int]:
    return {power.name: seat.passcode for power, seat in room.game.seats.items()}


# --- a real server --------------------------------------------------------------------------------


async def five_games(hosted: Hosted) -> dict[tuple[int, str], int]:
    """Begin five games, let everybody vanish, and return the passcodes by game and power."""
    peers = await seated(hosted, 35)
    for peer in peers:
        await peer.until("NOW")
        peer.vanish()
    await becomes(lambda: not hosted.host.members)
    return {
        (room.number, name): code
        for room in hosted.host.rooms
        for name, code in codes_of(room).items()
    }


async def guesser(hosted: Hosted, address: str) -> RawPeer:
    """Connect from an address of this machine."""
    streams = await asyncio.open_connection("127.0.0.1", hosted.port, local_addr=(address, 0))
    peer = RawPeer(*streams)
    hosted.peers.append(peer)
    peer.writer.write(peer.connection.initiate())
    return peer


async def guess(hosted: Hosted, address: str, power: str, guesses: list[int]) -> Counter[str]:
    """Try passcodes on one connection, all at once, and count the answers."""
    peer = await guesser(hosted, address)
    peer.say(*(f"IAM ( {power} ) ( {guess} )" for guess in guesses))
    answers = Counter([(await peer.hear()).split()[0] for _ in guesses])
    peer.vanish()
    return answers


async def guess_slowly(
    hosted: Hosted, address: str, power: str, guesses: list[int]
) -> Counter[str]:
    """Try passcodes on one connection, one after the other."""
    peer, answers = await guesser(hosted, address), Counter[str]()
    for code in guesses:
        peer.say(f"IAM ( {power} ) ( {code} )")
        answers[(await peer.until("YES|REJ"))[:3]] += 1
    peer.vanish()
    return answers


def wrong_codes(codes: dict[tuple[int, str], int], power: str) -> list[int]:
    """Return all passcodes in an order in which the right ones come late."""
    right = [code for (_, name), code in codes.items() if name == power]
    return [*(code for code in range(1, LARGEST_PASSCODE + 1) if code not in right), *right]


async def test_one_connection_cannot_guess_at_five_games_at_once() -> None:
    async with hosting(evolve(CONFIG, games=5)) as hosted:
        codes = await five_games(hosted)
        guesses = wrong_codes(codes, "FRA")
        with capture_logs() as logs:
            assert await guess(hosted, "127.0.0.9", "FRA", guesses[-3000:]) == {"REJ": 3000}
            # A game that has much to do keeps its client; one that waits for each answer may move.
            assert await guess_slowly(hosted, "127.0.0.8", "FRA", guesses[-100:]) == {"REJ": 100}
        assert all(room.game.seats[FRANCE].client is None for room in hosted.host.rooms)
        assert sum(entry["event"] == "guessing" for entry in logs) <= 2


FRANCE = load_map().power("FRA")


async def test_ten_thousand_guesses_take_no_seat_and_keep_no_owner_out() -> None:
    async with hosting(evolve(CONFIG, games=5)) as hosted:
        codes = await five_games(hosted)
        total: Counter[str] = Counter()
        for number in range(200):
            power = POWERS[number % 7]
            guesses = wrong_codes(codes, power)
            first = 50 * (number // 7)
            address = f"127.0.0.{10 + number % 50}"
            total += await guess(hosted, address, power, guesses[first : first + 50])
        assert total == {"REJ": 10_000}
        for (_, power), code in codes.items():
            back = await hosted.peer(f"IAM ( {power} ) ( {code} )")
            assert (await back.hear()).startswith("YES ( IAM"), power
        for room in hosted.host.rooms:
            assert all(seat.client is not None for seat in room.game.seats.values())


async def test_guesses_from_the_owners_own_address_keep_it_out_for_half_a_minute() -> None:
    watch = SetClock()
    config = evolve(CONFIG, games=5)
    async with hosting(config, clock=HostClock(watch)) as hosted:
        codes = await five_games(hosted)
        guesses = wrong_codes(codes, "FRA")
        for number in range(20):
            await guess(hosted, "127.0.0.1", "FRA", guesses[50 * number : 50 * number + 50])
        code = codes[hosted.host.rooms[0].number, "FRA"]
        owner = await hosted.peer(f"IAM ( FRA ) ( {code} )")
        assert (await owner.hear()).startswith("REJ")
        for _ in range(8):
            watch.time += HOME_LOCK / 8 + 0.1
            hosted.host.clock.now()
        owner.say(f"IAM ( FRA ) ( {code} )")
        assert (await owner.hear()).startswith("YES")


async def test_after_a_restart_owners_are_known_by_where_they_played_from() -> None:
    config, store = evolve(CONFIG, games=5), Store()
    async with hosting(config, store) as hosted:
        codes = await five_games(hosted)
    async with hosting(config, store) as again:
        for number in range(42):
            guesses = wrong_codes(codes, POWERS[number % 7])
            await guess(again, f"127.0.0.{10 + number}", POWERS[number % 7], guesses[:3])
        for (_, power), code in codes.items():
            back = await again.peer(f"IAM ( {power} ) ( {code} )")
            assert (await back.hear()).startswith("YES ( IAM"), power
    store.close()


async def test_a_client_whose_old_connection_hangs_is_no_guesser() -> None:
    async with hosting() as hosted:
        peers = await seated(hosted, 7)
        hello = (await peers[0].until("HLO")).split()
        back = await hosted.peer()
        for _ in range(20):
            back.say(f"IAM ( {hello[2]} ) ( {hello[5]} )")
            assert (await back.hear()).startswith("REJ")
        peers[0].vanish()
        await becomes(lambda: len(hosted.host.members) == 7)
        back.say(f"IAM ( {hello[2]} ) ( {hello[5]} )")
        assert (await back.hear()).startswith("YES")


async def test_secrets_are_not_guessed_over_many_connections() -> None:
    async with hosting(SECRET) as hosted:
        for number in range(10):
            peer = await hosted.peer("OBS")
            words = "open sesame" if number == 9 else f"wrong {number}"
            peer.say(f"ADM ( 'A' ) ( 'Server: become master {words}' )")
            answer = await peer.until("ADM")
            assert re.search("refused", answer), answer
        elsewhere = await guesser(hosted, "127.0.0.77")
        elsewhere.say("OBS", "ADM ( 'A' ) ( 'Server: become master open sesame' )")
        assert "you are master" in await elsewhere.until("ADM")


async def test_guesses_at_a_secret_from_many_addresses_do_not_keep_its_owner_out() -> None:
    async with hosting(SECRET) as hosted:
        for number in range(20):
            peer = await guesser(hosted, f"127.0.1.{1 + number % 5}")
            peer.say("OBS", f"ADM ( 'A' ) ( 'Server: become master wrong {number}' )")
            assert "refused" in await peer.until("ADM")
        owner = await guesser(hosted, "127.0.2.1")
        owner.say("OBS", "ADM ( 'A' ) ( 'Server: become master open sesame' )")
        assert "you are master" in await owner.until("ADM")
