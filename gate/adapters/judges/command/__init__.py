"""A program of the user's as the judge."""
