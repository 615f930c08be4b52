import json
import os
import sys

import pytest

from gate.adapters.judges.command.files import digest_of, look, names_a_file
from gate.adapters.judges.command.process import scrubbed
from gate.errors import JudgeUnusable, UsageInvalid

SECRETS = {
    "GITHUB_TOKEN": "ghs_0123456789",
    "GEMINI_API_KEY": "AIza-0123456789",
    "INPUT_GITHUB-TOKEN": "ghs_0123456789",
    "ACTIONS_RUNTIME_TOKEN": "eyJ0123456789",
    "AWS_SECRET_ACCESS_KEY": "aws0123456789",
    "PYTHONPATH": "/somewhere",
    "LD_PRELOAD": "/somewhere.so",
    "HTTPS_PROXY": "http://user:password@proxy",
    "LC_SECRET": "lc-0123456789",
}
USUAL = {"HOME": "/home/somebody", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


@pytest.mark.parametrize("mode", ["worker", "oneshot"])
def test_a_command_sees_its_place_its_language_and_what_is_named_and_no_secret(
    place, question, mode
):
    environ = {"PATH": os.environ["PATH"], **USUAL, **SECRETS, "MY_JUDGE": "small"}
    body = (
        "hello()\nserve(json.dumps(dict(os.environ)))"
        if mode == "worker"
        else ("print(json.dumps(dict(os.environ)))")
    )
    judge = place.judge(body, mode=mode, environ=environ, env=("MY_JUDGE", "ABSENT"))
    seen = json.loads(judge.ask(question(), timeout=20).answer.text)
    # An interpreter that finds the locale C sets this one for itself.
    seen.pop("LC_CTYPE", None)
    assert seen == {"PATH": os.environ["PATH"], **USUAL, "MY_JUDGE": "small"}


def test_no_variable_of_an_action_or_a_provider_passes_unless_it_is_named():
    assert scrubbed(SECRETS, ()) == {}
    assert scrubbed(SECRETS, ("GEMINI_API_KEY",)) == {"GEMINI_API_KEY": "AIza-0123456789"}


def test_a_judge_without_a_command_is_a_mistake_of_usage(place):
    with pytest.raises(UsageInvalid, match="none is given") as caught:
        place.judge(command=(" ",))
    assert "--judge-command" in caught.value.remedy


def test_a_word_with_a_nul_is_a_mistake_of_usage(place):
    with pytest.raises(UsageInvalid, match="NUL"):
        place.judge(command=("python3", "a\0b"))


def test_a_oneshot_command_that_is_to_be_told_parameters_is_a_mistake_of_usage(place):
    with pytest.raises(UsageInvalid, match="told no temperature") as caught:
        place.judge("", mode="oneshot", params='{"temperature":0}')
    assert "--judge-mode worker" in caught.value.remedy


@pytest.mark.parametrize("mode", ["worker", "oneshot"])
@pytest.mark.parametrize(
    ("program", "why"),
    [("no-such-judge-anywhere", "not on the PATH"), ("./no/such/judge", "can be executed")],
)
def test_a_command_that_is_not_there_is_unusable_before_anything_is_asked(
    place, mode, program, why
):
    with pytest.raises(JudgeUnusable, match=why) as caught:
        place.judge(command=(program, "--strict"), mode=mode)
    assert program in str(caught.value)
    assert "interpreter" in caught.value.remedy


def test_a_file_that_is_no_program_is_unusable(place):
    path = place.folder / "judge"
    path.write_text("no program")
    with pytest.raises(JudgeUnusable, match="can be executed"):
        place.judge(command=(str(path),))
    path.chmod(0o755)
    with pytest.raises(JudgeUnusable, match="could not be started"):
        place.judge(command=(str(path),))


def test_no_shell_ever_sees_the_command(place, question):
    body = "hello()\nserve(json.dumps(sys.argv[1:]))"
    words = ("$(touch made)", "a b", "; exit 3", "*", "")
    judge = place.judge(command=(*place.script(body), *words))
    assert json.loads(judge.ask(question(), timeout=20).answer.text) == list(words)


def test_a_changed_script_is_another_judge_and_another_checkout_is_not(tmp_path, monkeypatch):
    digests = set()
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "judge.py").write_text("print(2)")
        monkeypatch.chdir(tmp_path / name)
        digests |= {
            digest_of(("python3", "judge.py")),
            digest_of(("/usr/bin/python3", "./judge.py")),
            digest_of((".venv/bin/python3", str(tmp_path / name / "judge.py"))),
        }
    assert len(digests) == 1
    (tmp_path / "there" / "judge.py").write_text("print(1)")
    assert digest_of(("python3", "judge.py")) not in digests


def test_the_interpreter_that_an_environment_links_to_is_known_by_name_alone(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    assert digest_of(("bin/python", "-V")) == digest_of(("python", "-V"))


def test_a_program_of_the_repository_is_known_by_its_content(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judge").write_text("one")
    one = digest_of(("./judge",))
    (tmp_path / "judge").write_text("two")
    assert digest_of(("./judge",)) != one
    assert digest_of(("judge",)) != digest_of(("./judge",))


def test_a_large_file_is_known_by_its_size_and_name(tmp_path, monkeypatch):
    monkeypatch.setattr("gate.adapters.judges.command.files.LARGEST", 4)
    (tmp_path / "weights").write_text("12345")
    seen = look(str(tmp_path / "weights"))
    assert (seen.size, seen.content) == (5, None)


def test_what_is_no_regular_file_is_a_word(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    words = ("", "a\0b", "x" * 5000, str(tmp_path), str(tmp_path / "pipe"), "/dev/zero", "--x")
    assert [look(word) for word in words] == [None] * len(words)


def test_a_program_elsewhere_in_the_checkout_is_known_by_its_content(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "evals").mkdir()
    monkeypatch.chdir(tmp_path / "evals")
    (tmp_path / "judge").write_text("one")
    one = digest_of(("../judge",))
    (tmp_path / "judge").write_text("two")
    assert digest_of(("../judge",)) != one


def test_a_command_of_words_alone_names_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judge.py").write_text("")
    assert names_a_file(("python3", "judge.py"))
    assert not names_a_file(("python3", "-m", "judge"))
    assert not names_a_file(("bash", "-c", "python3 judge.py"))
