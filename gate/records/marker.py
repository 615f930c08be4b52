"""How a comment of ours begins."""

from typing import Final

MARKER: Final = "<!-- agent-eval-gate -->"
"""Byte 0 of every report in Markdown: how a comment of ours is found again."""
