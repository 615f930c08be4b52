"""Stage 3: one table, one file a scorer; a case and its answer become a score."""
