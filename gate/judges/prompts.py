"""The prompts: one text each, composed the same way, known by version and digest.

A prompt is a system text (the date, the instructions, how to read the parts, how to reply) and
a message (the parts, each in its fence). The texts are this project's own: the published
protocol names prompts that are not published with it, so no parity of scores is claimed. Who has
other instructions gives their text; what is said about fences and the reply stays ours, since
the replies are read by it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from gate.errors import UsageInvalid
from gate.judges.condense import shortened
from gate.judges.elements import ELEMENTS_SCHEMA, golden_elements, numbered
from gate.judges.fence import fences_for
from gate.judges.preferences import PREFERENCE_SCHEMA
from gate.judges.ratings import RATING_SCHEMA
from gate.records.json_text import digest

if TYPE_CHECKING:
    from gate.records.case import EvalCase, Prediction
    from gate.records.judge_words import PromptName

Reply: TypeAlias = Literal["elements", "rating", "preference"]
"""What is answered: scores of elements, a rating, or which of two responses is better."""
VERSION: Final = 1
"""Of what is composed here around the texts; the texts are digested themselves."""
SCHEMAS: Final[dict[Reply, str]] = {
    "elements": ELEMENTS_SCHEMA,
    "rating": RATING_SCHEMA,
    "preference": PREFERENCE_SCHEMA,
}
MAX_PART: Final = 200_000
"""Characters of a part that are shown; of a longer one the middle is left out, and it says so."""
NOT_STATED: Final = "(not stated)"
_CLOSING: Final = "Grade the response above, and reply with the JSON object alone."


class _Kind(NamedTuple):
    reply: Reply
    parts: tuple[str, ...]
    dated: bool


_WORK: Final = ("query", "reference", "tools", "trajectory", "response")
_KINDS: Final[dict[PromptName, _Kind]] = {
    "geoktools": _Kind("elements", ("query", "reference", "response"), dated=False),
    "autorater": _Kind("rating", _WORK, dated=True),
    "workflow": _Kind("rating", (*_WORK[:3], "expected_tools", *_WORK[3:]), dated=True),
    "rubric": _Kind("rating", ("query", "reference", "response"), dated=False),
}


class Prompt(NamedTuple):
    """One prompt: who asks with another text, or other parts, asks something else."""

    name: PromptName
    instructions: str
    parts: tuple[str, ...]
    reply: Reply
    dated: bool

    @property
    def digest(self) -> str:
        """The digest of all that is the same for every case, the date aside."""
        return digest([VERSION, self.name, self.parts, _CLOSING, self.system_text(date=None)])

    @property
    def schema_text(self) -> str:
        """The JSON Schema of the reply, as canonical text."""
        return SCHEMAS[self.reply]

    @property
    def shows_work(self) -> bool:
        """Whether the trajectory is one of the parts."""
        return "trajectory" in self.parts

    def system_text(self, *, date: str | None) -> str:
        """Give the system text, preceded by ``Today is <date>`` where there is a date."""
        header = () if date is None else (f"Today is {date}.",)
        return "\n\n".join((*header, self.instructions, text_of("parts"), text_of(self.reply)))


def reply_of(name: PromptName) -> Reply:
    """Say which of the two replies a prompt asks for.

    >>> reply_of("geoktools"), reply_of("workflow")
    ('elements', 'rating')
    """
    return _KINDS[name].reply


class Rendered(NamedTuple):
    """A prompt about one response, as it is sent."""

    system: str
    prompt: str


def prompt_of(name: PromptName, *, text: str | None = None) -> Prompt:
    """Give the prompt ``name``; ``text`` is the rubric, or replaces the instructions.

    Raises ``UsageInvalid`` for a text that is blank, or not there where it is the rubric.

    >>> prompt_of("geoktools").parts, prompt_of("autorater").dated
    (('query', 'reference', 'response'), True)
    """
    own = None if text is None else text.strip()
    if own == "" or (own is None and name == "rubric"):
        raise UsageInvalid(
            f"the prompt {name!r} needs a text that says what to look for: --judge-prompt FILE"
            + (", or `rubric` under [scorer]" if name == "rubric" else "")
        )
    if own is None:
        instructions = text_of(name)
    else:
        instructions = f"{text_of(name)}\n{own}" if name == "rubric" else own
    kind = _KINDS[name]
    return Prompt(name, instructions, kind.parts, kind.reply, kind.dated)


def render(
    prompt: Prompt,
    *,
    case: EvalCase,
    prediction: Prediction,
    trajectory: str | None = None,
    tools: str | None = None,
    date: str | None = None,
) -> Rendered:
    """Put one response into ``prompt``.

    ``trajectory`` is the condensed one, ``tools`` the list of what was available, as the user
    wrote it. Of each part at most ``MAX_PART`` characters are shown. Nothing in a part is ever
    substituted again.
    """
    held = {
        "query": case.input,
        "reference": _reference(prompt, case),
        "tools": tools or NOT_STATED,
        "expected_tools": "\n".join(case.expected_tools) or NOT_STATED,
        "trajectory": trajectory or NOT_STATED,
        "response": prediction.output or "",
    }
    shown = [(name, shortened(held[name], limit=MAX_PART)) for name in prompt.parts]
    fences = fences_for((case.id, *(text for _, text in shown)))
    message = "\n\n".join((*(fences.around(name, text) for name, text in shown), _CLOSING))
    return Rendered(prompt.system_text(date=date), message)


def _reference(prompt: Prompt, case: EvalCase) -> str:
    if case.reference is None:
        return NOT_STATED
    if prompt.reply == "elements":
        return numbered(golden_elements(case.reference))
    return case.reference


@cache
def text_of(name: str) -> str:
    """Give one of the texts that prompts are made of."""
    from importlib.resources import files

    return (files("gate.judges") / "texts" / f"{name}.txt").read_text(encoding="utf-8").strip()
