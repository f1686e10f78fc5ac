"""The searching players `mcts` and `montecarlo`, and what they share: position, clock, order sets."""
