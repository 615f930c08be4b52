"""A result becomes a baseline if it passed and is whole, or for a reason that is kept."""

import json

import pytest

from gate.baseline.promote import promote
from gate.errors import PromotionRefused
from gate.report.result_json import read_result

PROMOTE = ("baseline", "promote", "--result", "now/result.json", "--to", "b.json")


def document(house, name="b.json"):
    return json.loads((house.folder / name).read_text())


def test_a_result_that_passed_is_promoted(house):
    house.start()
    house.check("--out", "now")
    run = house.run(*PROMOTE)
    assert run.status == 0
    assert run.out == "b.json: 4 cases by contains, pass rate 1.000000, mean score 1.000000\n"
    assert document(house)["reason"] is None
    assert document(house)["rows"] == document(house, "baseline.json")["rows"]


@pytest.mark.parametrize(
    ("options", "verdict"),
    [
        ((), "fail"),
        (("--rule", "significant"), "undecided"),
        (("--advisory",), "fail"),
        (("--repeats", "2"), "fail"),
    ],
)
def test_one_that_did_not_pass_is_refused(house, options, verdict):
    house.start()
    house.check("--out", "now", *options, predictions=house.ONE_WRONG)
    run = house.run(*PROMOTE)
    assert run.status == 2
    assert f"its verdict is '{verdict}'" in run.err
    assert "--reason" in run.err
    assert not (house.folder / "b.json").exists()


def test_one_that_is_undecided_is_refused(house):
    house.start()
    house.check("--out", "now", "--pass-threshold", "0.5")
    assert house.run(*PROMOTE).status == 2


@pytest.mark.parametrize("gap", [[], [{"id": "safety-1", "error": "crash"}]])
def test_a_scored_one_with_holes_is_refused(house, gap):
    house.lines("cases.jsonl", house.CASES)
    house.lines("predictions.jsonl", [*house.GOOD[:3], *gap])
    house.run(
        *("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--scorer", "contains", "--out", "now"),
    )
    run = house.run(*PROMOTE)
    assert run.status == 2
    assert "1 of 4 cases was not scored (first: 'safety-1')" in run.err


def test_a_reason_accepts_it_and_every_report_shows_the_reason(house):
    house.start()
    house.check("--out", "now", predictions=house.ONE_WRONG)
    assert house.run(*PROMOTE, "--reason", "Hamlet is out of scope").status == 0
    assert document(house)["reason"] == "Hamlet is out of scope"
    run = house.check("--baseline", "b.json", baseline=False)
    assert run.status == 0
    assert "Hamlet is out of scope" in run.report
    assert run.result["comparison"]["baseline_reason"] == "Hamlet is out of scope"
    assert "Hamlet is out of scope" in house.run("baseline", "show", "b.json").out


@pytest.mark.parametrize("reason", ["", " ", "\t\n"])
@pytest.mark.parametrize("answers", ["GOOD", "ONE_WRONG"])
def test_a_blank_reason_is_refused_also_where_none_is_needed(house, reason, answers):
    house.start()
    house.check("--out", "now", predictions=getattr(house, answers))
    run = house.run(*PROMOTE, "--reason", reason)
    assert run.status == 2
    assert "--reason is " in run.err
    assert not (house.folder / "b.json").exists()


def test_the_last_20_summaries_are_kept_oldest_first(house):
    house.start()
    house.check("--out", "now")
    house.check("--out", "bad", predictions=house.ONE_WRONG)
    bad = ("baseline", "promote", "--result", "bad/result.json", "--to", "b.json")
    assert house.run(*bad, "--reason", "first").status == 0
    for _ in range(10):
        assert house.run(*PROMOTE, "--reason", "back").status == 0
        assert house.run(*bad, "--reason", "again").status == 0
    history = document(house)["history"]
    assert [len(history), history[0]["pass_rate"], history[-1]["pass_rate"]] == [20, 0.75, 1.0]
    assert history[-1]["reason"] == "back"
    assert house.run(*PROMOTE, "--reason", "back").status == 0
    history = document(house)["history"]
    assert [len(history), history[0]["pass_rate"], history[-1]["pass_rate"]] == [20, 1.0, 0.75]


def test_what_replaces_a_baseline_was_held_against_it_or_says_why_not(house):
    house.start()
    house.check("--out", "now")
    assert house.run(*PROMOTE).status == 0
    files = ("--cases", "cases.jsonl", "--predictions", "bad.jsonl", "--scorer", "contains")
    house.lines("bad.jsonl", house.ONE_WRONG)
    assert house.run("score", *files, "--out", "s").status == 0
    promote = ("baseline", "promote", "--result", "s/result.json", "--to", "b.json")
    run = house.run(*promote)
    assert (run.status, "was only scored, and never held against" in run.err) == (2, True)
    assert house.run(*promote, "--reason", "a smaller agent").status == 0
    assert document(house)["knowingly"] is True
    run = house.run(*PROMOTE)
    assert (run.status, "was compared with another baseline" in run.err) == (2, True)


def test_a_reason_for_a_result_that_passed_is_kept_and_nothing_more(house):
    house.start()
    house.check("--out", "now")
    assert house.run(*PROMOTE, "--reason", "weekly refresh").status == 0
    assert (document(house)["reason"], document(house)["knowingly"]) == ("weekly refresh", False)


def test_the_same_answers_accepted_again_keep_the_reason(house):
    house.start()
    house.check("--out", "bad", predictions=house.ONE_WRONG)
    bad = ("baseline", "promote", "--result", "bad/result.json", "--to", "b.json")
    assert house.run(*bad, "--reason", "Hamlet is out of scope").status == 0
    assert house.check("--baseline", "b.json", "--out", "now", baseline=False).status == 0
    run = house.run(*PROMOTE)
    assert (run.status, document(house)["reason"]) == (0, "Hamlet is out of scope")
    assert document(house)["knowingly"] is True


def test_the_same_answers_accepted_again_add_nothing_to_the_history(house):
    house.start()
    house.check("--out", "now")
    for _ in range(3):
        assert house.run(*PROMOTE).status == 0
    assert document(house)["history"] == []


def test_a_broken_file_at_the_target_is_not_overwritten(house):
    house.start()
    house.check("--out", "now")
    house.text("b.json", "precious")
    assert house.run(*PROMOTE).status == 2
    assert (house.folder / "b.json").read_text() == "precious"


def test_a_result_that_is_not_there_is_2(house):
    assert house.run(*PROMOTE).status == 2


def test_the_refusal_is_an_error_that_says_what_to_do(house):
    house.start()
    house.check("--out", "now", predictions=house.ONE_WRONG)
    report = read_result((house.folder / "now" / "result.json").read_bytes(), source="r")
    with pytest.raises(PromotionRefused) as caught:
        promote(report, report.suite, previous=None, reason=None)
    assert "--reason" in caught.value.remedy
    assert promote(report, report.suite, previous=None, reason="why").reason == "why"


@pytest.mark.parametrize("reason", ["", " ", "\u200b", "…", "\u202e \n"])
def test_a_reason_in_which_nothing_can_be_read_is_refused(house, reason):
    house.start()
    house.check(predictions=house.LEAK)
    stored = ".agent-eval-gate/result.json"
    run = house.run(
        "baseline", "promote", "--result", stored, "--to", "b.json", "--reason", reason
    )
    assert run.status == 2
    assert not (house.folder / "b.json").exists()
