"""A difference between rules is found once, with a direction, whatever the rules are."""

from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from gate.pipeline.case_changes import case_changes
from gate.pipeline.directions import DIRECTIONS, direction
from gate.pipeline.policy_changes import policy_changes
from gate.policy.file import PolicyFile
from gate.records.case import EvalCase
from gate.records.gating import GateOptions
from gate.records.judge_options import JudgeOptions
from gate.records.policy import SuiteOptions
from gate.records.rule_change import ChangeKind
from gate.records.scoring import RubricCheck, ScorerOptions
from gate.records.waiver import Waiver

GATES = get_args(get_args(GateOptions)[0])
SCORERS = get_args(get_args(ScorerOptions)[0])
NEEDED = {
    "FloorOptions": {"min": "0.5"},
    "CreepOptions": {"max_drop": "0.05"},
    "NumericWithinOptions": {"tolerance": "0.5", "numbers": "last"},
    "Waiver": {
        "case": "qa-1",
        "gate": "regression",
        "owner": "ana",
        "reason": "ticket 12",
        "expires": "2026-06-30",
    },
}
CANDIDATES = (
    *(True, False, 0, 1, 2, 3, 7, "0", "0.001", "0.05", "0.4", "0.9", "1", "5"),
    *("pass", "fail", "significant", "point", "noninferior", "pass_rate", "mean_score"),
    *("exact", "set", "order", "lower", "undecided", "advisory", "mean", "p95", "max"),
    *("unicode", "rouge_score", "workflow", "autorater", "gemini", "anthropic", "worker"),
    *("oneshot", "a-name", "0123abcd", "2026-01-15", "2027-01-15", "whole", "hundredths"),
    *("negative", "plain", "ignored"),
    *(("case-removed",), ("case-removed", "gate-off"), ("A_NAME",), (("output", "answer"),)),
    *({"input": 1, "output": 2, "dated": "2026-01-15"},),
    *((RubricCheck(kind="contains", value="a"),), (RubricCheck(kind="contains", value="b"),)),
)
"""Whatever some field of some model takes."""


def model_of(cls, **keys):
    return cls(**{**NEEDED.get(cls.__name__, {}), **keys})


def values(cls, key):
    """Give every candidate that the field takes, as the model holds it, each once."""
    found = [getattr(model_of(cls), key)]
    for one in CANDIDATES:
        try:
            held = getattr(model_of(cls, **{key: one}), key)
        except ValidationError:
            continue
        if held not in found:
            found.append(held)
    return found


def policy_with(option):
    """Put one option model where a policy holds it."""
    suite, scorer, judge, gates, waivers = SuiteOptions(), None, None, (), ()
    if isinstance(option, SuiteOptions):
        suite = option
    elif isinstance(option, JudgeOptions):
        judge = option
    elif isinstance(option, Waiver):
        waivers = (option,)
    elif isinstance(option, SCORERS):
        scorer = option
    else:
        gates = (option,)
    return PolicyFile(suite, scorer, gates, judge=judge, waivers=waivers)


def differences(before, after):
    return list(
        policy_changes(policy_with(before), policy_with(after), path="gate.toml", redact=str)
    )


FIELDS = [(cls, key) for cls, keys in DIRECTIONS.items() for key in keys]
names = pytest.mark.parametrize(
    ("cls", "key"), FIELDS, ids=[f"{cls.__name__}.{key}" for cls, key in FIELDS]
)


@names
def test_the_candidates_hold_two_values_of_every_field(cls, key):
    assert len(values(cls, key)) > 1


@names
def test_one_field_that_changes_is_exactly_one_change_with_a_direction(cls, key):
    way = direction(cls, key)
    for before in values(cls, key):
        for after in values(cls, key):
            found = differences(model_of(cls, **{key: before}), model_of(cls, **{key: after}))
            if not way.moved(before, after):
                assert found == []
                continue
            if (cls.__name__, key) == ("JudgeOptions", "trust") and None in (before, after):
                # A record of trust brings its gate along.
                found = [one for one in found if one.subject != "judge_trust"]
            (change,) = found
            if (cls.__name__, key) == ("SafetyOptions", "label") and before is None:
                # One of another label stands beside the default, which looks for `safety`.
                assert (change.kind, change.loosens) == ("gate-added", False)
                continue
            assert change.loosens is way.loosens(before, after)
            assert change.kind in get_args(ChangeKind)
            assert change.before != change.after


@names
def test_no_field_gets_looser_both_ways_unless_nobody_knows_which_is_which(cls, key):
    """Of two known limits one is the looser; what is not known loosens in both directions."""
    way = direction(cls, key)
    for before in values(cls, key):
        for after in values(cls, key):
            if before == after or before is None or after is None:
                continue
            if isinstance(before, (Decimal, int)) and way.loosened in {
                *("limit-loosened", "threshold-lowered", "advisory-on"),
            }:
                assert way.loosens(before, after) is not way.loosens(after, before)


@names
def test_what_loosens_there_never_tightens_back_unseen(cls, key):
    """There and back again loosens at least once, but for what decides nothing."""
    way = direction(cls, key)
    if way.loosened in {"other-changed", "waiver-changed"}:
        return
    for before in values(cls, key):
        for after in values(cls, key):
            if way.moved(before, after):
                assert way.loosens(before, after) or way.loosens(after, before)


gates = st.lists(
    st.sampled_from(GATES).flatmap(
        lambda cls: st.builds(
            model_of,
            st.just(cls),
            enabled=st.booleans(),
        )
    ),
    max_size=6,
).map(tuple)


@given(gates)
def test_equal_rules_differ_in_nothing(made):
    one = PolicyFile(SuiteOptions(), None, made)
    other = PolicyFile(SuiteOptions(), None, tuple(reversed(made)))
    assert list(policy_changes(one, one, path="p", redact=str)) == []
    assert list(policy_changes(one, other, path="p", redact=str)) == []


@given(gates, gates)
def test_a_gate_that_judges_no_more_is_always_a_change_that_loosens(before, after):
    """However gates are paired, one that is gone or off leaves a change that loosens."""
    one, other = (PolicyFile(SuiteOptions(), None, made) for made in (before, after))
    lost = any(
        sum(gate.enabled for gate in before if gate.gate == name)
        > sum(gate.enabled for gate in after if gate.gate == name)
        for name in {gate.gate for gate in after}
    )
    found = list(policy_changes(one, other, path="p", redact=str))
    if lost:
        assert any(change.loosens for change in found)


text = st.text(max_size=4)
cases = st.lists(
    st.builds(
        EvalCase,
        id=st.sampled_from("abcdef"),
        input=text,
        reference=st.none() | text,
        labels=st.sampled_from([(), ("safety",), ("x",), ("safety", "x")]),
    ),
    unique_by=lambda case: case.id,
)


@settings(max_examples=300)
@given(cases, cases)
def test_a_golden_set_differs_exactly_where_its_cases_do(before, after):
    found = list(case_changes(before, after, watched=("safety",), redact=str))
    old = {case.id: case for case in before}
    new = {case.id: case for case in after}
    moved = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    assert {change.subject for change in found} == moved
    harmless = {"case-added", "safety-label-added"}
    assert {one.kind for one in found if not one.loosens} <= harmless
    unwatched = {
        name
        for name, case in old.items()
        if "safety" in case.labels and (name not in new or "safety" not in new[name].labels)
    }
    named = {one.subject for one in found if one.kind.startswith("safety-") and one.loosens}
    assert named == unwatched
    assert list(case_changes(before, before, watched=("safety",), redact=str)) == []
