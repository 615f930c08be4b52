"""The event that started a run, as the runner wrote it down."""

from __future__ import annotations

import os
from typing import Any, Final

from gate.adapters.files import Disk
from gate.errors import UsageInvalid

MAX_EVENT: Final = 25 * 1024 * 1024
"""Bytes of an event's payload: the host sends no larger one."""


def payload() -> Any:  # noqa: ANN401 - any JSON, and who reads it says what it is not
    """Give what happened; ``None`` where nobody says. Raises ``UsageInvalid`` for no JSON."""
    import json

    path = os.environ.get("GITHUB_EVENT_PATH")
    if not path:
        return None
    try:
        return json.loads(Disk().read(path, limit=MAX_EVENT))
    except (ValueError, RecursionError):
        raise UsageInvalid(
            "GITHUB_EVENT_PATH: is no JSON", hint="see what the runner wrote"
        ) from None
