"""What it takes to ask a judge, from this process: its clock, its environment, its streams."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from gate.cli.console import note
from gate.cli.place import within
from gate.shell.asking import Asking

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from gate.ports import Asker
    from gate.records.judge_options import JudgeOptions
    from gate.records.judge_run import Progress

LEDGER: Final = "ledger.jsonl"
"""The file that keeps a judge's answers, where nobody names one."""
_RUNNERS: Final = (
    *("GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "JENKINS_URL", "BUILDKITE", "CIRCLECI"),
    *("TEAMCITY_VERSION", "CODEBUILD_BUILD_ID", "BITBUCKET_BUILD_NUMBER", "DRONE"),
)
"""What runners set that may not set ``CI``."""
_STATE: Final = ("agent-eval-gate", "judge")
_DIGITS: Final = 16


def asking(out: str) -> Asking:
    """Give a run the means to ask a judge; nothing of that is loaded before it is used.

    A ledger in the checkout could be the change's own, full of verdicts that nobody gave. So the
    usual one lies with the user's state, one for each ``--out``. Where there is no such place,
    and on a runner, it lies in ``out`` and is written, not read. One that is named is read:
    somebody chose its place.
    """
    kept = None if _on_runner() else _state(out)
    return Asking(
        address=_address,
        connect=_connect,
        command_digest=_command_digest,
        names_a_file=_names_a_file,
        day=_today,
        ledger=kept or within(out, LEDGER),
        reuse=kept is not None,
        in_checkout=_in_checkout,
        progress=_watch(),
        tell=lambda text: note(text, os.environ),
    )


def _on_runner() -> bool:
    said = os.environ.get("CI", "") not in {"", "0", "false"}
    return said or any(name in os.environ for name in _RUNNERS)


def _state(out: str) -> str | None:
    """Give the path of the usual ledger outside of what may be under test, if there is such."""
    from hashlib import sha256

    folder = os.environ.get("XDG_STATE_HOME", "")
    home = os.environ.get("HOME", "")
    if not os.path.isabs(folder):  # noqa: PTH117 - pathlib costs start-up time
        if not os.path.isabs(home):  # noqa: PTH117 - as above
            return None
        folder = within(within(home, ".local"), "state")
    from gate.adapters.checkout import is_within, root

    if is_within(folder, root()):
        return None
    name = sha256(os.path.realpath(out).encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]
    for part in (*_STATE, name):
        folder = within(folder, part)
    return within(folder, LEDGER)


def _in_checkout(path: str) -> bool:
    from gate.adapters.checkout import is_within, root

    return is_within(path, root())


def _address(options: JudgeOptions) -> str | None:
    from gate.adapters.judges.table import address

    return address(options, os.environ)


def _connect(options: JudgeOptions, model: str, params: str) -> AbstractContextManager[Asker]:
    from gate.adapters.judges.table import asking as connected

    return connected(options, model, params, os.environ)


def _command_digest(command: tuple[str, ...]) -> str:
    from gate.adapters.judges.command.files import digest_of

    return digest_of(command)


def _names_a_file(command: tuple[str, ...]) -> bool:
    from gate.adapters.judges.command.files import names_a_file

    return names_a_file(command)


def _today() -> str:
    from gate.adapters.clock import today

    return today()


def _watch() -> Callable[[Progress], None]:
    from gate.adapters.progress import asked

    stream = sys.stderr
    if stream is None:  # the caller closed it
        return lambda _: None
    return asked(stream=stream, live=stream.isatty())
