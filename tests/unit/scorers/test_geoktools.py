"""A golden list, element by element: what is asked, how often, and of which cases."""

import pytest

from gate.records.scoring import GeoktoolsOptions
from gate.scorers.geoktools import objection, prompt
from gate.scorers.table import asked, is_judged, needs_reference


def test_it_asks_once_by_the_prompt_of_its_name():
    assert asked(GeoktoolsOptions()) == ("geoktools", None, 1)
    assert prompt(GeoktoolsOptions()) == ("geoktools", None)
    assert is_judged(GeoktoolsOptions())


@pytest.mark.parametrize("reference", ['["Paris", 105]', "Paris", "[]", ""])
def test_every_reference_is_a_list_or_one_element(reference):
    assert objection(GeoktoolsOptions(), reference) is None


def test_it_needs_a_reference():
    assert needs_reference(GeoktoolsOptions())
