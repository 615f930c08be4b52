"""The table of providers, and how one is connected: each is loaded when a run first asks it."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gate.ports import Asker
    from gate.records.judge_options import JudgeOptions

PROVIDERS: Final = {
    "gemini": "gate.adapters.judges.gemini.provider",
    "openai-compatible": "gate.adapters.judges.openai_compatible",
    "anthropic": "gate.adapters.judges.anthropic",
    "command": "gate.adapters.judges.command.provider",
}


def address(options: JudgeOptions, environ: Mapping[str, str]) -> str | None:
    """Give where the provider is asked, if options or environment say so.

    An answer of one server is none of another's. Raises ``UsageInvalid`` for an address that a
    key should not be sent to.
    """
    if options.provider != "gemini":
        return options.base_url
    from gate.adapters.judges.gemini.account import base_url

    return base_url(options, environ)


@contextmanager
def asking(
    options: JudgeOptions, model: str, params: str, environ: Mapping[str, str]
) -> Iterator[Asker]:
    """Give who asks the provider that ``options`` name, until the context ends.

    Raises ``UsageInvalid`` and ``JudgeUnusable`` for what is wrong before the first question.
    """
    from gate.adapters.judges.asker import PatientAsker

    module = import_module(PROVIDERS[str(options.provider)])
    provider = module.connect(options, environ, model=model, params=params)
    try:
        yield PatientAsker(provider, options)
    finally:
        provider.close()
