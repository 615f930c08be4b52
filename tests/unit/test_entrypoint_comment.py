"""The inputs about a comment: its mode, its name, and the token, whose value is never said."""

import pytest

from action_run import golden, inputs, run
from gate.errors import UsageInvalid


@pytest.mark.parametrize("word", ["", "off", " off\n"])
def test_no_comment_needs_no_token(entrypoint, word):
    assert entrypoint.command_line([], inputs(comment=word)) == ["check"]


@pytest.mark.parametrize("word", ["", "update", "recreate", "off"])
def test_with_a_token_every_mode_is_taken(entrypoint, word):
    given = inputs(comment=word, github_token="tok-0123456789")  # noqa: S106 - a canary
    assert entrypoint.command_line([], given) == ["check"]


@pytest.mark.parametrize("command", ["check", "demo"])
@pytest.mark.parametrize("word", ["update", "recreate"])
def test_a_comment_without_a_token_is_refused(entrypoint, word, command):
    with pytest.raises(UsageInvalid, match=f"{word} needs a token: github-token"):
        entrypoint.command_line([], inputs(comment=word, command=command))


@pytest.mark.parametrize(
    ("word", "near"), [("updaet", "update"), ("OFF", "off"), ("Recreate", "recreate")]
)
def test_another_word_about_the_comment_is_refused_with_the_nearest(entrypoint, word, near):
    with pytest.raises(UsageInvalid, match=f"'comment': .*did you mean '{near}'"):
        entrypoint.command_line([], inputs(comment=word))


@pytest.mark.parametrize("word", ["true", "false", "x" * 10_000])
def test_a_word_that_is_like_none_is_refused_too(entrypoint, word):
    with pytest.raises(UsageInvalid, match=r"update, recreate, off are known$"):
        entrypoint.command_line([], inputs(comment=word))


@pytest.mark.parametrize("name", ["geo", "a.b_c-9", "x" * 100])
def test_a_comment_id_is_a_short_name(entrypoint, name):
    assert entrypoint.command_line([], inputs(comment_id=name)) == ["check"]


@pytest.mark.parametrize("name", ["a b", "x" * 101, "é", "a/b", "<!--", "a\nb", "\u0661"])
def test_another_comment_id_is_refused(entrypoint, name):
    with pytest.raises(UsageInvalid, match="'comment-id': at most 100 letters"):
        entrypoint.command_line([], inputs(comment_id=name))


def heading(path):
    lines = path.read_text().splitlines()
    return next(line for line in lines if line.startswith("## "))


def test_a_comment_id_heads_the_section_and_wins_over_the_folder(tmp_path):
    page = tmp_path / "page"
    told = {"GITHUB_STEP_SUMMARY": str(page)}
    name = "geo-" + "9" * 96
    for out in ("", "results/geo"):
        page.unlink(missing_ok=True)
        done = run(golden(comment_id=name, out=out) | told, folder=tmp_path)
        assert done.returncode == 0
        assert heading(page).endswith(f"PASS · `{name}`")
    for wrong in ({"advisory": "yes"}, {"predictions": "nowhere"}):
        page.unlink()
        done = run(golden(comment_id=name) | inputs(**wrong) | told, folder=tmp_path)
        assert done.returncode == 2
        assert heading(page).endswith(f"invalid · `{name}`")


def test_where_arguments_are_given_no_comment_id_is_read(tmp_path):
    page = tmp_path / "page"
    environ = inputs(comment_id="geo", github_token="tok-0123456789")  # noqa: S106 - a canary
    done = run(environ | {"GITHUB_STEP_SUMMARY": str(page)}, "check", "--x", folder=tmp_path)
    assert done.returncode == 2
    assert "no input is read: comment-id\n" in done.stderr
    assert heading(page).endswith("invalid")


@pytest.mark.parametrize("arguments", [False, True])
def test_the_value_of_the_token_is_taken_out_of_all_that_is_written_or_printed(
    tmp_path, arguments
):
    token = "ghs_<CANARY>&0123456789"  # noqa: S105 - a canary
    (tmp_path / "cases.jsonl").write_text(
        f'{{"id": "a", "input": "?", "reference": "yes", "labels": ["{token}"]}}\n'
    )
    (tmp_path / "p.jsonl").write_text(f'{{"id": "a", "output": "no: {token}"}}\n')
    said = {
        "cases": "cases.jsonl",
        "predictions": "p.jsonl",
        "scorer": "contains",
        "report_formats": "markdown,junit",
        "allow_missing_baseline": "true",
        "min_pass_rate": "0.5",
    }
    told = {"GITHUB_OUTPUT": str(tmp_path / "out"), "GITHUB_STEP_SUMMARY": str(tmp_path / "page")}
    words = ()
    if arguments:
        words = ("check", "--cases", "cases.jsonl", "--predictions", "p.jsonl", "--scorer")
        words += ("contains", "--allow-missing-baseline", "--min-pass-rate", "0.5")
        words += ("--report-formats", "markdown,junit")
        said = {}
    environ = inputs(**said, github_token=f" {token}\n") | told
    done = run(environ, *words, folder=tmp_path)
    assert done.returncode == 1, done.stderr
    folder = tmp_path / ".agent-eval-gate"
    result = (folder / "result.json").read_text()
    told = "".join(path.read_text() for path in (tmp_path / "out", tmp_path / "page"))
    written = "".join((folder / name).read_text() for name in ("report.md", "junit.xml"))
    for text in (done.stdout, done.stderr, told, written, result.replace(f'["{token}"]', "")):
        assert "no: ghs" not in text
    for text in (done.stdout, done.stderr, told, written):
        assert "CANARY" not in text
    assert "no: ***" in result
    assert (done.stdout + written).count("***") > 2


def test_a_token_in_the_wrong_input_is_printed_nowhere(tmp_path):
    token = "ghs_CANARY0123456789"  # noqa: S105 - a canary
    wrong = inputs(comment=token, comment_id=f"{token}/x")
    done = run(wrong | {"GITHUB_STEP_SUMMARY": str(tmp_path / "page")}, folder=tmp_path)
    assert done.returncode == 2
    assert "CANARY" not in done.stderr + (tmp_path / "page").read_text()
