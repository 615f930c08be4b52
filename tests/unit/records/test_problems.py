"""What a validation found, in words a user can act on."""

import pytest
from pydantic import TypeAdapter, ValidationError

from gate.records.baseline import AcceptedSummary
from gate.records.gating import GateOptions
from gate.records.policy import Overrides, SuiteOptions
from gate.records.problems import explain, members, nearest
from gate.records.scoring import ScorerOptions


def said(kind, value, known=None):
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(value)
    found = explain(caught.value) if known is None else explain(caught.value, known=known)
    return [(finding.key, finding.text) for finding in found]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"seed": "1"}, ("seed", "`seed` expected a whole number")),
        ({"advisory": 1}, ("advisory", "`advisory` expected true or false")),
        ({"cases": 3}, ("cases", "`cases` expected a text")),
        ({"repeats": 0}, ("repeats", "`repeats` should be greater than or equal to 1")),
        ({"pass_threshold": "x"}, ("pass_threshold", "`pass_threshold` 'x' is not a number")),
        (
            {"pass_threshold": True},
            ("pass_threshold", "`pass_threshold` a number is wanted here"),
        ),
    ],
)
def test_a_wrong_value_is_said_with_its_field(value, expected):
    assert said(SuiteOptions, value) == [expected]


def test_a_missing_field_is_required():
    assert ("n_cases", "`n_cases` is required") in said(AcceptedSummary, {})


def test_a_number_that_is_not_finite_is_said_so():
    found = dict(said(AcceptedSummary, {"mean_score": float("nan")}))
    assert found["mean_score"] == "`mean_score` expected a finite number"


def test_an_unknown_key_gets_the_nearest_known_one():
    known = tuple(SuiteOptions.model_fields)
    assert said(SuiteOptions, {"pass_treshold": 1}, lambda _: known) == [
        ("pass_treshold", "unknown key 'pass_treshold'; did you mean 'pass_threshold'?")
    ]
    assert said(SuiteOptions, {"colour": 1}, lambda _: known) == [
        ("colour", "unknown key 'colour'")
    ]


def test_an_unknown_key_is_cut_short():
    ((_, text),) = said(SuiteOptions, {"x" * 5000: 1})
    assert len(text) < 120


def test_an_unknown_tag_gets_the_nearest_and_all_known_ones():
    ((key, text),) = said(GateOptions, {"gate": "regresion"})
    assert key == "gate"
    assert text.startswith("unknown gate 'regresion'; did you mean 'regression'? (known: ")


def test_a_tag_that_is_not_there_is_required():
    assert said(ScorerOptions, {}) == [("name", "`name` is required")]


def test_the_members_of_a_union_are_found_by_their_tag():
    assert "tolerance" in members(ScorerOptions, ("numeric_within",))
    assert members(ScorerOptions, ("nothing",)) == ()
    assert members(ScorerOptions, ()) == ()


def test_every_problem_is_told():
    assert len(said(Overrides, {"seed": -1, "repeats": 0, "rule": "x"})) == 3


def test_only_a_near_name_is_suggested():
    assert nearest("saftey", ["safety", "floor"]) == "; did you mean 'safety'?"
    assert nearest("x", ["safety", "floor"]) == ""
    assert nearest("x", []) == ""
