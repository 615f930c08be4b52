"""A stored result, held to the measure that the rules in force would have taken."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from gate.errors import PolicyInvalid
from gate.records.json_text import loads
from gate.records.scoring import RECORDED, RecordedOptions
from gate.scorers.table import identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.baseline import Baseline
    from gate.records.policy import Policy, SuiteOptions
    from gate.records.report import Report
    from gate.records.result import ScorerIdentity, SuiteResult
    from gate.records.scoring import ScorerOptions

_ALL: Final = Decimal(1)


def require_measure(
    report: Report, policy: Policy, baseline: Baseline | None, *, judge: str | None, source: str
) -> None:
    """Refuse a result that was measured more loosely than the rules in force say, or otherwise.

    ``policy`` has the scorer of the ``baseline`` where it names none, and ``judge`` is the
    identity of the judge that it comes to. What it leaves open of the counting is the
    baseline's, else what is usual; a stricter threshold and more repeats are fine. ``source``
    names the result. Raises ``PolicyInvalid``.
    """
    said = (
        *_counting(report.suite, policy.suite, baseline),
        *_scoring(report.scorer, policy.scorer, baseline),
        *_judging(report.judge_config, judge),
    )
    if said:
        raise PolicyInvalid(f"{source}: was measured by {'; '.join(said)}: run check")


def is_its(wanted: ScorerOptions, found: ScorerIdentity) -> bool:
    """Say whether a scorer is the one of a result; a recorded one may leave open which."""
    if not isinstance(wanted, RecordedOptions) or found.name != wanted.name:
        return identity(wanted) == found
    params = loads(found.params)
    return all(
        said in {None, params.get(key)}
        for key, said in (("score", wanted.score), ("tool", wanted.tool), ("at", wanted.at))
    )


def _counting(found: SuiteResult, suite: SuiteOptions, baseline: Baseline | None) -> Iterator[str]:
    threshold, mode, repeats = suite.pass_threshold, suite.trajectory, suite.repeats
    if threshold is None:
        threshold = _ALL if baseline is None else baseline.pass_threshold
    if mode is None:
        mode = "exact" if baseline is None else baseline.trajectory_mode
    if repeats is None:
        repeats = 1 if baseline is None else baseline.repeats
    for name, was, wanted, is_looser in (
        ("pass_threshold", found.pass_threshold, threshold, found.pass_threshold < threshold),
        ("trajectory", found.trajectory_mode, mode, found.trajectory_mode != mode),
        ("repeats", found.repeats, repeats, found.repeats < repeats),
    ):
        if is_looser:
            yield f"{name} {was}, where {wanted} is in force"


def _scoring(
    found: ScorerIdentity, wanted: ScorerOptions | None, baseline: Baseline | None
) -> Iterator[str]:
    if wanted is None:
        return  # neither policy nor baseline says
    if not is_its(wanted, found):
        own = identity(wanted)
        yield f"the scorer {_spelt(found)}, where {_spelt(own)} is in force"
    elif isinstance(wanted, RecordedOptions) and wanted.score is None:
        if baseline is None or baseline.scorer.name != RECORDED:
            yield (
                f"the scorer {_spelt(found)}, where the policy leaves open which recorded score "
                "counts (name its `score` under [scorer])"
            )
        elif baseline.scorer != found:
            yield f"the scorer {_spelt(found)}, and the baseline by {_spelt(baseline.scorer)}"


def _spelt(scorer: ScorerIdentity) -> str:
    """Name a scorer and what is set of it.

    >>> from gate.records.result import ScorerIdentity
    >>> _spelt(ScorerIdentity(name="numeric_within", version=1, params='{"tolerance":"0.5"}'))
    'numeric_within (tolerance 0.5)'
    """
    params = loads(scorer.params)
    said = ", ".join(f"{key} {value}" for key, value in params.items() if value is not None)
    return f"{scorer.name} ({said})" if said else scorer.name


def _judging(found: str | None, wanted: str | None) -> Iterator[str]:
    if found == wanted:
        return
    if found is None:
        yield "no judge, where one is in force"
    elif wanted is None:
        yield "a judge, where none is in force"
    else:
        was, own = loads(found), loads(wanted)
        differ = sorted(key for key in was.keys() | own.keys() if was.get(key) != own.get(key))
        yield f"another judge than is in force ({', '.join(differ)})"
