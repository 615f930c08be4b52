"""Where a run's files go, and what that tells of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from gate.adapters.environ import from_environ
from gate.cli.options import OUT
from gate.report.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RESULT: Final = "result.json"
FILES: Final = (RESULT, *(one.file for one in FORMATS.values()))
"""Whatever a run may write; a run that writes less takes the others away."""


def within(folder: str, name: str) -> str:
    """Give the path of one of the files."""
    return os.path.join(folder, name)  # noqa: PTH118 - pathlib costs start-up time


def is_ours(path: str, out: str) -> bool:
    """Say whether ``path`` is one of the files that a run may write to ``out``."""
    try:
        return os.path.realpath(path) in {os.path.realpath(within(out, name)) for name in FILES}
    except (OSError, ValueError):  # a name that no file can have
        return False


def suite_name(out: str, environ: Mapping[str, str]) -> str:
    """Tell a run from others on the same page: by ``comment-id``, else by its folder.

    Empty where nobody gave that and the folder is the usual one.

    >>> suite_name("results/geo/", {}), suite_name(".agent-eval-gate", {})
    ('results/geo', '')
    >>> suite_name("results/geo/", {"INPUT_COMMENT-ID": "geo"})
    'geo'
    """
    named = from_environ(environ).comment_id
    if named is not None:
        return named
    name = out.rstrip("/")
    return "" if name == OUT else name


def out_of(args: Sequence[str]) -> str:
    """Give the folder that a command line names for the result, else the usual one.

    >>> out_of(["check", "--out", "a"]), out_of(["check", "--out=b"]), out_of(["check"])
    ('a', 'b', '.agent-eval-gate')
    """
    out = OUT
    for word, following in zip(args, [*args[1:], OUT], strict=False):
        if word == "--out":
            out = following
        elif word.startswith("--out="):
            out = word.removeprefix("--out=")
    return out
