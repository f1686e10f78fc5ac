"""How long a test waits for what must happen: so long that only what never happens fails."""

PATIENCE = 100.0
"""Seconds; busy machines are slow, and none is so slow."""
