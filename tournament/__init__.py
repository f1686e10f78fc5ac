"""Tournaments: many games by a plan, and numbers with error bars out of them."""
