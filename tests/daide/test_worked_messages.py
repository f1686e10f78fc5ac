"""The worked byte sequences of the protocol, from typed message to frame and back."""

import pytest

from daide.connection import Connection, TokensReceived
from daide.frames import DiplomacyMessage
from grammar.messages import (
    AcceptMap,
    AskMapDefinition,
    BackInOrder,
    CivilDisorder,
    DaideMessage,
    Hello,
    Huh,
    IAm,
    MapName,
    Missing,
    Name,
    Now,
    Observe,
    OrderAnswer,
    OrderOutcome,
    OwnedCenters,
    Ownership,
    SendPress,
    SubmitOrders,
    TimeLeft,
    TurnOff,
    VariantOption,
    Yes,
)
from grammar.parse import Sender, parse
from grammar.press import Peace, Propose
from grammar.write import write
from rules.orders import Hold, Move, OrderNote, OrderResult, Unit, UnitKind
from rules.places import Coast, Location, Power, Province
from rules.turns import Season, Turn

ENG, GER, RUS, TUR, AUS = map(Power, ("ENG", "GER", "RUS", "TUR", "AUS"))
SPRING = Turn(Season.SPRING, 1901)
HOLDBOT = Name("HoldBot", "1.0")
SOUTH_OF_PETERSBURG = Location(Province("STP"), Coast.SOUTH)
PETERSBURG = Unit(RUS, UnitKind.FLEET, SOUTH_OF_PETERSBURG)
MOSCOW = Unit(RUS, UnitKind.ARMY, Location(Province("MOS")))
SEVASTOPOL = Unit(RUS, UnitKind.FLEET, Location(Province("SEV")))
CENTERS = {
    "AUS": "BUD VIE TRI",
    "ENG": "EDI LON LVP",
    "FRA": "PAR BRE MAR",
    "GER": "MUN BER KIE",
    "ITA": "NAP ROM VEN",
    "RUS": "MOS WAR SEV STP",
    "TUR": "ANK CON SMY",
    "": "SER BEL DEN GRE HOL NWY POR RUM SWE TUN BUL SPA",
}


def at(province: str) -> Location:
    return Location(Province(province))


FROM_CLIENT = Sender.CLIENT
FROM_SERVER = Sender.SERVER
WORKED: list[tuple[Sender, DaideMessage, str]] = [
    (FROM_CLIENT, Observe(), "0200 0002 480f"),
    (FROM_SERVER, Yes(Observe()), "0200 0008 481c 4000 480f 4001"),
    (
        FROM_CLIENT,
        HOLDBOT,
        """0200 001e 480c 4000 4b48 4b6f 4b6c 4b64 4b42 4b6f 4b74 4001 4000 4b31 4b2e 4b30
        4001""",
    ),
    (
        FROM_SERVER,
        Yes(HOLDBOT),
        """0200 0024 481c 4000 480c 4000 4b48 4b6f 4b6c 4b64 4b42 4b6f 4b74 4001 4000 4b31
        4b2e 4b30 4001 4001""",
    ),
    (
        FROM_SERVER,
        MapName("STANDARD"),
        "0200 0016 4809 4000 4b53 4b54 4b41 4b4e 4b44 4b41 4b52 4b44 4001",
    ),
    (FROM_CLIENT, AskMapDefinition(), "0200 0002 480a"),
    (
        FROM_CLIENT,
        AcceptMap("STANDARD"),
        "0200 001c 481c 4000 4809 4000 4b53 4b54 4b41 4b4e 4b44 4b41 4b52 4b44 4001 4001",
    ),
    (
        FROM_SERVER,
        Hello(ENG, 1234, (VariantOption("LVL", 20), VariantOption("MTL", 1200))),
        """0200 0022 4804 4000 4101 4001 4000 04d2 4001 4000 4000 4903 0014 4001 4000 4905
        04b0 4001 4001""",
    ),
    (
        FROM_SERVER,
        Hello(None, 0, (VariantOption("LVL", 0),)),
        "0200 001a 4804 4000 490b 4001 4000 0000 4001 4000 4000 4903 0000 4001 4001",
    ),
    (
        FROM_SERVER,
        Now(SPRING, (MOSCOW, PETERSBURG)),
        """0200 0024 480e 4000 4700 076d 4001 4000 4105 4200 5108 4001
        4000 4105 4201 4000 574a 4608 4001 4001""",
    ),
    (
        FROM_CLIENT,
        SubmitOrders((Hold(MOSCOW), Move(PETERSBURG, at("GOB")))),
        """0200 002a 4818 4000 4000 4105 4200 5108 4001 4322 4001 4000 4000 4105 4201 4000
        574a 4608 4001 4001 4323 5215 4001""",
    ),
    (
        FROM_SERVER,
        OrderAnswer(Hold(PETERSBURG), OrderNote.MIGHT_BE_VALID),
        """0200 001e 481a 4000 4000 4105 4201 4000 574a 4608 4001 4001 4322 4001 4000 4400
        4001""",
    ),
    (FROM_SERVER, Missing(adjustments=-1), "0200 0008 480b 4000 3fff 4001"),
    (FROM_SERVER, TimeLeft(60), "0200 0008 481b 4000 003c 4001"),
    (
        FROM_SERVER,
        OrderOutcome(SPRING, Move(SEVASTOPOL, at("BLA")), OrderResult.BOUNCED),
        """0200 0022 4811 4000 4700 076d 4001 4000 4000 4105 4201 5542 4001 4323 5212 4001
        4000 4501 4001""",
    ),
    (
        FROM_CLIENT,
        SendPress((GER,), Propose(Peace((ENG, GER)))),
        "0200 001c 4817 4000 4103 4001 4000 4a13 4000 4a10 4000 4101 4103 4001 4001 4001",
    ),
    (FROM_CLIENT, IAm(TUR, 132), "0200 000e 4807 4000 4106 4001 4000 0084 4001"),
    (FROM_SERVER, CivilDisorder(AUS), "0200 0008 4800 4000 4100 4001"),
    (FROM_SERVER, BackInOrder(TUR), "0200 000e 480d 4000 4800 4000 4106 4001 4001"),
    (FROM_SERVER, Huh((0x4902, 0x4801)), "0200 000a 4806 4000 4902 4801 4001"),
    (FROM_SERVER, TurnOff(), "0200 0002 4810"),
]


@pytest.mark.parametrize(("sender", "message", "text"), WORKED)
def test_a_worked_message_is_written_and_read(
    sender: Sender, message: DaideMessage, text: str
) -> None:
    data = bytes.fromhex(text)
    assert DiplomacyMessage(write(message)).to_bytes() == data
    connection = Connection.server()
    connection.receive(bytes.fromhex("0000 0004 0001 da10"))
    [event] = connection.receive(data)
    assert isinstance(event, TokensReceived)
    assert parse(event.tokens, sender=sender) == message


def test_the_first_ownership_has_its_bytes() -> None:
    message = Ownership(
        tuple(
            OwnedCenters(Power(owner) if owner else None, tuple(map(Province, centers.split())))
            for owner, centers in CENTERS.items()
        )
    )
    data = bytes.fromhex(
        """0200 0076 4815 4000 4100 5107 510c 5545 4001 4000 4101 5536 553a 553b 4001 4000
        4102 510a 5533 553c 4001 4000 4103 5109 5532 5539 4001 4000 4104 553d 5540 5547
        4001 4000 4105 5108 510d 5542 574a 4001 4000 4106 5530 5534 5543 4001 4000 490b
        510b 5531 5535 5537 5538 553e 553f 5541 5544 5546 5748 5749 4001"""
    )
    assert DiplomacyMessage(write(message)).to_bytes() == data
