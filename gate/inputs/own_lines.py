"""A case and a prediction as lines of our own files: what reading them gives is equal again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.records.json_text import JsonRefused, canonical, loads, spelled

if TYPE_CHECKING:
    from gate.records.case import EvalCase, Prediction


def case_line(case: EvalCase) -> str:
    r"""Spell one case, its id first and what it lacks left out.

    >>> from gate.records.case import EvalCase
    >>> case_line(EvalCase(id="a", input="Café?", labels=("qa",)))
    '{"id": "a", "input": "Caf\\u00e9?", "labels": ["qa"]}\n'
    """
    parts: dict[str, object] = {"id": case.id, "input": case.input}
    if case.reference is not None:
        parts["reference"] = case.reference
    if case.expected_tools:
        parts["expected_tools"] = case.expected_tools
    if case.labels:
        parts["labels"] = case.labels
    if case.cluster is not None:
        parts["cluster"] = case.cluster
    if case.scorer is not None:
        parts["scorer"] = case.scorer.model_dump(mode="json", exclude_unset=True)
        parts["scorer"] = {"name": case.scorer.name, **parts["scorer"]}  # type: ignore[dict-item]
    return _line({**parts, **loads(case.metadata)})


def prediction_line(prediction: Prediction) -> str:
    r"""Spell one prediction; a recorded score is not part of it, since none is ever read.

    >>> from gate.records.case import Prediction
    >>> prediction_line(Prediction(id="a", output="Paris", tools=("search",), repeat=1))
    '{"id": "a", "repeat": 1, "output": "Paris", "tools": ["search"]}\n'
    """
    parts: dict[str, object] = {"id": prediction.id}
    if prediction.repeat:
        parts["repeat"] = prediction.repeat
    for name in ("output", "error", "tools", "cost_usd", "latency_ms"):
        value = getattr(prediction, name)
        if value is not None:
            parts[name] = value
    if prediction.trace is not None:
        parts["trace"] = _trace(prediction.trace)
    return _line(parts)


def _trace(text: str) -> object:
    """Give what reads as this very text: a value where it is spelled canonically, else a text."""
    try:
        value = loads(text)
    except JsonRefused:
        return text
    return value if isinstance(value, (dict, list)) and canonical(value) == text else text


def _line(parts: dict[str, object]) -> str:
    spelt = (f"{spelled(name)}: {_spelled(value)}" for name, value in parts.items())
    return f"{{{', '.join(spelt)}}}\n"


def _spelled(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(spelled, value))}]"
    return spelled(value)
