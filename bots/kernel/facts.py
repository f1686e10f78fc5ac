"""The numbers of the facts that a network knows of a position. See `network`."""

MOST_HIDDEN = 1024
"""So many numbers may stand between the facts and a judgement."""
UNIT = 1024
"""A weight of 1 as a whole number."""
SIZES = 19
"""Numbers of centers that are told apart: 0 to 17, and as many as win."""
SEASONS = 3
"""Before spring, before fall, before adjustments."""
REACH = 4
"""How many units bear on a center: none, one, two, more."""
STANDING = 3
"""In a center stands nobody, a unit of one's own, a unit of another."""
CENTER_MARKS = 3 * REACH * REACH * STANDING
SURPLUSES = 5
"""Units beyond centers, from -2 to 2."""
MARKS = CENTER_MARKS + SIZES + SURPLUSES
