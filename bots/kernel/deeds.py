"""The numbers of what units may do, and of the facts by which a policy judges it. See `choices`."""

# What an option does. A move by convoy and the convoy itself are one thing.
STAY = 0
GO = 1
BACK_STAY = 2
BACK_GO = 3
CARRY = 4
DEEDS = 5

MOST_OPTIONS = 4096
STATIC = 7
"""Facts of an option that hold whatever the other units do."""
BEARING = 4
"""How many units bear on a province: none, one, two, more."""
RELATIONS = 4
"""Whose center it is: no center, ours, another power's, nobody's."""
OCCUPANTS = 3
"""In it stands nobody, a unit of ours, one of theirs."""
GOALS = DEEDS * 2 * RELATIONS * OCCUPANTS * BEARING * BEARING
SOURCES = DEEDS * 2 * RELATIONS * BEARING * BEARING
RANKS = 8
STEPS = 6
"""How the value of a place compares to the best that the unit has, in so many steps."""
RANKED = DEEDS * 2 * RANKS * STEPS
OWN_SIZES = 4
THEIR_SIZES = 5
SIZED = DEEDS * OWN_SIZES * THEIR_SIZES
STAGES = 3
COUNTS = 3
TAILS = 2 * BEARING
PLANNED = DEEDS * STAGES * COUNTS * TAILS
"""Facts of an option and what our other units do there."""
HERE = DEEDS * 2 * COUNTS
"""Facts of an option and what our other units do where the unit is."""
SHARED = GOALS + SOURCES + RANKED + SIZED + PLANNED + HERE
"""Facts that are the same for all powers and places."""
