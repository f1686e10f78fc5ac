"""The Diplominator: peace with whom it pays, and a memory for hostility."""
