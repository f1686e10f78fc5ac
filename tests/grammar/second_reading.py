"""A second reading of the language: the rules as the syntax documents write them, tried one by one.

It shares nothing with `grammar/` but the numbers of the tokens, and is slow: every way to read a
message is followed. A number before an alternative is the lowest press level that allows it, `x+`
is one or more, `x*` none or more, and `never` no token at all: it marks where the reference server
puts ERR inside a bracket that a higher level would fill. HUH is no part of what is `spoken`, since
it is never answered.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from attrs import Factory, define, frozen

from grammar.representation import standard_representation
from grammar.tokens import Word

RULES = """
order     = ( unit ) HLD | ( unit ) MTO location | ( unit ) SUP ( unit )
          | ( unit ) SUP ( unit ) MTO province | ( unit ) CVY ( unit ) CTO province
          | ( unit ) CTO province VIA ( province+ ) | ( unit ) RTO location | ( unit ) DSB
          | ( unit ) BLD | ( unit ) REM | power WVE
unit      = power AMY location | power FLT location
location  = province | ( province coast )
turn      = season number
retreat   = unit MRT ( location* )
several   = power power+
b_order   = ( order )
b_unit    = ( unit )
b_retreat = ( retreat )

client    = spoken | HUH ( any )
spoken    = NME ( text+ ) ( text+ ) | OBS | OBS ( text+ ) ( text+ ) | IAM ( power ) ( number )
          | MAP | MDF | HLO | NOW | SCO | ORD | MIS | GOF | TME | SMR | HST | HST ( turn )
          | TME ( number ) | DRW | DRW ( never | 10 DRW ( several )
          | SUB b_order+ | SUB ( turn ) b_order+ | NOT ( revocable )
          | 10 unsent
          | ADM ( text+ ) ( text+ ) | YES ( request ) | REJ ( request )
          | LST | LST ( text+ ) | SEL | SEL ( text+ ) | PNG
revocable = SUB | SUB b_order | GOF | TME | TME ( number ) | DRW | DRW ( never | 10 DRW ( several )
request   = MAP ( text+ ) | SVE ( text+ ) | LOD ( text+ )

server    = YES ( spoken ) | REJ ( spoken ) | MAP ( text+ ) | HUH ( any )
          | MDF ( power+ ) ( ( homes+ ) ( province* ) ) ( borders+ )
          | HLO ( owner ) ( number ) ( option+ ) | SCO holding+ | NOW ( turn ) standing*
          | THX ( order ) ( note ) | MIS | MIS b_unit+ | MIS b_retreat+ | MIS ( number )
          | ORD ( turn ) ( order ) ( outcome ) | TME ( number ) | NOT ( TME ( number ) )
          | CCD ( power ) | CCD ( power ) ( turn ) | NOT ( CCD ( power ) )
          | SVE ( text+ ) | LOD ( text+ ) | OFF | ADM ( text+ ) ( text+ ) | SLO ( power )
          | DRW | 10 DRW ( several ) | SMR ( turn ) summary+ | SEL ( text+ )
          | 10 OUT ( power ) | 10 OUT ( power ) ( unsent ) | 10 CCD ( power ) ( unsent )
          | 10 FRM ( power ) ( power+ ) ( press )
          | LST ( text+ ) ( number status ) ( text+ ) ( option+ )
unsent    = SND ( power+ ) ( press ) | SND ( turn ) ( power+ ) ( press )
          | SND ( number ) ( power+ ) ( press )
owner     = power | UNO
homes     = ( owner center* ) | ( ( several ) center* )
borders   = ( province reach+ )
reach     = ( AMY location* ) | ( FLT location* ) | ( ( FLT coast ) location* )
holding   = ( owner center* )
standing  = ( unit ) | ( retreat )
option    = ( LVL number ) | ( MTL number ) | ( RTL number ) | ( BTL number ) | ( DSD ) | ( AOA )
          | 10 ( PDA ) | 10 ( NPR ) | 10 ( NPB ) | 10 ( PTL number )
outcome   = result | result RET | RET | note | note RET
summary   = ( power ( text+ ) ( text+ ) number ) | ( power ( text+ ) ( text+ ) number number )
status    = NME | OBS | IAM | TME | DSD | SLO | DRW | OFF

press     = 10 PRP ( arr ) | 30 PRP ( multi ) | 10 FCT ( arr ) | 10 CCL ( press )
          | 10 TRY ( listed* ) | 10 YES ( press ) | 10 REJ ( press ) | 10 BWX ( press )
          | 10 HUH ( any ) | 60 INS ( arr ) | 60 QRY ( arr ) | 60 SUG ( arr ) | 60 THK ( arr )
          | 60 THK ( answer ) | 60 FCT ( answer ) | 60 IDK ( query ) | 70 asking
          | 70 IDK ( asking ) | 80 accusing | 80 IDK ( accusing ) | 80 SRY ( accusing )
          | 100 IFF ( arr ) THN ( press ) | 100 IFF ( arr ) THN ( press ) ELS ( press )
          | 120 FRM ( power ) ( power+ ) ( press ) | 130 WHY ( said ) | 130 POB ( WHY ( said ) )
          | 130 IDK ( PRP ( arr ) ) | 130 IDK ( PRP ( multi ) ) | 130 IDK ( INS ( arr ) )
          | 130 IDK ( SUG ( arr ) ) | 8000 text+
query     = QRY ( arr )
answer    = query | NOT ( query ) | NAR ( query )
asking    = WHT ( unit ) | HOW ( province ) | HOW ( power )
accusing  = EXP ( turn ) ( press )
said      = THK ( arr ) | FCT ( arr ) | SUG ( arr ) | PRP ( arr ) | PRP ( multi ) | INS ( arr )
arr       = plain | NOT ( arr ) | NAR ( arr ) | 50 multi | 50 CHO ( number number ) b_arr b_arr+
          | 90 FOR ( turn ) ( timeless ) | 90 FOR ( ( turn ) ( turn ) ) ( timeless )
multi     = 30 AND b_arr b_arr+ | 30 ORR b_arr b_arr+
b_arr     = ( arr )
timeless  = plain | NOT ( timeless ) | NAR ( timeless ) | AND b_timeless b_timeless+
          | ORR b_timeless b_timeless+ | CHO ( number number ) b_timeless b_timeless+
b_timeless = ( timeless )
plain     = PCE ( power+ ) | ALY ( power+ ) VSS ( power+ ) | DRW | DRW ( never | drawn
          | SLO ( power ) | 20 XDO ( order ) | 20 DMZ ( power+ ) ( province+ ) | 40 SCD share+
          | 40 OCC placed+ | 110 XOY ( power ) ( power ) | 110 YDO ( power ) b_unit+
          | 120 SND ( power ) ( power+ ) ( press ) | 120 FWD ( power+ ) ( power ) ( power )
          | 120 BCC ( power ) ( power+ ) ( power )
share     = ( owner center+ )
placed    = ( unit ) | ( power UNT province )
"""
PARTIAL_DRAWS = "drawn = DRW ( several )"
NO_PARTIAL_DRAWS = "drawn = never"
STARTS = ("client", "server", "press", "order")

_NAMES = standard_representation()
_LISTED_COMMANDS = {Word.DRW, Word.SLO, Word.NOT, Word.YES, Word.REJ, Word.FRM, Word.SND}
CATEGORIES: dict[str, Sequence[int]] = {
    "power": tuple(_NAMES.powers),
    "province": tuple(_NAMES.provinces),
    "center": tuple(token for token in _NAMES.provinces if token >> 8 & 1),
    "season": tuple(map(int, (Word.SPR, Word.SUM, Word.FAL, Word.AUT, Word.WIN))),
    "coast": tuple(range(0x4600, 0x4610, 2)),
    "number": range(0x4000),
    "text": range(0x4B00, 0x4C00),
    "note": tuple(t for t in range(0x4400, 0x4414) if t not in (Word.BPR, Word.NST)),
    "result": tuple(range(0x4500, 0x4506)),
    "listed": (*range(0x4A00, 0x4B00), *map(int, _LISTED_COMMANDS)),
    "never": (),
}
_OPEN, _CLOSE = int(Word.BRA), int(Word.KET)


@frozen
class Part:
    """A symbol of a rule, once (empty), `+` or `*`."""

    name: str
    times: str = ""


@frozen
class Choice:
    """One way to write something, and the lowest level that allows it."""

    rule: str
    level: int
    parts: tuple[Part, ...]


@cache
def rules(*, partial_draws: bool) -> dict[str, list[Choice]]:
    """Return the rules by name."""
    text = RULES + (PARTIAL_DRAWS if partial_draws else NO_PARTIAL_DRAWS)
    found: dict[str, list[Choice]] = {}
    for rule in re.split(r"\n(?=\w+ +=)", text.strip()):
        name, _, right = rule.partition("=")
        found[name.strip()] = [_choice(name.strip(), each) for each in right.split("|")]
    return found


def _choice(rule: str, text: str) -> Choice:
    words = text.split()
    level = int(words.pop(0)) if words[0].isdigit() else 0
    parts = [Part(word.rstrip("+*"), word[len(word.rstrip("+*")) :]) for word in words]
    return Choice(rule, level, tuple(parts))


@define
class Reading:
    """One message that is being read at one level: what follows from where, and how far it goes."""

    tokens: Sequence[int]
    level: int
    rules: dict[str, list[Choice]]
    furthest: int = 0
    known: dict[tuple[str, int], frozenset[int]] = Factory(dict)

    def ends(self, name: str, start: int) -> frozenset[int]:
        """Return where a symbol may end that begins here."""
        if name not in self.rules and name != "any":
            return self._terminal(name, start)
        if (name, start) not in self.known:
            self.known[name, start] = frozenset(
                self._any(start) if name == "any" else self._choices(name, start)
            )
        return self.known[name, start]

    def _choices(self, name: str, start: int) -> Iterator[int]:
        for choice in self.rules[name]:
            if choice.level <= self.level:
                places = {start}
                for part in choice.parts:
                    places = self._after(part, places)
                yield from places

    def _after(self, part: Part, starts: set[int]) -> set[int]:
        once = {end for start in starts for end in self.ends(part.name, start)}
        if not part.times:
            return once
        reached, new = set(starts if part.times == "*" else ()), once
        while new - reached:
            fresh = new - reached
            reached |= fresh
            new = {end for start in fresh for end in self.ends(part.name, start)}
        return reached

    def _terminal(self, name: str, start: int) -> frozenset[int]:
        self.furthest = max(self.furthest, start)
        if start >= len(self.tokens):
            return frozenset()
        token = self.tokens[start]
        return frozenset({start + 1}) if token in terminal(name) else frozenset()

    def _any(self, start: int) -> Iterator[int]:
        """Give the end of each sequence with matching brackets; here only the longest is of use."""
        depth, place = 0, start
        while place < len(self.tokens) and depth >= 0:
            if depth == 0:
                yield place
            depth += (self.tokens[place] == _OPEN) - (self.tokens[place] == _CLOSE)
            place += 1


@cache
def terminal(name: str) -> Sequence[int]:
    """Return the tokens that a terminal stands for."""
    if name in ("(", ")"):
        return (_OPEN if name == "(" else _CLOSE,)
    found = CATEGORIES[name] if name in CATEGORIES else (int(Word[name]),)
    return found if isinstance(found, range) else tuple(found)


def read(
    tokens: Sequence[int], start: str, level: int, *, partial_draws: bool = True
) -> int | str | None:
    """Return None for a good message, PRN, or the place of the first token that is wrong."""
    depth = 0
    for token in tokens:
        depth += (token == _OPEN) - (token == _CLOSE)
        if depth < 0:
            break
    if depth:
        return "PRN"
    reading = Reading(tokens, level, rules(partial_draws=partial_draws))
    ends = reading.ends(start, 0)
    if len(tokens) in ends:
        return None
    return max(reading.furthest, *ends) if ends else reading.furthest
