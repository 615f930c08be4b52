"""What an older run left goes; what this run reads stays."""

import pytest

ALLOWING = """
[suite]
cases = "cases.jsonl"
predictions = "predictions.jsonl"
baseline = "{baseline}"
allow_missing_baseline = true
[[gates]]
gate = "regression"
max_drop = 0
[[gates]]
gate = "floor"
min = 0.01
"""


def accepted(house, folder="acc"):
    """Keep the accepted baseline where a result would go."""
    house.start()
    path = house.folder / folder / "result.json"
    path.parent.mkdir()
    (house.folder / "baseline.json").rename(path)
    return path


def test_an_older_result_that_goes_is_named_with_how_one_is_kept(house):
    house.start()
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    check = ("check", *given, "--baseline", "gone.json", "--max-drop", "0")
    assert house.run("score", *given, "--scorer", "contains").status == 0
    run = house.run(*check, "--scorer", "contains")
    assert run.status == 2
    assert run.result is None
    said = ".agent-eval-gate/result.json, which an earlier run left, was removed"
    assert said in run.err
    assert "score --out .agent-eval-gate/accepted" in run.err
    assert said not in house.run(*check, "--scorer", "contains").err


@pytest.mark.parametrize("answers", ["GOOD", "LEAK"])
@pytest.mark.parametrize("command", ["check", "score"])
def test_a_baseline_that_the_policy_names_is_not_taken_away(house, command, answers):
    path = accepted(house)
    before = path.read_bytes()
    house.lines("predictions.jsonl", getattr(house, answers))
    house.text("gate.toml", ALLOWING.format(baseline="acc/../acc/result.json"))
    run = house.run(command, "--out", "acc", "--scorer", "contains")
    assert run.status == 2
    assert "--out acc would overwrite the input acc/../acc/result.json" in run.err
    assert path.read_bytes() == before


@pytest.mark.parametrize("key", ["cases", "predictions"])
def test_no_file_that_the_policy_names_is_taken_away(house, key):
    house.start()
    (house.folder / "acc").mkdir()
    (house.folder / f"{key}.jsonl").rename(house.folder / "acc" / "report.md")
    text = ALLOWING.format(baseline="baseline.json")
    house.text("gate.toml", text.replace(f'"{key}.jsonl"', '"acc/report.md"'))
    assert house.run("check", "--out", "acc").status == 2
    assert (house.folder / "acc" / "report.md").is_file()


@pytest.mark.parametrize("command", ["compare", "decide"])
@pytest.mark.parametrize("by", ["option", "policy"])
def test_a_stored_result_is_decided_again_without_losing_its_baseline(house, command, by):
    house.start()
    assert house.check("--out", "now").status == 0
    path = accepted(house)
    before = path.read_bytes()
    house.text("rules.toml", ALLOWING.format(baseline="acc/result.json"))
    given = ("--baseline", "acc/result.json") if by == "option" else ("--policy", "rules.toml")
    run = house.run(command, "now/result.json", "--out", "acc", *given)
    assert run.status == 2
    assert "would overwrite the input acc/result.json" in run.err
    assert path.read_bytes() == before


def test_options_that_cannot_be_read_take_away_no_file_that_they_name(house):
    path = accepted(house)
    for words in (
        ("--baseline", "acc/result.json"),
        ("--baseline=acc/result.json",),
    ):
        assert house.run("check", "--out", "acc", *words, "--bogus").status == 2
        assert path.is_file()


@pytest.mark.parametrize(
    "wrong",
    [
        ("--max-drop", "x"),
        ("--bogus",),
        ("--policy", "nowhere.toml"),
        ("--policy", "broken.toml"),
        ("--policy", "cases.jsonl"),
        ("--predictions", "nowhere.jsonl"),
        ("--pass-threshold", "0"),
    ],
    ids=" ".join,
)
def test_a_run_that_decides_nothing_leaves_no_older_result(house, wrong):
    house.start()
    house.text("broken.toml", "[suite")
    assert house.check().status == 0
    given = ("--cases", "cases.jsonl", "--baseline", "baseline.json", *wrong)
    predictions = () if wrong[0] == "--predictions" else ("--predictions", "predictions.jsonl")
    run = house.run("check", *given, *predictions)
    assert (run.status, run.result, run.report) == (2, None, None)


def test_a_defect_leaves_no_older_result(house, monkeypatch):
    house.start()
    assert house.check().status == 0

    def broken(*_args, **_kwargs):
        raise RuntimeError

    monkeypatch.setattr("gate.shell.score.gather_rules", broken)
    run = house.check()
    assert (run.status, run.result, run.report) == (4, None, None)


def test_what_cannot_be_written_is_said_once(house, monkeypatch):
    house.start()
    house.text("taken", "a file, no folder")
    run = house.check("--out", "taken")
    assert (run.status, run.err.count("--out taken is a file"), run.err.count("hint:")) == (
        3,
        1,
        1,
    )
    monkeypatch.setenv("GITHUB_OUTPUT", str(house.folder))
    run = house.check()
    assert (run.status, run.err.count("error:"), run.err.count("hint:")) == (3, 1, 1)
    assert "GITHUB_OUTPUT" in run.err


def test_an_older_result_that_stays_is_said_where_nothing_else_says_it(house):
    house.start()
    (house.folder / "out" / "result.json").mkdir(parents=True)
    run = house.check("--out", "out", "--policy", "nowhere.toml")
    assert run.status == 2
    assert "error: --out: out/result.json: cannot be written" in run.err


@pytest.mark.parametrize("option", ["--cases", "--predictions", "--baseline", "--policy"])
def test_a_name_of_several_lines_makes_one_line_of_the_log(house, option):
    house.start()
    files = {"--cases": "cases.jsonl", "--predictions": "predictions.jsonl"}
    given = {**files, "--baseline": "baseline.json", option: "a\nb"}
    run = house.run("check", *(word for pair in given.items() for word in pair))
    assert run.status == 2
    (line,) = (line for line in run.err.splitlines() if not line.startswith("hint: "))
    assert r"a\nb: no such" in line


def test_a_baseline_under_the_name_of_a_result_outlives_every_refusal(house):
    house.start()
    text = (house.folder / "baseline.json").read_text()
    house.text("acc/result.json", text)
    house.text("gate.toml", '[suite]\nbaseline = "acc/result.json"\n')
    for wrong in (("--max-drop", "5%"), ("--bogus",), ("--policy", "nope.toml")):
        run = house.run("check", "--out", "acc", *wrong)
        assert run.status == 2
        assert (house.folder / "acc/result.json").read_text() == text
