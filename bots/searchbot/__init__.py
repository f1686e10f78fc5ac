"""SearchBot and BRBot: search among the order sets of all powers at once."""
