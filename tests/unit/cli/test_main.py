"""The command ends in a status that always means the same, whatever happens around it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gate import __version__
from gate.cli.main import CLOSED_PIPE, COMMANDS, INTERRUPTED

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "examples" / "golden"
CHECK = [
    *("check", "--cases", str(GOLDEN / "cases.jsonl"), "--max-drop", "0.05"),
    *("--baseline", str(ROOT / "baselines" / "golden.json"), "--predictions"),
]
FULL = Path("/dev/full")


def command(folder, *arguments, streams="", **environ):
    """Run the command in a process of its own; ``streams`` says where its streams go."""
    script = f'"$@" {streams}'
    return subprocess.run(
        ["bash", "-c", script, "bash", sys.executable, "-m", "gate", *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environ},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--bogus",),
        ("check", "--bogus"),
        ("check", "extra"),
        ("baseline",),
        ("compare",),
        ("check", "--seed", "x"),
        ("baseline", "promote"),
    ],
)
def test_a_usage_error_is_2_with_a_hint(house, words):
    run = house.run(*words)
    assert run.status == 2
    assert run.err.startswith("error: ")
    assert run.err.endswith(" --help`\n")


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("chekc",), "did you mean 'check'?"),
        (("basline", "show"), "did you mean 'baseline'?"),
        (("check", "--max-dorp", "1"), "--max-drop"),
        (("baseline", "promte"), "promote"),
    ],
)
def test_a_misspelt_command_or_option_gets_a_suggestion(house, words, suggestion):
    run = house.run(*words)
    assert run.status == 2
    assert suggestion in run.err


def test_a_command_that_is_like_none_gets_no_suggestion(house):
    assert "did you mean" not in house.run("zzz").err


def test_a_usage_error_is_told_to_the_runner(house, monkeypatch):
    monkeypatch.setenv("GITHUB_OUTPUT", "outputs")
    house.run("check", "--bogus")
    assert "\ninvalid\n" in (house.folder / "outputs").read_text()


def test_what_is_said_of_wrong_arguments_is_made_visible(house):
    run = house.run("check", "\x1b[31m\n::error::x")
    assert run.status == 2
    assert "\x1b" not in run.err
    assert not any(line.startswith("::") for line in run.err.splitlines())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(house, name):
    run = house.run(name, "--help")
    assert run.status == 0
    assert run.out.startswith(f"Usage: agent-eval-gate {name}")


def test_the_overview_names_every_command_and_status(house):
    run = house.run("--help")
    assert run.status == 0
    listed = re.findall(r"^  ([a-z]+) +[A-Z]", run.out, re.MULTILINE)
    assert [name for name in listed if name in COMMANDS] == list(COMMANDS)
    for status in range(5):
        assert re.search(rf"^ *{status}  ", run.out, re.MULTILINE)


def test_the_version_is_that_of_the_package(house):
    assert house.run("--version").out.strip() == f"agent-eval-gate, version {__version__}"


def test_an_interrupt_is_130_and_writes_nothing(house, monkeypatch):
    house.start()

    def interrupted(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("gate.shell.score.measure", interrupted)
    run = house.check()
    assert (run.status, run.result) == (INTERRUPTED, None)
    assert "Traceback" not in run.err


@pytest.mark.parametrize(
    "error",
    [
        RecursionError,
        MemoryError,
        AssertionError,
        StopIteration,
        OSError,
        UnicodeError,
        SystemError,
    ],
)
def test_any_other_exception_is_4(house, monkeypatch, error):
    house.start()

    def broken(*_args, **_kwargs):
        raise error("\x1b[2J::error::x")

    monkeypatch.setattr("gate.shell.score.measure", broken)
    run = house.check()
    assert run.status == 4
    assert "\x1b" not in run.err
    assert "please report this" in run.err


def test_a_defect_hides_secrets_even_in_its_traceback(house, monkeypatch):
    house.start()
    monkeypatch.setenv("X_API_KEY", "key-0123456789")

    def broken(*_args, **_kwargs):
        raise RuntimeError("key-0123456789")

    monkeypatch.setattr("gate.shell.score.measure", broken)
    run = house.run("--verbose", "check", "--predictions", "predictions.jsonl")
    assert run.status == 4
    assert "Traceback" in run.err
    assert "key-0123456789" not in run.err


def test_a_result_that_cannot_be_written_is_3(house):
    house.start()
    house.text("taken", "a file, no folder")
    run = house.run(
        *("check", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--baseline", "baseline.json", "--max-drop", "0", "--out", "taken"),
    )
    assert run.status == 3
    assert "error: --out taken is a file; it must be a folder\n" in run.err
    assert run.out.startswith("PASS  ")


def test_a_failed_gate_stays_1_and_is_told_where_it_cannot_be_written(house, monkeypatch):
    house.start()
    monkeypatch.setenv("GITHUB_OUTPUT", "outputs")
    house.text("taken", "a file, no folder")
    run = house.check("--out", "taken", predictions=house.LEAK)
    assert run.status == 1
    assert "--out taken is a file; it must be a folder" in run.err
    assert run.out.startswith("FAIL  ")
    outputs = (house.folder / "outputs").read_text()
    assert "\nfail\n" in outputs
    assert "result.json" not in outputs


def test_a_report_that_cannot_be_written_is_3_and_leaves_no_result_that_says_pass(house):
    house.start()
    (house.folder / "out" / "report.md").mkdir(parents=True)
    assert house.check("--out", "out").status == 3
    assert [path.name for path in (house.folder / "out").iterdir()] == ["report.md"]


def test_a_command_file_that_cannot_be_written_is_3_and_leaves_no_result(house, monkeypatch):
    house.start()
    monkeypatch.setenv("GITHUB_OUTPUT", str(house.folder))
    run = house.check()
    assert (run.status, run.result, run.report) == (3, None, None)


def test_a_defect_after_the_result_was_written_leaves_none(house, monkeypatch):
    house.start()

    def broken(*_args, **_kwargs):
        raise RuntimeError("late")

    monkeypatch.setattr("gate.cli.deliver.render_terminal", broken)
    run = house.check()
    assert (run.status, run.result, run.report) == (4, None, None)


def test_a_failed_delivery_keeps_the_result_that_was_given(house, monkeypatch):
    house.start()
    house.check("--out", "now")
    monkeypatch.setenv("GITHUB_OUTPUT", str(house.folder))
    run = house.run("decide", "now/result.json", "--out", "now")
    assert run.status == 3
    assert run.result["verdict"] == "pass"


@pytest.mark.parametrize(
    "words",
    [("--help",), ("demo",), (*CHECK, str(GOLDEN / "good.jsonl"))],
    ids=["help", "demo", "check"],
)
def test_a_closed_pipe_is_141(tmp_path, words):
    done = command(tmp_path, *words, streams='| exec 0<&-; exit "${PIPESTATUS[0]}"')
    assert done.returncode == CLOSED_PIPE
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("answers", "status", "streams"),
    [
        ("good", 0, "2>&-"),
        ("good", 0, "2>/dev/full"),
        ("regressed", 1, "2>/dev/full"),
        ("gone", 2, "2>/dev/full"),
        ("gone", 2, "2>&- <&-"),
    ],
)
def test_a_log_that_cannot_be_written_changes_no_verdict(tmp_path, answers, status, streams):
    if not FULL.exists():
        pytest.skip("no /dev/full")
    done = command(tmp_path, *CHECK, str(GOLDEN / f"{answers}.jsonl"), streams=streams)
    assert done.returncode == status


@pytest.mark.parametrize(("answers", "status"), [("good", 0), ("regressed", 1)])
def test_a_closed_standard_output_changes_no_verdict(tmp_path, answers, status):
    done = command(tmp_path, *CHECK, str(GOLDEN / f"{answers}.jsonl"), streams=">&-")
    assert done.returncode == status
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    "words", [("demo",), (*CHECK, str(GOLDEN / "good.jsonl"))], ids=["demo", "check"]
)
def test_a_full_standard_output_is_3(tmp_path, words):
    done = command(tmp_path, *words, streams=">/dev/full")
    assert done.returncode == 3
    assert "standard output: cannot be written" in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_locale_that_lacks_a_character_is_no_defect(tmp_path, encoding):
    answers = tmp_path / "p.jsonl"
    answers.write_text('{"id": "qa-1", "output": "日本 – ✅"}\n', "utf-8")
    done = command(tmp_path, *CHECK, str(answers), PYTHONIOENCODING=encoding)
    assert done.returncode == 1
    assert "UnicodeEncodeError" not in done.stderr


def test_the_overview_loads_nothing_that_is_heavy(tmp_path):
    code = (
        "import sys; from gate.cli.main import main; main(['--help'], {}); "
        "print(sorted({n.split('.')[0] for n in sys.modules} & "
        "{'numpy', 'google', 'nltk', 'rouge_score', 'pydantic', 'jinja2', 're2'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("some_match", [True, False])
def test_a_secret_at_the_edge_of_a_cut_leaves_nothing_of_itself(house, monkeypatch, some_match):
    key = "CANARY-SECRET-" + "k" * 26
    monkeypatch.setenv("SOME_API_KEY", key)
    house.start()
    for length in (*range(30, 70, 3), 480, 490, 499, 950):
        edge = {"id": "x" * length + key, "output": "?", "y" * length + key: 1}
        good = house.GOOD if some_match else ()
        run = house.check(predictions=[*good, edge])
        assert run.status == (0 if some_match else 2)
        files = "".join(path.read_text() for path in house.folder.glob(".agent-eval-gate/*"))
        assert key[:14] not in run.out + run.err + files
