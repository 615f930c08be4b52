"""Stage 7: one report, one file a format; the only place that rounds or escapes."""
