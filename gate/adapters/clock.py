"""What day it is."""

from __future__ import annotations

from datetime import UTC, datetime


def today() -> str:
    """Give the day, in UTC, as ``YYYY-MM-DD``."""
    return datetime.now(UTC).date().isoformat()
