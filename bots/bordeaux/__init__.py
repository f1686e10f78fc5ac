"""The Bordeaux Diplomat: seven searches that answer each other, and a talker above them."""
