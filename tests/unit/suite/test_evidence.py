"""Excerpts: few, the most urgent first, whatever the order, redacted before they are cut."""

import random

import pytest

from gate.records.case import Prediction
from gate.suite.collect import FAILING, NEWLY_FAILING, Collector, Known, Numbering
from gate.suite.evidence import CHARACTERS, KEPT, TOOLS, EvidenceKeeper, cut


def offers(make, count):
    return [
        (at % 3, make.case(f"c-{at:04d}"), 0, Prediction(id=f"c-{at:04d}", output=f"said {at}"))
        for at in range(count)
    ]


def kept(rows):
    keeper = EvidenceKeeper(str)
    for row in rows:
        keeper.offer(*row)
    return keeper.by_case()


def test_a_bounded_number_is_kept_the_most_urgent_first(make):
    found = kept(offers(make, 5 * KEPT))
    assert len(found) == KEPT
    assert all(int(name.split("-")[1]) % 3 == 0 for name in found)


def test_what_is_kept_does_not_depend_on_the_order(make):
    rows = offers(make, 3 * KEPT)
    expected = kept(rows)
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        assert kept(rows) == expected


def test_the_excerpts_of_a_case_stand_by_repeat_whatever_their_urgency(make):
    rows = [
        (urgency, make.case(), repeat, Prediction(id="a", repeat=repeat, output="x"))
        for urgency, repeat in ((0, 2), (2, 0), (1, 1))
    ]
    assert [found.repeat for found in kept(rows)["a"]] == [0, 1, 2]


def test_texts_are_bounded_and_say_what_went():
    assert cut("x" * CHARACTERS) == "x" * CHARACTERS
    assert cut("x" * (CHARACTERS + 1)) == "x" * CHARACTERS + " … (+1 characters)"


def test_a_secret_at_the_edge_of_an_excerpt_is_redacted_before_it_is_cut(make):
    def redact(text):
        return text.replace("SECRET-KEY", "***")

    keeper = EvidenceKeeper(redact)
    text = "x" * (CHARACTERS - 8) + "SECRET-KEY"
    answer = Prediction(id="a", error=text, tools=("SECRET-KEY",) * (TOOLS + 9))
    keeper.offer(0, make.case(reference="SECRET-KEY", expected_tools=("SECRET-KEY",)), 0, answer)
    (found,) = keeper.by_case()["a"]
    assert "SECRET" not in str(found)
    assert found.expected == "***"
    assert len(found.tools) == TOOLS


def test_a_run_that_did_not_come_has_neither_output_nor_error(make):
    (found,) = kept([(0, make.case(), 0, None)])["a"]
    assert (found.expected, found.output, found.error, found.tools) == ("yes", None, None, None)


@pytest.fixture
def collector(make):
    def grade(_case, prediction):
        return make.run(1.0 if prediction.output == "yes" else 0.0, repeat=prediction.repeat)

    return Collector(grade, str, Known(passed={"was-good"}, failed={"was-bad"}), paths=True)


def rows(collector, make, answers, *, repeats=1):
    cases = {name: make.case(name) for name, _ in answers}
    collector.take(
        (cases[name], Prediction(id=name, output=output))
        for name, output in answers
        if output is not None
    )
    place = lambda _case: (make.digest(), None)  # noqa: E731 - the smallest there is
    return {row.id: row for row in collector.rows(cases, repeats=repeats, place=place)}


def test_evidence_is_kept_of_failures_and_of_what_passes_anew(collector, make):
    answers = [("was-good", "no"), ("was-bad", "yes"), ("good", "yes"), ("gone", None)]
    found = rows(collector, make, answers)
    assert list(found) == sorted(found)
    assert {name: len(row.evidence) for name, row in found.items()} == {
        "was-good": 1,
        "was-bad": 1,
        "good": 0,
        "gone": 1,
    }


def test_what_the_baseline_passed_is_more_urgent_than_other_failures(collector, make):
    answers = [(f"a-{at:04d}", "no") for at in range(KEPT)] + [("was-good", "no")]
    found = rows(collector, make, answers)
    assert NEWLY_FAILING < FAILING
    assert len(found["was-good"].evidence) == 1
    assert sum(len(row.evidence) for row in found.values()) == KEPT


def test_the_greatest_repeat_and_its_first_case_are_known(collector, make):
    cases = [make.case(name) for name in "ba"]
    collector.take(
        (case, Prediction(id=case.id, repeat=at, output="yes")) for case in cases for at in (0, 1)
    )
    assert collector.numbering == Numbering(least=0, greatest=1, case_id="a", alone=False)


def test_a_case_that_alone_has_the_greatest_repeat_is_known(collector, make):
    answers = [("a", 1), ("b", 1), ("b", 2)]
    collector.take((make.case(n), Prediction(id=n, repeat=at, output="yes")) for n, at in answers)
    assert collector.numbering == Numbering(least=1, greatest=2, case_id="b", alone=True)


def test_answers_that_do_not_tell_their_tools_are_counted_where_a_path_is_declared(make):
    collector = Collector(lambda _case, _prediction: make.run(1.0), str, Known((), ()))
    case = make.case(expected_tools=("t",))
    collector.take(
        [
            (case, Prediction(id="a", output="x")),
            (case, Prediction(id="a", output="x", tools=())),
            (case, Prediction(id="a", error="x")),
            (make.case("b"), Prediction(id="b", output="x")),
        ]
    )
    assert collector.pathless == 1


def place(make):
    return lambda _case: (make.digest(), None)


def taken(collector, make, answers, *, repeats, tools=None, **fields):
    """Take (case, repeat, output) and give the repeats of each case's excerpts."""
    cases = {name: make.case(name, **fields) for name, _, _ in answers}
    collector.take(
        (cases[name], Prediction(id=name, repeat=at, output=output, tools=tools))
        for name, at, output in answers
    )
    found = collector.rows(cases, repeats=repeats, place=place(make))
    return {row.id: [one.repeat for one in row.evidence] for row in found}


def test_a_run_that_passed_is_no_evidence_of_a_failure(collector, make):
    answers = [("was-bad", 0, "yes"), ("was-bad", 1, "no"), ("was-bad", 2, "yes")]
    assert taken(collector, make, answers, repeats=3) == {"was-bad": [1]}


def test_nor_is_it_where_another_run_did_not_come(collector, make):
    assert taken(collector, make, [("was-bad", 0, "yes")], repeats=2) == {"was-bad": [1]}


def test_one_run_shows_what_passes_anew(collector, make):
    answers = [("was-bad", at, "yes") for at in (2, 0, 1)]
    assert taken(collector, make, answers, repeats=3) == {"was-bad": [0]}


def test_passing_runs_of_failing_cases_take_no_room_from_failures(make):
    names = [f"c-{at:04d}" for at in range(KEPT)]
    known = Known(passed=(), failed=set(names))
    collector = Collector(
        lambda _case, answer: make.run(float(answer.output == "yes"), repeat=answer.repeat),
        str,
        known,
    )
    answers = [(name, at, "yes" if at else "no") for name in names for at in (0, 1)]
    assert taken(collector, make, answers, repeats=2) == {name: [0] for name in names}


@pytest.mark.parametrize(("paths", "kept"), [(True, [0]), (False, [])])
def test_a_wrong_path_is_kept_only_while_a_gate_looks_at_paths(make, paths, kept):
    collector = Collector(
        lambda _case, _answer: make.run(1.0, trajectory=0.5), str, Known((), ()), paths=paths
    )
    found = taken(
        collector, make, [("a", 0, "yes")], repeats=1, tools=("s",), expected_tools=("t",)
    )
    assert found == {"a": kept}


def test_a_wrong_path_of_a_passing_run_is_no_evidence_of_a_failure(make):
    collector = Collector(
        lambda _case, answer: make.run(
            float(answer.output == "yes"), repeat=answer.repeat, trajectory=0.5
        ),
        str,
        Known((), ()),
        paths=True,
    )
    answers = [("a", 0, "yes"), ("a", 1, "no")]
    assert taken(collector, make, answers, repeats=2, expected_tools=("t",)) == {"a": [1]}
