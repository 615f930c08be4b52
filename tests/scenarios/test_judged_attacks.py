"""Ways to a green verdict that a judge did not give, each of them closed."""

import json

import pytest

from gate.errors import JudgeUnusable, PolicyInvalid, PromotionRefused
from gate.records.policy import Overrides
from gate.shell.stored import promoted, redecide

NAMES = ("a", "b", "c", "d")
CASES = [{"id": id_, "input": f"{id_}: [__, __]", "reference": f'["{id_}", 1]'} for id_ in NAMES]
GOOD = [{"id": id_, "output": f'["the {id_}", 1.0]'} for id_ in NAMES]
FLOOR = '[suite]\nallow_missing_baseline = true\n[[gates]]\ngate = "floor"\nmin = 0.5\n'


@pytest.fixture
def fake(fakes):
    return fakes("judge_in_memory")


@pytest.fixture
def court(fake, memory):
    """Four answers, and a judge that gives full marks to whatever it is shown."""
    court = fake.Court(memory)
    court.rows(court.CASES, CASES)
    court.rows(court.PREDICTIONS, GOOD)
    court.answers(lambda _: fake.said(fake.elements(1.0, 1.0)))
    return court


@pytest.fixture
def honest(court, fake):
    court.answers(fake.by_case({}, usual=fake.said(fake.elements(1.0, 1.0))))
    return court


def outcome(report, name):
    return next(one for one in report.gates if one.gate == name)


def test_a_baseline_of_a_judge_that_fell_for_a_known_bad_answer_needs_a_reason(court):
    court.store(court.score())
    with pytest.raises(PromotionRefused, match="known-bad answer"):
        promoted(court.means, court.RESULT, target="b.json", reason=None)


@pytest.mark.parametrize(
    "table",
    ['provider = "command"', 'model = "another"', "runs = 3", "temperature = 0", "max_tokens = 9"],
)
def test_a_policy_of_another_judge_does_not_pass_a_stored_result(honest, table):
    honest.store(honest.score())
    honest.text("strict.toml", f"[judge]\n{table}\n{FLOOR}")
    with pytest.raises(PolicyInvalid, match="not who judged"):
        redecide(honest.means, honest.RESULT, Overrides(), policy="strict.toml", embedded=False)


def test_a_policy_of_the_same_judge_passes_it(honest):
    honest.store(honest.score())
    honest.text("same.toml", f'[judge]\nprovider = "gemini"\nruns = 1\n{FLOOR}')
    found = redecide(honest.means, honest.RESULT, Overrides(), policy="same.toml", embedded=False)
    assert found.verdict == "pass"


def test_a_result_without_known_bad_answers_is_not_passed_by_a_policy_that_wants_them(honest):
    honest.text("loose.toml", f"[judge]\ncanaries = false\n{FLOOR}")
    honest.store(honest.check(policy="loose.toml"))
    honest.text("strict.toml", FLOOR + '[judge]\nprovider = "gemini"\n')
    with pytest.raises(PolicyInvalid, match="canaries"):
        redecide(honest.means, honest.RESULT, Overrides(), policy="strict.toml", embedded=False)


def test_where_no_known_bad_answer_can_be_made_nothing_is_believed(court):
    court.rows(court.CASES, [{**one, "reference": '["unknown", 1]'} for one in CASES])
    found = court.floor("0.5")
    assert (found.verdict, found.exit_status) == ("undecided", 3)
    assert "set `canary`" in outcome(found, "judged").because


def test_an_agent_that_answers_the_fit_cases_exactly_takes_no_known_bad_answer_away(court):
    unfit = {**CASES[0], "reference": '["unknown", 1]'}
    court.rows(court.CASES, [unfit, *CASES[1:]])
    exact = [{"id": one["id"], "output": one["reference"]} for one in CASES[1:]]
    court.rows(court.PREDICTIONS, [GOOD[0], *exact])
    found = court.floor("0.5")
    assert found.verdict == "undecided"
    assert found.judge_run.counts.canaries == 3


def test_the_record_of_trust_that_a_result_brings_does_not_count_under_another_policy(honest):
    honest.store(honest.score())
    record = {
        "kind": "agent-eval-gate/trust",
        "schema_version": 1,
        "scorer": "geoktools",
        "judge_config": honest.stored()["judge_config"],
        "judge": "sha256:" + "0" * 64,
        "labels_digest": "sha256:" + "0" * 64,
        "n_items": 2,
        "unscored": 0,
        "threshold": 1.0,
        "weighting": "none",
        "categories": [0.0, 1.0],
        "confusion": [[1, 0], [0, 1]],
        "human_counts": [1, 1],
        "judge_counts": [1, 1],
        "agreement": 1.0,
        "kappa": 1.0,
        "unweighted_kappa": 1.0,
        "interval": None,
    }
    honest.edited({**honest.stored(), "judge_trust": record})
    honest.text("trust.toml", FLOOR + '[[gates]]\ngate = "judge_trust"\n')
    found = redecide(honest.means, honest.RESULT, Overrides(), policy="trust.toml", embedded=False)
    assert outcome(found, "judge_trust").outcome == "undecided"
    assert found.judge_trust is None


def test_an_answer_that_is_word_for_word_the_known_bad_one_is_asked_once(court, fake):
    bad = json.loads(json.dumps(court.score().model_dump(mode="json")))  # which asks the canaries
    assert bad["judge_run"]["counts"]["canaries"] == 3
    canary = next(one for one in court.asker.asked if fake.is_canary(one))
    said = canary.prompt.split("<response-")[1].split(">\n", 1)[1].rsplit("\n</response-", 1)[0]
    court.files.held.pop(court.LEDGER)
    rows = [{**one, "output": said.replace("\\u{3c}", "<")} for one in GOOD]
    court.rows(court.PREDICTIONS, rows)
    court.asker.asked.clear()
    court.score()
    keys = [one.key for one in court.asker.asked]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("advisory", [True, False])
def test_a_judge_that_cannot_be_asked_blocks_nothing_in_an_advisory_run(court, fake, advisory):
    court.answers(lambda _: fake.failed("auth", "no such key"))
    with pytest.raises(JudgeUnusable) as caught:
        court.floor("0.5", advisory=advisory or None)
    assert caught.value.advisory is advisory
    assert caught.value.status == 3


@pytest.mark.parametrize("table", ['command = "python3 other.py"', 'prompt = "p"', 'tools = "p"'])
def test_a_policy_of_another_program_or_text_does_not_pass_a_stored_result(court, fake, table):
    court.answers(fake.by_case({}, usual=fake.said({"assessment": "right", "rating": 2})))
    court.scorer = "autorater"
    command = {"judge": "command", "judge_command": "python3 judge.py"}
    court.rows(court.CASES, [{**one, "reference": "the answer"} for one in CASES])
    court.store(court.score(**command))
    court.text("p", "Be kind.")
    court.text("strict.toml", f"[judge]\n{table}\n{FLOOR}")
    for embedded in (True, False):
        with pytest.raises(PolicyInvalid, match="not who judged"):
            redecide(
                court.means, court.RESULT, Overrides(), policy="strict.toml", embedded=embedded
            )
