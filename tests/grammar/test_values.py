"""What the fields of messages hold: exact values for exact sentences."""

import pytest

from grammar import messages as m
from grammar import press as p
from grammar.parse import HIGHEST_LEVEL, Sender, parse, reader_for
from grammar.text import from_text
from grammar.tokens import Word
from rules.maps import load_map
from rules.orders import (
    Convoy,
    Hold,
    Move,
    MoveByConvoy,
    Order,
    OrderNote,
    OrderResult,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
)
from rules.places import Coast, Location, Province, Terrain
from rules.position import DislodgedUnit
from rules.turns import Season, Turn

BOARD = load_map("standard")
AUS, ENG, FRA, GER, ITA, RUS, TUR = BOARD.powers
SPRING = Turn(Season.SPRING, 1901)
FALL = Turn(Season.FALL, 1903)


def at(text: str) -> Location:
    name, _, coast = text.partition("/")
    return Location(BOARD.province(name), Coast(coast) if coast else None)


def province(name: str) -> Province:
    return BOARD.province(name)


def provinces(names: str) -> tuple[Province, ...]:
    return tuple(map(BOARD.province, names.split()))


def army(power: str, place: str) -> Unit:
    return Unit(BOARD.power(power), UnitKind.ARMY, at(place))


def fleet(power: str, place: str) -> Unit:
    return Unit(BOARD.power(power), UnitKind.FLEET, at(place))


HOLD = Hold(army("ENG", "LVP"))
PROPOSAL = p.Propose(p.Draw())


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("( RUS FLT ( STP SCS ) ) HLD", Hold(fleet("RUS", "STP/SCS"))),
        ("( ENG FLT MAO ) MTO ( SPA NCS )", Move(fleet("ENG", "MAO"), at("SPA/NCS"))),
        (
            "( ENG FLT NTH ) SUP ( ENG FLT LON )",
            SupportHold(fleet("ENG", "NTH"), fleet("ENG", "LON")),
        ),
        (
            "( ENG FLT NTH ) SUP ( FRA AMY YOR ) MTO NWY",
            SupportMove(fleet("ENG", "NTH"), army("FRA", "YOR"), province("NWY")),
        ),
        (
            "( ENG FLT NTH ) CVY ( FRA AMY YOR ) CTO NWY",
            Convoy(fleet("ENG", "NTH"), army("FRA", "YOR"), province("NWY")),
        ),
        (
            "( ENG AMY LON ) CTO TUN VIA ( ECH MAO WES )",
            MoveByConvoy(army("ENG", "LON"), province("TUN"), provinces("ECH MAO WES")),
        ),
        ("( ENG AMY LVP ) RTO WAL", Retreat(army("ENG", "LVP"), at("WAL"))),
        ("ENG WVE", Waive(ENG)),
    ],
)
def test_order_has_its_parts(text: str, order: Order) -> None:
    assert reader_for(0).order(from_text(text)) == order


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NME ( 'Albert' ) ( 'v6' )", m.Name("Albert", "v6")),
        ("OBS ( 'Mapper' ) ( '1' )", m.Observe("Mapper", "1")),
        ("IAM ( TUR ) ( -8192 )", m.IAm(TUR, -8192)),
        ("HST ( FAL 1903 )", m.AskHistory(FALL)),
        ("HST", m.AskHistory(None)),
        ("SUB ( SPR 1901 ) ( ENG WVE ) ( ENG WVE )", m.SubmitOrders((Waive(ENG),) * 2, SPRING)),
        ("SUB ( ENG WVE )", m.SubmitOrders((Waive(ENG),), None)),
        ("NOT ( SUB ( ( ENG AMY LVP ) HLD ) )", m.CancelOrders(HOLD)),
        ("NOT ( SUB )", m.CancelOrders(None)),
        ("DRW ( ENG FRA GER )", m.RequestDraw((ENG, FRA, GER))),
        ("NOT ( DRW ( ENG FRA ) )", m.CancelDraw((ENG, FRA))),
        ("NOT ( DRW )", m.CancelDraw(())),
        ("NOT ( TME ( 8191 ) )", m.CancelTime(8191)),
        ("NOT ( TME )", m.CancelTime(None)),
        ("SND ( GER TUR ) ( PRP ( DRW ) )", m.SendPress((GER, TUR), PROPOSAL, None)),
        ("SND ( SPR 1901 ) ( GER ) ( PRP ( DRW ) )", m.SendPress((GER,), PROPOSAL, SPRING)),
        ("YES ( SVE ( 'a' ) )", m.Saved("a", done=True)),
        ("REJ ( SVE ( 'a' ) )", m.Saved("a", done=False)),
        ("YES ( LOD ( 'a' ) )", m.Loaded("a", done=True)),
        ("REJ ( LOD ( 'a' ) )", m.Loaded("a", done=False)),
        ("ADM ( 'me' ) ( 'it''s me' )", m.Admin("me", "it's me")),
        ("HUH ( ERR DRW )", m.Huh((int(Word.ERR), int(Word.DRW)))),
        ("PRN ( DRW ) )", m.Prn((int(Word.DRW), int(Word.KET)))),
    ],
)
def test_client_message_has_its_parts(text: str, message: m.ClientMessage) -> None:
    assert parse(from_text(text)) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("YES ( TME ( 5 ) )", m.Yes(m.RequestTime(5))),
        ("REJ ( NOT ( GOF ) )", m.Rej(m.CancelGo())),
        (
            (
                "MDF ( ENG FRA ) ( ( ( ENG LON ) ( UNO BEL ) ( ( ENG FRA ) BRE ) ) ( NTH ) ) "
                "( ( STP ( AMY FIN ) ( ( FLT SCS ) GOB ( BUL ECS ) ) ) )"
            ),
            m.MapDefinition(
                (ENG, FRA),
                (
                    m.HomeCenters((ENG,), provinces("LON")),
                    m.HomeCenters((), provinces("BEL")),
                    m.HomeCenters((ENG, FRA), provinces("BRE")),
                ),
                provinces("NTH"),
                (
                    m.ProvinceBorders(
                        province("STP"),
                        (
                            m.Borders(UnitKind.ARMY, None, (at("FIN"),)),
                            m.Borders(UnitKind.FLEET, Coast.SOUTH, (at("GOB"), at("BUL/ECS"))),
                        ),
                    ),
                ),
            ),
        ),
        (
            "SCO ( GER ) ( UNO BEL HOL )",
            m.Ownership((m.OwnedCenters(GER, ()), m.OwnedCenters(None, provinces("BEL HOL")))),
        ),
        (
            "NOW ( FAL 1903 ) ( AUS AMY BUD ) ( RUS FLT ( STP NCS ) MRT ( BAR ( SPA SCS ) ) )",
            m.Now(
                FALL,
                (
                    army("AUS", "BUD"),
                    DislodgedUnit(fleet("RUS", "STP/NCS"), (at("BAR"), at("SPA/SCS"))),
                ),
            ),
        ),
        ("NOW ( SPR 1901 )", m.Now(SPRING, ())),
        ("THX ( ( ENG AMY LVP ) HLD ) ( NYU )", m.OrderAnswer(HOLD, OrderNote.NOT_YOUR_UNIT)),
        ("MIS ( -1 )", m.Missing((), -1)),
        ("MIS ( ENG AMY LVP )", m.Missing((army("ENG", "LVP"),), None)),
        ("MIS ( ENG AMY LVP MRT ( ) )", m.Missing((DislodgedUnit(army("ENG", "LVP"), ()),))),
        (
            "ORD ( SPR 1901 ) ( ( ENG AMY LVP ) HLD ) ( CUT RET )",
            m.OrderOutcome(SPRING, HOLD, OrderResult.CUT, dislodged=True),
        ),
        (
            "ORD ( SPR 1901 ) ( ( ENG AMY LVP ) HLD ) ( RET )",
            m.OrderOutcome(SPRING, HOLD, None, dislodged=True),
        ),
        (
            "ORD ( SPR 1901 ) ( ( ENG AMY LVP ) HLD ) ( FAR )",
            m.OrderOutcome(SPRING, HOLD, OrderNote.NOT_ADJACENT, dislodged=False),
        ),
        ("CCD ( AUS ) ( FAL 1903 )", m.CivilDisorder(AUS, FALL)),
        (
            "CCD ( AUS ) ( SND ( AUS ) ( PRP ( DRW ) ) )",
            m.CivilDisorder(AUS, undelivered=m.SendPress((AUS,), PROPOSAL)),
        ),
        (
            "OUT ( AUS ) ( SND ( SPR 1901 ) ( AUS ) ( PRP ( DRW ) ) )",
            m.Eliminated(AUS, m.SendPress((AUS,), PROPOSAL, SPRING)),
        ),
        ("FRM ( ITA ) ( GER RUS ) ( PRP ( DRW ) )", m.PressReceived(ITA, (GER, RUS), PROPOSAL)),
        (
            "SMR ( FAL 1903 ) ( ENG ( 'a' ) ( 'b' ) 18 ) ( FRA ( 'c' ) ( ' ' ) 0 1902 )",
            m.Summary(
                FALL,
                (
                    m.PlayerSummary(ENG, "a", "b", 18, None),
                    m.PlayerSummary(FRA, "c", " ", 0, 1902),
                ),
            ),
        ),
    ],
)
def test_server_message_has_its_parts(text: str, message: m.ServerMessage) -> None:
    assert parse(from_text(text), sender=Sender.SERVER) == message


def test_hello_tells_level_options_and_their_values() -> None:
    hello = parse(
        from_text("HLO ( UNO ) ( 0 ) ( ( AOA ) ( LVL 20 ) ( MTL 60 ) )"), sender=Sender.SERVER
    )
    assert isinstance(hello, m.Hello)
    assert hello.power is None
    assert hello.level == 20
    assert hello.option("MTL") == 60
    assert hello.option("RTL") is None
    assert hello.has("AOA")
    assert not hello.has("DSD")


@pytest.mark.parametrize(
    ("text", "press"),
    [
        (
            "PRP ( ALY ( ENG GER ) VSS ( FRA ) )",
            p.Propose(p.Alliance((ENG, GER), (FRA,))),
        ),
        ("FCT ( NOT ( QRY ( DRW ) ) )", p.StateFact(p.Not(p.Query(p.Draw())))),
        ("THK ( NAR ( QRY ( DRW ) ) )", p.Think(p.NoArrangement(p.Query(p.Draw())))),
        ("TRY ( PRP IOU 0x4A7F DRW )", p.Understand(("PRP", "IOU", "0x4A7F", "DRW"))),
        ("TRY ( )", p.Understand(())),
        ("HUH ( ERR DRW )", p.NotUnderstood((int(Word.ERR), int(Word.DRW)))),
        ("PRP ( XDO ( ( ENG AMY LVP ) HLD ) )", p.Propose(p.GiveOrder(HOLD))),
        (
            "PRP ( DMZ ( ENG FRA ) ( ECH BEL ) )",
            p.Propose(p.Demilitarize((ENG, FRA), provinces("ECH BEL"))),
        ),
        (
            "PRP ( AND ( DRW ) ( ORR ( SLO ( ENG ) ) ( DRW ( ENG GER ) ) ) )",
            p.Propose(p.AllOf((p.Draw(), p.AnyOf((p.Solo(ENG), p.Draw((ENG, GER))))))),
        ),
        (
            "PRP ( SCD ( ENG LON EDI ) ( UNO BEL ) )",
            p.Propose(
                p.DivideCenters(
                    (
                        p.CenterShare(ENG, provinces("LON EDI")),
                        p.CenterShare(None, provinces("BEL")),
                    )
                )
            ),
        ),
        (
            "PRP ( OCC ( ENG UNT BEL ) ( FRA FLT ( SPA SCS ) ) )",
            p.Propose(p.Occupy((p.AnyUnit(ENG, province("BEL")), fleet("FRA", "SPA/SCS")))),
        ),
        (
            "INS ( CHO ( 1 2 ) ( DRW ) ( DRW ) ( DRW ) )",
            p.Insist(p.Choose(1, 2, (p.Draw(),) * 3)),
        ),
        ("WHT ( ENG AMY LVP )", p.AskOrder(army("ENG", "LVP"))),
        ("HOW ( ENG )", p.AskAttack(ENG)),
        ("HOW ( NTH )", p.AskAttack(province("NTH"))),
        (
            "SRY ( EXP ( SPR 1901 ) ( PRP ( DRW ) ) )",
            p.Sorry(p.DemandExplanation(SPRING, PROPOSAL)),
        ),
        ("PRP ( FOR ( FAL 1903 ) ( DRW ) )", p.Propose(p.During(FALL, None, p.Draw()))),
        (
            "PRP ( FOR ( ( SPR 1901 ) ( FAL 1903 ) ) ( DRW ) )",
            p.Propose(p.During(SPRING, FALL, p.Draw())),
        ),
        ("IFF ( DRW ) THN ( PRP ( DRW ) )", p.IfThen(p.Draw(), PROPOSAL, None)),
        (
            "IFF ( DRW ) THN ( PRP ( DRW ) ) ELS ( 'no' )",
            p.IfThen(p.Draw(), PROPOSAL, p.FreeText("no")),
        ),
        ("PRP ( XOY ( ENG ) ( FRA ) )", p.Propose(p.OweFavor(debtor=ENG, creditor=FRA))),
        (
            "PRP ( YDO ( ENG ) ( FRA AMY PAR ) )",
            p.Propose(p.ControlUnits(ENG, (army("FRA", "PAR"),))),
        ),
        (
            "PRP ( SND ( ENG ) ( GER ITA ) ( PRP ( DRW ) ) )",
            p.Propose(p.SayTo(ENG, (GER, ITA), PROPOSAL)),
        ),
        (
            "PRP ( FWD ( ENG FRA ) ( GER ) ( TUR ) )",
            p.Propose(p.ForwardPress(senders=(ENG, FRA), receiver=GER, reader=TUR)),
        ),
        (
            "PRP ( BCC ( ENG ) ( FRA GER ) ( TUR ) )",
            p.Propose(p.CopyPress(sender=ENG, recipients=(FRA, GER), reader=TUR)),
        ),
        ("POB ( WHY ( PRP ( DRW ) ) )", p.PositionExplains(p.Why(PROPOSAL))),
    ],
)
def test_press_has_its_parts(text: str, press: p.Press) -> None:
    assert reader_for(HIGHEST_LEVEL).press(from_text(text)) == press


def test_provinces_come_with_terrain_and_title() -> None:
    now = parse(from_text("NOW ( SPR 1901 ) ( RUS FLT ( STP SCS ) )"), sender=Sender.SERVER)
    assert isinstance(now, m.Now)
    (unit,) = now.units
    assert isinstance(unit, Unit)
    assert unit.location.province.terrain is Terrain.MULTI_COAST
    assert unit.location.province.is_center
    assert unit.power.title == "Russia"
