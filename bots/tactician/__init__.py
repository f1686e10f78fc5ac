"""The tactician: it foresees what the others may order, and answers best."""
