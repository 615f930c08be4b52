"""A rating by a rubric of the user's: a text of the options, or of a file."""

import pytest
from pydantic import ValidationError

from gate.records.scoring import JudgeScorerOptions
from gate.scorers.judge import objection
from gate.scorers.table import asked, identity


def test_it_asks_once_by_the_rubric():
    assert asked(JudgeScorerOptions(rubric="be kind")) == ("rubric", "be kind", 1)
    assert asked(JudgeScorerOptions()).text is None


def test_another_rubric_is_another_scorer():
    one, other = (JudgeScorerOptions(rubric=text) for text in ("be kind", "be brief"))
    assert identity(one) != identity(other)


def test_a_case_may_do_without_a_reference():
    assert objection(JudgeScorerOptions(), None) is None


def test_an_empty_rubric_is_none():
    with pytest.raises(ValidationError):
        JudgeScorerOptions(rubric="")
