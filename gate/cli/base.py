"""Whose rules judge this run: those of the base commit on a pull request, else the checkout's."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from gate.adapters.environ import from_environ
from gate.adapters.files import Disk
from gate.cli.host import connecting
from gate.errors import BaseUnreadable, HostFailed, UsageInvalid
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.adapters.github.client import GitHub
    from gate.records.host import Occasion
    from gate.records.rule_change import Origin
    from gate.shell.base import Base
    from gate.shell.gather import Means

HEAD: Final = "head"
SOURCES: Final = ("base", HEAD)
USUALLY_BASE: Final = (
    *("pull_request", "pull_request_review", "pull_request_review_comment"),
    "merge_group",
)
"""Events whose runs are judged by the base commit's rules where nobody says."""

policy_from: Final = click.option(
    "--policy-from",
    metavar="|".join(SOURCES),
    help="Whose policy, cases, baseline and prompts judge: the base commit's, or those at hand. "
    "[base on pull requests and in merge queues, else head]",
)


@contextmanager
def based(said: str | None, means: Means) -> Iterator[Means]:
    """Let a run judge by the rules that it is to be judged by.

    Raises ``UsageInvalid`` for an event on which nothing may be judged, or that has no base;
    ``BaseUnreadable`` where the host does not let it be read.
    """
    if said is not None and said not in SOURCES:
        raise UsageInvalid(f"`--policy-from`: expected {' or '.join(SOURCES)}, got {said[:80]!r}")
    event = os.environ.get("GITHUB_EVENT_NAME", "")
    if event == "pull_request_target":
        from gate.publish.occasion import PRIVILEGED

        raise UsageInvalid(PRIVILEGED)
    if said == HEAD or (said is None and event not in USUALLY_BASE):
        # Whose rules these are is known without the payload, which may be of any shape.
        yield means if event not in USUALLY_BASE else means._replace(origin=_its_own())
        return
    token = from_environ(os.environ).token or os.environ.get("GITHUB_TOKEN", "")
    with connecting(token) as connect:
        yield means._replace(base=_base(_occasion(), connect))


def _its_own() -> Origin:
    from gate.records.rule_change import Origin, RulesFrom

    return Origin(RulesFrom(source="head"))


def _occasion() -> Occasion:
    from gate.cli.event import payload
    from gate.publish.occasion import occasion

    return occasion(os.environ, payload())


def _base(where: Occasion, connect: Callable[[str], GitHub]) -> Base:
    from gate.adapters.at_commit import AtCommit, base_unread
    from gate.adapters.checkout import root
    from gate.adapters.place import GITHUB, Place, Repository, Straight
    from gate.shell.base import Base, BaseFirst, placed

    if where.repository is None or (where.base_sha is None and where.lookup is None):
        raise UsageInvalid(
            f"`--policy-from`: the event {where.kind} has no base commit",
            hint="leave it empty: then pull requests and merge queues are judged by their base",
        )
    try:
        host = connect(where.repository)
        found = placed(where, host)
    except HostFailed as error:
        raise base_unread("the base commit", error) from None
    if found.base_sha is None:
        raise BaseUnreadable("the base commit: this run belongs to no open pull request")
    workspace = os.environ.get("GITHUB_WORKSPACE") or root()
    _refuse_detour(workspace)
    names = tuple(name for name in (found.repository, found.head_repository) if name)
    server = os.environ.get("GITHUB_SERVER_URL") or GITHUB
    place = Place(workspace, of=Repository(names, server))
    files = AtCommit(host, found.base_sha, place=place)
    tree = Straight(Disk(), place=place)
    return Base(found.base_sha, files, BaseFirst(files, tree))


def _refuse_detour(workspace: str) -> None:
    """Refuse a working directory that a link of the checkout leads to.

    The files would be looked for at the base where the link leads, which the change itself says:
    a folder that is new there, and so bound by nothing.
    """
    from gate.cli.own_inputs import said

    named = said(os.environ, "working-directory")
    whole = os.path.realpath(workspace)
    written = os.path.normpath(os.path.join(whole, named))  # noqa: PTH118 - pathlib costs time
    if named and os.path.realpath(os.curdir) != written:
        raise BaseUnreadable(
            f"input 'working-directory': {visible(named)} is reached by a link, and the base "
            "commit is asked for what lies where a path says",
            hint="name the folder itself, or leave it empty and give paths from the workspace",
        )
