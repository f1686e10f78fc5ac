"""Who plays which power: the list that `daide play --bots` takes.

`dumbbot*6,randombot` names seven players, `FRA=dumbbot` pins a power. Raises BadInputError.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain, cycle, islice
from random import Random

from rules.errors import BadInputError
from rules.kernel import IS_COMPILED
from rules.places import Power

MIX = ("banker", "diplominator", "blabbot", "dumbbot")
STAR = "talleyrand/iterations=60"
"""By iterations, so that a game can be repeated."""
_ITEM = re.compile(r"(?:(?P<power>\w{3})=)?(?P<bot>[^*,=][^*,]*)(?:\*(?P<count>\d+))?")


def default_lineup(powers: int) -> str:
    """Return who plays when nobody says: negotiators of each kind, and a bot that does not talk.

    The one that searches plays where the kernel is compiled: on the plain one its turns take long.
    """
    return ",".join(islice(chain([STAR] * IS_COMPILED, cycle(MIX)), powers))


def read_lineup(text: str, powers: Sequence[Power], seed: int) -> dict[Power, str]:
    """Give every power a bot: pinned ones first, the others by lot."""
    pinned: dict[Power, str] = {}
    others: list[str] = []
    given = 0
    for item in filter(None, (piece.strip() for piece in text.split(","))):
        power, bot, count = _read_item(item, powers)
        given += count
        if power is None:
            # One too many is as wrong as a billion, and takes less room.
            others += [bot] * min(count, len(powers) + 1)
        elif power in pinned:
            raise BadInputError(f"--bots: {power} is given to two bots")
        else:
            pinned[power] = bot
    free = [power for power in powers if power not in pinned]
    if len(free) != len(others):
        raise BadInputError(
            f"--bots: {given} bots for {len(powers)} powers; "
            "write `name*count` to use a bot several times"
        )
    Random(seed).shuffle(others)  # noqa: S311 - a draw of lots, no secret
    chosen = pinned | dict(zip(free, others, strict=True))
    return {power: chosen[power] for power in powers}


def _read_item(item: str, powers: Sequence[Power]) -> tuple[Power | None, str, int]:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise BadInputError(f"--bots: cannot read {item!r}; write name, name*count or FRA=name")
    count = int(match["count"] or 1)
    if match["power"] is None:
        return None, match["bot"], count
    by_name: Mapping[str, Power] = {power.name: power for power in powers}
    power = by_name.get(match["power"].upper())
    if power is None:
        raise BadInputError(f"--bots: no such power: {match['power']!r}")
    if count != 1:
        raise BadInputError(f"--bots: {item!r} gives one power to {count} bots")
    return power, match["bot"], 1
