"""One game staged from a line-up."""
