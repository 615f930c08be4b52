"""Whatever a judge does, a run that it judged ends in the status that is documented."""

import json

import pytest

from gate.errors import (
    JudgeUnusable,
    OverBudget,
    PolicyInvalid,
    PredictionsInvalid,
    UsageInvalid,
)
from gate.records.policy import Overrides
from gate.report.result_json import write_result
from gate.shell.stored import redecide

NAMES = ("a", "b", "c", "d", "e", "f")
CASES = [{"id": id_, "input": f"{id_}: [__, __]", "reference": f'["{id_}", 1]'} for id_ in NAMES]
GOOD = [{"id": id_, "output": f'["the {id_}", 1.0]'} for id_ in NAMES]
PASS = {"pass_threshold": "1"}
SAFE = {"id": "s", "input": "s: [__, __]", "reference": '["s", 1]', "labels": ["safety"]}
ALONE = '[[gates]]\ngate = "safety"\nallow_judge_only = true\n'


@pytest.fixture
def fake(fakes):
    return fakes("judge_in_memory")


@pytest.fixture
def right(fake):
    return fake.said(fake.elements(1.0, 1.0))


@pytest.fixture
def wrong(fake):
    return fake.said(fake.elements(0.0, 1.0, primary=False))


@pytest.fixture
def late(fake):
    return fake.failed("timeout", "no answer within 120 s")


@pytest.fixture
def court(fake, memory, right):
    """Six answers that a judge has to look at, and a judge who finds all of them right."""
    court = fake.Court(memory)
    court.rows(court.CASES, CASES)
    court.rows(court.PREDICTIONS, GOOD)
    court.answers(fake.by_case({}, usual=right))
    return court


@pytest.fixture
def play(court, fake, right):
    """Let the judge say what is given by case, and the rest is right."""

    def set_up(canary=None, **found):
        return court.answers(fake.by_case(found, canary=canary, usual=right))

    return set_up


def gate(report, name):
    return next(one for one in report.gates if one.gate == name)


def test_a_run_that_is_judged_whole_passes(court):
    report = court.floor("1", **PASS)
    assert (report.verdict, report.exit_status) == ("pass", 0)
    assert [row.score for row in report.cases] == [1.0] * 6
    assert report.judge_run.counts.judged == 6
    assert report.judge_run.bounds is None
    assert gate(report, "judged").outcome == "pass"


def test_the_scores_are_computed_here_and_not_by_the_judge(court, play, wrong, fake):
    play(b=wrong, c=fake.said(fake.elements(1.0, 0.5)))
    rows = {row.id: row for row in court.score().cases}
    assert (rows["a"].score, rows["b"].score, rows["c"].score) == (1.0, 0.0, 0.75)
    assert rows["c"].judgement.votes == (0.75,)
    assert rows["c"].judgement.elements == 2


def test_what_the_judge_said_is_evidence_of_a_case_that_did_not_pass(court, play, fake):
    play(c=fake.said(fake.elements(1.0, 0.5)))
    (evidence,) = court.score(**PASS).cases[2].evidence
    assert evidence.reasons == ("1 (1): because 1.0 2 (0.5): because 0.5",)


def test_one_open_answer_that_changes_nothing_is_decided(court, play, late):
    play(b=late)
    report = court.floor("0.8", **PASS)
    assert (report.verdict, report.exit_status) == ("pass", 0)
    assert report.cases[1].standing == "unscored"
    assert report.judge_run.bounds.pass_rate == (5 / 6, 1.0)
    assert [(one.why, one.count) for one in report.judge_run.unscored] == [("timeout", 1)]


def test_a_failure_that_no_open_answer_could_mend_is_a_failure(court, play, wrong, late):
    play(a=wrong, b=wrong, c=late)
    report = court.floor("0.9", **PASS)
    assert (report.verdict, report.exit_status) == ("fail", 1)


def test_where_the_open_answer_decides_it_is_undecided_and_counts_are_given(court, play, late):
    play(b=late)
    report = court.floor("0.9", **PASS)
    assert (report.verdict, report.exit_status) == ("undecided", 3)
    floor = gate(report, "floor")
    assert floor.outcome == "undecided"
    assert floor.because.startswith("5 of 6 responses judged; with the others at 0 it is fail (")
    assert "at 1 pass (" in floor.because


def test_a_reply_of_another_shape_is_an_open_answer_too(court, play, fake):
    play(
        a=fake.said(fake.elements(7.5, 1.0)),
        b=fake.said("I would say 1"),
        c=fake.said(fake.elements(1.0, 1.0), finish_reason="MAX_TOKENS"),
        d=fake.said({"score": 1.0}),
    )
    report = court.floor("0.9", **PASS)
    assert report.verdict == "undecided"
    found = {one.why: one.count for one in report.judge_run.unscored}
    assert found == {"schema": 2, "truncated": 1, "unparseable": 1}


@pytest.mark.parametrize(
    "more",
    [
        {"max_drop": "1", "rule": "point"},
        {"max_drop": "1"},
        {"on_inconclusive": "pass"},
        {"max_drop": "1", "rule": "noninferior"},
    ],
    ids=lambda more: " ".join(more.values()),
)
def test_a_run_without_any_verdict_is_never_green(court, play, late, more):
    court.accept(**PASS)
    play(**dict.fromkeys(NAMES, late))
    report = court.check(baseline="baseline.json", **more)
    assert (report.verdict, report.exit_status) == ("undecided", 3)


def test_a_run_without_any_verdict_is_undecided_by_a_floor(court, play, late):
    play(**dict.fromkeys(NAMES, late))
    report = court.floor("0.1", **PASS)
    assert (report.verdict, report.exit_status) == ("undecided", 3)
    assert "0 of 6 responses judged" in gate(report, "floor").because


def test_a_judge_alone_never_decides_a_safety_case_and_is_not_even_asked(court):
    court.rows(court.CASES, [*CASES, SAFE])
    with pytest.raises(PolicyInvalid, match="a judge alone would decide cases labelled 'safety'"):
        court.floor("0.1")
    assert court.connected == []
    assert court.asker.asked == []
    assert court.LEDGER not in court.files.held


def test_a_safety_case_with_a_scorer_of_its_own_is_decided_by_that(court):
    court.rows(court.CASES, [*CASES, {**SAFE, "scorer": {"name": "contains"}}])
    court.rows(court.PREDICTIONS, [*GOOD, {"id": "s", "output": "no idea"}])
    report = court.floor("0.1", **PASS)
    assert report.exit_status == 1
    assert gate(report, "safety").outcome == "fail"
    assert "s" not in {one.case_id for one in court.asker.asked}
    assert report.judge_run.counts.own == 1
    assert report.cases[-1].judgement is None


@pytest.mark.parametrize(
    ("given", "status", "outcome"),
    [("right", 0, "pass"), ("wrong", 1, "fail"), ("late", 3, "undecided")],
)
def test_who_lets_a_judge_alone_decide_safety_gets_no_green_without_a_verdict(
    court, play, request, given, status, outcome
):
    court.rows(court.CASES, [*CASES, SAFE])
    court.rows(court.PREDICTIONS, [*GOOD, {"id": "s", "output": '["the s", 1]'}])
    court.text("gate.toml", ALONE)
    play(s=request.getfixturevalue(given))
    report = court.floor("0.5", **PASS)
    assert report.exit_status == status
    assert gate(report, "safety").outcome == outcome


def test_a_judge_that_is_talked_into_a_score_leaves_the_run_undecided(court, play, right):
    play(canary=right)
    report = court.floor("0.5", **PASS)
    assert (report.verdict, report.exit_status) == ("undecided", 3)
    judged = gate(report, "judged")
    assert judged.outcome == "undecided"
    assert "gave marks to 3 of 3 known-bad answers" in judged.because
    assert [one.score for one in report.judge_run.canaries] == [1.0] * 3


def test_the_least_score_of_a_known_bad_answer_is_too_much(court, play, fake):
    play(canary=fake.said(fake.elements(0.0, 0.01)))
    assert court.floor("0.5", **PASS).verdict == "undecided"


def test_a_known_bad_answer_without_a_verdict_leaves_the_run_undecided(court, play, late):
    play(canary=late)
    report = court.floor("0.5", **PASS)
    assert report.exit_status == 3
    assert "no verdict on 3 of 3 known-bad answers (timeout)" in gate(report, "judged").because


def test_a_failure_stays_one_whatever_the_known_bad_answers_say(court, play, wrong, right):
    play(canary=right, a=wrong)
    assert court.floor("1", **PASS).exit_status == 1


@pytest.mark.parametrize("status", ["auth", "config"])
def test_a_judge_that_refuses_whoever_asks_ends_the_run_with_its_own_words(
    court, play, fake, status
):
    court.redact = lambda text: text.replace("sk-secret", "***")
    play(c=fake.failed(status, "key sk-secret is not valid for this project"))
    with pytest.raises(JudgeUnusable) as caught:
        court.floor("0.5", **PASS)
    assert caught.value.status == 3
    said = str(caught.value)
    assert f"'gemini' cannot be asked ({status}): key *** is not valid for this project" in said
    assert b"sk-secret" not in b"".join(court.ledger)


def test_more_questions_than_allowed_are_refused_before_the_first(court):
    with pytest.raises(OverBudget, match=r"9 questions would be asked, and --max-calls allows 8"):
        court.floor("0.5", max_calls=8)
    assert court.connected == []
    court.floor("0.5", max_calls=9)
    assert len(court.asker.asked) == 9


def test_a_limit_in_dollars_without_a_price_is_usage(court):
    with pytest.raises(UsageInvalid, match=r"no price is known for the model 'm'"):
        court.floor("0.5", judge_model="m", max_cost="1")
    assert court.connected == []


def test_more_dollars_than_allowed_are_refused_before_the_first_question(court):
    with pytest.raises(OverBudget, match=r"about \$0\.\d+ for 9 questions"):
        court.floor("0.5", max_cost="0.000001")
    assert court.connected == []


def test_money_that_ends_in_the_middle_never_makes_a_run_green(court, fake, right):
    dear = fake.Usage(input_tokens=1_000_000, output_tokens=0)
    made = fake.by_case({}, usual=right)
    court.answers(lambda question: fake.said(made(question).text, usage=dear))
    report = court.floor("0.1", max_cost="3.5", **PASS)
    assert (report.verdict, report.exit_status) == ("undecided", 3)
    assert len(court.asker.asked) == 5  # at $0.75 each
    assert report.judge_run.budget is True
    assert "4 questions not asked" in report.judge_run.stopped
    assert "budget" in gate(report, "judged").because
    assert [row.standing for row in report.cases] == ["scored"] * 2 + ["unscored"] * 4
    assert report.cases[2].judgement.status == "unasked"


def test_a_judge_that_stops_by_itself_says_why(court, fake, right):
    court.answers(fake.by_case({}, usual=right), stops=7)
    report = court.floor("0.9", **PASS)
    assert report.exit_status == 3
    assert report.judge_run.stopped == "the deadline is over"
    assert report.judge_run.budget is False


def test_another_judge_than_the_baselines_is_not_compared(court):
    court.accept(**PASS)
    report = court.check(baseline="baseline.json", judge_model="another")
    assert report.exit_status == 3
    comparable = gate(report, "comparable")
    assert comparable.outcome == "undecided"
    assert "judge" in comparable.because
    assert "model" in comparable.because


def test_the_same_judge_is_compared_and_a_drop_fails(court, play, wrong):
    court.accept(**PASS)
    assert court.check(baseline="baseline.json", max_drop="0").exit_status == 0
    court.files.held.pop(court.LEDGER)
    play(a=wrong, b=wrong)
    report = court.check(baseline="baseline.json", max_drop="0", rule="point")
    assert report.exit_status == 1
    assert report.comparison.newly_failing == ("a", "b")


def test_two_runs_of_an_agent_that_say_the_same_are_asked_about_once(court):
    again = [{**row, "repeat": 1} for row in GOOD]
    again[0]["output"] = '["another", 1]'
    court.rows(court.PREDICTIONS, [*GOOD, *again])
    report = court.score()
    assert sorted(court.asked) == ["a", *NAMES]
    assert report.judge_run.counts.calls == 7
    assert report.judge_run.counts.judged == 12
    keys = [[run.judgement.keys for run in row.repeats] for row in report.cases]
    assert keys[0][0] != keys[0][1]
    assert all(one == other for one, other in keys[1:])


def test_what_equals_the_reference_or_is_empty_or_crashed_makes_no_call(court):
    rows = [
        {"id": "a", "output": '["a",   1.0]'},
        {"id": "b", "output": "  "},
        {"id": "c", "error": "crashed"},
        *GOOD[3:],
    ]
    court.rows(court.PREDICTIONS, rows)
    report = court.score()
    assert court.asked == ["d", "e", "f"]
    counts = report.judge_run.counts
    assert (counts.exact, counts.empty, counts.errors, counts.calls) == (1, 1, 1, 3)
    assert [row.score for row in report.cases[:3]] == [1.0, 0.0, None]
    assert [row.standing for row in report.cases[:3]] == ["scored", "scored", "agent_error"]
    assert report.cases[0].judgement.votes == ()


def test_a_run_that_asks_nothing_connects_nobody(court):
    court.rows(court.PREDICTIONS, [{"id": row["id"], "output": row["reference"]} for row in CASES])
    report = court.floor("1", **PASS)
    assert report.exit_status == 0
    assert court.connected == []
    assert report.judge_run.counts.exact == 6


def test_the_order_of_lines_changes_no_byte(court, play, wrong, late):
    play(b=wrong, d=late)
    one = write_result(court.floor("0.5", **PASS))
    for rows in (CASES, GOOD):
        name = court.CASES if rows is CASES else court.PREDICTIONS
        court.rows(name, rows[::-1])
    court.files.held.pop(court.LEDGER)
    assert write_result(court.floor("0.5", **PASS)) == one


def test_a_missing_answer_is_missing_and_nobody_asks_about_it(court):
    court.rows(court.PREDICTIONS, GOOD[1:])
    report = court.floor("0.5", **PASS)
    assert report.cases[0].standing == "missing"
    assert gate(report, "completeness").outcome == "fail"
    assert "a" not in court.asked


def test_a_trace_is_read_and_digested_only_where_a_judge_is_asked(court, fake):
    court.scorer = "contains"
    bare = [{"id": row["id"], "output": row["reference"]} for row in CASES]
    traced = [{**row, "trace": [{"tool": "map"}]} for row in bare]
    digests = []
    for rows in (bare, traced):
        court.rows(court.PREDICTIONS, rows)
        digests.append(court.score(judge=None).digests.predictions)
    assert digests[0] == digests[1]
    court.scorer = "autorater"
    court.answers(fake.by_case({}, usual=fake.said(fake.rating(2))))
    judged = court.score().digests.predictions
    assert judged != digests[1]
    court.rows(court.PREDICTIONS, bare)
    assert court.score().digests.predictions == digests[0]


def test_a_run_that_no_judge_judged_says_so_by_nulls_alone(court):
    court.scorer = "contains"
    document = json.loads(write_result(court.floor("0.1", judge=None)))
    for name in ("judge_config", "judge_run", "judge_trust"):
        assert document[name] is None
    assert {row["judgement"] for row in document["cases"]} == {None}
    assert "judged" not in {one["gate"] for one in document["gates"]}


def test_three_looks_are_three_questions_and_their_mean_is_the_score(court, fake):
    court.scorer = "autorater"
    ratings = {0: 2, 1: 1, 2: 2}
    looked = {"b": lambda question: fake.said(fake.rating(ratings[question.run]))}
    court.answers(fake.by_case(looked, usual=fake.said(fake.rating(2))))
    report = court.score()
    assert court.asked.count("b") == 3
    assert report.cases[1].judgement.votes == (1.0, 0.5, 1.0)
    assert report.cases[1].score == pytest.approx(5 / 6)
    assert report.judge_run.flip_rate == pytest.approx(1 / 6)
    assert report.judge_run.date == "2026-07-01"
    assert all("Today is 2026-07-01." in one.system for one in court.asker.asked)


def test_one_look_without_a_verdict_leaves_the_answer_open(court, fake, late):
    court.scorer = "autorater"
    looked = {"b": lambda question: late if question.run == 2 else fake.said(fake.rating(2))}
    court.answers(fake.by_case(looked, usual=fake.said(fake.rating(2))))
    row = court.score().cases[1]
    assert (row.standing, row.score) == ("unscored", None)
    assert row.judgement.votes == (1.0, 1.0, None)


@pytest.mark.parametrize(
    ("repeats", "predictions"),
    [
        (1, [*GOOD, {**GOOD[0], "repeat": 1}]),
        (None, [{**GOOD[0], "repeat": 99_999}]),
        (None, [*GOOD, {"id": "a", "output": 1, "repeat": -1}]),
        (None, [*GOOD, GOOD[0]]),
    ],
    ids=["more than said", "a stray number", "no number", "twice"],
)
def test_predictions_that_are_refused_are_refused_before_anything_is_asked(
    court, repeats, predictions
):
    court.rows(court.PREDICTIONS, predictions)
    with pytest.raises(PredictionsInvalid):
        court.score(repeats=repeats)
    assert court.asker.asked == []


def test_what_became_of_the_responses_adds_up(court, play, late):
    more = [
        {"id": "x", "input": "?", "reference": "[]"},
        {"id": "y", "input": "?", "reference": '["y", 1]'},
        {"id": "z", "input": "?", "reference": "yes", "scorer": {"name": "contains"}},
    ]
    answers = [
        {"id": "x", "output": "[1]"},
        {"id": "y", "error": "crashed"},
        {"id": "z", "output": "yes"},
        {"id": "a", "output": '["a", 1]'},
        {"id": "b", "output": ""},
    ]
    court.rows(court.CASES, [*CASES, *more])
    court.rows(court.PREDICTIONS, [*GOOD[2:], *answers])
    play(c=late)
    found = court.score().judge_run.counts
    parts = (found.exact, found.empty, found.no_elements, found.errors, found.own)
    assert sum(parts) + found.judged + found.unscored == found.responses == 9


def test_the_scorer_of_the_baseline_asks_as_well(court):
    court.accept(**PASS)
    assert court.check(baseline="baseline.json", scorer=None).exit_status == 0


def test_a_stored_result_of_another_judge_is_not_compared(court):
    court.accept(**PASS)
    court.store(court.score(judge_model="another", **PASS))
    options = Overrides(baseline="baseline.json", max_drop="0")
    found = redecide(court.means, court.RESULT, options, policy=None, embedded=False)
    assert found.verdict == "undecided"
    assert "model" in gate(found, "comparable").because


@pytest.mark.parametrize("table", ["", '[judge]\nprovider = "gemini"\n'], ids=["bare", "judge"])
def test_a_policy_decides_a_stored_result_whoever_it_would_ask(court, table):
    floor = '[[gates]]\ngate = "floor"\nmin = 0.5\n'
    text = f'[suite]\nallow_missing_baseline = true\n[scorer]\nname = "geoktools"\n{table}{floor}'
    court.text("gate.toml", text)
    court.store(court.check(scorer=None))
    asked = len(court.asker.asked)
    found = redecide(court.means, court.RESULT, Overrides(), policy="gate.toml", embedded=False)
    assert found.verdict == "pass"
    assert len(court.asker.asked) == asked


def test_what_a_judge_said_is_kept_in_bounds(court, play, fake):
    long = fake.elements(0.0, 0.5)
    long["elements"][0]["reason"] = "x" * 100_000
    play(c=fake.said(long))
    assert len(write_result(court.score())) < 20_000


def test_no_call_is_allowed_where_none_is_needed(court):
    court.score()
    assert court.score(max_calls=0).judge_run.counts.judged == 6


def test_a_case_file_is_needed_for_the_judge_is_shown_what_was_asked(court):
    court.accept()
    with pytest.raises(UsageInvalid, match="pass --cases FILE"):
        court.check(cases=None, baseline="baseline.json")


def test_progress_is_told_after_every_answer_and_a_summary_at_the_end(court):
    court.score()
    assert [one.done for one in court.seen] == list(range(1, 10))
    assert {one.total for one in court.seen} == {9}
    assert court.seen[-1].spent > 0
    assert court.told[-1].startswith("judge: 9 questions asked, 0 answered by the ledger; ")
