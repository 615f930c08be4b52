"""Arithmetic on many cases: intervals, tests, power, agreement; pure, and the same every time."""
