"""Arithmetic on many cases: intervals, resampling, agreement; pure, seeded, exact."""
