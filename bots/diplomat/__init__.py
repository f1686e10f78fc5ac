"""Diplomat: clusters of units with plans of their own, and a market of IOUs above them."""
