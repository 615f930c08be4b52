"""What the agent's own answers cost and how long they took, as the predictions say."""

import json
from dataclasses import replace

import pytest

from gate.gates.budget import judge, objection
from gate.records.gating import BudgetOptions
from gate.records.result import Effort


def effort(**fields):
    given = {
        "n_answers": 4,
        "n_costs": 4,
        "cost_usd": 0.5,
        "n_latencies": 4,
        "mean_latency_ms": 100.0,
        "p95_latency_ms": 200.0,
        "max_latency_ms": 300.0,
    }
    return Effort(**{**given, **fields})


@pytest.fixture
def judged(make):
    def show(found, **options):
        evidence = replace(make.evidence(make.row("a")), effort=found)
        return judge(BudgetOptions(**options), evidence)

    return show


def test_a_budget_without_a_limit_is_objected_to():
    assert "required" in objection(BudgetOptions(), None)
    assert objection(BudgetOptions(max_cost_usd="0"), None) is None
    assert objection(BudgetOptions(max_latency_ms="0"), None) is None


@pytest.mark.parametrize(("limit", "outcome"), [("0.5", "pass"), ("0.49999", "fail")])
def test_a_cost_is_held_to_its_limit_which_is_inclusive(judged, limit, outcome):
    verdict = judged(effort(), max_cost_usd=limit)
    assert verdict.outcome == outcome
    assert f"the answers cost $0.5000 (allowed ${limit})" in verdict.because


@pytest.mark.parametrize(
    ("which", "limit", "outcome"),
    [
        ("mean", "100", "pass"),
        ("mean", "99.9", "fail"),
        ("p95", "200", "pass"),
        ("p95", "199.9", "fail"),
        ("max", "300", "pass"),
        ("max", "299.9", "fail"),
    ],
)
def test_a_latency_is_held_to_its_limit(judged, which, limit, outcome):
    assert judged(effort(), max_latency_ms=limit, latency=which).outcome == outcome


def test_one_exceeded_limit_of_two_fails(judged):
    assert judged(effort(), max_cost_usd="1", max_latency_ms="1").outcome == "fail"
    assert judged(effort(), max_cost_usd="0", max_latency_ms="999").outcome == "fail"


def test_without_answers_or_figures_it_is_undecided(judged):
    assert judged(None, max_cost_usd="1").outcome == "undecided"
    assert judged(effort(n_answers=0), max_cost_usd="1").outcome == "undecided"


def test_an_answer_that_does_not_say_leaves_it_undecided(judged):
    silent = judged(effort(n_costs=3), max_cost_usd="1")
    assert silent.outcome == "undecided"
    assert silent.because == "1 of 4 answers does not say what it cost"
    slow = judged(effort(n_latencies=2), max_latency_ms="999")
    assert slow.because == "2 of 4 answers do not say how long they took"


def test_a_known_excess_of_cost_fails_whatever_is_not_known(judged):
    assert judged(effort(n_costs=1), max_cost_usd="0.1").outcome == "fail"


def test_a_figure_that_nobody_gave_exceeds_nothing(judged):
    found = effort(n_costs=0, cost_usd=0.0)
    assert judged(found, max_cost_usd="0").outcome == "undecided"


def test_its_numbers_are_the_whole_effort(judged):
    assert json.loads(judged(effort(), max_cost_usd="1").numbers)["max_latency_ms"] == 300.0


def of_base(**fields):
    return effort(n_answers=8, n_latencies=8, of_base=effort(**fields))


@pytest.fixture
def on_a_pull_request(make):
    def show(found, **options):
        evidence = make.evidence(make.row("a"), make.row("n"), origin=make.origin("n"))
        return judge(BudgetOptions(**options), replace(evidence, effort=found))

    return show


@pytest.mark.parametrize(
    ("which", "slow"), [("mean", "mean_latency_ms"), ("p95", "p95_latency_ms")]
)
def test_answers_to_new_cases_dilute_no_latency(on_a_pull_request, which, slow):
    found = of_base(**{slow: 900.0})
    verdict = on_a_pull_request(found, max_latency_ms="500", latency=which)
    assert verdict.outcome == "fail"
    assert verdict.because.endswith("900 ms (allowed 500 ms) without the 1 new case")
    quick = on_a_pull_request(of_base(), max_latency_ms="500", latency=which)
    assert quick.outcome == "pass"
    assert "new case" not in quick.because
    assert "of_base" not in json.loads(quick.numbers)


def test_the_slowest_and_the_total_they_can_only_raise(on_a_pull_request):
    found = effort()
    assert on_a_pull_request(found, max_latency_ms="300", latency="max").outcome == "pass"
    assert on_a_pull_request(found, max_cost_usd="0.5").outcome == "pass"


def test_what_is_not_told_apart_is_undecided(on_a_pull_request):
    """As in a result that `score` wrote, which knows no base."""
    verdict = on_a_pull_request(effort(), max_latency_ms="500")
    assert verdict.outcome == "undecided"
    assert "how long the answers took without the 1 new case is not known" in verdict.because
    silent = on_a_pull_request(of_base(n_latencies=2), max_latency_ms="500")
    assert silent.outcome == "undecided"
