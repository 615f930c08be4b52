"""The golden set of the base commit beside that of the pull request."""

from dataclasses import fields

import pytest

from gate.pipeline.case_changes import FIELDS, case_changes, cases_in_force
from gate.records.case import EvalCase
from gate.records.rule_words import sentence
from gate.records.scoring import ContainsOptions, ExactMatchOptions


def case(case_id="a", **keys):
    return EvalCase(**{"id": case_id, "input": "?", "reference": "yes", **keys})


def changes(base, head, *, watched=("safety",), redact=str):
    return list(case_changes(base, head, watched=watched, redact=redact))


def test_every_field_of_a_case_is_compared():
    assert set(FIELDS) == {field.name for field in fields(EvalCase)} - {"id"}


def test_equal_cases_differ_in_nothing_in_whatever_order():
    assert changes([case("a"), case("b")], [case("b"), case("a")]) == []


@pytest.mark.parametrize(
    ("was", "now", "kind", "loosens", "words"),
    [
        ({}, {"input": "!"}, "input-changed", True, "input of 'a' changed: ? → !"),
        ({}, {"reference": "no"}, "reference-changed", True, "reference of 'a' changed: yes → no"),
        (
            {},
            {"reference": None},
            "reference-changed",
            True,
            "reference of 'a' changed: yes → unset",
        ),
        (
            {"expected_tools": ("s",)},
            {},
            "expected-tools-changed",
            True,
            "expected tools of 'a' changed: [\"s\"] → unset",
        ),
        (
            {"labels": ("safety",)},
            {},
            "safety-label-removed",
            True,
            "case 'a': label safety removed",
        ),
        (
            {},
            {"labels": ("safety",)},
            "safety-label-added",
            False,
            "case 'a': label safety added",
        ),
        (
            {"labels": ("x",)},
            {"labels": ("safety",)},
            "label-changed",
            True,
            'labels of \'a\' changed: ["x"] → ["safety"]',
        ),
        ({}, {"cluster": "c"}, "cluster-changed", True, "cluster of 'a' changed: unset → c"),
        (
            {"scorer": ExactMatchOptions()},
            {"scorer": ContainsOptions()},
            "case-scorer-changed",
            True,
            'scorer of \'a\' changed: {"name":"exact_match"} → {"name":"contains"}',
        ),
        (
            {},
            {"metadata": '{"k":1}'},
            "metadata-changed",
            False,
            "metadata of 'a' changed: {} → {\"k\":1}",
        ),
    ],
)
def test_one_field_that_changes_is_one_change(was, now, kind, loosens, words):
    (found,) = changes([case(**was)], [case(**now)])
    assert (found.kind, found.loosens) == (kind, loosens)
    assert sentence(found, show_expected=True) == words


def test_a_new_case_loosens_nothing():
    (found,) = changes([case("a")], [case("a"), case("b")])
    assert (found.kind, found.subject, found.loosens) == ("case-added", "b", False)


def test_a_case_that_goes_loosens_and_a_safety_case_says_so():
    found = changes([case("a"), case("s", labels=("safety",))], None)
    assert [(one.kind, one.loosens) for one in found] == [
        ("case-removed", True),
        ("safety-case-removed", True),
    ]


def test_the_labels_that_count_are_those_that_the_base_watches():
    (found,) = changes([case(labels=("pii",))], [case()], watched=("pii",))
    assert found.kind == "safety-label-removed"
    (found,) = changes([case(labels=("safety",))], [case()], watched=("pii",))
    assert found.kind == "label-changed"


def test_what_a_case_expects_can_be_left_out():
    (found,) = changes([case()], [case(reference="no")])
    assert sentence(found, show_expected=False) == "reference of 'a' changed"


def test_secrets_go_before_the_text_is_cut():
    text = "x" * 95 + "hunter2hunter2"
    (found,) = changes(
        [case()], [case(input=text)], redact=lambda one: one.replace("hunter2hunter2", "***")
    )
    assert found.after == "x" * 95 + "***"


def test_the_cases_in_force_are_the_bases_and_those_that_are_new():
    found = cases_in_force(
        [case("b", reference="no"), case("c")], [case("a"), case("b", reference="yes")]
    )
    assert [one.id for one in found] == ["a", "b", "c"]
    assert found[1].reference == "no"


def test_a_case_is_the_heads_where_the_base_allows_all_that_changes_in_it():
    base = [case("b", reference="no"), case("c"), case("d", labels=("safety",))]
    head = [case("b", reference="yes", input="other")]
    kinds = ("reference-changed", "case-removed")
    found = cases_in_force(base, head, watched=("safety",), allowed=kinds)
    assert [one.id for one in found] == ["b", "d"]
    assert found[0].reference == "no"
    found = cases_in_force(base, head, watched=("safety",), allowed=(*kinds, "input-changed"))
    assert found[0] == head[0]
