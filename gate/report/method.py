"""How the numbers were made and what they may be taken to mean, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count, level
from gate.records.json_text import canonical, loads
from gate.report.outcome import METRICS

if TYPE_CHECKING:
    from gate.records.report import Report
    from gate.records.result import Interval

_MEANINGS: Final = {
    "wilson": (
        "The {level} Wilson interval treats these cases as a random sample of all the cases "
        "they stand for: {level} of intervals made in this way hold the rate of that whole."
    ),
    "wilson_effective": (
        "The {level} Wilson interval treats these cases as a random sample of all the cases "
        "they stand for, with the number of cases corrected for the spread of their values."
    ),
    "wilson_clustered": (
        "The {level} Wilson interval treats the clusters of these cases as a random sample of "
        "all clusters: cases of one cluster are alike, so they count for fewer than they are."
    ),
    "percentile_bootstrap": (
        "The {level} bootstrap interval holds the middle {level} of the mean scores of "
        "{resamples}, as the protocol asks; with few cases it is too narrow, and where all "
        "scores are equal it has no width."
    ),
    "cluster_bootstrap": (
        "The {level} cluster bootstrap interval resamples whole clusters ({n_boot} times, seed "
        "{seed}); with few clusters it is too narrow."
    ),
    "bayesian_bootstrap": (
        "The {level} Bayesian bootstrap interval holds the middle {level} of the mean scores "
        "under {n_boot} random weightings of these cases (seed {seed}), as the protocol asks."
    ),
}
CAVEAT: Final = (
    "Intervals say how far the choice of cases may have moved a number. They do not say "
    "whether the cases are well chosen, and they are not the test of the regression gate, "
    "which compares case by case."
)


def meanings(report: Report) -> tuple[str, ...]:
    """Explain the two intervals of the report, and what neither of them says."""
    suite = report.suite
    shown = (suite.interval, suite.cluster_interval, suite.protocol_interval)
    return (*(_meaning(one) for one in shown if one is not None), CAVEAT)


def _meaning(interval: Interval) -> str:
    n_boot, seed = f"{interval.n_boot or 0:,}", interval.seed or 0
    return _MEANINGS[interval.method].format(
        level=level(interval.level), n_boot=n_boot, seed=seed, resamples=_resamples(interval)
    )


def _resamples(interval: Interval) -> str:
    """Say how often was resampled, or that the limit of ever more resamples was computed."""
    if interval.computed is not None:
        return "all resamples of these cases (computed, not drawn)"
    return f"{interval.n_boot or 0:,} resamples of these cases (seed {interval.seed or 0})"


def facts(report: Report, *, show_expected: bool) -> tuple[tuple[str, str], ...]:
    """Give name and value of everything that one must know to measure the same again."""
    suite, scorer, digests = report.suite, report.scorer, report.digests
    found = [
        ("scorer", f"{scorer.name} (version {scorer.version})"),
        (
            "scorer parameters",
            canonical(_public(loads(scorer.params), show_expected=show_expected)),
        ),
        ("a case passes at", f"score {suite.pass_threshold} or more"),
        ("headline metric", METRICS[suite.metric]),
        ("test of the drop", _test(report)),
        ("clusters", f"{suite.n_clusters:,}" if suite.n_clusters else ""),
        ("repeats", count(suite.repeats, "run of each case", "runs of each case")),
        ("trajectory mode", suite.trajectory_mode),
        ("standings", suite.standings),
        ("digest of cases", digests.cases),
        ("digest of predictions", digests.predictions),
        ("digest of policy", digests.policy),
        ("digest of baseline", digests.baseline or "none"),
    ]
    return tuple((name, value) for name, value in found if value not in {"", "{}"})


TESTS: Final = {
    "mcnemar_mid_p": "McNemar's mid-p, one-sided",
    "sign_flip": "exact sign-flip test, one-sided",
    "run_exchange": "exact exchange of the runs of each case, one-sided",
    "sign_flip_rounded": "sign-flip test of rounded differences, one-sided",
}


def _test(report: Report) -> str:
    compared = report.comparison
    return "" if compared is None or compared.test is None else TESTS[compared.test]


def policy_text(report: Report, *, show_expected: bool) -> str:
    """Spell the effective policy as indented JSON."""
    import json

    policy = loads(report.policy)
    if isinstance(policy.get("scorer"), dict):
        policy["scorer"] = _public(policy["scorer"], show_expected=show_expected)
    return json.dumps(policy, indent=2, sort_keys=True, ensure_ascii=False)


def _public(options: dict[str, object], *, show_expected: bool) -> dict[str, object]:
    """Leave out the checks of a rubric where references are not to be shown."""
    if show_expected or "checks" not in options:
        return options
    return {**options, "checks": "not shown"}


def in_short(report: Report) -> str:
    """Say how the numbers were made, in one line."""
    suite, scorer = report.suite, report.scorer
    return (
        f"Scorer {scorer.name} (version {scorer.version}), a case passes at score "
        f"{suite.pass_threshold} or more, {count(suite.repeats, 'run')} of each case, trajectory "
        f"mode {suite.trajectory_mode}, bootstrap of {_resamples(suite.protocol_interval)}."
    )
