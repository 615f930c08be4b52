"""Claude, by Anthropic's Messages API or a server that speaks it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.adapters.judges.address import checked_address, key_of
from gate.adapters.judges.http import HttpJudge, Manner, Said, count, part, word
from gate.adapters.judges.sent_schema import sent_schema
from gate.errors import UsageInvalid
from gate.records.json_text import loads
from gate.records.judge_words import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.adapters.judges.refusal import Refusal
    from gate.records.judge_options import JudgeOptions
    from gate.records.judging import Question

ANTHROPIC: Final = "https://api.anthropic.com"
KEY: Final = "ANTHROPIC_API_KEY"
VERSION: Final = "2023-06-01"
RUNGS: Final = ("json_schema", "prompt")
"""How the shape of a reply is asked for: ``output_config``, else in words alone.

A forced tool would be a third way, which forbids thinking and ends without ``end_turn``.
"""
PARAMS: Final = frozenset(("temperature", "max_tokens"))
_NAME: Final = "anthropic"
_ABOUT_SHAPE: Final = ("output_config", "output_format", "output format", "structured output")
_CACHED: Final = ("cache_creation_input_tokens", "cache_read_input_tokens")


def base_url(options: JudgeOptions, environ: Mapping[str, str]) -> str:
    """Give the address that is asked. Raises ``UsageInvalid`` for one that cannot be."""
    del environ  # no variable names one: a key is sent there
    return checked_address(options.base_url or ANTHROPIC, provider=_NAME).url


def connect(
    options: JudgeOptions, environ: Mapping[str, str], *, model: str, params: str
) -> Anthropic:
    """Make the provider, without a call; ``params`` is what is sent besides the question.

    A server on this machine needs no key. Raises ``UsageInvalid`` for an address or a parameter
    that cannot be, and without ``max_tokens``, which the API requires; ``JudgeUnusable`` where
    there is no key.
    """
    _check(loads(params))
    address = checked_address(options.base_url or ANTHROPIC, provider=_NAME)
    name = options.key_env or KEY
    optional = address.near and options.key_env is None
    key = key_of(environ, name=name, provider=_NAME, optional=optional)
    return Anthropic(
        address,
        path="/messages" if address.url.endswith("/v1") else "/v1/messages",
        key=key,
        headers={"anthropic-version": VERSION} | ({} if key is None else {"x-api-key": key}),
        model=model,
        manner=Manner(RUNGS[0]),
    )


class Anthropic(HttpJudge):
    """One model behind ``/v1/messages``."""

    def body(self, question: Question, manner: Manner) -> dict[str, Any]:
        """Give the system text, the prompt, what is sent besides, and the shape if any is."""
        body = {
            "model": self.model,
            "system": question.system,
            "messages": [{"role": "user", "content": question.prompt}],
            **loads(question.params),
        }
        if manner.rung == "json_schema":
            shape = {"type": "json_schema", "schema": sent_schema(question.schema_text)}
            body["output_config"] = {"format": shape}
        return body

    def lower(self, manner: Manner, refusal: Refusal) -> Manner | None:
        """Ask for the shape in words alone, where it cannot be asked for otherwise."""
        if manner.rung != RUNGS[-1] and any(name in refusal.words for name in _ABOUT_SHAPE):
            return manner._replace(rung=RUNGS[-1])
        return None

    def read(self, document: dict[str, Any]) -> Said | None:
        """Read the text blocks, without those that are the model's thoughts."""
        content = document.get("content")
        if not isinstance(content, list):
            return None
        texts = [
            block["text"]
            for block in content
            if isinstance(block, dict)
            and block.get("type") == "text"
            and isinstance(block.get("text"), str)
        ]
        return Said(
            text="".join(texts) if texts else None,
            finish_reason=word(document.get("stop_reason")),
            model=word(document.get("model")),
            usage=_usage(part(document, "usage")),
        )


def _check(sent: dict[str, Any]) -> None:
    if "seed" in sent:
        raise UsageInvalid(f"{_NAME}: the API knows no seed")
    unknown = sorted(set(sent) - PARAMS)
    if unknown:
        raise UsageInvalid(f"{_NAME}: no parameter is named {unknown[0]!r}")
    if "max_tokens" not in sent:
        raise UsageInvalid(
            f"{_NAME}: the API requires max_tokens", hint="set max_tokens in [judge], say 4096"
        )
    if sent.get("temperature", 0) > 1:
        raise UsageInvalid(f"{_NAME}: a temperature lies between 0 and 1")


def _usage(usage: dict[str, Any]) -> Usage:
    """Add what was read from or written to a cache; thinking is told apart where it is said."""
    told, said = count(usage.get("input_tokens")), count(usage.get("output_tokens"))
    if told is not None:
        told += sum(count(usage.get(name)) or 0 for name in _CACHED)
    thought = count(part(usage, "output_tokens_details").get("thinking_tokens"))
    if said is not None and thought is not None:
        said = max(0, said - thought)
    return Usage(input_tokens=told, output_tokens=said, thinking_tokens=thought)
