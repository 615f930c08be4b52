"""What the environment says: secrets to hide, and whether a runner listens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_TELLTALE: Final = (
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "API_KEY",
    "APIKEY",
    "CREDENTIAL",
    "PRIVATE_KEY",
)


class Environment(NamedTuple):
    """What a run needs of the environment; nothing else of it is read."""

    secrets: tuple[str, ...]
    output_file: str | None
    summary_file: str | None
    verbose: bool
    on_actions: bool


def from_environ(environ: Mapping[str, str]) -> Environment:
    """Read an environment; a variable that is empty counts as absent.

    Every value whose name looks like a secret's is one: they are taken out of all that a run
    writes or prints.
    """
    secrets = {
        value
        for name, value in environ.items()
        if value and any(word in name.upper().replace("-", "_") for word in _TELLTALE)
    }
    return Environment(
        secrets=tuple(sorted(secrets)),
        output_file=environ.get("GITHUB_OUTPUT") or None,
        summary_file=environ.get("GITHUB_STEP_SUMMARY") or None,
        verbose=environ.get("RUNNER_DEBUG") == "1",
        on_actions=environ.get("GITHUB_ACTIONS") == "true",
    )
