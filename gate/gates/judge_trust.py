"""Gate ``judge_trust``: a judge decides only as far as labels of people bear it out.

A trust record says how far one judge agrees with people. The gate takes of it the identity and
the confusion matrix, and computes the rest again.
"""

from __future__ import annotations

from decimal import Decimal
from math import isclose
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.records import figures
from gate.records.json_text import canonical, loads
from gate.records.verdict import GateVerdict
from gate.statistics.agreement import table_agreement
from gate.statistics.weighted import ConfusionTable, disagreement

if TYPE_CHECKING:
    from gate.gates.evidence import Evidence, Setting
    from gate.records.gating import JudgeTrustOptions
    from gate.records.trust import TrustRecord
    from gate.statistics.agreement import Agreement

_CLOSE: Final = 1e-6
_SHOWN: Final = 60
_DIGEST: Final = len("sha256:") + 12
_PASSES: Final = ("a fail", "a pass")
_CRITERIA: Final = {"point": "kappa", "lower": "the lower bound of kappa"}


class Standing(NamedTuple):
    """Whether a judge is trusted, a sentence that says why, and its numbers."""

    trusted: bool
    said: str
    numbers: dict[str, Any]


def objection(options: JudgeTrustOptions, setting: Setting) -> str | None:
    """Object to nothing: without a judge the gate says that it did not judge."""
    del options, setting
    return None


def judge(options: JudgeTrustOptions, evidence: Evidence) -> GateVerdict:
    """Pass where the judge is trusted; else undecided, or ``off`` where that is advisory."""
    if evidence.judge_config is None:
        return GateVerdict(
            gate="judge_trust",
            outcome="off",
            because="no judge scored this run: there is nothing to trust",
        )
    found = _standing(options, evidence, evidence.judge_config)
    if found.trusted:
        return GateVerdict(
            gate="judge_trust",
            outcome="pass",
            because=f"the judge is trusted: {found.said}",
            numbers=canonical(found.numbers),
        )
    advisory = options.untrusted == "advisory"
    said = f"the judge is not trusted: {found.said}"
    return GateVerdict(
        gate="judge_trust",
        outcome="off" if advisory else "undecided",
        because=f"advisory: {said}" if advisory else said,
        numbers=canonical(found.numbers),
    )


def _standing(options: JudgeTrustOptions, evidence: Evidence, judge_config: str) -> Standing:
    record = evidence.judge_trust
    if record is None:
        return _refused(
            "no trust record says how far it agrees with people (`agent-eval-gate calibrate` "
            "writes one)"
        )
    if record.judge_config != judge_config:
        moved = "; ".join(_differences(loads(record.judge_config), loads(judge_config)))
        return _refused(f"the trust record is of another judge: {moved}")
    limit = evidence.suite.pass_threshold
    if record.threshold is not None and Decimal(repr(record.threshold)) != limit:
        return _refused(
            f"the trust record compares scores at a pass threshold of {record.threshold:g}, and "
            f"this run passes at {float(limit):g}"
        )
    return assess(record, options)


def assess(record: TrustRecord, options: JudgeTrustOptions) -> Standing:
    """Say whether the judge of ``record`` is trusted under ``options``, whoever asks.

    It is not where agreement is undefined: a class of the scale that no person used. The limit
    is inclusive and exact: kappa is taken as the fraction that the matrix gives.
    """
    table = ConfusionTable(record.categories, record.confusion)
    found = table_agreement(table, weights=record.weighting)
    numbers = _numbers(found, record, options)
    unproven = _unproven(found, by_rating=record.threshold is None)
    if unproven is not None:
        return _refused(unproven, numbers)
    if not _agrees(record, found):
        said = "the trust record claims another kappa than its confusion matrix gives"
        return _refused(said, numbers)
    enough = _reaches(found, options)
    said = _in_words(found, record, options, enough=enough)
    return Standing(trusted=enough, said=said, numbers=numbers)


def _refused(said: str, numbers: dict[str, Any] | None = None) -> Standing:
    return Standing(trusted=False, said=said, numbers=numbers or {})


def _unproven(found: Agreement, *, by_rating: bool) -> str | None:
    """Say why agreement is undefined; ``None`` where it is not."""
    if not found.n:
        return "kappa is undefined: no labelled response has a verdict"
    if found.unproven:
        names = [f"{value:g}" if by_rating else _PASSES[bool(value)] for value in found.unproven]
        classes = " or ".join(names)
        return (
            f"kappa is undefined: none of {figures.count(found.n, 'label')} is {classes}, so "
            "nothing shows what the judge makes of such a response"
        )
    return None


def _reaches(found: Agreement, options: JudgeTrustOptions) -> bool:
    """Compare what the criterion names with the limit, as fractions."""
    from fractions import Fraction

    if options.criterion == "lower":
        assert found.lower_bound is not None  # noqa: S101 - people used every class
        return Decimal(repr(found.lower_bound)) >= options.min_kappa
    observed, by_luck = disagreement(found.confusion, weights=found.weights)
    return 1 - Fraction(observed, by_luck) >= Fraction(options.min_kappa)


def _agrees(record: TrustRecord, found: Agreement) -> bool:
    if record.kappa is None or record.interval is None or found.kappa is None:
        return False
    claimed = (record.kappa, record.interval.lower_bound, record.n_items)
    return all(
        isclose(one, other or 0, rel_tol=0, abs_tol=_CLOSE)
        for one, other in zip(claimed, (found.kappa, found.lower_bound, found.n), strict=True)
    )


def _in_words(
    found: Agreement, record: TrustRecord, options: JudgeTrustOptions, *, enough: bool
) -> str:
    assert found.kappa is not None  # noqa: S101 - people used every class
    assert found.interval is not None  # noqa: S101
    assert found.lower_bound is not None  # noqa: S101
    low, high = figures.signed(found.interval.low), figures.signed(found.interval.high)
    weights = "" if found.weights == "none" else f", {found.weights} weights"
    said = (
        f"kappa {figures.signed(found.kappa)} with people (95 % interval {low} to {high}"
        f"{weights}, {figures.count(found.n, 'labelled response')})"
    )
    limit = f"{options.min_kappa.normalize():f}"
    if options.criterion == "lower":
        said += f"; lower bound {figures.signed(found.lower_bound)}"
    relation = "is at least" if enough else "is below"
    said += f": {_CRITERIA[options.criterion]} {relation} {limit}"
    if record.unscored:
        said += f"; {record.unscored:,} more had no verdict"
    return said


def _numbers(found: Agreement, record: TrustRecord, options: JudgeTrustOptions) -> dict[str, Any]:
    interval = found.interval
    return {
        "criterion": options.criterion,
        "min_kappa": float(options.min_kappa),
        "kappa": found.kappa,
        "interval": None if interval is None else [interval.low, interval.high],
        "lower_bound": found.lower_bound,
        "n_items": found.n,
        "unscored": record.unscored,
    }


def _differences(was: dict[str, Any], now: dict[str, Any]) -> list[str]:
    return [
        f"{key} was {_shown(was.get(key))}, is {_shown(now.get(key))}"
        for key in sorted({*was, *now})
        if was.get(key) != now.get(key)
    ]


def _shown(value: object) -> str:
    text = canonical(value)
    if isinstance(value, str) and value.startswith("sha256:"):
        return value[:_DIGEST]
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
