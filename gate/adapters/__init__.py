"""The only folder that touches the world."""
