"""Who starts a bot: the rules between a server and bot hosts, without a broker."""

import json

import pytest

from feed.bot_requests import (
    CLAIM_TIME,
    JOIN_TIME,
    BotRequest,
    Grant,
    HostAnswer,
    Offers,
    RequestBook,
    answer_from,
    request_from,
    to_bytes,
)
from feed.outbox import Letter
from rules.errors import BadInputError

WANTED = BotRequest(id="", server="", bot="dumbbot", address="here", port=1234, game="game-1")


def only(letters: list[Letter]) -> BotRequest:
    (letter,) = letters
    return request_from(letter.payload)


def test_a_claim_is_granted_to_one_host_only() -> None:
    book = RequestBook("s")
    request = only(book.ask(WANTED, 0.0))
    (grant,) = book.hear(HostAnswer(request.id, "one", "claimed"), 1.0)
    assert grant.topic == "daide/v1/s/bots/granted/one"
    assert book.hear(HostAnswer(request.id, "two", "claimed"), 1.0) == []
    assert book.hear(HostAnswer(request.id, "one", "claimed"), 1.0) == []


def test_a_request_that_nobody_claims_is_made_again_and_late_claims_are_not_granted() -> None:
    book = RequestBook("s")
    first = only(book.ask(WANTED, 0.0))
    assert book.tick(CLAIM_TIME - 0.1) == []
    second = only(book.tick(CLAIM_TIME))
    assert second.id != first.id
    assert book.hear(HostAnswer(first.id, "late", "claimed"), CLAIM_TIME) == []
    assert len(book.hear(HostAnswer(second.id, "now", "claimed"), CLAIM_TIME)) == 1


@pytest.mark.parametrize("lost", [True, False])
def test_a_host_that_is_lost_or_silent_between_claim_and_join_is_replaced(*, lost: bool) -> None:
    book = RequestBook("s")
    request = only(book.ask(WANTED, 0.0))
    book.hear(HostAnswer(request.id, "one", "claimed"), 0.0)
    again = only(book.lose("one", 1.0) if lost else book.tick(JOIN_TIME))
    assert book.hear(HostAnswer(request.id, "one", "joined"), 40.0) == []
    assert len(book) == 1
    book.hear(HostAnswer(again.id, "two", "claimed"), 40.0)
    book.hear(HostAnswer(again.id, "two", "joined"), 41.0)
    assert (len(book), book.joined, book.repeated) == (0, 1, 1)
    assert book.lose("two", 50.0) == book.tick(1000.0) == []


def test_a_host_that_fails_is_followed_by_another_request() -> None:
    book = RequestBook("s")
    request = only(book.ask(WANTED, 0.0))
    book.hear(HostAnswer(request.id, "one", "claimed"), 0.0)
    book.hear(HostAnswer(request.id, "one", "failed"), 1.0)
    assert book.tick(1.5) == []
    assert only(book.tick(3.0)).bot == "dumbbot"


def test_a_host_claims_only_what_it_offers_and_starts_only_what_it_is_granted() -> None:
    offers = Offers("h", frozenset({"dumbbot"}), most=1)
    request = only(RequestBook("s").ask(WANTED, 0.0))
    other = BotRequest(id="x", server="s", bot="rm -rf", address="here", port=1, game="g")
    assert offers.hear_request(other) == []
    (claim,) = offers.hear_request(request)
    assert json.loads(claim.payload) == {"id": request.id, "host": "h", "state": "claimed"}
    assert offers.hear_grant(Grant("another")) is None
    assert offers.hear_grant(Grant(request.id)) == request
    assert offers.hear_grant(Grant(request.id)) is None


def test_a_full_host_says_so() -> None:
    offers = Offers("h", frozenset({"dumbbot"}), most=1)
    offers.running = 1
    (answer,) = offers.hear_request(only(RequestBook("s").ask(WANTED, 0.0)))
    assert b'"busy"' in answer.payload


@pytest.mark.parametrize(
    "change",
    [
        {"address": "--config"},
        {"address": "here there"},
        {"port": "1234"},
        {"port": 0},
        {"power": "--seed"},
        {"passcode": "1; rm"},
        {"bot": None},
    ],
)
def test_a_request_with_anything_odd_in_it_is_refused(change: dict[str, object]) -> None:
    fields = json.loads(to_bytes(WANTED)) | change
    with pytest.raises(BadInputError):
        request_from(json.dumps(fields))


@pytest.mark.parametrize("name", ["+", "#", "a/b", "dbrane+banker", "\ud800"])
def test_names_that_would_match_or_part_topics_are_escaped(name: str) -> None:
    book = RequestBook("s")
    request = only(book.ask(WANTED, 0.0))
    (grant,) = book.hear(HostAnswer(request.id, name, "claimed"), 1.0)
    (claim,) = Offers("h", frozenset(("dumbbot",)), 1).hear_request(
        BotRequest(id="x", server=name, bot="dumbbot", address="here", port=1, game="g")
    )
    for topic in (grant.topic, claim.topic):
        assert not set("+#") & set(topic)
        assert topic.count("/") in (4, 5)
        topic.encode()


@pytest.mark.parametrize("host", ["a\x00b", "\x9b2J", "x" * 2000, "\u202e"])
def test_names_that_nobody_has_are_refused(host: str) -> None:
    letter = json.dumps({"id": "1", "host": host, "state": "claimed"})
    with pytest.raises(BadInputError, match="host: not a name"):
        answer_from(letter)
