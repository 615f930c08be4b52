"""Who judges, what is asked, and what the answers come to."""

import json

import pytest

from gate.errors import UsageInvalid
from gate.pipeline.judging import Texts, judge_plan, judge_setup, verdicts
from gate.records.case import EvalCase, Prediction
from gate.records.judge_options import JudgeOptions
from gate.records.judge_words import Usage
from gate.records.judging import Answer
from gate.records.scoring import (
    AutoraterOptions,
    ContainsOptions,
    GeoktoolsOptions,
    JudgeScorerOptions,
)

TODAY = "2026-07-01"


def who(scorer=None, texts=None, **judge):
    options = JudgeOptions(**{"provider": "gemini", **judge})
    return judge_setup(options, scorer or AutoraterOptions(), texts or Texts(), today=TODAY)


def test_what_nobody_says_is_the_protocols():
    found = who()
    assert (found.model, found.runs, found.date, found.params) == (
        "gemini-3.8-flash",
        3,
        TODAY,
        "{}",
    )


def test_what_somebody_says_is_sent():
    found = who(model="m", runs=1, date="2026-01-31", temperature=0, seed=7, max_tokens=9)
    assert (found.model, found.runs, found.date) == ("m", 1, "2026-01-31")
    assert json.loads(found.params) == {"max_tokens": 9, "seed": 7, "temperature": 0.0}


def test_a_prompt_that_tells_no_day_needs_none():
    assert who(GeoktoolsOptions()).date is None


def test_a_command_without_a_model_is_called_by_its_kind():
    found = who(provider="command", command="python judge.py")
    assert (found.provider, found.model) == ("command", "command")


def test_anthropic_is_always_sent_a_bound():
    found = who(provider="anthropic", model="m")
    assert json.loads(found.params) == {"max_tokens": 4096}


def test_a_rubric_stands_in_one_place():
    assert "be kind" in who(JudgeScorerOptions(rubric="be kind")).prompt.instructions
    assert "be brief" in who(JudgeScorerOptions(), Texts(prompt="be brief")).prompt.instructions
    with pytest.raises(UsageInvalid, match="keep one"):
        who(JudgeScorerOptions(rubric="a"), Texts(prompt="b"))
    with pytest.raises(UsageInvalid, match="needs a text"):
        who(JudgeScorerOptions())


def test_a_prompt_of_the_users_replaces_the_instructions():
    assert who(texts=Texts(prompt="rate it")).prompt.instructions == "rate it"
    assert who(texts=Texts(prompt="rate it")).prompt.digest != who().prompt.digest


CASES = {
    name: EvalCase(
        id=name,
        input="?",
        reference='["x", 1]',
        scorer=ContainsOptions() if name == "own" else None,
        metadata={"snapshot_date": day} if day else {},
    )
    for name, day in (("a", "2026-02-01"), ("b", "2026-01-01"), ("c", None), ("own", None))
}
PREDICTIONS = (
    Prediction(id="c", output="z"),
    Prediction(id="a", repeat=1, output='["y", 1]'),
    Prediction(id="a", output='["x",1]'),
    Prediction(id="own", output="x"),
    Prediction(id="nobody", output="x"),
    Prediction(id="b", error="crashed"),
)


def planned(**judge):
    options = JudgeOptions(**{"provider": "gemini", **judge})
    setup = judge_setup(options, GeoktoolsOptions(), Texts(), today=TODAY)
    return judge_plan(setup, options, CASES, PREDICTIONS, today=TODAY)


def test_answers_are_planned_in_canonical_order_without_strangers_and_own_scorers():
    made = planned()
    assert [(one.case_id, one.repeat) for one in made.asked.entries] == [
        ("a", 0),
        ("a", 1),
        ("b", 0),
        ("c", 0),
    ]
    assert made.own == 1
    assert made.asked.counts.calls == 2


def test_canaries_are_asked_first_about_any_case_that_a_judge_may_decide():
    made = planned()
    questions = made.questions
    assert len(questions) == 5
    assert questions[:3] == made.canaries.asked.questions
    assert {one.case_id for one in questions[:3]} == {"a", "b", "c"}


def test_canaries_can_be_switched_off():
    assert len(planned(canaries=False).questions) == 2


def test_the_days_of_the_cases_are_found():
    found = planned().snapshots
    assert (found.first, found.last, found.n_cases) == ("2026-01-01", "2026-02-01", 2)


def test_a_cost_is_known_with_a_price_alone():
    assert planned().cost > 0
    assert planned(model="m").cost is None


def test_settling_keeps_ok_for_verdicts_alone():
    made = planned()
    settle = made.settling()
    question = made.questions[-1]
    good = Answer(status="ok", text=reply(1.0, 1.0), finish_reason="stop")
    assert settle(question, good) == good
    for text in (reply(1.0, 1.0, 1.0), reply(1.5), "1", ""):
        assert (
            settle(question, Answer(status="ok", text=text, finish_reason="stop")).status != "ok"
        )


def reply(*scores):
    listed = [
        {"index": at, "depends_on_primary": False, "score": score, "reason": "r"}
        for at, score in enumerate(scores, 1)
    ]
    found = {"primary_entity_correct": True, "primary_index": 1, "elements": listed}
    return json.dumps(found)


def answers(made, *, late=()):
    used = Usage(input_tokens=10, output_tokens=2)
    return {
        one.key: Answer(status="timeout", message="m" * 400)
        if one.case_id in late
        else Answer(
            status="ok", text=reply(0.0, 1.0), finish_reason="stop", model="m-1", usage=used
        )
        for one in made.questions
    }


def test_the_answers_become_scores_votes_and_counts():
    made = planned()
    found = verdicts(made, answers(made))
    assert {place: one.score for place, one in found.graded.items()} == {
        ("a", 0): 1.0,
        ("a", 1): 0.5,
        ("b", 0): None,
        ("c", 0): 0.5,
    }
    counts = found.run.counts
    assert counts.model_dump() == {
        "responses": 5,
        "exact": 1,
        "empty": 0,
        "no_elements": 0,
        "errors": 1,
        "own": 1,
        "calls": 2,
        "canaries": 3,
        "judged": 2,
        "unscored": 0,
    }
    assert found.run.models == ("m-1",)
    assert found.run.spent.usage.input_tokens == 50
    assert found.reasons("a", 1) == ("1 (0): r 2 (1): r",)
    assert found.reasons("a", 0) == ("equals the reference",)
    assert found.reasons("nobody", 0) == ()


def test_an_answer_that_is_not_there_is_unasked_and_one_without_a_verdict_says_why():
    made = planned(canaries=False)
    held = answers(made, late=("c",))
    held.pop(next(one.key for one in made.questions if one.case_id == "a"))
    found = verdicts(made, held, stopped="told to", budget=True)
    assert found.graded["a", 1].judgement.status == "unasked"
    assert found.graded["c", 0].judgement.status == "timeout"
    assert found.reasons("c", 0)[0].startswith("no verdict (timeout): mmm")
    assert {one.why: one.count for one in found.run.unscored} == {"timeout": 1, "unasked": 1}
    assert max(len(one.message) for one in found.run.unscored) == 300
    assert (found.run.stopped, found.run.budget) == ("told to", True)


def test_a_key_in_a_row_finds_its_answer():
    made = planned()
    found = verdicts(made, answers(made))
    (short,) = found.graded["c", 0].judgement.keys
    assert [one.case_id for one in made.questions if short in one.key][-1] == "c"


def test_more_answers_than_questions_change_nothing():
    made = planned()
    held = answers(made)
    stray = {"sha256:" + "f" * 64: Answer(status="ok", text="{}", model="stray")}
    assert verdicts(made, {**held, **stray}) == verdicts(made, held)


def test_the_identity_of_the_judge_is_its_configs():
    made = planned()
    config = json.loads(verdicts(made, {}).config)
    assert (config["provider"], config["model"], config["prompt"], config["runs"]) == (
        "gemini",
        "gemini-3.8-flash",
        "geoktools",
        1,
    )


def test_known_bad_answers_are_about_no_case_that_a_pull_request_brings():
    """Or whoever writes it chooses the question."""
    setup, options = planned().setup, JudgeOptions(provider="gemini")

    def about(*brought):
        made = judge_plan(setup, options, CASES, PREDICTIONS, today=TODAY, brought=brought)
        return {one.case_id for one in made.canaries.asked.questions}

    assert about("a") == {"b", "c"}
    assert about("a", "b", "c") == {"a", "b", "c"}
