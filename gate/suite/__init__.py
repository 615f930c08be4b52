"""Stage 4: rows in canonical order become a suite: repeats, slices, intervals."""
