"""Whatever could not work is refused before an answer is scored."""

from decimal import Decimal

import pytest

from gate.errors import BaselineAbsent, CasesInvalid, PolicyInvalid, UsageInvalid
from gate.pipeline.prepare import prepare
from gate.policy.effective import effective_policy
from gate.policy.toml import read_policy
from gate.records.policy import Overrides


def setup(make, *, text="", cases=None, gated=False, baseline=None, **options):
    file = read_policy(text, source="gate.toml")
    policy = effective_policy(file, Overrides(**options), gated=gated)
    cases = [make.case()] if cases is None else cases
    return prepare(policy, cases=cases, source="c.jsonl", baseline=baseline, gated=gated)


def test_no_scorer_is_usage(make):
    with pytest.raises(UsageInvalid, match="no scorer is named"):
        setup(make)


def test_no_baseline_is_refused_unless_allowed_or_not_gated(make):
    with pytest.raises(BaselineAbsent):
        setup(make, scorer="contains", gated=True)
    assert setup(make, scorer="contains").baseline is None
    allowed = setup(make, scorer="contains", gated=True, allow_missing_baseline=True)
    assert allowed.baseline is None


def test_every_case_that_cannot_be_scored_is_named(make):
    cases = [make.case(name, reference=None) for name in "abc"]
    with pytest.raises(CasesInvalid) as caught:
        setup(make, cases=cases, scorer="contains")
    assert [line.split()[2] for line in str(caught.value).splitlines()] == ["'a'", "'b'", "'c'"]


def test_a_gate_that_could_not_judge_is_refused(make):
    text = '[[gates]]\ngate = "safety"\nlabel = "x"\n'
    with pytest.raises(PolicyInvalid, match="borne by no case"):
        setup(make, text=text, scorer="contains", gated=True, allow_missing_baseline=True)
    assert setup(make, text=text, scorer="contains").gated is False


@pytest.mark.parametrize(
    ("options", "metric"),
    [
        ({"scorer": "contains"}, "pass_rate"),
        ({"scorer": "jaccard"}, "mean_score"),
        ({"scorer": "jaccard", "pass_threshold": Decimal("0.5")}, "pass_rate"),
        ({"scorer": "jaccard", "pass_threshold": Decimal(1)}, "pass_rate"),
    ],
)
def test_a_graded_scorer_without_a_threshold_is_judged_by_its_mean(make, options, metric):
    assert setup(make, **options).metric == metric


def test_defaults_are_threshold_one_and_mode_exact(make):
    found = setup(make, scorer="contains")
    assert (found.pass_threshold, found.trajectory_mode) == (1, "exact")
