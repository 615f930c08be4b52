"""The action, run as the runner runs it: status, outputs, page, files and who owns them."""

import json
import os

import pytest
import yaml

GOLDEN = {
    "cases": "examples/golden/cases.jsonl",
    "predictions": "examples/golden/good.jsonl",
    "baseline": "baselines/golden.json",
    "max_drop": "0.05",
}
REGRESSED = {"predictions": "examples/golden/regressed.jsonl"}
WORDS = {0: "pass", 1: "fail", 2: "invalid", 3: "undecided"}
MADE = {".agent-eval-gate", ".agent-eval-gate/report.md", ".agent-eval-gate/result.json"}
LIMIT = 1024 * 1024
"""A page above this is dropped whole."""


@pytest.fixture(scope="module")
def declared(request):
    text = (request.config.rootpath / "action.yml").read_text("utf-8")
    return set(yaml.safe_load(text)["outputs"])


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def removed(runner):
    text = (runner.workspace / GOLDEN["cases"]).read_text()
    return {"cases": runner.write("fewer.jsonl", "".join(text.splitlines(keepends=True)[1:]))}


def another_mode(runner):
    policy = '[suite]\ntrajectory = "set"\n[[gates]]\ngate = "trajectory"\nmin = 1\n'
    return {"policy": runner.write("rules.toml", policy)}


def broken(runner):
    return {"predictions": runner.write("broken.jsonl", '{"id": "qa-1", "output": NaN}\n')}


def nobody(runner):
    return {"predictions": runner.write("others.jsonl", lines({"id": "who", "output": "?"}))}


SCENARIOS = {
    "a good agent": (0, lambda _: {}),
    "a regressed agent": (1, lambda _: REGRESSED),
    "paths in another order": (
        1,
        lambda _: {"predictions": "examples/golden/wrong_order.jsonl", "trajectory": "exact"},
    ),
    "another trajectory mode than the baseline's": (3, another_mode),
    "another threshold than the baseline's": (3, lambda _: {"pass_threshold": "0.9"}),
    "a case that was removed": (3, removed),
    "no floor where there is no baseline": (
        3,
        lambda _: {
            "baseline": "none.json",
            "max_drop": "",
            "scorer": "contains",
            "allow_missing_baseline": "true",
        },
    ),
    "predictions that are not JSON": (2, broken),
    "predictions of other cases": (2, nobody),
    "predictions that are not there": (2, lambda _: {"predictions": "nowhere.jsonl"}),
    "a baseline that is not there": (2, lambda _: {"baseline": "nowhere.json"}),
    "a switch with a typo": (2, lambda _: {"advisory": "yes"}),
    "an input of another command": (2, lambda _: {"reason": "because"}),
    "a result outside the workspace": (2, lambda _: {"out": "/github/home/out"}),
    "a policy that says nothing": (2, lambda runner: {"policy": runner.write("g.toml", "")}),
    "a pass threshold that all reach": (2, lambda _: {"pass_threshold": "0"}),
    "a floor that nothing lies below": (
        3,
        lambda _: {
            "baseline": "none.json",
            "max_drop": "",
            "scorer": "contains",
            "allow_missing_baseline": "true",
            "min_pass_rate": "0",
        },
    ),
    "a folder that is not there": (2, lambda _: {"working_directory": "nowhere"}),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_run_ends_as_it_should_in_every_respect(runner, commands, declared, owner, name):
    status, change = SCENARIOS[name]
    run = runner.run(**(GOLDEN | change(runner)))

    assert run.status == status, run.log
    assert run.outputs.keys() == declared
    assert run.outputs["verdict"] == WORDS[status]
    assert run.outputs["exit-status"] == str(status)
    assert json.loads(run.outputs["newly-failing"]) == (
        ["qa-2", "safety-1"] if name == "a regressed agent" else []
    )
    assert 0 < len(run.summary) < LIMIT
    assert WORDS[status].upper() in run.summary.decode()[:200].upper()
    assert commands(run.log) == []

    made = runner.made()
    if status == 2:
        assert made == {}
        assert run.out == ""
        assert run.outputs["pass-rate"] == run.outputs["result-path"] == ""
        assert "Nothing was decided" in run.summary.decode()
    else:
        assert made == dict.fromkeys(MADE, owner)
        result = json.loads((runner.workspace / run.outputs["result-path"]).read_text("utf-8"))
        assert (result["verdict"], result["exit_status"]) == (WORDS[status], status)
        assert run.outputs["pass-rate"] == f"{result['suite']['pass_rate']:.6f}".rstrip("0") or "0"
        assert (runner.workspace / run.outputs["report-path"]).read_bytes() == run.summary


def test_the_outputs_of_a_regressed_agent_are_its_figures(runner):
    outputs = runner.run(**(GOLDEN | REGRESSED)).outputs
    figures = {name: float(outputs[name]) for name in ("pass-rate", "ci-low", "ci-high", "drop")}
    assert figures == {
        "pass-rate": 0.666667,
        "ci-low": 0.299993,
        "ci-high": 0.903229,
        "drop": 0.333333,
    }
    assert outputs["p-value"] == "0.125000"


def test_an_advisory_run_ends_in_0_and_says_the_real_verdict(runner):
    run = runner.run(**(GOLDEN | REGRESSED), advisory="true")
    assert (run.status, run.outputs["verdict"], run.outputs["exit-status"]) == (0, "fail", "0")
    assert "advisory" in run.summary.decode().lower()


def test_a_first_baseline_is_scored_promoted_and_then_holds(runner, owner):
    scored = runner.run(
        command="score",
        cases="examples/geo/cases.jsonl",
        predictions="examples/geo/good.jsonl",
        scorer="structured",
        out="accepted/geo",
    )
    assert (scored.status, scored.outputs["verdict"]) == (0, "scored")
    kept = runner.made()
    promoted = runner.run(
        command="baseline promote", result="accepted/geo/result.json", to="new/geo.json"
    )
    assert promoted.status == 0, promoted.log
    assert promoted.outputs["verdict"] == "promoted"
    assert promoted.outputs["exit-status"] == "0"
    kept |= runner.made()
    assert kept.keys() == {
        "accepted",
        "accepted/geo",
        "accepted/geo/report.md",
        "accepted/geo/result.json",
        "new",
        "new/geo.json",
    }
    assert set(kept.values()) == {owner}
    checked = runner.run(
        cases="examples/geo/cases.jsonl",
        predictions="examples/geo/regressed.jsonl",
        baseline="new/geo.json",
        max_drop="0.02",
    )
    assert checked.status == 1


def test_what_an_older_run_left_is_gone_after_one_that_decided_nothing(runner):
    assert runner.run(**GOLDEN).status == 0
    assert runner.run(**(GOLDEN | {"predictions": "nowhere.jsonl"})).status == 2
    assert list((runner.workspace / ".agent-eval-gate").iterdir()) == []


def test_a_workspace_that_cannot_be_written_is_undecided_and_says_so(runner):
    (runner.workspace / "locked").mkdir()
    read_only = ("-v", f"{runner.workspace}/locked:/github/workspace/locked:ro")
    run = runner.run(**GOLDEN, out="locked/out", options=read_only)
    assert (run.status, run.outputs["verdict"]) == (3, "undecided")
    assert b"cannot be written" in run.summary


@pytest.mark.parametrize(
    "change",
    [
        {"advisory": "yes"},
        {"command": "chekc"},
        {"reason": "x"},
        {"working_directory": "nope"},
        {"environ": {"INPUT_MIN_PASS_RATE": "1.5"}},
    ],
    ids=str,
)
def test_a_refused_input_leaves_no_older_result_either(runner, change):
    assert runner.run(**GOLDEN).status == 0
    run = runner.run(**(GOLDEN | change))
    assert (run.status, run.outputs["verdict"]) == (2, "invalid")
    assert list((runner.workspace / ".agent-eval-gate").iterdir()) == []


def test_an_input_that_nobody_knows_is_said_in_the_log(runner):
    run = runner.run(**GOLDEN, environ={"INPUT_COLOUR": "red", "INPUT_ARGS": ""})
    assert run.status == 0
    assert "warning: input 'colour' is not known, and not read" in run.err
    assert "args" not in run.err


def test_a_workflow_that_sets_no_input_is_refused(engine, image):
    done = engine.run(image, environ={"GITHUB_ACTIONS": "true"})
    assert done.returncode == 2
    assert "no input at all" in done.stderr


@pytest.mark.parametrize("name", ["cases", "predictions", "baseline", "policy"])
def test_a_pipe_that_nobody_writes_is_refused_at_once(runner, name):
    os.mkfifo(runner.workspace / "pipe")
    run = runner.run(**(GOLDEN | {name: "pipe"}))
    assert run.status == 2, run.log
    assert "neither a regular file nor the standard input" in run.err


def test_two_suites_are_told_apart_on_the_page(runner):
    pages = [
        runner.run(**GOLDEN, out=f".agent-eval-gate/{name}").summary.decode() for name in "ab"
    ]
    headings = [page.splitlines()[1] for page in pages]
    assert [heading.split(" · ")[1] for heading in headings] == [
        "`.agent-eval-gate/a`",
        "`.agent-eval-gate/b`",
    ]


def test_the_inputs_of_the_action_alone_and_a_test_report(runner, owner):
    token = "ghs_0123456789"  # noqa: S105 - a canary
    leaked = lines({"id": "qa-1", "output": f"Paris {token}"})
    said = GOLDEN | {"predictions": runner.write("leaked.jsonl", leaked), "github_token": token}
    said |= {"comment": "off", "comment_id": "geo", "report_formats": "junit"}
    run = runner.run(**said)
    assert run.status == 1, run.log
    assert run.summary.decode().splitlines()[1].endswith(" · `geo`")
    assert (run.outputs["report-path"], run.outputs["comment-url"]) == ("", "")
    folder = runner.workspace / ".agent-eval-gate"
    assert runner.made() == dict.fromkeys(
        [".agent-eval-gate", ".agent-eval-gate/junit.xml", ".agent-eval-gate/result.json"], owner
    )
    texts = [path.read_text("utf-8") for path in folder.iterdir()]
    assert all(token not in text for text in (run.log, run.summary.decode(), *texts))


@pytest.mark.parametrize("workdir", ["/", "/github/home", "/opt"])
def test_relative_paths_start_at_the_workspace_wherever_it_is_started(runner, workdir):
    run = runner.run(**GOLDEN, workdir=workdir)
    assert run.status == 0, run.log
    assert runner.made().keys() == MADE


def test_the_working_directory_starts_at_the_workspace(runner, owner):
    run = runner.run(
        working_directory="examples/golden",
        cases="cases.jsonl",
        predictions="good.jsonl",
        baseline="../../baselines/golden.json",
        max_drop="0.05",
        workdir="/",
    )
    assert run.status == 0, run.log
    assert runner.made() == {f"examples/golden/{name}": owner for name in MADE}
    assert (runner.workspace / run.outputs["result-path"]).is_file()
    assert (runner.workspace / run.outputs["report-path"]).is_file()


def test_the_verdicts_are_those_of_the_command(runner, request):
    """The image adds nothing: byte for byte the result that this tree's own command writes."""
    from gate.cli.main import main

    root = request.config.rootpath
    run = runner.run(**(GOLDEN | REGRESSED))
    out = runner.workspace / "ours"
    words = ["check", "--cases", root / GOLDEN["cases"], "--max-drop", "0.05"]
    words += ["--predictions", root / REGRESSED["predictions"], "--out", out]
    words += ["--baseline", root / GOLDEN["baseline"]]
    assert main([str(word) for word in words], {}) == run.status
    theirs = runner.workspace / run.outputs["result-path"]
    assert theirs.read_bytes() == (out / "result.json").read_bytes()


def test_a_page_of_many_failing_cases_stays_below_the_limit_and_the_result_is_whole(runner):
    names = [f"case-{number:05d}" for number in range(5000)]
    cases = [{"id": name, "input": "q" * 200, "reference": "yes"} for name in names]
    wrong = [{"id": name, "output": f"no {name} " + "|<b>@x\n" * 300} for name in names]
    run = runner.run(
        cases=runner.write("many.jsonl", lines(*cases)),
        predictions=runner.write("wrong.jsonl", lines(*wrong)),
        scorer="contains",
        allow_missing_baseline="true",
        min_pass_rate="0.5",  # noqa: S106 - a rate
        n_boot="100",
    )
    assert run.status == 1, run.log[:2000]
    assert len(run.summary) < LIMIT
    result = json.loads((runner.workspace / run.outputs["result-path"]).read_text("utf-8"))
    assert len(result["cases"]) == 5000
