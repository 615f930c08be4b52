"""What may make a verdict mean less than it seems to, said loudly."""

from gate.report.cautions import Numbered, cautions

FINE = Numbered(least=0, case_id=None, repeats=3, came=3)


def said(rows=(), *, misspelt=(), watched=("safety",), numbered=FINE):
    return cautions(rows, misspelt=misspelt, watched=watched, numbered=numbered)


def test_nothing_is_said_where_nothing_looks_like_a_mistake(build):
    assert said((build.case("a", labels=("safety", "safety-ish")),)) == ()


def test_a_field_that_was_not_read_is_named():
    (text,) = said(misspelt=[("label", "labels", 3)])
    assert "'label' of 3 cases" in text
    assert "did you mean 'labels'" in text


def test_a_label_that_only_looks_like_the_watched_one_is_named(build):
    rows = (build.case("a", labels=("Safety",)), build.case("b", labels=("Safety", " safety")))
    first, second = said(rows)
    assert first.startswith("The label ' safety' of 1 case is not 'safety'")
    assert second.startswith("The label 'Safety' of 2 cases is not 'safety'")
    assert said(rows, watched=("pii",)) == ()


def test_repeats_that_do_not_begin_at_0_are_noted():
    (text,) = said(numbered=FINE._replace(least=1))
    assert text.startswith("Repeats count from 0")


def test_a_case_that_alone_sets_the_number_of_runs_is_named():
    (text,) = said(numbered=Numbered(least=0, case_id="qa-7", repeats=8, came=8))
    assert "Repeat 7 stands in one case alone, 'qa-7'" in text


def test_fewer_runs_than_expected_are_said_with_both_ways_out():
    (text,) = said(numbered=Numbered(least=0, case_id=None, repeats=3, came=1))
    assert "hold 1 run of each case at most, and 3 are expected" in text
    assert "Run the agent 3 times, or pass --repeats 1." in text
