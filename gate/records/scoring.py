"""The options of each scorer, as one tagged union (the tag is the scorer's name)."""

from decimal import Decimal
from typing import Annotated, Final, Literal, Self

from pydantic import Field, Strict, model_validator

from gate.records.base import Limit, Name, Record, Text

JUDGED: Final = frozenset(("geoktools", "autorater", "judge"))
"""The scorers that ask a judge."""
RECORDED: Final = "recorded"
"""The scorer that computes nothing: another tool did."""
CheckKind = Literal["contains", "excludes", "regex", "min_words", "equals"]


class RubricCheck(Record):
    """One predicate of a rubric and its weight in the vote.

    ``value`` is the text or pattern; for ``min_words`` the number of words.
    """

    kind: CheckKind
    value: Text | Annotated[int, Strict(), Field(ge=0)]
    weight: Limit = Decimal(1)


class ExactMatchOptions(Record):
    """Equal after normalisation."""

    name: Literal["exact_match"] = "exact_match"


class ContainsOptions(Record):
    """The normalised reference stands in the normalised output."""

    name: Literal["contains"] = "contains"


class NumericWithinOptions(Record):
    """The numbers of both differ by at most ``tolerance`` (required: no silent slack).

    ``numbers`` says which: the first, by the deep dive's pattern; or, by stated rules, the last
    one or a text that is wholly one. Only those rules know what ``percent`` and ``parentheses``
    make of a number. What is as usual is not written, so that it is the same scorer as ever.
    """

    name: Literal["numeric_within"] = "numeric_within"
    tolerance: Annotated[Limit, Field(ge=0)]
    numbers: Literal["first", "last", "whole"] = Field(
        default="first", exclude_if=lambda value: value == "first"
    )
    percent: Literal["ignored", "hundredths"] = Field(
        default="ignored", exclude_if=lambda value: value == "ignored"
    )
    parentheses: Literal["plain", "negative"] = Field(
        default="plain", exclude_if=lambda value: value == "plain"
    )

    @model_validator(mode="after")
    def _rules_are_of_the_strict_reading(self) -> Self:
        if self.numbers == "first" and (self.percent, self.parentheses) != ("ignored", "plain"):
            raise ValueError(
                'percent and parentheses need numbers = "last" or "whole": the first number is '
                "read without looking at what stands around it"
            )
        return self


class RubricOptions(Record):
    """A weighted vote over checks, given per case or here for all."""

    name: Literal["rubric"] = "rubric"
    checks: tuple[RubricCheck, ...] = Field(default=(), max_length=200)


class JaccardOptions(Record):
    """Shared tokens over all tokens: the seed's deterministic stand-in for a judge."""

    name: Literal["jaccard"] = "jaccard"


class RougeLOptions(Record):
    """F1 of the longest common subsequence of tokens."""

    name: Literal["rouge_l"] = "rouge_l"
    use_stemmer: Annotated[bool, Strict()] = False
    tokenizer: Literal["rouge_score", "unicode"] = "rouge_score"


class StructuredOptions(Record):
    """A bracketed JSON list, element by element, with a relative tolerance for numbers."""

    name: Literal["structured"] = "structured"
    tolerance_ratio: Annotated[Limit, Field(ge=0, le=1)] = Decimal("0.10")


class GeoktoolsOptions(Record):
    """A golden list, element by element, by a judge who is an expert in geography."""

    name: Literal["geoktools"] = "geoktools"


class AutoraterOptions(Record):
    """A rating of 0, 1 or 2 by a judge who reads the trajectory, three times over.

    ``prompt`` is ``autorater``, which does not mind which tools were used, or ``workflow``,
    which rates the way as well.
    """

    name: Literal["autorater"] = "autorater"
    prompt: Literal["autorater", "workflow"] = "autorater"


class JudgeScorerOptions(Record):
    """A rating of 0, 1 or 2 by a judge, by your rubric: a text here, or ``[judge] prompt``."""

    name: Literal["judge"] = "judge"
    rubric: Annotated[Text, Field(min_length=1, max_length=100_000)] | None = None


class RecordedOptions(Record):
    """The score that the tool recorded whose file the predictions are.

    ``score`` is the tool's own name of it: unset, the one with which the tool says whether a case
    passed, else the only one. ``tool`` is the file's format; a file of another is refused where
    the policy names one. ``at`` is where a map of fields says that the score stands. In a result
    all three are what they were found to be.
    """

    name: Literal["recorded"] = "recorded"
    score: Name | None = None
    tool: Name | None = None
    at: Name | None = None


ScorerOptions = Annotated[
    ExactMatchOptions
    | ContainsOptions
    | NumericWithinOptions
    | RubricOptions
    | JaccardOptions
    | RougeLOptions
    | StructuredOptions
    | GeoktoolsOptions
    | AutoraterOptions
    | JudgeScorerOptions
    | RecordedOptions,
    Field(discriminator="name"),
]
