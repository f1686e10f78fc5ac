"""Pattern weights: a player that learns by self-play which features of orders lead to success."""
