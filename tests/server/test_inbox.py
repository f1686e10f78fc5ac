"""Who goes first, and that nobody overtakes oneself."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from grammar.text import from_text
from server.inbox import FIRST_IN_A_ROW, MOST_WEIGHT, Backlog, Inbox, Item, weight_of
from server.inputs import Connected, Disconnected, Received

ASKS = from_text("HST")
COMES = from_text("NME ( 'a' ) ( '1' )")


def said(client: int, tokens: tuple[int, ...] = ASKS) -> Received:
    return Received(client, tokens)


def taken(inbox: Inbox) -> list[Item]:
    return [inbox.take()[0] for _ in range(len(inbox))]


def test_players_go_first_and_the_others_are_not_forgotten() -> None:
    inbox = Inbox(Backlog())
    for client in range(100, 140):
        inbox.put(said(client), is_guest=True)
    for _ in range(2 * FIRST_IN_A_ROW):
        inbox.put(said(1), is_guest=False)
    lanes = [inbox.take()[1] for _ in range(2 * FIRST_IN_A_ROW + 2)]
    assert lanes == [*[True] * FIRST_IN_A_ROW, False] * 2
    assert len(inbox) == 38


def test_who_comes_to_play_goes_with_the_players_once() -> None:
    inbox = Inbox(Backlog())
    for client in range(100, 140):
        inbox.put(said(client), is_guest=True)
    inbox.put(Connected(7), is_guest=True)
    for _ in range(10):
        inbox.put(said(7, COMES), is_guest=True)
    assert [inbox.take()[0] for _ in range(2)] == [Connected(7), said(7, COMES)]
    assert inbox.take()[0] == said(100)


@given(st.lists(st.tuples(st.integers(1, 5), st.booleans(), st.booleans(), st.integers(0, 3))))
def test_what_a_client_says_stays_in_its_order(moves: list[tuple[int, bool, bool, int]]) -> None:
    backlog = Backlog()
    inbox = Inbox(backlog)
    put, out = defaultdict(list), defaultdict(list)
    playing: set[int] = set()
    for number, (client, comes, gets_place, takes) in enumerate(moves):
        tokens = (*(COMES if comes else ASKS), number)
        put[client].append(said(client, tokens))
        inbox.put(said(client, tokens), is_guest=client not in playing)
        for _ in range(min(takes, len(inbox))):
            item, _ = inbox.take()
            assert isinstance(item, Received)
            out[item.client].append(item)
            if gets_place:
                playing.add(item.client)
    for item in taken(inbox):
        assert isinstance(item, Received)
        out[item.client].append(item)
    assert out == put
    assert backlog.weight == 0


def test_what_a_client_said_can_be_thrown_away_and_its_end_stays() -> None:
    backlog = Backlog()
    inbox = Inbox(backlog)
    for client in (1, 2):
        inbox.put(Connected(client), is_guest=True)
        inbox.put(said(client, COMES), is_guest=True)
        inbox.put(said(client), is_guest=True)
        inbox.put(Disconnected(client), is_guest=True)
    assert inbox.remove_said(1) == [said(1, COMES), said(1)]
    left = taken(inbox)
    assert [each for each in left if each.client == 1] == [Connected(1), Disconnected(1)]  # type: ignore[union-attr]  # all have one
    assert backlog.weight == 0


def test_long_messages_fill_the_backlog_of_all_games() -> None:
    backlog = Backlog()
    inboxes = [Inbox(backlog) for _ in range(3)]
    long = ASKS * 30_000
    for number in range(1 + MOST_WEIGHT // weight_of(long)):
        assert not backlog.is_full
        inboxes[number % 3].put(said(number, long), is_guest=True)
    assert backlog.is_full
    for inbox in inboxes:
        inbox.clear()
    assert backlog.weight == 0
