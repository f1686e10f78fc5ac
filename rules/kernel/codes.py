"""The numbers that the kernel speaks, and how an order is packed into one integer.

An order code is a signed 64-bit integer, low bits first: 4 bits kind, 10 bits mover, 10 bits target
location, then either 10 bits for the mover that is supported or convoyed, or 38 bits for a convoy's
path (see `State.pack_path`). A *mover* is a unit without its power: the province's index for an
army, the number of provinces plus the location's index for a fleet. A waive has its power's index
in place of the mover. Codes are the same in every process, plain or compiled.
"""

HOLD = 0
MOVE = 1
SUPPORT_HOLD = 2
SUPPORT_MOVE = 3
CONVOY = 4
MOVE_BY_CONVOY = 5
RETREAT = 6
DISBAND = 7
BUILD = 8
REMOVE = 9
WAIVE = 10
KINDS = 11

KIND_BITS = 15
FIELD_BITS = 1023
MOVER_SHIFT = 4
TARGET_SHIFT = 14
OTHER_SHIFT = 24
LARGEST_PATH = 1 << 38
MOST_BITS = 60  # of a mask in one integer

# What a path has instead of a number.
PATH_TOO_LONG = -1
PATH_BROKEN = -2

# Seasons, in order of play.
SPRING = 0
SUMMER = 1
FALL = 2
AUTUMN = 3
WINTER = 4

# Three states of a decision.
OPEN = 0
YES = 1
NO = 2

# Notes: whether an order may be tried.
FINE = 0
NOT_ADJACENT = 1
NO_SUCH_UNIT = 2
NOT_AT_SEA = 3
NO_SUCH_FLEET = 4
NO_SUCH_ARMY = 5

# Results. A unit that holds or convoys and is dislodged has none.
NONE = 0
SUCCEEDED = 1
BOUNCED = 2
CUT = 3
DISRUPTED = 4
NO_SUCH_ORDER = 5


def pack(kind: int, mover: int, target: int = 0, other: int = 0) -> int:
    """Return the code of an order; `other` may also be a packed path."""
    return kind | mover << MOVER_SHIFT | target << TARGET_SHIFT | other << OTHER_SHIFT


def kind_of(code: int) -> int:
    """Return the kind of order."""
    return code & KIND_BITS


def mover_of(code: int) -> int:
    """Return the mover that is ordered."""
    return code >> MOVER_SHIFT & FIELD_BITS


def target_of(code: int) -> int:
    """Return the location where the order is aimed."""
    return code >> TARGET_SHIFT & FIELD_BITS


def other_of(code: int) -> int:
    """Return the mover that is supported or convoyed."""
    return code >> OTHER_SHIFT & FIELD_BITS


def path_of(code: int) -> int:
    """Return the packed path of a move by convoy."""
    return code >> OTHER_SHIFT
