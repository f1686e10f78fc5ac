"""The numbers of the ways to value places, and of the policies that play positions on."""

# Ways to value. See `values`.
DUMBBOT = 0
WEAKEST = 1
STYLES = 2

# Which order sets a tree search lists. See `actions`.
CHAINED = 0  # by the order rules of the paper
FITTED = 1  # by ours: supports fit, and no two units go to the same province

# How a power plays in movement turns. In all other turns everybody goes by DumbBot's values.
ANY_ORDERS = 0  # any legal order
GRAB_OR_HOLD = 1  # to a center next to the unit, else hold
GRAB_OR_ANY = 2  # to a center next to the unit, else any legal order
SCRAMBLE = 3  # to a center, or support there, else a random move
FAR_SCRAMBLE = 4  # the same, and without a center next to it toward one two steps away
WORTHIEST = 5  # to the place with the highest weight, supporting where two want the same
RANDOMBOT = 6  # any place next to the unit, or stay and support
BY_VALUES = 7  # DumbBot's planning
WORTHIEST_LINKS = 8  # the worthiest order set of the papers' order rules
POLICIES = 9

# Who says what a position is worth. See `subgame`.
BY_CENTERS = 0  # the squares of the centers owned
BY_PROJECTION = 1  # a center in which another power stands is divided
BY_NETWORK = 2  # what was learned

WHOLE = 1000
"""A wish that is neither friendly nor hostile."""
FRIENDLY = 500
"""Who is wished for less than that is let alone by the simpler policies."""

PLACE_BITS = 10
PLACES = 1 << PLACE_BITS
"""More than any mover has steps: all movers together have no more in an order's code."""

TOGETHER = 4
"""So many numbers are worked on in one step of a loop."""
SIEVE = 67
"""What powers of two up to the 65th leave when divided by it differs, and is never 0."""
MOST_BEARERS = 60
"""Powers of a lower rank, which no map has, share a bit."""

MOST_HEATS = 64
COLDEST, HOTTEST = 0.01, 100.0
"""The temperatures at which a policy that was learned draws orders."""
