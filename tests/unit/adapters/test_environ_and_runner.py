"""What the environment says, what a runner is told, and how long runs speak."""

import io

import pytest

from gate.adapters.environ import from_environ
from gate.adapters.progress import PATIENCE, watched
from gate.adapters.runner import tell, tell_failure
from gate.errors import ResultUnwritable
from gate.publish.outputs import NAMES


@pytest.mark.parametrize(
    "name",
    [
        *("GEMINI_API_KEY", "GITHUB_TOKEN", "MY_SECRET_X", "db-password", "INPUT_GITHUB-TOKEN"),
        *("OPENAI_APIKEY", "AWS_CREDENTIALS", "SSH_PRIVATE_KEY", "input_api-key"),
    ],
)
def test_a_value_whose_name_looks_like_a_secrets_is_one(name):
    assert from_environ({name: "value"}).secrets == ("value",)


def test_other_values_are_none_and_empty_ones_are_absent():
    found = from_environ({"HOME": "/root", "API_KEY": "", "GITHUB_OUTPUT": ""})
    assert (found.secrets, found.output_file, found.summary_file) == ((), None, None)


def test_equal_secrets_are_one_and_sorted():
    found = from_environ({"A_TOKEN": "b", "B_TOKEN": "a", "C_TOKEN": "b"})
    assert found.secrets == ("a", "b")


def test_only_1_and_true_switch_on():
    assert from_environ({"RUNNER_DEBUG": "1", "GITHUB_ACTIONS": "true"})[3:] == (True, True)
    assert from_environ({"RUNNER_DEBUG": "0", "GITHUB_ACTIONS": "1"})[3:] == (False, False)


def test_without_command_files_nothing_happens(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tell({}, {"a": "1"}, summary="x")
    tell_failure({}, status=2, verdict="invalid", reason="x")
    assert list(tmp_path.iterdir()) == []


def test_what_stands_in_a_command_file_stays(tmp_path):
    output, summary = tmp_path / "output", tmp_path / "summary"
    output.write_text("earlier=1\n")
    summary.write_text("# earlier\n")
    environ = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
    tell(environ, {"a": "1"}, summary="## now\n")
    assert output.read_text().startswith("earlier=1\na<<gate_")
    assert summary.read_text() == "# earlier\n## now\n"


def test_no_two_runs_share_a_delimiter(tmp_path):
    output = tmp_path / "output"
    for _ in range(2):
        tell({"GITHUB_OUTPUT": str(output)}, {"a": "1"}, summary="")
    delimiters = {line for line in output.read_text().splitlines() if line.startswith("gate_")}
    assert len(delimiters) == 2


def test_a_failure_tells_every_name_and_hides_secrets(tmp_path):
    output, summary = tmp_path / "output", tmp_path / "summary"
    environ = {
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(summary),
        "X_TOKEN": "tok-123456789",
    }
    tell_failure(environ, status=4, verdict="defect", reason="at tok-123456789")
    names = [line.split("<<")[0] for line in output.read_text().splitlines() if "<<" in line]
    assert tuple(names) == NAMES
    assert "tok-123456789" not in summary.read_text()


def test_a_command_file_that_cannot_be_written_raises(tmp_path):
    with pytest.raises(ResultUnwritable):
        tell({"GITHUB_OUTPUT": str(tmp_path)}, {"a": "1"}, summary="")


def test_a_short_run_is_silent_and_passes_every_line_through():
    stream = io.StringIO()
    lines = [b"x\n"] * 1000
    assert list(watched(lines, stream=stream, live=False)) == lines
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("live", "end"), [(True, "\r"), (False, "\n")])
def test_a_long_run_says_how_far_it_is(live, end):
    stream = io.StringIO()
    began = -10.0 * PATIENCE
    assert len(list(watched([b"x\n"] * 600, stream=stream, live=live, clock=began))) == 600
    said = stream.getvalue()
    assert said.startswith("read 256 predictions (0 MB")
    assert said.split("MB/s)")[1].startswith(end)
    assert "read 600 predictions" in said
    assert said.endswith("\n")
