"""Players for DAIDE games: the framework, and the bots we ship."""
