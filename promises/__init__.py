"""Who promised what to whom in press, and whether the orders that followed kept it."""
