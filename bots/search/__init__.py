"""The searching players `mcts` and `montecarlo`, and their position, clock and order sets."""
