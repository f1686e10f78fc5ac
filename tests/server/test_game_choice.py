"""LST, SEL and PNG: clients that know Parlance's additions choose their game."""

from attrs import evolve

from server.inputs import Connected, Received
from server.record import record_to_json, replay
from server.store import Store
from tests.server.hosting import CONFIG, Hosted, RawPeer, hosting, seated
from tests.server.table import Table

GAMES = evolve(CONFIG, games=3)
OPTIONS = "( 'standard' ) ( ( LVL 20 ) )"


async def answer(peer: RawPeer, text: str) -> str:
    peer.say(text)
    return await peer.hear()


def two_games(hosted: Hosted) -> None:
    for _ in range(2):
        hosted.host.new_room()


async def test_all_games_are_listed_one_by_one() -> None:
    async with hosting(GAMES) as hosted:
        await seated(hosted, 8)
        peer = await hosted.peer("LST")
        assert await peer.hear() == f"LST ( 'game-1' ) ( 0 OBS ) {OPTIONS}"
        assert await peer.hear() == f"LST ( 'game-2' ) ( 6 NME ) {OPTIONS}"
        listed = await answer(peer, "LST ( 'game-2' )")
        assert listed == f"LST ( 'game-2' ) ( 6 NME ) {OPTIONS}"
        assert await answer(peer, "LST ( 'game-3' )") == "REJ ( LST ( 'game-3' ) )"


async def test_a_server_without_games_says_so_and_begins_none() -> None:
    async with hosting(GAMES) as hosted:
        peer = await hosted.peer("LST")
        assert await peer.hear() == "REJ ( LST )"
        assert await answer(peer, "SEL") == "REJ ( SEL )"
        assert await answer(peer, "PNG") == "YES ( PNG )"
        assert hosted.host.rooms == []


async def test_a_client_that_selects_a_game_plays_in_it() -> None:
    async with hosting(GAMES) as hosted:
        two_games(hosted)
        peer = await hosted.peer("SEL ( 'game-2' )")
        assert await peer.hear() == "YES ( SEL ( 'game-2' ) )"
        assert await answer(peer, "SEL") == "SEL ( 'game-2' )"
        assert (await peer.join()).startswith("YES")
        assert [len(room.game.clients) for room in hosted.host.rooms] == [0, 1]
        assert await answer(peer, "SEL") == "SEL ( 'game-2' )"
        assert await answer(peer, "SEL ( 'game-2' )") == "YES ( SEL ( 'game-2' ) )"
        assert await answer(peer, "SEL ( 'game-1' )") == "REJ ( SEL ( 'game-1' ) )"
        assert await answer(peer, "SEL ( 'nowhere' )") == "REJ ( SEL ( 'nowhere' ) )"


async def test_a_client_may_change_its_mind_before_it_says_who_it_is() -> None:
    async with hosting(GAMES) as hosted:
        two_games(hosted)
        peer = await hosted.peer("MAP")
        assert await peer.hear() == "MAP ( 'standard' )"
        for name in ("game-2", "game-1", "game-2"):
            assert await answer(peer, f"SEL ( '{name}' )") == f"YES ( SEL ( '{name}' ) )"
            assert await answer(peer, "MAP") == "MAP ( 'standard' )"
        assert [len(room.game.clients) for room in hosted.host.rooms] == [0, 1]
        assert (await peer.join()).startswith("YES")
        assert hosted.host.rooms[1].game.candidates()


async def test_a_full_game_that_was_selected_refuses() -> None:
    async with hosting(GAMES) as hosted:
        await (await seated(hosted, 7))[0].until("NOW")
        peer = await hosted.peer("SEL ( 'game-1' )")
        assert (await peer.hear()).startswith("YES ( SEL")
        assert (await peer.join()).startswith("REJ ( NME")
        assert len(hosted.host.rooms) == 1


async def test_whoever_came_through_the_door_of_a_game_sees_that_game_only() -> None:
    async with hosting(evolve(GAMES, port_per_game=True)) as hosted:
        two_games(hosted)
        port = hosted.host.rooms[1].port
        assert port
        peer = await RawPeer.connect(port, "LST")
        hosted.peers.append(peer)
        assert await peer.hear() == f"LST ( 'game-2' ) ( 7 NME ) {OPTIONS}"
        assert await answer(peer, "SEL ( 'game-1' )") == "REJ ( SEL ( 'game-1' ) )"
        assert await answer(peer, "SEL") == "SEL ( 'game-2' )"


async def test_pings_are_answered_in_their_turn_and_are_no_part_of_the_record() -> None:
    store = Store()
    async with hosting(GAMES, store) as hosted:
        peer = await hosted.peer()
        await peer.join("P")
        peer.say("PNG", "MAP", "LST", "PNG", "TME", "SEL", "PNG PNG")
        heard = [await peer.hear() for _ in range(7)]
    assert [text.split(" ", 1)[0] for text in heard] == [
        "YES", "MAP", "LST", "YES", "REJ", "SEL", "HUH"
    ]  # fmt: skip
    record = store.load(1)
    inputs = [each for batch in record.batches for each in batch.inputs]
    assert [type(each) for each in inputs[:5]] == [Connected, *[Received] * 4]
    said = [each["text"] for each in record_to_json(record)["messages"]]
    assert [text for text in said if text.startswith(("LST", "SEL", "PNG"))] == ["PNG PNG"]
    assert replay(record).name == "game-1"
    store.close()


def test_a_list_tells_what_holds_a_game_up() -> None:
    table = Table(evolve(CONFIG.settings, movement_limit=60, stops_on_disconnection=True)).fill()
    assert table.ask("ENG", "LST")[0].split()[5:7] == ["0", "OBS"]
    table.leave("FRA")
    assert table.ask("ENG", "LST")[0].split()[5:7] == ["1", "DSD"]
    table.game.obey("pause", table.now)
    assert table.ask("ENG", "LST")[0].split()[5:7] == ["1", "TME"]
