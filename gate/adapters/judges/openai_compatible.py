"""Any server that speaks OpenAI's chat completions: OpenAI, Azure, vLLM, llama.cpp, gateways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

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

OPENAI: Final = "https://api.openai.com/v1"
KEY: Final = "OPENAI_API_KEY"
RUNGS: Final = ("json_schema", "json_object", "prompt")
"""How the shape of a reply is asked for, best first; ``prompt`` asks for it in words alone."""
PARAMS: Final = frozenset(("temperature", "seed", "max_tokens"))
_NAME: Final = "openai-compatible"
_LIMITS: Final = ("max_tokens", "max_completion_tokens")
_NEW: Final = ("api.openai.com", ".openai.azure.com")
"""Who refuses ``max_tokens`` for newer models; few others know ``max_completion_tokens``."""
_ABOUT_SHAPE: Final = ("response_format", "json_schema", "json_object", "structured output")


def base_url(options: JudgeOptions, environ: Mapping[str, str]) -> str:
    """Give the address that is asked. Raises ``UsageInvalid`` for one that cannot be."""
    del environ  # no variable names one: a key is sent there
    return checked_address(options.base_url or OPENAI, provider=_NAME).url


def connect(
    options: JudgeOptions, environ: Mapping[str, str], *, model: str, params: str
) -> OpenAICompatible:
    """Make the provider, without a call; ``params`` is what is sent besides the question.

    A server on this machine needs no key. Raises ``UsageInvalid`` for an address or a parameter
    that cannot be, and ``JudgeUnusable`` where there is no key.
    """
    sent = loads(params)
    unknown = sorted(set(sent) - PARAMS)
    if unknown:
        raise UsageInvalid(f"{_NAME}: no parameter is named {unknown[0]!r}")
    address = checked_address(options.base_url or OPENAI, provider=_NAME)
    name = options.key_env or KEY
    optional = address.near and options.key_env is None
    key = key_of(environ, name=name, provider=_NAME, optional=optional)
    host = urlsplit(address.url).hostname or ""
    return OpenAICompatible(
        address,
        path="/chat/completions",
        key=key,
        headers={} if key is None else {"authorization": f"Bearer {key}"},
        model=model,
        manner=Manner(RUNGS[0], limit=_LIMITS[host.endswith(_NEW)]),
    )


class OpenAICompatible(HttpJudge):
    """One model behind ``/chat/completions``."""

    def body(self, question: Question, manner: Manner) -> dict[str, Any]:
        """Give the system text, the prompt, what is sent besides, and the shape if any is."""
        sent: dict[str, Any] = loads(question.params)
        if "max_tokens" in sent:
            sent[manner.limit] = sent.pop("max_tokens")
        body = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.prompt},
            ],
            **sent,
        }
        if manner.rung == "json_schema":
            schema = sent_schema(question.schema_text)
            named = {"name": "verdict", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif manner.rung == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def lower(self, manner: Manner, refusal: Refusal) -> Manner | None:
        """Go down a rung, or call the limit of tokens by its other name, once each."""
        words = refusal.words
        if manner.rung != RUNGS[-1] and any(name in words for name in _ABOUT_SHAPE):
            return manner._replace(rung=RUNGS[RUNGS.index(manner.rung) + 1])
        unknown = any(said in words for said in ("support", "unrecognized", "extra", "unknown"))
        if manner.limit in words and unknown and not manner.renamed:
            other = _LIMITS[manner.limit == _LIMITS[0]]
            return manner._replace(limit=other, renamed=True)
        return None

    def read(self, document: dict[str, Any]) -> Said | None:
        """Read the first choice; a refusal, which has a place of its own, is no reply."""
        choices = document.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
            return None
        message = choice["message"]
        refused = message.get("refusal")
        return Said(
            text=_text(message.get("content")),
            finish_reason=word(choice.get("finish_reason")),
            model=word(document.get("model")),
            usage=_usage(part(document, "usage")),
            refused=refused if isinstance(refused, str) and refused else None,
        )


def _text(content: object) -> str | None:
    if isinstance(content, list):
        texts = [
            item["text"] for item in content if isinstance(part({"": item}, "").get("text"), str)
        ]
        return "".join(texts) if texts else None
    return content if isinstance(content, str) else None


def _usage(usage: dict[str, Any]) -> Usage:
    """Tell thinking apart from the rest, which it is a part of with most servers.

    With those that count it beside, the total tells.
    """
    told, said = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    thought = count(part(usage, "completion_tokens_details").get("reasoning_tokens"))
    if told is not None and said is not None and thought is not None:
        beside = count(usage.get("total_tokens")) == told + said + thought and thought > 0
        said = said if beside else max(0, said - thought)
    return Usage(input_tokens=told, output_tokens=said, thinking_tokens=thought)
