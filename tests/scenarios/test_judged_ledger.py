"""Every answer of a judge is kept at once, asked for once, and enough to decide again."""

import json
from dataclasses import replace

import pytest

from gate.errors import GateError, JudgeUnusable, ResultInvalid, UsageInvalid
from gate.judges.ledger import read_ledger
from gate.records.judging import Answer
from gate.report.result_json import write_result
from gate.shell.base import Base, BaseFirst

NAMES = ("a", "b", "c", "d", "e", "f")
CASES = [{"id": id_, "input": f"{id_}: [__, __]", "reference": f'["{id_}", 1]'} for id_ in NAMES]
GOOD = [{"id": id_, "output": f'["the {id_}", 1.0]'} for id_ in NAMES]
PASS = {"pass_threshold": "1"}
LAX = {"pass_threshold": "0.3"}


@pytest.fixture
def fake(fakes):
    return fakes("judge_in_memory")


@pytest.fixture
def answer(fake):
    """Find all right but one; say nothing of one, and find no way to another."""
    found = {
        "b": fake.said(fake.elements(0.0, 0.5, primary=False)),
        "d": fake.said("no JSON at all"),
        "e": fake.failed("timeout"),
    }
    return fake.by_case(found, usual=fake.said(fake.elements(1.0, 1.0)))


@pytest.fixture
def right(fake):
    return fake.by_case({}, usual=fake.said(fake.elements(1.0, 1.0)))


@pytest.fixture
def court(fake, memory, right):
    court = fake.Court(memory)
    court.rows(court.CASES, CASES)
    court.rows(court.PREDICTIONS, GOOD)
    court.answers(right)
    return court


def floor(court, **more):
    return write_result(court.floor("0.5", **PASS, **more))


def test_every_answer_is_in_the_ledger_before_the_next_question(court, right):
    held = []

    def watching(question):
        held.append(len(court.ledger) if court.LEDGER in court.files.held else 0)
        return right(question)

    court.answers(watching)
    court.score()
    assert held == list(range(9))
    assert len(court.ledger) == 9


def test_a_second_run_asks_nothing_and_changes_no_byte(court, right):
    first = floor(court)
    again = court.answers(right)
    assert floor(court) == first
    assert again.asked == []
    assert len(court.connected) == 1
    assert court.told[-1] == (
        "judge: 0 questions asked, 9 answered by the ledger; kept in out/ledger.jsonl"
    )


def test_answers_without_a_verdict_are_kept_and_asked_for_again(court, answer, right):
    court.answers(answer)
    court.score()
    assert len(court.ledger) == 9
    asker = court.answers(right)
    court.score()
    assert [one.case_id for one in asker.asked] == ["d", "e"]


@pytest.mark.parametrize("after", range(9))
def test_a_run_that_was_interrupted_goes_on_where_it_was(court, right, after):
    whole = floor(court)
    court.files.held.pop(court.LEDGER)
    first = court.answers(right, interrupted=after)
    with pytest.raises(KeyboardInterrupt):
        floor(court)
    second = court.answers(right)
    assert floor(court) == whole
    known = {one.key for one in first.asked}
    assert len(known) == after
    assert known.isdisjoint({one.key for one in second.asked})
    assert len(second.asked) == 9 - after


def test_a_torn_last_line_costs_that_one_answer_and_no_warning(court, right):
    whole = floor(court)
    court.files.held[court.LEDGER] = court.files.held[court.LEDGER][:-40]
    asker = court.answers(right)
    assert floor(court) == whole
    assert len(asker.asked) == 1
    assert not any("damaged" in line for line in court.told)
    assert len(read_ledger(court.ledger).reusable) == 9


def test_a_damaged_line_is_warned_of_and_its_answer_asked_for_again(court, right):
    whole = floor(court)
    lines = court.ledger
    lines[3] = lines[3].replace(b"1.0", b"0.0")
    court.files.held[court.LEDGER] = b"".join(lines)
    asker = court.answers(right)
    assert floor(court) == whole
    assert len(asker.asked) == 1
    (warning,) = [line for line in court.told if "warning" in line]
    assert "1 line damaged and not read (first: 4)" in warning


@pytest.mark.parametrize(
    "content", [b"# Notes\n\nnothing here\n", b'{"id": "a"}\n', b"\x00\xff\n"]
)
def test_a_file_that_is_no_ledger_is_refused_and_untouched(court, content):
    court.files.held["notes.md"] = content
    with pytest.raises(UsageInvalid, match=r"notes\.md: is no ledger") as caught:
        court.score(ledger="notes.md")
    assert "--ledger" in caught.value.remedy
    assert court.files.held["notes.md"] == content
    assert court.connected == []


def test_a_file_without_a_single_line_end_is_no_ledger_either(court):
    court.files.held["notes.md"] = b"my only copy"
    with pytest.raises(GateError):
        court.score(ledger="notes.md")
    assert court.files.held["notes.md"] == b"my only copy"


def test_an_empty_file_is_a_ledger(court):
    court.files.held["l.jsonl"] = b""
    court.score(ledger="l.jsonl")
    assert len(read_ledger(court.files.held["l.jsonl"].splitlines(keepends=True)).answers) == 9
    assert court.LEDGER not in court.files.held


def test_no_secret_reaches_the_ledger_or_the_result(court, fake, right):
    def telling(question):
        found = right(question)
        document = json.loads(found.text)
        document["elements"][0]["reason"] = "because sk-secret"
        return fake.said(document, model="m sk-secret")

    court.redact = lambda text: text.replace("sk-secret", "***")
    court.answers(telling)
    text = floor(court)
    held = b"".join(court.ledger)
    assert b"sk-secret" not in held
    assert b"because ***" in held
    assert "sk-secret" not in text


@pytest.mark.parametrize("status", ["auth", "config"])
def test_what_was_answered_before_a_refusal_is_kept(court, fake, right, status):
    found = {"c": fake.failed(status, "no")}
    court.answers(fake.by_case(found, usual=fake.said(fake.elements(1.0, 1.0))))
    with pytest.raises(JudgeUnusable):
        court.score()
    known = len(read_ledger(court.ledger).reusable)
    assert known >= 5
    asker = court.answers(right)
    court.score()
    assert len(asker.asked) == 9 - known


def test_the_usual_ledger_is_written_and_not_read_where_others_could_bring_it(court, right):
    first = floor(court)
    court.reuse = False
    asker = court.answers(right)
    assert floor(court) == first
    assert len(asker.asked) == 9
    assert sum(line.strip() != b"" for line in court.ledger) == 18


def test_a_ledger_in_the_checkout_of_a_change_that_its_base_judges_is_not_read(court, right):
    floor(court, ledger="mine.jsonl")
    court.base = Base("2" * 40, court.files, BaseFirst(court.files, court.files))
    again = court.answers(right)
    floor(court, ledger="mine.jsonl")
    assert len(again.asked) == 9
    assert "written and not read" in "\n".join(court.told)
    floor(court, ledger="/elsewhere/mine.jsonl")
    again = court.answers(right)
    floor(court, ledger="/elsewhere/mine.jsonl")
    assert again.asked == []


def test_a_ledger_that_is_named_is_read_wherever_it_is(court, right):
    floor(court, ledger="mine.jsonl")
    court.reuse = False
    asker = court.answers(right)
    floor(court, ledger="mine.jsonl")
    assert asker.asked == []


@pytest.mark.parametrize(
    "more",
    [
        {"judge_model": "another"},
        {"judge_base_url": "https://elsewhere"},
        {"judge_runs": 2},
        {"judge": "anthropic", "judge_model": "gemini-3.8-flash"},
    ],
    ids=lambda more: next(iter(more)),
)
def test_an_answer_is_used_for_exactly_the_question_it_was_given_to(court, right, more):
    court.score()
    asker = court.answers(right)
    court.score(**more)
    assert asker.asked


def test_another_day_is_another_question_where_the_judge_is_told_the_day(court, fake):
    court.scorer = "autorater"
    rated = fake.by_case({}, usual=fake.said(fake.rating(2)))
    court.answers(rated)
    court.score()
    court.today = "2026-07-02"
    court.answers(rated)
    court.score(judge_date="2026-07-01")
    assert court.asker.asked == []
    court.score()
    assert len(court.asker.asked) == 21


def test_decide_gives_the_same_bytes_and_asks_nobody(court, answer):
    court.answers(answer)
    report = court.floor("0.9", **PASS)
    assert report.judge_run.counts.unscored == 2
    court.store(report)
    asked = len(court.asker.asked)
    assert write_result(court.decide()) == write_result(report)
    assert len(court.asker.asked) == asked


def test_decide_gives_the_same_bytes_where_looks_differ(court, fake):
    court.scorer = "autorater"
    looked = {
        "a": lambda question: fake.said(fake.rating(question.run)),
        "b": lambda question: fake.said(fake.rating(min(1, question.run))),
        "c": lambda question: fake.said(fake.rating(2) if question.run else "none"),
    }
    court.answers(fake.by_case(looked, usual=fake.said(fake.rating(2))))
    report = court.floor("0.1", **LAX)
    assert 0 < report.judge_run.flip_rate < 1
    assert report.judge_run.within_sd > 0
    court.store(report)
    assert write_result(court.decide(ledger=court.LEDGER)) == write_result(report)


def test_decide_reads_every_vote_again_from_a_ledger(court, answer):
    court.answers(answer)
    report = court.floor("0.5", **PASS)
    court.store(report)
    assert write_result(court.decide(ledger=court.LEDGER)) == write_result(report)


def test_decide_refuses_votes_that_the_ledger_does_not_bear_out(court, answer, right):
    court.answers(right)
    court.store(court.floor("0.5", **PASS))
    court.files.held.pop(court.LEDGER)
    court.answers(answer)
    court.score()
    with pytest.raises(ResultInvalid, match=r"look 0 gave 1\.0, and the ledger's answer gives"):
        court.decide(ledger=court.LEDGER)
    court.files.held["empty.jsonl"] = b""
    with pytest.raises(ResultInvalid, match="does not hold the answer to look 0"):
        court.decide(ledger="empty.jsonl")


def vote(document):
    document["cases"][1]["judgement"]["votes"] = [1.0]


def score(document):
    document["cases"][1].update(score=1.0, passed=True)


def vote_and_score(document):
    vote(document)
    score(document)


def judgement_gone(document):
    document["cases"][1]["judgement"] = None


def run_gone(document):
    document["judge_run"] = document["judge_config"] = None


def scored(document):
    row = document["cases"][3]
    row.update(score=1.0, passed=True, standing="scored")


def scored_by_vote(document):
    scored(document)
    document["cases"][3]["judgement"].update(votes=[1.0], status="ok")


def count(name, by=1):
    def edit(document):
        document["judge_run"]["counts"][name] += by

    edit.__name__ = f"count_{name}"
    return edit


def bounds(document):
    document["judge_run"]["bounds"]["pass_rate"] = [1.0, 1.0]


def no_unscored(document):
    document["judge_run"]["unscored"] = []


def canary(document):
    document["judge_run"]["canaries"][0]["score"] = 0.0


def no_canaries(document):
    document["judge_run"]["canaries"] = []


def exact(document):
    document["cases"][2]["judgement"].update(votes=[], keys=[], elements=0)


def no_keys(document):
    document["cases"][2]["judgement"]["keys"] = []


def one_key_more(document):
    document["cases"][2]["judgement"]["keys"] *= 2


def no_judged_gate(document):
    document["gates"] = [one for one in document["gates"] if one["gate"] != "judged"]


@pytest.mark.parametrize(
    "edit",
    [
        *(vote, score, vote_and_score, judgement_gone, run_gone, scored, scored_by_vote, bounds),
        *(no_unscored, canary, no_canaries, exact, no_keys, one_key_more, no_judged_gate),
        *map(
            count,
            ("responses", "exact", "empty", "errors", "own", "canaries", "judged", "unscored"),
        ),
    ],
    ids=lambda edit: edit.__name__,
)
@pytest.mark.parametrize("with_ledger", [False, True], ids=["alone", "ledger"])
def test_a_stored_result_that_somebody_edited_is_refused(court, fake, edit, with_ledger):
    found = {
        "b": fake.said(fake.elements(0.0, 0.5, primary=False)),
        "d": fake.said("no JSON at all"),
    }
    right = fake.said(fake.elements(1.0, 1.0))
    court.answers(fake.by_case(found, canary=right, usual=right))
    court.store(court.floor("0.5", **PASS))
    ledger = court.LEDGER if with_ledger else None
    court.decide(ledger=ledger)
    document = court.stored()
    edit(document)
    court.edited(document)
    with pytest.raises((ResultInvalid, UsageInvalid)):
        court.decide(ledger=ledger)


def test_a_forecast_counts_what_the_ledger_answers_and_asks_nobody(court, right):
    before = court.foresee()
    assert (before.calls, before.canaries, before.known) == (9, 3, 0)
    assert before.cost > 0
    court.answers(right, interrupted=5)
    with pytest.raises(KeyboardInterrupt):
        court.score()
    asked = len(court.asker.asked)
    after = court.foresee()
    assert (after.calls, after.known) == (9, 5)
    assert after.input_tokens < before.input_tokens
    assert len(court.asker.asked) == asked


def test_a_stored_answer_is_worth_what_its_text_says_and_no_more(court, fake, right):
    """Another hand wrote the ledger: its lines are whole, and its replies are no verdicts."""
    from gate.judges.ledger import ledger_line

    court.score()
    questions = list(court.asker.asked)
    worthless = fake.said('{"score": 1.0}')
    court.text(court.LEDGER, "".join(ledger_line(one, worthless) for one in questions))
    asker = court.answers(right)
    report = court.floor("0.5", **PASS)
    assert report.verdict != "pass" or len(asker.asked) == 9


def test_the_ledger_holds_nothing_but_keys_places_and_answers(court):
    court.score()
    for line in court.ledger:
        document = json.loads(line)
        assert set(document) == {"v", "sum", "key", "case_id", "repeat", "run", "answer"}
        assert set(document["answer"]) == set(Answer.__dataclass_fields__)


def test_replacing_the_answers_usage_changes_what_a_run_cost_and_no_score(court, fake, right):
    first = court.score()
    court.files.held.pop(court.LEDGER)
    court.answers(lambda question: replace(right(question), usage=fake.Usage()))
    again = court.score()
    assert again.cases == first.cases
    assert again.judge_run.spent.cost_usd is None
    assert first.judge_run.spent.cost_usd > 0
