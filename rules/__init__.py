"""The game of Diplomacy: map, positions, orders and their adjudication.

Knows nothing of sockets, clocks or messages.
"""
