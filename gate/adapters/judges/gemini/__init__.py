"""Gemini, by Google's own SDK."""
