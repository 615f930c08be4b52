"""The pull request of a run whose event names none: the host is asked, in two ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.publish.occasion import pulls_of, undecided, with_pull

if TYPE_CHECKING:
    from gate.ports import Host
    from gate.records.host import Occasion

_DIGITS: Final = 12
_SHOWN: Final = 100


def looked_up(where: Occasion, host: Host) -> Occasion | str:
    """Give the occasion with its pull request, or say why it has none, and what was asked.

    It is asked for by the commit. The host may know none of a commit that lies only in a fork:
    where none fits, the open ones from the branch of the head are asked for, if the event names
    branch and repository. Both answers are held to the same. Raises ``HostFailed``.
    """
    if where.lookup != "pulls_of_commit" or where.head_sha is None:
        return where
    asked = [f"by commit {where.head_sha[:_DIGITS]}"]
    found = pulls_of(where, host.pulls_of(where.head_sha))
    if not found and where.head_repository and where.head_branch:
        owner = where.head_repository.partition("/")[0]
        asked.append(f"by branch {f'{owner}:{where.head_branch}'[:_SHOWN]!r}")
        found = pulls_of(where, host.pulls_from(owner, where.head_branch))
    elif not found:
        asked.append("by no branch, since the event does not name one and its repository")
    return with_pull(where, found[0]) if len(found) == 1 else undecided(found, asked=asked)
