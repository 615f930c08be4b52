"""Stage 5: an accepted result is promoted, read back, and compared."""
