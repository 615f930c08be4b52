"""Stage 8: what should happen to the world, as values."""
