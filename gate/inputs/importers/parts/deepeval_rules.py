"""What a verdict of DeepEval stands on: the metrics of a test case and their thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.inputs.importers.parts.rules_text import rules_text
from gate.inputs.importers.source import number
from gate.records.json_text import canonical

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_SPELT: Final = {
    "threshold": ("threshold",),
    "strict": ("strictMode", "strict_mode"),
    "model": ("evaluationModel", "evaluation_model"),
    "flaky": ("flaky",),
    "criteria": ("criteria",),
    "steps": ("evaluationSteps", "evaluation_steps"),
    "rubric": ("rubric",),
}


_Metric = tuple[str, str]
"""A metric's name and what it goes by."""


class Rules(NamedTuple):
    """The rules of one case as canonical text: of all its metrics, and of each by its name."""

    every: str
    by_score: tuple[tuple[str, str], ...]


class RulesOfAll:
    """The rules of each test case of one file."""

    def __init__(self, records: Iterable[dict[str, Any]]) -> None:
        """Read the metrics of all cases, in the spelling of a test run."""
        every: set[_Metric] = set()
        named: dict[str, set[_Metric]] = {}
        for record in records:
            metrics = _metrics(record)
            every.update(metrics)
            if metrics:
                named.setdefault(str(record.get("name")), set()).update(metrics)
        self._every = _rules(every)
        self._named = {name: _rules(metrics) for name, metrics in named.items()}

    def of(self, record: dict[str, Any], *, crashed: bool) -> Rules:
        """Give the rules of one case.

        One that crashed before a metric looked at it has those of the other runs of its name, else
        those of the whole file.
        """
        metrics = _metrics(record)
        if crashed and not metrics:
            return self._named.get(str(record.get("name")), self._every)
        return _rules(metrics, flaky=record.get("flaky") is True)


def _rules(metrics: Collection[_Metric], *, flaky: bool = False) -> Rules:
    own: dict[str, list[str]] = {}
    for name, metric in metrics:
        own.setdefault(name, []).append(metric)
    return Rules(
        _text([metric for _, metric in metrics], flaky=flaky),
        tuple((name, _text(own[name], flaky=flaky)) for name in sorted(own)),
    )


def _text(metrics: Iterable[str], *, flaky: bool) -> str:
    return rules_text({"metrics": sorted(metrics), **({"flaky": True} if flaky else {})})


def _metrics(record: dict[str, Any]) -> list[_Metric]:
    listed = record.get("metricsData")
    several = listed if isinstance(listed, list) else ()
    return [(str(one.get("name")), _metric(one)) for one in several if isinstance(one, dict)]


def _metric(metric: dict[str, Any]) -> str:
    """Give what a metric goes by; what is absent, null or false is the same.

    >>> _metric({"name": "m", "threshold": 1, "strict_mode": False, "score": 0.5})
    '{"name":"m","threshold":1.0}'
    """
    found = {"name": metric.get("name")}
    for name, spellings in _SPELT.items():
        said = next((metric[each] for each in spellings if metric.get(each) is not None), None)
        if said is not None and said is not False:
            found[name] = said
    if (threshold := number(found.get("threshold"))) is not None:
        found["threshold"] = threshold
    return canonical(found)
