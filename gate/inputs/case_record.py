"""One record of a golden set becomes a case."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from gate.inputs.fields import (
    expected,
    is_usual_id,
    read_id,
    read_name,
    read_texts,
    shown,
)
from gate.records.base import reader
from gate.records.case import EvalCase
from gate.records.json_text import as_text, canonical

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import TypeAdapter

    from gate.records.scoring import ScorerOptions

SPELLINGS: Final = {"input": "query", "reference": "golden_answer_raw"}
"""Fields that published sets spell otherwise."""
MAX_LABELS: Final = 50
"""Labels of a case, at most: each is a slice with two intervals."""
MAX_LABEL_CHARACTERS: Final = 200
"""Characters of a label, at most."""
_FIELDS: Final = frozenset(
    (
        "id",
        "input",
        "reference",
        "expected_tools",
        "labels",
        "cluster",
        "scorer",
        "K",
        *SPELLINGS.values(),
    )
)
_USUAL: Final = frozenset(("id", "input", "reference", "expected_tools", "labels"))


def read_case(record: dict[str, Any], problems: list[str]) -> EvalCase | None:
    """Read the fields of one case; ``None`` if anything was added to ``problems``.

    >>> read_case({"id": "a", "input": "?", "reference": [1, "x"]}, []).reference
    '[1,"x"]'
    """
    before = len(problems)
    case_id = read_id(record, problems)
    asked = _spelt("input", record, problems)
    if asked is None:
        problems.append("`input`: is missing")
    elif type(asked) is not str:
        problems.append(expected("input", "a text", asked))
    reference = _spelt("reference", record, problems)
    tools = record.get("expected_tools")
    if tools is not None:
        tools = read_texts("expected_tools", tools, problems)
    labels = _labels(record, problems)
    cluster = None
    if record.get("cluster") is not None:
        cluster = read_name("cluster", record["cluster"], problems)
    scorer = _scorer(record.get("scorer"), problems)
    if len(problems) > before or case_id is None:
        return None
    return EvalCase(
        id=case_id,
        input=asked,
        reference=None if reference is None else as_text(reference),
        expected_tools=tools or (),
        labels=labels,
        cluster=cluster,
        scorer=scorer,
        metadata=_metadata(record),
    )


def usual_case(record: dict[str, Any]) -> EvalCase | None:
    """Give the case of a record in which nothing needs care; ``None`` for any other record.

    It only saves time: whatever it gives, :func:`read_case` would give as well.

    >>> usual_case({"id": "qa-1", "input": "?", "labels": ["qa"]}).labels
    ('qa',)
    >>> usual_case({"id": "qa-1", "query": "?"})
    """
    reference = record.get("reference")
    if not (
        record.keys() <= _USUAL
        and is_usual_id(record.get("id"))
        and (reference is None or type(reference) is str)
    ):
        return None
    try:
        case = _case_reader()(record)
    except ValueError:
        return None
    return case if not case.labels or are_labels(case.labels) else None


@cache
def _case_reader() -> Callable[[object], EvalCase]:
    return reader(EvalCase)


@lru_cache(maxsize=1024)
def are_labels(texts: tuple[str, ...]) -> bool:
    """Say whether ``texts`` are labels as a case holds them: within bounds, sorted and unique.

    >>> are_labels(("a", "b")), are_labels(("b", "a"))
    (True, False)
    """
    fit = all(0 < len(label) <= MAX_LABEL_CHARACTERS for label in texts)
    return fit and len(texts) <= MAX_LABELS and texts == tuple(sorted(set(texts)))


def _spelt(name: str, record: dict[str, Any], problems: list[str]) -> Any:  # noqa: ANN401 - JSON
    """Give a field under either of its names; both at once would be a guess."""
    value, other = record.get(name), record.get(SPELLINGS[name])
    if value is not None and other is not None:
        problems.append(f"`{name}` and `{SPELLINGS[name]}` are two spellings of one field")
    return other if value is None else value


def _labels(record: dict[str, Any], problems: list[str]) -> tuple[str, ...]:
    value, k = record.get("labels"), record.get("K")
    labels = () if value is None else read_texts("labels", value, problems) or ()
    if k is not None:
        if type(k) is not int and (type(k) is not str or not k):
            problems.append(expected("K", "a whole number or a text", k))
        else:
            label = f"k:{k}"
            rival = next((one for one in labels if one.startswith("k:") and one != label), None)
            if rival is not None:
                problems.append(f"`K`: is {shown(str(k))}, but `labels` holds {shown(rival)}")
            labels = (*labels, label)
    if len(labels) > MAX_LABELS:
        problems.append(f"`labels`: {len(labels)} labels, more than {MAX_LABELS}")
    for label in labels[:MAX_LABELS]:
        if not label or len(label) > MAX_LABEL_CHARACTERS:
            limit = f"has 1 to {MAX_LABEL_CHARACTERS} characters"
            problems.append(f"`labels`: a label {limit}, {shown(label)} has {len(label)}")
    return tuple(sorted(set(labels)))


def _metadata(record: dict[str, Any]) -> str:
    kept = {key: value for key, value in record.items() if key not in _FIELDS}
    return canonical(kept) if kept else "{}"


def _scorer(value: object, problems: list[str]) -> ScorerOptions | None:
    if value is None:
        return None
    if type(value) is not dict:
        problems.append(expected("scorer", "an object", value))
        return None
    from pydantic import ValidationError

    from gate.records.problems import explain, members
    from gate.records.scoring import ScorerOptions

    try:
        return _options().validate_python(value)
    except ValidationError as error:
        found = explain(error, known=partial(members, ScorerOptions))
        problems.extend(f"`scorer`: {finding.text}" for finding in found)
        return None


@cache
def _options() -> TypeAdapter[ScorerOptions]:
    from pydantic import TypeAdapter

    from gate.records.scoring import ScorerOptions

    return TypeAdapter(ScorerOptions)
