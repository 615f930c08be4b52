"""Stage 6: one table, one file a gate; rows and baseline become verdicts."""
