"""What a verdict of DeepEval stands on: the metrics of a test case and their thresholds."""

from __future__ import annotations

from collections import Counter
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


class _Metric(NamedTuple):
    """What a metric of a case is called there, and what it goes by."""

    called: str
    goes_by: str


def called_of(names: Iterable[str]) -> list[str]:
    """Tell the metrics of a case apart that have one name: by their order.

    >>> called_of(["m", "n", "m"])
    ['m', 'n', 'm #2']
    """
    seen: Counter[str] = Counter()
    called = []
    for name in names:
        seen[name] += 1
        called.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return called


def passed_of(called: str) -> str:
    """Name the score that says whether a metric passed."""
    return f"{called}.success"


class Rules(NamedTuple):
    """The rules of one case as canonical text: of all its metrics, and of each by its scores."""

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
    for metric in metrics:
        for name in (metric.called, passed_of(metric.called)):
            own.setdefault(name, []).append(metric.goes_by)
    return Rules(
        _text([metric.goes_by for metric in metrics], flaky=flaky),
        tuple((name, _text(own[name], flaky=flaky)) for name in sorted(own)),
    )


def _text(metrics: Iterable[str], *, flaky: bool) -> str:
    return rules_text({"metrics": sorted(metrics), **({"flaky": True} if flaky else {})})


def _metrics(record: dict[str, Any]) -> list[_Metric]:
    listed = record.get("metricsData")
    several = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    called = called_of(str(one.get("name")) for one in several)
    return [_Metric(name, _metric(one)) for name, one in zip(called, several, strict=True)]


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
