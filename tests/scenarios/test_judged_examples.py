"""The judged examples gate as their files promise, by a judge that is a real process."""

import json
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from gate.judges.condense import NOT_RECORDED, condense
from gate.judges.labels import read_labels
from gate.judges.prices import PRICES
from gate.judges.probes import PROBES
from gate.policy.toml import read_policy
from gate.records.judge_options import JudgeOptions
from gate.records.judge_words import AnswerStatus, Provider

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "judges.md").read_text("utf-8")
EXPERT = ROOT / "examples" / "expert"
WORKER = ("--judge", "command", "--judge-command", "python examples/judges/worker.py")
GEO = ("--cases", "examples/geo/cases.jsonl", "--scorer", "geoktools", *WORKER)
POLICY = ("--policy", "examples/expert/gate.toml")
BASELINES = {
    "geo-judged": (*GEO, "--predictions", "examples/geo/good.jsonl"),
    "expert": (*POLICY, "--predictions", "examples/expert/good.jsonl"),
}
REMAKE = (
    "the judge or what it is asked has changed: look at the difference, then remake it with\n"
    "agent-eval-gate score {options} --out again\n"
    "rm baselines/{name}.json\n"
    "agent-eval-gate baseline promote --result again/result.json --to baselines/{name}.json"
)


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def here(house, monkeypatch):
    """The command at the root of the repository, with ``--out`` elsewhere."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("CI", raising=False)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)
    return house


def out(house, name="out"):
    return ("--out", str(house.folder / name))


def geo(house, command, predictions, *options):
    given = ("--predictions", f"examples/geo/{predictions}.jsonl", *out(house))
    if command == "check":
        given += ("--baseline", "baselines/geo-judged.json")
    return house.run(command, *GEO, *given, *options)


def expert(house, predictions, *options, command="check"):
    given = ("--predictions", f"examples/expert/{predictions}.jsonl", *out(house))
    return house.run(command, *POLICY, *given, *options)


def test_good_answers_pass_and_what_equals_the_golden_list_makes_no_call(here):
    run = geo(here, "check", "good")
    assert run.status == 0, run.out
    counts = run.result["judge_run"]["counts"]
    assert counts["responses"] == 40
    assert counts["exact"] == 7
    assert counts["calls"] == counts["judged"] == 33
    assert counts["canaries"] == 3
    assert "judge: 36 questions asked, 0 answered by the ledger" in run.err
    assert "7 equal to the reference" in run.out
    silent = [row for row in run.result["cases"] if row["judgement"]["votes"] == []]
    assert [row["score"] for row in silent] == [1.0] * 7


def test_worse_answers_fail_by_the_judge(here):
    run = geo(here, "check", "regressed")
    assert run.status == 1
    assert run.outcomes() == {
        "regression": "fail",
        "safety": "off",
        "completeness": "pass",
        "comparable": "pass",
        "judged": "pass",
    }


def test_the_autorater_looks_three_times_and_shows_votes_and_means(here):
    run = expert(here, "regressed")
    assert run.status == 1
    assert run.gate("regression")["outcome"] == "fail"
    assert run.row("exp-05")["judgement"]["votes"] == [0.5, 0.5, 0.5]
    assert "exp-05  0.5, 0.5, 0.5: mean 0.500" in run.out
    assert "0.5, 0.5, 0.5: mean 0.500" in run.report
    assert run.result["judge_run"]["counts"]["calls"] == 30
    assert run.result["judge_run"]["date"] == "2026-01-15"


def test_the_safety_cases_of_the_experts_are_scored_without_the_judge(here):
    run = expert(here, "good")
    assert run.status == 0, run.out
    assert run.result["judge_run"]["counts"]["own"] == 2
    assert run.gate("safety")["outcome"] == "pass"
    assert all(run.row(name)["judgement"] is None for name in ("exp-token", "exp-wipe"))


def test_a_second_run_asks_nothing_and_writes_the_same_bytes(here):
    written = here.folder / "out" / "result.json"
    assert expert(here, "good").status == 0
    before = written.read_bytes()
    run = expert(here, "good")
    assert "judge: 0 questions asked, 33 answered by the ledger" in run.err
    assert written.read_bytes() == before


def test_on_a_runner_the_usual_ledger_is_not_believed_and_a_named_one_is(here, monkeypatch):
    monkeypatch.setenv("CI", "true")
    expert(here, "good")
    assert "judge: 33 questions asked" in expert(here, "good").err
    kept = ("--ledger", str(here.folder / "out" / "ledger.jsonl"))
    assert "judge: 0 questions asked" in expert(here, "good", *kept).err


@pytest.mark.parametrize(("command", "status"), [("check", 3), ("score", 0)])
def test_a_dry_run_counts_and_asks_and_decides_nothing(here, command, status):
    run = geo(here, command, "good", "--dry-run")
    assert run.status == status
    assert "36 (3 of them known-bad answers)" in run.out
    assert "asked" not in run.err.replace("nothing was asked", "")
    assert not (here.folder / "out").exists()


@pytest.mark.parametrize("name", BASELINES)
def test_the_baseline_is_what_its_commands_make(here, name):
    options = BASELINES[name]
    made = here.folder / f"{name}.json"
    scored = here.run("score", *options, *out(here, "again"))
    assert scored.status == 0, scored.err
    result = str(here.folder / "again" / "result.json")
    here.run("baseline", "promote", "--result", result, "--to", str(made))
    same = made.read_bytes() == (ROOT / "baselines" / f"{name}.json").read_bytes()
    assert same, REMAKE.format(name=name, options=" ".join(options))


def test_each_labelled_answer_is_there_and_every_rating_was_given():
    labels = read_labels(
        (EXPERT / "labels.jsonl").read_bytes(), source="labels.jsonl", reply="rating"
    )
    answers = {(row["id"], row["repeat"]) for row in rows(EXPERT / "labelled.jsonl")}
    assert labels.values.keys() <= answers
    judged = {row["id"] for row in rows(EXPERT / "cases.jsonl") if "scorer" not in row}
    assert {case_id for case_id, _ in labels.values} == judged
    assert min(Counter(labels.values.values()).values()) >= 9


def test_the_judge_agrees_with_the_labels_as_often_as_the_readme_says(here):
    run = expert(here, "labelled", command="score")
    votes = {
        (row["id"], one["repeat"]): one["judgement"]["votes"][0]
        for row in run.result["cases"]
        for one in row["repeats"]
        if one["judgement"]
    }
    labels = {(row["id"], row["repeat"]): row["label"] for row in rows(EXPERT / "labels.jsonl")}
    assert sum(2 * votes[place] == label for place, label in labels.items()) == 24
    said = (EXPERT / "README.md").read_text("utf-8")
    assert "24 of the 30 answers" in said.replace("\n", " ")


@pytest.mark.parametrize("name", ["good", "regressed", "labelled"])
def test_every_trace_is_in_a_form_that_is_read(name):
    for row in rows(EXPERT / f"{name}.jsonl"):
        if "trace" in row:
            said = condense(json.dumps(row["trace"]), None)
            assert said != NOT_RECORDED
            assert '{"role"' not in said
            assert '"type"' not in said
            assert said.count(" call ") == len(row["tools"])


def test_guide_and_readme_name_every_key_of_the_judge_table_and_no_other():
    table = GUIDE.split("## The `[judge]` table")[1].split("```toml")[0]
    cells = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(cells))) == set(JudgeOptions.model_fields)
    readme = (ROOT / "README.md").read_text("utf-8")
    policy = re.search(r"<!-- policy -->\n```toml\n(.*?)```", readme, re.DOTALL)[1]
    found = read_policy(policy, source="README.md").judge
    assert found.model_fields_set == set(JudgeOptions.model_fields)


def test_the_guide_names_every_provider_status_probe_and_price():
    for name in (*get_args(Provider), *get_args(AnswerStatus), "unasked", *PROBES):
        assert f"`{name}`" in GUIDE, name
    for name, listed in PRICES.items():
        price = listed.price
        line = f"| `{name}` | {price.input} | {price.output} | {price.dated} | {listed.until} |"
        assert line in GUIDE


def test_the_guide_shows_what_calibrate_says_of_the_example_and_the_gate_obeys_it(here):
    labelled = (*POLICY, "--predictions", "examples/expert/labelled.jsonl")
    trust = str(here.folder / "trust.json")
    run = here.run(
        "calibrate", "--labels", "examples/expert/labels.jsonl", *labelled, "--to", trust
    )
    assert run.status == 0, run.err
    shown = GUIDE.split("```text\nHow far", 1)[1].split("```", 1)[0]
    assert run.out == f"How far{shown}"
    trusted = expert(here, "good", "--judge-trust", trust)
    assert '"judge_trust"' in json.dumps(trusted.result["gates"])
    assert (trusted.status, trusted.outcomes()["judge_trust"]) == (0, "pass")
    strict = EXPERT / "gate.toml"
    text = strict.read_text("utf-8") + '[[gates]]\ngate = "judge_trust"\nmin_kappa = 0.9\n'
    here.text("strict.toml", text)
    policy = ("--policy", str(here.folder / "strict.toml"))
    given = ("--predictions", "examples/expert/good.jsonl", "--judge-trust", trust, *out(here))
    run = here.run("check", *policy, *given)
    assert (run.status, run.outcomes()["judge_trust"]) == (3, "undecided")
