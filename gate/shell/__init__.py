"""Gather text, let the pure core decide, hand back what follows."""
