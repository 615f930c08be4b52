"""A commit status and a check run, where somebody asked for them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.publish.statuses import unmarkable

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.ports import Host
    from gate.publish.statuses import Mark
    from gate.records.host import Occasion


def set_status(
    where: Occasion, found: Mark, *, context: str, connect: Callable[[str], Host]
) -> str | None:
    """Set a commit status on the head; say why not where there is none to set it on.

    ``connect`` gives the host of a repository. Raises ``HostFailed``.
    """
    refused = unmarkable(where)
    if refused is None:
        host, head = _head(where, connect)
        host.create_status(head, state=found.state, context=context, description=found.description)
    return refused


def add_check(
    where: Occasion,
    found: Mark,
    *,
    name: str,
    summary: Callable[[], str],
    connect: Callable[[str], Host],
) -> str | None:
    """Add a check run to the head, likewise; ``summary`` is made only where it is sent."""
    refused = unmarkable(where)
    if refused is None:
        host, head = _head(where, connect)
        host.create_check(head, name=name, conclusion=found.conclusion, summary=summary())
    return refused


def _head(where: Occasion, connect: Callable[[str], Host]) -> tuple[Host, str]:
    assert where.repository is not None  # noqa: S101 - else it is not markable
    assert where.head_sha is not None  # noqa: S101 - likewise
    return connect(where.repository), where.head_sha
