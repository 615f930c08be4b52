"""The rules of one run: what a file may say, what options may override, what is in force."""

from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer

from gate.records.base import (
    Count,
    Flag,
    Limit,
    Metric,
    Name,
    Positive,
    Record,
    Resamples,
    TrajectoryMode,
)
from gate.records.gating import Drop, GateOptions, Least, OnInconclusive, Rule
from gate.records.judge_options import (
    CommandLine,
    Concurrency,
    Cost,
    Date,
    JudgeOptions,
    Mode,
    Runs,
)
from gate.records.judge_words import Provider
from gate.records.scoring import ScorerOptions
from gate.records.waiver import Waiver

Threshold = Annotated[Limit, Field(gt=0, le=1)]
"""A run passes at this score or above; at 0 every wrong answer would, a safety case's too."""


def field_map(value: object) -> object:
    """Read a map of fields: a table, or texts of lines such as ``output=response.text``.

    >>> field_map({"output": "response.text"}), field_map(["id=meta.case", "output=text"])
    ((('output', 'response.text'),), (('id', 'meta.case'), ('output', 'text')))
    """
    if isinstance(value, dict):
        return tuple(sorted(value.items()))
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
        return value
    lines = [line.strip() for one in value for line in one.split("\n") if line.strip()]
    pairs = [line.partition("=") for line in lines]
    for line, (name, _, path) in zip(lines, pairs, strict=True):
        if not name.strip() or not path.strip():
            raise ValueError(f"{line[:80]!r} is not written FIELD=PATH, as output=response.text")
    found = [(name.strip(), path.strip()) for name, _, path in pairs]
    if len(dict(found)) < len(found):
        raise ValueError("a field is mapped twice")
    return tuple(sorted(found))


FieldMap = Annotated[
    tuple[tuple[Name, Name], ...],
    BeforeValidator(field_map),
    PlainSerializer(dict, return_type=dict[str, str]),
]
"""Which of our fields stands where in a row: pairs of a field and a dotted path."""


class SuiteOptions(Record):
    """The ``[suite]`` table: where the files are and how a case is counted.

    Unset keys fall back to the baseline's (``pass_threshold``, ``trajectory``, ``repeats``)
    and then to the defaults of the README. ``dataset`` is what you call this version of the
    golden set; the report shows it. ``format`` is what the predictions are, where their content
    does not say; ``id_field`` and ``map`` say where ids and other fields stand in such a file.
    """

    cases: Name | None = None
    predictions: Name | None = None
    format: Name | None = None
    id_field: Name | None = None
    map: FieldMap = ()
    baseline: Name | None = None
    dataset: Annotated[Name, Field(max_length=100)] | None = None
    pass_threshold: Threshold | None = None
    trajectory: TrajectoryMode | None = None
    repeats: Positive | None = None
    seed: Count = 0
    n_boot: Resamples = 10_000
    allow_missing_baseline: Flag = False
    advisory: Flag = False


class Policy(Record):
    """What decides: the policy file and the options, merged, every default gate spelt out."""

    suite: SuiteOptions
    scorer: ScorerOptions | None = None
    judge: JudgeOptions | None = None
    gates: tuple[GateOptions, ...] = ()
    waivers: tuple[Waiver, ...] = ()


class Overrides(Record):
    """What the command line or the action's inputs say; ``None`` says nothing."""

    cases: Name | None = None
    predictions: Name | None = None
    format: Name | None = None
    id_field: Name | None = None
    map: FieldMap | None = None
    baseline: Name | None = None
    scorer: Name | None = None
    tolerance: Annotated[Limit, Field(ge=0)] | None = None
    pass_threshold: Threshold | None = None
    trajectory: TrajectoryMode | None = None
    max_drop: Drop | None = None
    metric: Metric | None = None
    rule: Rule | None = None
    on_inconclusive: OnInconclusive | None = None
    min_pass_rate: Least | None = None
    repeats: Positive | None = None
    seed: Count | None = None
    n_boot: Resamples | None = None
    allow_missing_baseline: Flag | None = None
    advisory: Flag | None = None
    judge: Provider | None = None
    judge_model: Name | None = None
    judge_command: CommandLine | None = None
    judge_mode: Mode | None = None
    judge_base_url: Name | None = None
    judge_prompt: Name | None = None
    judge_runs: Runs | None = None
    judge_date: Date | None = None
    judge_trust: Name | None = None
    concurrency: Concurrency | None = None
    max_calls: Count | None = None
    max_cost: Cost | None = None
    ledger: Name | None = None
