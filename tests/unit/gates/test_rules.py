"""A pull request does not loosen the rules that judge it."""

import json
from dataclasses import replace

import pytest

from gate.gates.rules import is_refused, judge, objection
from gate.records.gating import RulesOptions
from gate.records.rule_change import Origin, RuleChange, RulesFrom

BASE = RulesFrom(source="base", commit="a" * 40, file="gate.toml")


def change(kind="limit-loosened", subject="[[gates]] regression max_drop", **fields):
    given = {"before": "0.02", "after": "0.5", "loosens": True}
    return RuleChange(kind=kind, subject=subject, **{**given, **fields})


@pytest.fixture
def seen(make):
    def show(*changes, found=BASE, **options):
        evidence = replace(make.evidence(make.row("a")), origin=Origin(found, changes))
        return judge(RulesOptions(**options), evidence)

    return show


def test_nothing_is_wrong_with_its_options():
    assert objection(RulesOptions(), None) is None


def test_it_is_off_where_no_pull_request_could_change_them(seen):
    verdict = seen(change(), found=None)
    assert (verdict.outcome, "no pull request" in verdict.because) == ("off", True)


def test_it_is_off_where_somebody_chose_the_rules_of_the_head(seen):
    verdict = seen(change(), found=RulesFrom(source="head"))
    assert (verdict.outcome, "its own" not in verdict.because) == ("off", True)


def test_it_is_off_where_the_base_has_no_rules_yet(seen):
    verdict = seen(found=RulesFrom(source="base", commit="a" * 40, first=True))
    assert verdict.outcome == "off"
    assert "brings them" in verdict.because


def test_rules_left_as_they_are_pass(seen):
    assert seen().outcome == "pass"


def test_a_change_that_loosens_fails_and_is_named(seen):
    verdict = seen(change())
    assert verdict.outcome == "fail"
    assert verdict.because == (
        "this change loosens the rules that judge it: [[gates]] regression max_drop: 0.02 → 0.5"
    )


def test_several_are_counted_those_among_them_that_stand_together(seen):
    verdict = seen(change(), change("case-removed", "", number=30, before=None, after=None))
    assert "in 31 places; first: [[gates]] regression max_drop: 0.02 → 0.5" in verdict.because
    assert json.loads(verdict.numbers) == {
        "n_changes": 31,
        "n_loosening": 31,
        "n_refused": 31,
        "refused": ["case-removed", "limit-loosened"],
    }


def test_what_tightens_never_fails(seen):
    verdict = seen(
        change("limit-tightened", loosens=False), change("case-added", "b", loosens=False)
    )
    assert (verdict.outcome, verdict.because) == (
        "pass",
        "2 changes of the rules: none loosens them",
    )


def test_a_kind_that_the_base_allows_passes_and_another_fails(seen):
    allowed = {"allow_policy_changes": ("limit-loosened",)}
    verdict = seen(change(), **allowed)
    assert verdict.outcome == "pass"
    assert verdict.because == (
        "1 change of the rules: 1 loosen them, which the base commit's policy allows"
    )
    assert seen(change(), change("gate-off", "safety"), **allowed).outcome == "fail"


def test_a_kind_is_allowed_only_by_its_name():
    assert is_refused(change(), RulesOptions())
    assert not is_refused(change(loosens=False), RulesOptions())
    assert not is_refused(change(), RulesOptions(allow_policy_changes=("limit-loosened",)))


def test_the_cases_that_it_is_about_are_named_once(seen):
    label = change("safety-label-removed", "s-1", before="safety", after=None)
    accepted = change("baseline-changed", "baseline: accepted lower", case_ids=("q-1", "s-1"))
    verdict = seen(label, change("reference-changed", "s-1"), accepted)
    assert verdict.case_ids == ("s-1", "q-1")


def test_what_a_case_expects_is_not_said_by_the_gate(seen):
    verdict = seen(change("reference-changed", "q-1", before="Rome", after="Paris"))
    assert verdict.because.endswith("reference of 'q-1' changed")


def test_a_long_change_is_cut(seen):
    verdict = seen(change(subject="x" * 900))
    assert len(verdict.because) < 300
