"""The table of scorers: every one has a file, a model, an identity, and says what it needs."""

import json
from importlib import import_module

import pytest
from pydantic import TypeAdapter

from gate.records.scoring import JUDGED, RECORDED, ScorerOptions
from gate.scorers.table import (
    SCORERS,
    asked,
    bind,
    identity,
    is_graded,
    is_judged,
    is_recorded,
    needs_reference,
    objection,
    scorer_text,
)

GRADED = {"rubric", "jaccard", "rouge_l", "structured", RECORDED, *JUDGED}
UNREFERRED = {"rubric", "judge", RECORDED}
CHECKS = [{"kind": "contains", "value": "yes"}, {"kind": "min_words", "value": 2}]
NEEDED = {"numeric_within": {"tolerance": 1}, "rubric": {"checks": CHECKS}}


def options(name, **fields):
    given = {"name": name, **NEEDED.get(name, {}), **fields}
    return TypeAdapter(ScorerOptions).validate_python(given)


@pytest.mark.parametrize("name", SCORERS)
def test_a_module_holds_what_the_table_promises(name):
    module = import_module(SCORERS[name])
    assert module.VERSION == 1
    assert isinstance(module.NEEDS_REFERENCE, bool)
    assert module.GRADED is is_graded(options(name)) is (name in GRADED)


@pytest.mark.parametrize("name", SCORERS)
def test_a_scorer_is_bound_or_asks_a_judge_or_takes_what_was_recorded(name):
    module = import_module(SCORERS[name])
    assert sum(hasattr(module, held) for held in ("bind", "prompt", "recorded_score")) == 1
    assert is_recorded(options(name)) is hasattr(module, "recorded_score") is (name == RECORDED)
    assert is_judged(options(name)) is hasattr(module, "prompt") is (name in JUDGED)


@pytest.mark.parametrize("name", sorted(JUDGED))
def test_a_judged_scorer_says_how_it_asks(name):
    found = asked(options(name))
    assert found.prompt
    assert found.runs == import_module(SCORERS[name]).RUNS >= 1


@pytest.mark.parametrize("name", sorted(set(SCORERS) - JUDGED - {RECORDED}))
def test_a_bound_scorer_gives_shares(name):
    score = bind(options(name)).score
    for output in ("yes", "", "12", "[1]", "no \x00", "\U0001f600" * 50):
        assert 0.0 <= score(output, "12") <= 1.0


def test_an_identity_holds_every_parameter():
    found = identity(options("structured", tolerance_ratio="0.25"))
    assert (found.name, found.version) == ("structured", 1)
    assert json.loads(found.params) == {"tolerance_ratio": 0.25}
    assert json.loads(identity(options("rubric")).params)["checks"][0]["weight"] == 1


def test_a_scorers_text_moves_with_its_parameters_only():
    one, other = (scorer_text(options("numeric_within", tolerance=it)) for it in ("1", "2"))
    assert one != other
    assert one == scorer_text(options("numeric_within", tolerance=1.0))


@pytest.mark.parametrize("name", sorted(set(SCORERS) - UNREFERRED))
def test_a_case_without_a_reference_is_objected_to(make, name):
    said = objection(make.case(reference=None), options(name))
    assert said == f"has no reference, which the scorer {name!r} needs"


@pytest.mark.parametrize("name", sorted(UNREFERRED))
def test_what_compares_with_nothing_does_without_a_reference(make, name):
    assert not needs_reference(options(name))
    assert objection(make.case(reference=None), options(name)) is None


@pytest.mark.parametrize("name", sorted(JUDGED))
def test_no_single_case_asks_a_judge(make, name):
    said = objection(make.case(scorer=options(name)), options("contains"))
    assert said == f"brings the scorer {name!r}: only a whole suite's asks a judge"


def test_no_single_case_takes_a_recorded_score(make):
    said = objection(make.case(scorer=options(RECORDED)), options("contains"))
    assert said == "brings the scorer 'recorded': only a whole suite's is another tool's"


def test_the_scorer_of_the_case_is_the_one_that_is_asked(make):
    case = make.case(reference=None, scorer=options("rubric"))
    assert objection(case, options("contains")) is None
