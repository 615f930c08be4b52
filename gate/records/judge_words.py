"""The words of a judge: who it is, which prompt it gets, what became of a question."""

from typing import Final, Literal

from gate.records.base import Count, row

Provider = Literal["gemini", "openai-compatible", "anthropic", "command"]
PromptName = Literal["geoktools", "autorater", "workflow", "rubric"]
"""Which of our prompts frames the question; a user's own text stands in ``rubric``."""
AnswerStatus = Literal[
    "ok",
    "blocked",
    "truncated",
    "unparseable",
    "schema",
    "rate_limited",
    "timeout",
    "transport",
    "server",
    "auth",
    "config",
]
"""What became of a question: a verdict (``ok``), or why there is none.

``blocked``, ``truncated``, ``unparseable`` and ``schema`` are about what was said: another try
may say something else. ``rate_limited``, ``timeout``, ``transport`` and ``server`` are about
the way there: it may be open later. ``auth`` and ``config`` are about us: no try helps.
"""
CONTENT: Final[frozenset[AnswerStatus]] = frozenset(
    ("blocked", "truncated", "unparseable", "schema")
)
TRANSIENT: Final[frozenset[AnswerStatus]] = frozenset(
    ("rate_limited", "timeout", "transport", "server")
)
STOPPING: Final[frozenset[AnswerStatus]] = frozenset(("auth", "config"))
""":data:`CONTENT` may be asked again once or twice, :data:`TRANSIENT` after a wait, and these
end the run: whatever else would be asked fails the same way."""


@row
class Usage:
    """Tokens as the provider counted them; ``None`` where it did not say, which is not 0.

    ``output_tokens`` are those of the reply alone: what was spent on thinking stands beside it.
    """

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    thinking_tokens: Count | None = None
