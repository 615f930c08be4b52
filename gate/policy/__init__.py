"""Stage 0: a TOML text and the command's options become one effective policy."""
