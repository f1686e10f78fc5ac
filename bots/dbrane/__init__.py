"""D-Brane's strategic module: battle plans that no single opponent can stop, found by search."""
