"""Stage 1: text becomes cases and predictions, and every case meets its answers or none."""
