"""GitHub: one line to it, and the few operations a run needs."""
