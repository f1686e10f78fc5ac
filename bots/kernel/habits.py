"""The numbers of the ways to value places, and of the policies that play positions on."""

# Ways to value. See `values`.
DUMBBOT = 0
WEAKEST = 1
STYLES = 2

# How a power plays in movement turns. In all other turns everybody goes by DumbBot's values.
ANY_ORDERS = 0  # any legal order
GRAB_OR_HOLD = 1  # to a center next to the unit, else hold
GRAB_OR_ANY = 2  # to a center next to the unit, else any legal order
SCRAMBLE = 3  # to a center, or support there, else a random move
FAR_SCRAMBLE = 4  # the same, and without a center next to it toward one two steps away
WORTHIEST = 5  # to the place with the highest weight, supporting where two want the same
RANDOMBOT = 6  # any place next to the unit, or stay and support
BY_VALUES = 7  # DumbBot's planning
POLICIES = 8

WHOLE = 1000
"""A wish that is neither friendly nor hostile."""
