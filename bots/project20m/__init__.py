"""Project20M: DumbBot's values, and units that work together."""
