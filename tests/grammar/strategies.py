"""Messages made from the classes of the language, as each press level allows them.

Every table names all the classes that a place can hold, so that a class cannot be forgotten.
"""

from functools import cache, partial
from typing import Any, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from grammar import messages as m
from grammar import press as p
from grammar.tokens import Tokens, Word, text_tokens
from rules import orders as o
from rules.maps import load_map
from rules.orders import OrderNote, OrderResult, Unit, UnitKind
from rules.places import Coast, Location
from rules.position import DislodgedUnit
from rules.turns import Season, Turn

Table: TypeAlias = dict[type, SearchStrategy[Any]]

BOARD = load_map("standard")
TRY_WORDS = [
    *("PRP", "PCE", "ALY", "VSS", "DRW", "SLO", "NOT", "NAR", "YES", "REJ", "BWX", "CCL", "FCT"),
    *("XDO", "DMZ", "AND", "ORR", "SCD", "OCC", "CHO", "INS", "QRY", "THK", "IDK", "SUG", "WHT"),
    *("HOW", "EXP", "SRY", "FOR", "IFF", "THN", "ELS", "XOY", "YDO", "FRM", "FWD", "BCC", "SND"),
    *("WHY", "POB", "UNT", "IOU", "UOM", "PPT", "0x4A7F"),
]
DEEPEST = 3

powers = st.sampled_from(BOARD.powers)
provinces = st.sampled_from(BOARD.provinces)
centers = st.sampled_from(BOARD.centers)
integers = st.integers(-8192, 8191)
locations = st.builds(Location, provinces, st.none() | st.sampled_from(Coast))
units = st.builds(Unit, powers, st.sampled_from(UnitKind), locations)
turns = st.builds(Turn, st.sampled_from(Season), integers)
# Any bytes: those that are no UTF-8 become lone surrogates, as they do when they are read.
texts = st.binary(min_size=1, max_size=8).map(lambda data: data.decode("utf-8", "surrogateescape"))


def some(items: SearchStrategy[Any], least: int = 1) -> SearchStrategy[tuple[Any, ...]]:
    """Draw a few of them."""
    return st.lists(items, min_size=least, max_size=least + 2).map(tuple)


def none_or_several(items: SearchStrategy[Any]) -> SearchStrategy[tuple[Any, ...]]:
    """Draw none, or two and more."""
    return st.just(()) | some(items, 2)


dislodged_units = st.builds(DislodgedUnit, units, some(locations, 0))


def texts_as_tokens() -> SearchStrategy[Tokens]:
    """Draw strings as tokens."""
    return texts.map(text_tokens)


def any_tokens(longest: int = 40) -> SearchStrategy[Tokens]:
    """Draw tokens of all kinds, most of them words and brackets."""
    words = st.sampled_from([int(word) for word in Word])
    brackets = st.sampled_from([int(Word.BRA), int(Word.KET)])
    names = st.sampled_from([0x4100, 0x4101, 0x5000, 0x521C, 0x5531, 0x574A])
    token = brackets | words | names | st.integers(0, 0xFFFF)
    return st.lists(token, max_size=longest).map(tuple)


def balanced_tokens() -> SearchStrategy[Tokens]:
    """Draw tokens whose brackets match."""
    flat = any_tokens(5).map(
        lambda tokens: tuple(token for token in tokens if token not in (Word.BRA, Word.KET))
    )
    bracket, close = (int(Word.BRA),), (int(Word.KET),)
    return st.recursive(
        flat,
        lambda inner: st.tuples(flat, inner, flat).map(
            lambda three: three[0] + bracket + three[1] + close + three[2]
        ),
        max_leaves=4,
    )


ORDERS: Table = {
    o.Hold: st.builds(o.Hold, units),
    o.Move: st.builds(o.Move, units, locations),
    o.SupportHold: st.builds(o.SupportHold, units, units),
    o.SupportMove: st.builds(o.SupportMove, units, units, provinces),
    o.Convoy: st.builds(o.Convoy, units, units, provinces),
    o.MoveByConvoy: st.builds(o.MoveByConvoy, units, provinces, some(provinces)),
    o.Retreat: st.builds(o.Retreat, units, locations),
    o.Disband: st.builds(o.Disband, units),
    o.Build: st.builds(o.Build, units),
    o.Remove: st.builds(o.Remove, units),
    o.Waive: st.builds(o.Waive, powers),
}
orders = st.one_of(list(ORDERS.values()))


# --- press ----------------------------------------------------------------------------------------


@cache
def plain_table(level: int, depth: int) -> Table:
    """Arrangements that hold no other arrangement."""
    table: Table = {
        p.Peace: st.builds(p.Peace, some(powers)),
        p.Alliance: st.builds(p.Alliance, some(powers), some(powers)),
        p.Draw: st.builds(p.Draw, none_or_several(powers)),
        p.Solo: st.builds(p.Solo, powers),
    }
    if level >= 20:
        table[p.GiveOrder] = st.builds(p.GiveOrder, orders)
        table[p.Demilitarize] = st.builds(p.Demilitarize, some(powers), some(provinces))
    if level >= 40:
        shares = st.builds(p.CenterShare, st.none() | powers, some(centers))
        table[p.DivideCenters] = st.builds(p.DivideCenters, some(shares))
        placements = units | st.builds(p.AnyUnit, powers, provinces)
        table[p.Occupy] = st.builds(p.Occupy, some(placements))
    if level >= 110:
        table[p.OweFavor] = st.builds(p.OweFavor, powers, powers)
        table[p.ControlUnits] = st.builds(p.ControlUnits, powers, some(units))
    if level >= 120:
        table[p.ForwardPress] = st.builds(p.ForwardPress, some(powers), powers, powers)
        table[p.CopyPress] = st.builds(p.CopyPress, powers, some(powers), powers)
        if depth:
            table[p.SayTo] = st.builds(p.SayTo, powers, some(powers), press(level, depth - 1))
    return table


@cache
def undated_table(level: int, depth: int) -> Table:
    """Arrangements in which no FOR stands; below level 50 none has several parts."""
    table = dict(plain_table(level, depth))
    if depth:
        inner = st.one_of(list(undated_table(level, depth - 1).values()))
        table[p.Not] = st.builds(p.Not, inner)
        table[p.NoArrangement] = st.builds(p.NoArrangement, inner)
        if level >= 50:
            table |= _groups(inner)
    return table


@cache
def arrangement_table(level: int, depth: int) -> Table:
    """Arrangements that may stand inside others."""
    table = dict(plain_table(level, depth))
    if depth:
        inner = arrangements(level, depth - 1)
        table[p.Not] = st.builds(p.Not, inner)
        table[p.NoArrangement] = st.builds(p.NoArrangement, inner)
        if level >= 50:
            table |= _groups(inner)
        if level >= 90:
            undated = st.one_of(list(undated_table(level, depth - 1).values()))
            table[p.During] = st.builds(p.During, turns, st.none() | turns, undated)
    return table


def _groups(parts: SearchStrategy[Any]) -> Table:
    return {
        p.AllOf: st.builds(p.AllOf, some(parts, 2)),
        p.AnyOf: st.builds(p.AnyOf, some(parts, 2)),
        p.Choose: st.builds(p.Choose, integers, integers, some(parts, 2)),
    }


def arrangements(level: int, depth: int) -> SearchStrategy[p.Arrangement]:
    """Draw arrangements."""
    return st.one_of(list(arrangement_table(level, depth).values()))


def offers(level: int, depth: int) -> SearchStrategy[p.Arrangement]:
    """Draw what may be proposed: from level 30 also several parts."""
    simple = arrangements(level, depth)
    if level in (30, 40) and depth:
        groups = _groups(arrangements(level, depth - 1))
        return simple | groups[p.AllOf] | groups[p.AnyOf]
    return simple


@cache
def press_table(level: int, depth: int) -> Table:
    """All press of a level."""
    about: SearchStrategy[Any] = arrangements(level, depth)
    quoted = press(level, depth - 1) if depth else st.builds(p.Propose, st.builds(p.Draw))
    facts = about
    proposals = st.builds(p.Propose, offers(level, depth))
    table: Table = {
        p.Propose: proposals,
        p.Cancel: st.builds(p.Cancel, quoted),
        p.Understand: st.builds(p.Understand, some(st.sampled_from(TRY_WORDS), 0)),
        p.Accept: st.builds(p.Accept, quoted),
        p.Refuse: st.builds(p.Refuse, quoted),
        p.Decline: st.builds(p.Decline, quoted),
        p.NotUnderstood: st.builds(p.NotUnderstood, balanced_tokens()),
    }
    dont_know: list[SearchStrategy[Any]] = []
    if level >= 60:
        queries = st.builds(p.Query, about)
        answers = queries | st.builds(p.Not, queries) | st.builds(p.NoArrangement, queries)
        facts = about | answers
        table[p.Insist] = st.builds(p.Insist, about)
        table[p.Query] = queries
        table[p.Suggest] = st.builds(p.Suggest, about)
        table[p.Think] = st.builds(p.Think, facts)
        dont_know.append(queries)
    table[p.StateFact] = st.builds(p.StateFact, facts)
    if level >= 70:
        table[p.AskOrder] = st.builds(p.AskOrder, units)
        table[p.AskAttack] = st.builds(p.AskAttack, powers | provinces)
        dont_know += [table[p.AskOrder], table[p.AskAttack]]
    if level >= 80:
        table[p.DemandExplanation] = st.builds(p.DemandExplanation, turns, quoted)
        table[p.Sorry] = st.builds(p.Sorry, table[p.DemandExplanation])
        dont_know.append(table[p.DemandExplanation])
    if level >= 100:
        table[p.IfThen] = st.builds(p.IfThen, about, quoted, st.none() | quoted)
    if level >= 120:
        table[p.Forwarded] = st.builds(p.Forwarded, powers, some(powers), quoted)
    if level >= 130:
        said = [table[p.Insist], table[p.Suggest], proposals]
        opinions = [st.builds(p.Think, about), st.builds(p.StateFact, about)]
        table[p.Why] = st.builds(p.Why, st.one_of(said + opinions))
        table[p.PositionExplains] = st.builds(p.PositionExplains, table[p.Why])
        dont_know += said
    if dont_know:
        table[p.DontKnow] = st.builds(p.DontKnow, st.one_of(dont_know))
    if level >= 8000:
        table[p.FreeText] = st.builds(p.FreeText, texts)
    return table


def press(level: int, depth: int = DEEPEST) -> SearchStrategy[p.Press]:
    """Draw press; there is none at level 0."""
    return st.one_of(list(press_table(level, depth).values()))


# --- messages -------------------------------------------------------------------------------------


@cache
def client_table(level: int) -> Table:
    """All messages of clients at a level."""
    alone = [m.AskMap, m.AskMapDefinition, m.AskHello, m.AskNow, m.AskOwnership, m.AskOrders]
    alone += [m.AskMissing, m.AskTime, m.AskSummary, m.Go, m.CancelGo, m.Ping]
    drawn = none_or_several(powers) if level >= 10 else st.just(())
    table: Table = {each: st.builds(each) for each in alone} | {
        m.Name: st.builds(m.Name, texts, texts),
        m.Observe: st.builds(m.Observe) | st.builds(m.Observe, texts, texts),
        m.IAm: st.builds(m.IAm, powers, integers),
        m.AskHistory: st.builds(m.AskHistory, st.none() | turns),
        m.SubmitOrders: st.builds(m.SubmitOrders, some(orders), st.none() | turns),
        m.CancelOrders: st.builds(m.CancelOrders, st.none() | orders),
        m.RequestDraw: st.builds(m.RequestDraw, drawn),
        m.CancelDraw: st.builds(m.CancelDraw, drawn),
        m.RequestTime: st.builds(m.RequestTime, integers),
        m.CancelTime: st.builds(m.CancelTime, st.none() | integers),
        m.Admin: st.builds(m.Admin, texts, texts),
        m.AcceptMap: st.builds(m.AcceptMap, texts),
        m.RefuseMap: st.builds(m.RefuseMap, texts),
        m.Saved: st.builds(m.Saved, texts, done=st.booleans()),
        m.Loaded: st.builds(m.Loaded, texts, done=st.booleans()),
        m.AskGames: st.builds(m.AskGames, st.none() | texts),
        m.SelectGame: st.builds(m.SelectGame, st.none() | texts),
        m.Huh: st.builds(m.Huh, balanced_tokens()),
        m.Prn: st.builds(m.Prn, any_tokens()),
    }
    if level >= 10:
        table[m.SendPress] = sent_press(level)
    return table


def sent_press(level: int) -> SearchStrategy[m.SendPress]:
    """Draw press with its recipients."""
    in_turn = st.builds(m.SendPress, some(powers), press(level), st.none() | turns)
    numbered = st.builds(m.SendPress, some(powers), press(level), number=st.integers(-8192, 8191))
    return in_turn | numbered


def client_messages(level: int) -> SearchStrategy[m.ClientMessage]:
    """Draw messages of clients, most often the larger ones."""
    table = client_table(level)
    often = [table[m.SendPress]] * 8 if level >= 10 else []
    return st.one_of([*often, *table.values()])


@cache
def server_table(level: int) -> Table:
    """All messages of servers at a level."""
    echoed = st.one_of(
        [each for name, each in client_table(level).items() if name not in (m.Huh, m.Prn)]
    )
    homes = st.builds(m.HomeCenters, some(powers, 0), some(centers))
    to = some(locations, 0)
    borders = st.one_of(
        st.builds(m.Borders, st.sampled_from(UnitKind), st.none(), to),
        st.builds(m.Borders, st.just(UnitKind.FLEET), st.sampled_from(Coast), to),
    )
    players = st.builds(m.PlayerSummary, powers, texts, texts, integers, st.none() | integers)
    owned = st.builds(m.OwnedCenters, st.none() | powers, some(centers, 0))
    statuses = st.sampled_from(m.GameStatus)
    results = st.sampled_from([*OrderResult, *OrderNote])
    table: Table = {
        m.Yes: st.builds(m.Yes, echoed),
        m.Rej: st.builds(m.Rej, echoed),
        m.MapName: st.builds(m.MapName, texts),
        m.MapDefinition: st.builds(
            m.MapDefinition,
            some(powers),
            some(homes),
            some(provinces),
            some(st.builds(m.ProvinceBorders, provinces, some(borders))),
        ),
        m.Hello: st.builds(m.Hello, st.none() | powers, integers, some(options(level))),
        m.Ownership: st.builds(m.Ownership, some(owned)),
        m.Now: st.builds(m.Now, turns, some(units | dislodged_units, 0)),
        m.OrderAnswer: st.builds(m.OrderAnswer, orders, st.sampled_from(OrderNote)),
        m.Missing: st.builds(m.Missing, some(units, 0) | some(dislodged_units))
        | st.builds(m.Missing, st.just(()), integers),
        m.OrderOutcome: st.builds(m.OrderOutcome, turns, orders, results, st.booleans())
        | st.builds(partial(m.OrderOutcome, dislodged=True), turns, orders, st.none()),
        m.TimeLeft: st.builds(m.TimeLeft, integers),
        m.TimerStopped: st.builds(m.TimerStopped, integers),
        m.CivilDisorder: st.builds(m.CivilDisorder, powers, st.none() | turns),
        m.BackInOrder: st.builds(m.BackInOrder, powers),
        m.SaveGame: st.builds(m.SaveGame, texts),
        m.LoadGame: st.builds(m.LoadGame, texts),
        m.TurnOff: st.builds(m.TurnOff),
        m.SoloDeclared: st.builds(m.SoloDeclared, powers),
        m.DrawDeclared: st.builds(
            m.DrawDeclared, none_or_several(powers) if level >= 10 else st.just(())
        ),
        m.Summary: st.builds(m.Summary, turns, some(players)),
        m.GameListed: st.builds(
            m.GameListed, texts, integers, statuses, texts, some(options(level))
        ),
        m.SelectGame: st.builds(m.SelectGame, texts),
        m.Admin: st.builds(m.Admin, texts, texts),
        m.Huh: st.builds(m.Huh, balanced_tokens()),
        m.Prn: st.builds(m.Prn, any_tokens()),
    }
    if level >= 10:
        undelivered = sent_press(level)
        table[m.CivilDisorder] |= st.builds(m.CivilDisorder, powers, undelivered=undelivered)
        table[m.Eliminated] = st.builds(m.Eliminated, powers, st.none() | undelivered)
        table[m.PressReceived] = st.builds(m.PressReceived, powers, some(powers), press(level))
    return table


def options(level: int) -> SearchStrategy[m.VariantOption]:
    """Draw options of HLO."""
    alone, numbered = ["DSD", "AOA"], ["LVL", "MTL", "RTL", "BTL"]
    if level >= 10:
        alone += ["PDA", "NPR", "NPB"]
        numbered += ["PTL"]
    return st.builds(m.VariantOption, st.sampled_from(alone)) | st.builds(
        m.VariantOption, st.sampled_from(numbered), integers
    )


def server_messages(level: int) -> SearchStrategy[m.ServerMessage]:
    """Draw messages of servers."""
    return st.one_of(list(server_table(level).values()))
