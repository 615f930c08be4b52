"""On a pull request a run is measured as the base commit's rules say, a stored result too."""

import pytest

from gate.inputs.importers.table import IMPORTERS
from gate.report.result_json import read_result, write_result
from gate.suite.stored import measurement_of
from gate.suite.summary import summarise

STRICT, LOOSE = "max_drop = 0.0", "max_drop = 0.9"
FLOOR = '\n[[gates]]\ngate = "floor"\nmin = 0.5\n'
OPEN = """[suite]
cases = "cases.jsonl"
predictions = "predictions.jsonl"
allow_missing_baseline = true
"""


def scored(change, *scoring):
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl", "--out", "scored")
    done = change.house.run("score", *given, *scoring)
    assert done.status == 0, done.err
    return change.folder / "scored" / "result.json"


def test_the_headline_of_a_stored_result_is_the_rules_own(change):
    """Every case brings a graded scorer, and the suite's is not: the pass rate leads."""
    cases = [
        {"id": f"c{at}", "input": "?", "reference": "a b c d", "scorer": {"name": "jaccard"}}
        for at in range(4)
    ]
    change.house.lines("cases.jsonl", cases)
    change.text("gate.toml", f'{OPEN}[scorer]\nname = "contains"\n{FLOOR}')
    change.commit("gate.toml", "cases.jsonl")
    answers = [{"id": case["id"], "output": "a b c"} for case in cases]
    assert change.check(predictions=answers).status == 1
    path = scored(change, "--scorer", "contains")
    report = read_result(path.read_bytes(), source="r")
    led = measurement_of(report.suite)._replace(metric="mean_score")
    suite = summarise(report.cases, led)
    path.write_text(write_result(type(report)(**{**dict(report), "suite": suite})))
    run = change.house.run("compare", "scored/result.json", "--out", "again")
    assert run.status == 1, run.out
    assert run.result["suite"]["metric"] == "pass_rate"


def test_a_failure_that_only_advises_stays_one(change):
    advising = change.POLICY.replace("[scorer]", "advisory = true\n[scorer]")
    change.edit("gate.toml", STRICT, LOOSE)
    change.commit("gate.toml")
    assert change.check(predictions=change.house.ONE_WRONG).result["verdict"] == "pass"
    change.text("gate.toml", advising)
    change.commit("gate.toml")
    run = change.house.run("decide", ".agent-eval-gate/result.json", "--out", "again")
    assert (run.status, run.result["verdict"]) == (0, "fail")


def test_a_result_by_another_scorer_than_the_baselines_is_refused(change):
    """Where nobody compares, cases that it changes would drop out of the comparison."""
    off = '[[gates]]\ngate = "comparable"\nenabled = false\n'
    change.text("gate.toml", change.POLICY.replace('[scorer]\nname = "contains"\n', "") + off)
    change.commit("gate.toml")
    change.house.lines("predictions.jsonl", change.house.ONE_WRONG)
    scored(change, "--scorer", "exact_match")
    run = change.house.run("compare", "scored/result.json", "--out", "again")
    assert run.status == 2
    assert "was measured by the scorer exact_match, where contains is in force" in run.err


def test_a_result_by_another_recorded_score_is_refused(change, fakes, monkeypatch):
    """Which one the tool marks as its headline no result tells: the policy has to name it."""
    tool = fakes("invented_tool")
    monkeypatch.setitem(IMPORTERS, "invented", tool.__name__)
    change.house.lines("cases.jsonl", [{"id": "a", "input": "?"}])
    change.text("gate.toml", f'{OPEN}[scorer]\nname = "recorded"\n{FLOOR}')
    change.commit("gate.toml", "cases.jsonl")
    scores = {"match": 0.0, "lenient": 1.0}
    change.text(
        "predictions.jsonl", tool.line(id="a", output="x", scores=scores, headline="match")
    )
    assert change.house.run("check").status == 1
    scored(change, "--scorer", "recorded:lenient")
    run = change.house.run("compare", "scored/result.json", "--out", "again")
    assert run.status == 2
    assert "leaves open which recorded score counts" in run.err
    named = f'{OPEN}[scorer]\nname = "recorded"\nscore = "match"\n{FLOOR}'
    change.text("gate.toml", named)
    change.commit("gate.toml")
    assert change.house.run("compare", "scored/result.json", "--out", "again").status == 2
    assert change.house.run("check").status == 1
    run = change.house.run("decide", ".agent-eval-gate/result.json", "--out", "again")
    assert run.status == 1, run.err


def test_a_run_in_which_nothing_but_the_rules_were_looked_at_proves_nothing(change):
    off = "".join(
        f'[[gates]]\ngate = "{name}"\nenabled = false\n'
        for name in ("completeness", "comparable", "regression")
    )
    change.text("gate.toml", change.POLICY.partition("[[gates]]")[0] + off)
    cases = [case for case in change.house.CASES if "safety" not in case.get("labels", ())]
    change.house.lines("cases.jsonl", cases)
    change.commit("gate.toml", "cases.jsonl")
    answers = [{**one, "output": "?"} for one in change.house.GOOD]
    known = {case["id"] for case in cases}
    run = change.check(predictions=[one for one in answers if one["id"] in known])
    assert run.status == 3, run.out
    assert {said for gate, said in run.outcomes().items() if gate != "rules"} == {"off"}
    assert run.outcomes()["rules"] == "pass"


@pytest.mark.parametrize("name", ["./gate.toml", "sub/../gate.toml"])
def test_a_policy_may_be_spelt_otherwise(change, name):
    (change.folder / "sub").mkdir()
    assert change.check("--policy", name).status == 0
    run = change.house.run("decide", ".agent-eval-gate/result.json", "--out", "again")
    assert run.status == 0, run.err


def test_a_pull_request_brings_the_gate_to_cases_that_are_there(change):
    """`init` finds them: what judges them is new, and they are held as they lie there."""
    change.base.clear()
    change.commit("cases.jsonl")
    (change.folder / "baseline.json").unlink()
    change.text("gate.toml", f'{OPEN}[scorer]\nname = "contains"\n{FLOOR}')
    run = change.check()
    assert run.status == 0, run.out
    assert [one["kind"] for one in run.result["rule_changes"]] == ["policy-added"]
    change.house.lines("cases.jsonl", change.house.CASES[:-1])
    run = change.check(predictions=change.house.GOOD)
    assert run.status == 1
    assert run.outcomes()["rules"] == "fail"
