"""What a judge is asked, what it answers, and which judge it is."""

from gate.records.base import (
    Count,
    Digest,
    Name,
    ObjectText,
    Positive,
    Real,
    Record,
    Text,
    row,
)
from gate.records.judge_words import AnswerStatus, PromptName, Provider, Usage


@row
class Question:
    """One question to a judge, whole: whoever asks needs nothing else but where to ask.

    ``key`` digests everything that the answer could depend on, so that an answer is used again
    exactly for the question it was given to. ``repeat`` counts the agent's runs of the case,
    ``run`` the judge's independent looks at one of them, both from 0. ``schema_text`` is the
    JSON Schema of the reply and ``params`` what is sent besides (none: the model's defaults).
    """

    key: Digest
    case_id: Name
    repeat: Count
    run: Count
    system: Text
    prompt: Text
    schema_text: ObjectText
    params: ObjectText = "{}"


@row
class Answer:
    """What came back for one question.

    ``text`` is the reply as it was said, kept whatever the status, ``None`` where nothing was.
    ``model`` is the version that the provider says answered. ``finish_reason`` is the
    provider's own word; where a provider has none, who asks writes ``stop`` for a reply that
    is known to be whole. ``message`` says in words what went wrong, without any secret. ``rung``
    says how the reply's shape was asked for, where servers differ in that.
    """

    status: AnswerStatus
    text: Text | None = None
    model: Text | None = None
    finish_reason: Text | None = None
    usage: Usage = Usage()
    message: Text | None = None
    rung: Text | None = None


@row
class Attempt:
    """One try at a question: its answer, and for how many seconds the provider wants peace."""

    answer: Answer
    retry_after: Real | None = None


@row
class LedgerEntry:
    """One line of a ledger: an answer, and the question it was given to."""

    key: Digest
    case_id: Name
    repeat: Count
    run: Count
    answer: Answer


class JudgeConfig(Record):
    """The pinned identity of a judge: scores of another one are not comparable.

    ``params`` is what was sent, not what the provider assumed. ``rating_map`` says what each
    rating is worth (empty where the judge gives scores). ``tools`` digests the list of tools
    that the prompt shows; ``command`` digests the command line of a judge that is a command.
    ``condenser`` is ``None`` where the prompt holds no trajectory.
    """

    provider: Provider
    model: Name
    params: ObjectText
    prompt: PromptName
    prompt_digest: Digest
    schema_digest: Digest
    runs: Positive
    rating_map: ObjectText
    condenser: Positive | None
    parser: Positive
    tools: Digest | None = None
    command: Digest | None = None
