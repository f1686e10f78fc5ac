"""Everything for eyes: games played and followed on a terminal."""
