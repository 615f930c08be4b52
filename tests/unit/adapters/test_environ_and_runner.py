"""What the environment says, what a runner is told, and how long runs speak."""

import io

import pytest

from gate.adapters.environ import from_environ
from gate.adapters.progress import PATIENCE, watched
from gate.adapters.runner import tell, tell_done, tell_failure
from gate.errors import ResultUnwritable
from gate.publish.outputs import NAMES


@pytest.mark.parametrize(
    "name",
    [
        *("GEMINI_API_KEY", "GITHUB_TOKEN", "MY_SECRET_X", "db-password", "INPUT_GITHUB-TOKEN"),
        *("OPENAI_APIKEY", "AWS_CREDENTIALS", "SSH_PRIVATE_KEY", "input_api-key"),
        *("MY_AGENT_KEY", "ANTHROPIC_KEY", "SSH_KEY", "AWS_ACCESS_KEY_ID", "KEY_1", "key2"),
        *("GH_PAT", "PGPASS", "DB_PASS", "MYSQL_PWD", "MY_PASSPHRASE", "MY_AUTH", "NPM_CREDS"),
        *("DOCKER_AUTH_CONFIG", "TS_AUTHKEY", "dbPassword", "openaiApiKey"),
    ],
)
def test_a_value_whose_name_looks_like_a_secrets_is_one(name):
    assert from_environ({name: "value"}).secrets == ("value",)


@pytest.mark.parametrize(
    "name",
    [
        *("PATH", "PWD", "OLDPWD", "HOME", "KEYBOARD", "KEYBOARD_LAYOUT", "MONKEY", "PATTERN"),
        *("SSH_AUTH_SOCK", "SSH_KEY_PATH", "KEY_FILE", "AUTH_URL", "XAUTHORITY", "AUTHOR"),
        *("INPUT_PASS-THRESHOLD", "INPUT_MIN-PASS-RATE", "PUBLIC_KEY", "SSH_PUBLIC_KEY"),
        *("BYPASS", "CI_BYPASS", "GIT_ASKPASS", "COMPASS", "GIT_AUTHOR_NAME", "PASSIVE_MODE"),
    ],
)
def test_a_value_that_only_stands_near_a_secrets_name_is_none(name):
    assert from_environ({name: "/some/where/else"}).secrets == ()


def test_the_fingerprint_of_a_public_key_is_no_secret_and_a_key_of_that_name_is():
    assert from_environ({"GPG_KEY": "7169605F62C751356D054A26A821E680E5FA6305"}).secrets == ()
    assert from_environ({"GPG_KEY": "-----BEGIN PGP"}).secrets == ("-----BEGIN PGP",)


@pytest.mark.parametrize(
    ("value", "secrets"),
    [
        ("postgres://me:pass-word-1@db.local/x", {"pass-word-1"}),
        ("postgres://me:p%40ss-word@db.local/x", {"p%40ss-word", "p@ss-word"}),
        ("postgres://me:p@ss-word@db.local/x", {"p@ss-word"}),
        ("https://ghp_0123456789@github.com/a/b", {"ghp_0123456789"}),
        ("http://u:first-one@a,http://u:second-one@b", {"first-one", "second-one"}),
        ("ssh://deployer@github.com/a/b", set()),
        ("https://github.com/@team", set()),
        ("someone@example.org", set()),
    ],
)
def test_the_password_in_an_address_is_a_secret_whatever_holds_it(value, secrets):
    assert set(from_environ({"DATABASE": value}).secrets) == secrets


def test_other_values_are_none_and_empty_ones_are_absent():
    found = from_environ({"HOME": "/root", "API_KEY": "", "GITHUB_OUTPUT": ""})
    assert (found.secrets, found.output_file, found.summary_file) == ((), None, None)


def test_equal_secrets_are_one_and_sorted():
    found = from_environ({"A_TOKEN": "b", "B_TOKEN": "a", "C_TOKEN": "b"})
    assert found.secrets == ("a", "b")


def test_only_1_and_true_switch_on():
    assert from_environ({"RUNNER_DEBUG": "1", "GITHUB_ACTIONS": "true"})[3:5] == (True, True)
    assert from_environ({"RUNNER_DEBUG": "0", "GITHUB_ACTIONS": "1"})[3:5] == (False, False)


@pytest.mark.parametrize(
    ("said", "found"),
    [("geo", "geo"), (" a.B_9-\n", "a.B_9-"), ("", None), ("a b", None), ("x" * 101, None)],
)
def test_a_comment_id_is_a_short_name_or_absent(said, found):
    assert from_environ({"INPUT_COMMENT-ID": said}).comment_id == found


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


def test_a_command_file_that_cannot_be_written_raises_with_a_hint_of_its_own(tmp_path):
    with pytest.raises(ResultUnwritable) as error:
        tell({"GITHUB_OUTPUT": str(tmp_path)}, {"a": "1"}, summary="")
    assert "GITHUB_OUTPUT" in error.value.remedy


def test_a_failure_names_its_suite_in_the_heading_and_hides_secrets_there(tmp_path):
    summary = tmp_path / "summary"
    environ = {"GITHUB_STEP_SUMMARY": str(summary), "X_TOKEN": "tok-123456789"}
    tell_failure(environ, status=2, verdict="invalid", reason="x", suite="geo|\n# tok-123456789")
    assert summary.read_text().splitlines()[0] == (
        "## ⛔ agent-eval-gate: invalid · `geo\\u{7c}\\n# ***`"
    )


def test_what_a_command_without_gates_did_is_told(tmp_path):
    output = tmp_path / "output"
    tell_done({"GITHUB_OUTPUT": str(output)}, "promoted")
    lines = output.read_text().splitlines()
    assert [line.split("<<")[0] for line in lines if "<<" in line] == list(NAMES)
    assert (lines[1], lines[4]) == ("promoted", "0")


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
