"""The probable player: orders by how likely they succeed, for all powers in turn."""
