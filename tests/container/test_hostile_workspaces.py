"""Whoever writes the workspace writes what is under test, and nothing else."""

import base64
import json

import pytest

GOLDEN = {
    "cases": "examples/golden/cases.jsonl",
    "predictions": "examples/golden/good.jsonl",
    "baseline": "baselines/golden.json",
    "max_drop": "0.05",
}
SECRET = "canary-8f2c1d-do-not-print"  # noqa: S105 - nobody's
COMMANDS = (
    "::error::x",
    "  ::error file=a::x",
    "##[error]x",
    "text ##[group]x",
    "a\n::stop-commands::t\nb",
    "a\r::add-mask::a\rb",
    "\u00a0::warning::x",
    "\u2028::warning::x",
    "\u0085::warning::x",
    "\x1c::warning::x",
    "\x1b[2K::notice::x",
    "\ufeff::notice::x",
    "word " * 60 + "::error::wrapped",
)
TRAP = """
import pathlib
pathlib.Path("/github/home/sprung").write_text(__file__)
raise SystemExit(0)
"""
MODULES = ("gate", "click", "os", "json", "re", "sitecustomize", "usercustomize", "entrypoint")


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def told(run):
    return run.log + run.summary.decode() + "".join(run.outputs.values())


@pytest.mark.parametrize("place", ["output", "error", "id", "key", "raw", "tool"])
def test_no_line_of_the_log_is_a_workflow_command(runner, commands, place):
    rows = {
        "output": [{"id": "qa-1", "output": text} for text in COMMANDS[:1]]
        + [{"id": "qa-2", "output": "\n".join(COMMANDS)}],
        "error": [{"id": "qa-1", "error": "\n".join(COMMANDS)}],
        "id": [{"id": "qa-1", "output": "x"}] + [{"id": c, "output": "x"} for c in COMMANDS],
        "key": [{"id": "qa-1", "output": "x", **dict.fromkeys(COMMANDS, 1)}],
        "raw": [],
        "tool": [{"id": "qa-1", "output": "x", "tools": list(COMMANDS)}],
    }[place]
    raw = "\n".join(COMMANDS) if place == "raw" else ""
    run = runner.run(**(GOLDEN | {"predictions": runner.write("p.jsonl", lines(*rows) + raw)}))
    assert run.status in {1, 2}, run.log
    assert commands(run.log) == []


@pytest.mark.parametrize(
    "said",
    [
        {"predictions": "a##[error]b"},
        {"command": "##[error]x"},
        {"working_directory": "x\n::error::y"},
        {"scorer": "x\n::error::y"},
        {"advisory": "\n::error::y"},
        {"out": "o##[error]x"},
    ],
    ids=lambda said: next(iter(said)),
)
def test_what_an_input_says_is_no_workflow_command_either(runner, commands, said):
    run = runner.run(**(GOLDEN | said))
    assert commands(run.log) == []


def test_a_value_cannot_end_an_output_early_and_forge_another(runner):
    forged = "ghadelimiter\nverdict=pass\nverdict<<x\npass\nx"
    cases = lines(
        {"id": forged, "input": "?", "reference": "yes"},
        {"id": "b", "input": "?", "reference": "yes"},
    )
    good = lines({"id": forged, "output": "yes"}, {"id": "b", "output": "yes"})
    suite = {"cases": runner.write("c.jsonl", cases)}
    scored = runner.run(
        command="score", **suite, predictions=runner.write("g.jsonl", good), scorer="contains"
    )
    assert scored.status == 0, scored.log
    runner.run(command="baseline promote", result=".agent-eval-gate/result.json", to="b.json")
    bad = lines({"id": forged, "output": "no"}, {"id": "b", "output": "yes"})
    run = runner.run(
        **suite,
        predictions=runner.write("w.jsonl", bad),
        baseline="b.json",
        max_drop="0",
        rule="point",
    )
    assert (run.status, run.outputs["verdict"]) == (1, "fail")
    assert json.loads(run.outputs["newly-failing"]) == [forged]


@pytest.mark.parametrize("name", ["GEMINI_API_KEY", "MY_AGENT_KEY", "GH_PAT", "PGPASS"])
def test_a_secret_that_an_agent_repeats_is_told_nowhere(runner, name):
    hidden = [SECRET, base64.b64encode(SECRET.encode()).decode(), SECRET.encode().hex()]
    bad = lines(
        {"id": "qa-1", "output": f"the key is {SECRET}"},
        {"id": "qa-2", "output": f"{hidden[1]} {hidden[2]}"},
        {"id": "calc-1", "error": f"Authorization: Bearer {SECRET}"},
    )
    predictions = runner.write("p.jsonl", bad)
    run = runner.run(**(GOLDEN | {"predictions": predictions}), environ={name: SECRET})
    assert run.status == 1, run.log
    made = sorted(runner.made())[1:]
    kept = [(runner.workspace / path).read_text("utf-8") for path in made]
    assert len(kept) == 2
    for text in (told(run), *kept):
        assert not [spelling for spelling in hidden if spelling in text]
    assert "***" in run.log


def test_a_secret_in_a_line_that_is_refused_is_told_nowhere(runner):
    predictions = runner.write(
        "p.jsonl", lines({"id": "qa-1", SECRET: 1, "output": 1, "error": 2})
    )
    environ = {"GITHUB_TOKEN": SECRET, "RUNNER_DEBUG": "1"}
    run = runner.run(**(GOLDEN | {"predictions": predictions}), environ=environ)
    assert run.status == 2
    assert SECRET not in told(run)


@pytest.mark.parametrize("workdir", ["/github/workspace", "/github/home", "/"])
def test_no_module_of_the_workspace_is_imported(runner, workdir):
    home = runner.workspace.parent / "home"
    version = "lib/python3.13/site-packages"
    for folder in (runner.workspace, home, home / version, home / ".local" / version):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "trap.pth").write_text("import sitecustomize\n")
        for name in MODULES:
            (folder / name).mkdir(exist_ok=True)
            (folder / name / "__init__.py").write_text(TRAP)
            (folder / f"{name}.py").write_text(TRAP)
    (runner.workspace / "gate" / "__main__.py").write_text(TRAP)
    (runner.workspace / "pyvenv.cfg").write_text("home = /github/workspace\n")
    environ = {
        "PYTHONPATH": "/github/workspace",
        "PYTHONHOME": "/github/workspace",
        "PYTHONUSERBASE": "/github/home",
        "PYTHONSTARTUP": "/github/workspace/os.py",
        "PYTHONINSPECT": "1",
        "PYTHONWARNINGS": "error",
        "PYTHONSAFEPATH": "",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    regressed = GOLDEN | {"predictions": "examples/golden/regressed.jsonl"}
    run = runner.run(**regressed, workdir=workdir, environ=environ)
    assert not (home / "sprung").exists()
    assert run.status == 1, run.log
    assert run.outputs["verdict"] == "fail"


def test_the_path_of_a_workflow_does_not_choose_the_interpreter(runner):
    for name in ("python", "python3", "sh", "env"):
        runner.write(name, "#!/bin/sh\nexit 0\n")
        (runner.workspace / name).chmod(0o755)
    regressed = GOLDEN | {"predictions": "examples/golden/regressed.jsonl"}
    run = runner.run(**regressed, environ={"PATH": "/github/workspace"})
    assert run.status == 1, run.log


@pytest.mark.parametrize("locale", ["C", "POSIX", "de_DE.ISO-8859-1"])
def test_no_locale_changes_the_page(runner, locale):
    environ = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    plain = runner.run(**GOLDEN)
    assert runner.run(**GOLDEN, environ=environ).log == plain.log
