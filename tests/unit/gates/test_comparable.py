"""A run is compared only with a baseline that measured the same."""

from dataclasses import replace

from gate.gates.comparable import judge
from gate.records.gating import ComparableOptions
from gate.records.verdict import ChangedCase


def judged(make, *, options=None, **fields):
    pair = make.row("a", was=1.0)
    evidence = replace(make.evidence(pair), alignment=make.alignment(pair, **fields))
    return judge(options or ComparableOptions(), evidence)


def test_unchanged_passes(make):
    assert judged(make).outcome == "pass"


def test_added_passes_and_is_said(make):
    verdict = judged(make, added=("n",))
    assert verdict.outcome == "pass"
    assert "1 added: not compared" in verdict.because


def test_removed_is_undecided_unless_allowed(make):
    assert judged(make, removed=("r",)).outcome == "undecided"
    assert judged(make, removed=("r",)).case_ids == ("r",)
    allowed = ComparableOptions(allow_removed=True)
    assert judged(make, removed=("r",), options=allowed).outcome == "pass"


def test_changed_is_undecided_unless_allowed_and_names_the_fields(make):
    changed = (ChangedCase(id="c", fields=("labels",)), ChangedCase(id="d", fields=("input",)))
    verdict = judged(make, changed=changed)
    assert verdict.outcome == "undecided"
    assert verdict.because == (
        "2 cases changed since the baseline (input, labels): set allow_changed under this gate "
        "in the policy, or promote a new baseline"
    )
    allowed = ComparableOptions(allow_changed=True)
    assert judged(make, changed=changed, options=allowed).outcome == "pass"


def test_a_difference_is_undecided_whatever_is_allowed(make):
    allowed = ComparableOptions(allow_changed=True, allow_removed=True)
    verdict = judged(make, differences=("scorer is x",), options=allowed)
    assert (verdict.outcome, verdict.because) == (
        "undecided",
        "scorer is x: drop the option that differs, or promote a new baseline",
    )


def test_another_scorer_is_said_once_although_it_changes_every_case(make):
    changed = (ChangedCase(id="c", fields=("scorer",)),)
    verdict = judged(make, changed=changed, differences=("scorer is x",))
    assert (verdict.outcome, verdict.case_ids) == ("undecided", ("c",))
    assert "changed since" not in verdict.because


def test_without_a_baseline_it_is_undecided_unless_a_floor_decides(make):
    evidence = make.evidence(make.row("a"), compared=False)
    assert judge(ComparableOptions(), evidence).outcome == "undecided"
    floored = replace(evidence, has_floor=True)
    assert judge(ComparableOptions(), floored).outcome == "off"
