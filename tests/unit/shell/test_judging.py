"""The texts that a judge is shown, and what may be kept of what it answers."""

import pytest

from gate.errors import FileAbsent, UsageInvalid
from gate.records.judge_words import Usage
from gate.records.judging import Answer
from gate.shell.judging import without_secrets

CASES = [{"id": "a", "input": "?", "reference": "x"}]
ANSWERS = [{"id": "a", "output": "y"}]


@pytest.fixture
def fake(fakes):
    return fakes("judge_in_memory")


@pytest.fixture
def court(fake, memory):
    court = fake.Court(memory, scorer="judge")
    court.rows(court.CASES, CASES)
    court.rows(court.PREDICTIONS, ANSWERS)
    court.answers(fake.by_case({}, usual=fake.said(fake.rating(2))))
    return court


def test_every_text_of_an_answer_is_cleaned_and_no_figure_changes():
    answer = Answer(
        status="config",
        text="key",
        model="key",
        finish_reason="key",
        usage=Usage(input_tokens=1),
        message="key",
    )
    found = without_secrets(answer, lambda text: text.replace("key", "***"))
    assert (found.text, found.model, found.finish_reason, found.message) == ("***",) * 4
    assert (found.status, found.usage) == ("config", answer.usage)


def test_a_text_that_is_not_there_stays_away():
    answer = Answer(status="timeout")
    assert without_secrets(answer, lambda text: text + "!") == answer


def test_a_rubric_of_a_file_is_read_and_shown(court):
    court.text("rubric.txt", "Is it polite?")
    court.score(judge_prompt="rubric.txt")
    assert "Is it polite?" in court.asker.asked[0].system


@pytest.mark.parametrize(
    ("data", "said"), [(b"\xff\xfe", "is no UTF-8 text"), (b" \n", "is blank"), (b"", "is blank")]
)
def test_a_rubric_that_says_nothing_is_usage(court, data, said):
    court.files.held["rubric.txt"] = data
    with pytest.raises(UsageInvalid, match=f"--judge-prompt: rubric.txt: {said}"):
        court.score(judge_prompt="rubric.txt")
    assert court.connected == []


def test_a_rubric_that_is_not_there_is_named(court):
    with pytest.raises(FileAbsent, match=r"rubric\.txt"):
        court.score(judge_prompt="rubric.txt")


def test_a_rubric_may_begin_with_a_byte_order_mark(court):
    court.files.held["rubric.txt"] = b"\xef\xbb\xbfIs it polite?"
    court.score(judge_prompt="rubric.txt")
    assert "\ufeff" not in court.asker.asked[0].system


def test_a_list_of_tools_is_shown_where_the_trajectory_is(court):
    court.scorer = "autorater"
    court.text("gate.toml", '[judge]\ntools = "tools.md"\n')
    court.text("tools.md", "- search(query)")
    config = court.score().judge_config
    assert all("- search(query)" in one.prompt for one in court.asker.asked)
    court.text("tools.md", "- browse(url)")
    assert court.score().judge_config != config


def test_what_is_sent_and_who_is_asked_comes_from_table_and_options(court):
    court.text("gate.toml", '[scorer]\nname = "judge"\nrubric = "r"\n[judge]\nseed = 7\n')
    court.scorer = None
    court.score(judge_model="m")
    assert court.connected == [("gemini", "m", '{"seed":7}')]


def test_the_rubric_asks_no_known_bad_answer_but_the_users(court):
    table = '[scorer]\nname = "judge"\nrubric = "r"\n[judge]\n'
    court.text("gate.toml", table)
    court.scorer = None
    assert court.score().judge_run.canaries == ()
    court.text("gate.toml", table + 'canary = "rubbish"\n')
    found = court.score().judge_run.canaries
    assert len(found) == 3


def test_a_secret_cannot_be_named_as_the_variable_that_holds_it(court):
    court.text("gate.toml", '[judge]\nkey_env = "MY_KEY"\n')
    court.text("rubric.txt", "r")
    report = court.score(judge_prompt="rubric.txt")
    assert "MY_KEY" not in report.model_dump_json()
