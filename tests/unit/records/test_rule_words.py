"""Every kind of change can be said."""

from typing import get_args

import pytest

from gate.records.rule_change import OF_CASES, ChangeKind, RuleChange
from gate.records.rule_words import sentence

KINDS = get_args(ChangeKind)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_sentence_about_its_subject(kind):
    change = RuleChange(kind=kind, subject="thing", before="b", after="a", loosens=True)
    said = sentence(change, show_expected=True)
    assert "thing" in said
    assert "None" not in said
    assert "thing" in sentence(change, show_expected=False)


def test_the_kinds_about_cases_are_kinds():
    assert set(KINDS) > OF_CASES
    assert len(set(KINDS)) == len(KINDS)


@pytest.mark.parametrize("kind", sorted(OF_CASES))
def test_a_long_id_is_cut(kind):
    change = RuleChange(kind=kind, subject="x" * 900, before="b", after="a", loosens=True)
    assert len(sentence(change, show_expected=True)) < 200


def test_the_cases_of_a_group_are_named_and_counted():
    change = RuleChange(
        kind="baseline-changed",
        subject="baseline: dropped",
        loosens=True,
        number=7,
        case_ids=("a", "b"),
    )
    assert sentence(change, show_expected=True) == (
        "baseline: dropped: 7 cases ('a', 'b' and 5 more)"
    )


def test_a_change_without_values_says_no_more_than_that():
    change = RuleChange(kind="prompt-changed", subject="[judge] prompt p", loosens=True)
    assert sentence(change, show_expected=True) == "[judge] prompt p changed"
