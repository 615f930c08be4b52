"""A weighted vote over checks; the reference plays no part."""

import pytest

from gate.records.scoring import RubricCheck, RubricOptions
from gate.scorers.rubric import bind, objection


def rubric(*checks):
    return RubricOptions(checks=tuple(RubricCheck(**check) for check in checks))


YES = {"kind": "contains", "value": "yes"}
NO_KEY = {"kind": "excludes", "value": "sk-", "weight": 3}


@pytest.mark.parametrize(
    ("output", "score"), [("yes", 1.0), ("no", 0.75), ("yes: sk-1", 0.25), ("sk-1", 0.0)]
)
def test_the_score_is_the_weight_that_was_earned(output, score):
    assert bind(rubric(YES, NO_KEY))(output, "never read") == score


@pytest.mark.parametrize(
    "checks",
    [
        (),
        ({**YES, "weight": 0},),
        ({"kind": "regex", "value": "("},),
        ({"kind": "min_words", "value": "many"},),
    ],
)
def test_a_rubric_that_cannot_be_used_is_objected_to(checks):
    assert "rubric that cannot be used" in objection(rubric(*checks), None)


def test_a_rubric_needs_no_reference():
    assert objection(rubric(YES), None) is None


def test_a_pattern_is_matched_in_linear_time():
    options = rubric({"kind": "regex", "value": "(a+)+$"})
    assert bind(options)("a" * 50_000 + "!", "") == 0.0
