"""Ratings by a judge who reads the trajectory: three looks, by one of two prompts."""

import pytest
from pydantic import ValidationError

from gate.records.scoring import AutoraterOptions
from gate.scorers.autorater import objection
from gate.scorers.table import asked, identity


def test_it_looks_three_times_and_does_not_mind_the_tools():
    assert asked(AutoraterOptions()) == ("autorater", None, 3)


def test_the_workflow_is_rated_where_somebody_says_so():
    assert asked(AutoraterOptions(prompt="workflow")).prompt == "workflow"
    assert identity(AutoraterOptions()) != identity(AutoraterOptions(prompt="workflow"))


def test_there_is_no_third_prompt():
    with pytest.raises(ValidationError):
        AutoraterOptions(prompt="geoktools")


@pytest.mark.parametrize("reference", ["", " \n\t"])
def test_a_blank_expert_answer_is_objected_to(reference):
    assert "blank reference" in objection(AutoraterOptions(), reference)
    assert objection(AutoraterOptions(), "x") is None
