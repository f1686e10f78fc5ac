"""Talleyrand: the searching player that talks."""
