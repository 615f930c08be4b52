"""The table of providers, and how one is connected: each is loaded when a run first asks it."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gate.ports import Asker
    from gate.records.judge_options import JudgeOptions

PROVIDERS: Final = {
    "gemini": "gate.adapters.gemini",
    "openai-compatible": "gate.adapters.openai_compatible",
    "anthropic": "gate.adapters.anthropic",
    "command": "gate.adapters.command",
}


def address(options: JudgeOptions, environ: Mapping[str, str]) -> str | None:
    """Give where the provider is asked, if options or environment say so.

    An answer of one server is none of another's. Raises ``UsageInvalid`` for an address that a
    key should not be sent to.
    """
    if options.provider != "gemini":
        return options.base_url
    from gate.adapters.gemini_account import base_url

    return base_url(options, environ)


@contextmanager
def asking(
    options: JudgeOptions, model: str, params: str, environ: Mapping[str, str]
) -> Iterator[Asker]:
    """Give who asks the provider that ``options`` name, until the context ends.

    Raises ``UsageInvalid`` and ``JudgeUnusable`` for what is wrong before the first question.
    """
    from gate.adapters.asker import PatientAsker

    module = import_module(PROVIDERS[str(options.provider)])
    provider = module.connect(options, environ, model=model, params=params)
    try:
        yield PatientAsker(provider, options)
    finally:
        provider.close()


def today() -> str:
    """Give the day, in UTC, as ``YYYY-MM-DD``."""
    return datetime.now(UTC).date().isoformat()
