"""Which house a model comes from, as far as its name tells: a judge may prefer its own kind."""

from __future__ import annotations

import re
from typing import Final

FAMILIES: Final = {
    "Alibaba": r"qwen|qwq|tongyi",
    "Amazon": r"amazon|nova-(?:micro|lite|pro|premier)|titan-text",
    "Anthropic": r"anthropic|claude",
    "Cohere": r"cohere|command-(?:r|a|light)|aya",
    "DeepSeek": r"deepseek",
    "Google": r"google|gemini|gemma|palm",
    "Hugging Face": r"huggingface|huggingfacetb|smollm|zephyr",
    "IBM": r"ibm|granite",
    "Meta": r"meta-llama|llama|codellama",
    "Microsoft": r"microsoft|phi",
    "MiniMax": r"minimax",
    "Mistral": r"mistral|mistralai|mixtral|codestral|ministral|magistral|devstral|pixtral",
    "Moonshot": r"moonshot|moonshotai|kimi",
    "NVIDIA": r"nvidia|nemotron",
    "OpenAI": r"openai|gpt|chatgpt|davinci|o[1-9]",
    "xAI": r"xai|grok",
    "Zhipu": r"zhipu|glm|chatglm",
}
"""What stands in a model's name, as a word: a digit may follow it, a letter may not."""
_WORDS: Final = {
    name: re.compile(rf"(?<![a-z0-9])(?:{words})(?![a-z])") for name, words in FAMILIES.items()
}


def family(model: str) -> str | None:
    """Name the house that ``model`` comes from; ``None`` where its name does not tell.

    What stands first decides: a distilled model is of the house that made it.

    >>> family("gemini-3.8-flash"), family("openrouter/anthropic/claude-opus-4"), family("o3-mini")
    ('Google', 'Anthropic', 'OpenAI')
    >>> family("DeepSeek-R1-Distill-Llama-70B"), family("judge.py"), family("photon-2")
    ('DeepSeek', None, None)
    """
    found = {
        match.start(): name
        for name, words in _WORDS.items()
        if (match := words.search(model.lower()))
    }
    return found[min(found)] if found else None
