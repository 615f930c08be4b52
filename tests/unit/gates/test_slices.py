"""Slices: a drop that hides in one label fails, and many labels make no false alarm."""

import json

import pytest

from gate.gates.evidence import Setting
from gate.gates.slices import judge, objection
from gate.records.gating import SlicesOptions


def rows(make, label, *, worse=0, size=30):
    return [
        make.row(f"{label}-{at:03}", 0.0 if at < worse else 1.0, was=1.0, labels=(label,))
        for at in range(size)
    ]


def ten(make, **worse):
    """Make ten slices of 30 cases; ``worse`` says how many fell in which."""
    found = []
    for at in range(10):
        found += rows(make, f"s{at}", worse=worse.get(f"s{at}", 0))
    return make.evidence(*found)


def test_the_slice_that_fell_fails_and_is_named(make):
    verdict = judge(SlicesOptions(), ten(make, s3=9))
    assert verdict.outcome == "fail"
    assert "1 of 10 slices fell beyond chance; the worst is 's3'" in verdict.because
    assert verdict.case_ids == tuple(f"s3-{at:03}" for at in range(9))
    worst = json.loads(verdict.numbers)["worst"][0]
    assert (worst["label"], worst["p_value"], worst["p_adjusted"]) == ("s3", 2**-10, 10 * 2**-10)


def test_what_one_slice_alone_would_fail_is_undecided_among_ten(make):
    evidence = ten(make, s3=5)  # mid-p 1/64, adjusted 10/64
    verdict = judge(SlicesOptions(), evidence)
    assert verdict.outcome == "undecided"
    assert "none distinguishable from noise" in verdict.because
    assert judge(SlicesOptions(on_inconclusive="pass"), evidence).outcome == "pass"
    alone = make.evidence(*rows(make, "s3", worse=5))
    assert judge(SlicesOptions(), alone).outcome == "fail"


def test_a_drop_within_the_limit_passes(make):
    verdict = judge(SlicesOptions(max_drop="0.3"), ten(make, s3=9))
    assert verdict.outcome == "pass"
    assert "none of 10 slices fell by more than allowed" in verdict.because


def test_a_case_counts_in_each_of_its_labels(make):
    found = [
        make.row(f"a{at}", 0.0 if at < 9 else 1.0, was=1.0, labels=("k:1", "long"))
        for at in range(30)
    ]
    numbers = json.loads(judge(SlicesOptions(), make.evidence(*found)).numbers)
    assert {one["label"] for one in numbers["worst"]} == {"k:1", "long"}
    assert numbers["n_failed"] == 2


def test_without_anything_to_compare_it_is_undecided_or_off(make):
    new = [make.row("a", labels=("x",))]
    assert judge(SlicesOptions(), make.evidence(*new)).outcome == "undecided"
    alone = make.evidence(*new, compared=False)
    assert judge(SlicesOptions(), alone).outcome == "undecided"
    floored = make.evidence(*new, compared=False, has_floor=True)
    assert judge(SlicesOptions(), floored).outcome == "off"


def test_unlabelled_cases_are_no_slice(make):
    evidence = make.evidence(make.row("a", was=1.0), make.row("new", labels=("x",)))
    assert judge(SlicesOptions(), evidence).outcome == "undecided"


@pytest.mark.parametrize(("labels", "refused"), [((), True), (("x",), False)])
def test_a_suite_without_labels_is_refused(labels, refused):
    setting = Setting(has_baseline=True, labels=frozenset(labels), trajectory_mode="exact")
    assert (objection(SlicesOptions(), setting) is not None) is refused
