"""Posts the comment of a run, last of all: whatever becomes of it changes no verdict."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from gate.adapters.environ import from_environ
from gate.adapters.files import Disk
from gate.cli.console import note
from gate.errors import GateError, HostFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.publish.posting import Posted

MAX_EVENT: Final = 25 * 1024 * 1024
"""Bytes of an event's payload: the host sends no larger one."""


def comment(body: Callable[[], str]) -> str:
    """Post what ``body`` gives, where the action's inputs ask for it; give the comment's address.

    Nothing is raised: that it was not posted is said on standard error, with why.
    """
    here = from_environ(os.environ)
    if here.comment == "off" or not here.token:
        return ""
    try:
        posted = _post(body())
    except GateError as error:
        note(f"comment: not posted: {error}", os.environ)
        note(f"hint: {error.remedy}", os.environ)
        return ""
    except Exception as error:  # noqa: BLE001 - the verdict stands, whatever is wrong with this
        note(f"comment: not posted: a defect of ours: {type(error).__name__}", os.environ)
        return ""
    said = f"comment: {posted.done}" + (f" ({posted.because})" if posted.because else "")
    note(f"{said} {posted.url}".rstrip(), os.environ)
    return posted.url


def _post(body: str) -> Posted:
    from gate.adapters.github import GitHub, connect
    from gate.shell.comment import commented

    here = from_environ(os.environ)
    opened: list[GitHub] = []

    def connected(repository: str) -> GitHub:
        opened.append(connect(os.environ, token=here.token, repository=repository))
        return opened[-1]

    try:
        return commented(
            os.environ,
            _payload(),
            mode=here.comment,
            comment_id=here.comment_id,
            body=body,
            connect=connected,
        )
    finally:
        for host in opened:
            host.close()


def _payload() -> dict[str, Any] | None:
    """Read what happened. Raises ``HostFailed`` for a payload that cannot be read."""
    import json

    path = os.environ.get("GITHUB_EVENT_PATH")
    if not path:
        return None
    try:
        found = json.loads(Disk().read(path, limit=MAX_EVENT))
    except (ValueError, RecursionError):
        raise HostFailed(
            "GITHUB_EVENT_PATH: is no JSON", hint="see what the runner wrote"
        ) from None
    return found if isinstance(found, dict) else None
