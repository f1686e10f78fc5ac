"""The game host: seats, turns, deadlines and press of DAIDE games."""
