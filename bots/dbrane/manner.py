"""What our D-Brane does beyond the published steps; each can be left out."""

from attrs import frozen


@frozen(kw_only=True)
class Manner:
    """How plans are chosen, and what becomes of the units that no plan needs."""

    prices: bool = True
    """Whether of equally many centers the more valuable ones are secured, as DumbBot sees them."""
    looks_ahead: bool = True
    """Whether a spring serves to prepare the fall: then nobody stands guard in it, and plans that
    are outnumbered are left.
    """
    walks: bool = True
    """Whether free units gather in spring and walk to better places, as DumbBot sees them.

    Otherwise the closest ones march to where units are missing, and the others stay and support.
    """


VARIANTS = {
    "ours": Manner(),
    # The published steps, which know no other value than the number of centers.
    "paper": Manner(prices=False, looks_ahead=False, walks=False),
}
