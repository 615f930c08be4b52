"""Arithmetic on one case: pure functions from texts and lists to a score in [0, 1]."""
