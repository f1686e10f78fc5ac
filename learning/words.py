"""Press as numbers: the few arrangements that a learning program can say to another power.

0 is silence, 1 accepts and 2 refuses what the other one proposed in the turn before, 3 proposes
peace, 4 + n an alliance against power n. They are arrangements of level 10, as bots on the wire
exchange them.
"""

import numpy as np
from numpy.typing import NDArray

from grammar.press import Accept, Alliance, Peace, Press, Propose, Refuse
from rules.places import Power

SILENCE, ACCEPT, REFUSE, PEACE, ALLIANCE = range(5)


def vocabulary(powers: int) -> int:
    """Return how many words there are."""
    return ALLIANCE + powers


def sayable(sender: int, heard: NDArray[np.int8], alive: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return what a power may say: a row for each power it speaks to, a column for each word.

    `heard` holds what each of them said to it in the turn before.
    """
    powers = len(alive)
    mask = np.zeros((powers, vocabulary(powers)), dtype=np.int8)
    mask[:, SILENCE] = 1
    for receiver in range(powers):
        if receiver == sender or not alive[receiver] or not alive[sender]:
            continue
        mask[receiver, (ACCEPT, REFUSE)] = heard[receiver] >= PEACE
        mask[receiver, PEACE] = 1
        for enemy in range(powers):
            is_other = enemy not in (sender, receiver)
            mask[receiver, ALLIANCE + enemy] = is_other and alive[enemy]
    return mask


def as_press(word: int, heard: int, sender: Power, receiver: Power, powers: list[Power]) -> Press:
    """Return what a word stands for; `heard` is what it may answer. Silence is no press."""
    pair = tuple(sorted((sender, receiver), key=powers.index))
    if word == PEACE:
        return Propose(Peace(pair))
    if word >= ALLIANCE:
        return Propose(Alliance(pair, (powers[word - ALLIANCE],)))
    if word in (ACCEPT, REFUSE) and heard >= PEACE:
        proposal = as_press(heard, SILENCE, receiver, sender, powers)
        return Accept(proposal) if word == ACCEPT else Refuse(proposal)
    raise ValueError(f"no press: {word}")
