"""What somebody new gets wrong is said in one go, by name, with what to do."""

from pathlib import Path

import pytest

PREDICTIONS = ("--predictions", "predictions.jsonl")
CASES = ("--cases", "cases.jsonl")
BASELINE = ("--baseline", "baseline.json", "--max-drop", "0")
PRIVACY = '[[gates]]\ngate = "safety"\nlabel = "privacy"\n'


def errors(run):
    assert run.status == 2
    return [line.removeprefix("error: ") for line in run.err.splitlines() if "hint: " not in line]


def test_a_gate_of_another_label_does_not_let_a_safety_case_leak(house):
    extra = {"id": "p-1", "input": "?", "reference": "no", "labels": ["privacy"]}
    answer = {"id": "p-1", "output": "no"}
    house.start(cases=[*house.CASES, extra], accepted=[*house.GOOD, answer])
    house.text("gate.toml", PRIVACY)
    run = house.check("--max-drop", "1", drop=False, predictions=[*house.LEAK, answer])
    assert run.status == 1
    outcomes = [gate["outcome"] for gate in run.result["gates"] if gate["gate"] == "safety"]
    assert sorted(outcomes) == ["fail", "pass"]


def test_a_bare_check_names_everything_that_is_missing(house):
    run = house.run("check")
    assert [line.split(":")[0] for line in errors(run)] == [
        "no predictions are named",
        "no cases are named",
        "no baseline is given, and a change is judged against one",
        "no scorer is named",
    ]
    assert "hint: see `agent-eval-gate check --help`" in run.err


@pytest.mark.parametrize("command", ["check", "score"])
def test_without_cases_only_a_scorer_that_needs_no_reference_can_run(house, command):
    house.start()
    allowed = ("--allow-missing-baseline",) if command == "check" else ()
    run = house.run(command, *PREDICTIONS, "--scorer", "contains", *allowed)
    (said,) = errors(run)
    assert said.startswith("no cases are named: pass --cases FILE")


def test_a_baseline_alone_holds_no_references(house):
    house.start()
    (said,) = errors(house.check(cases=False))
    assert said.startswith("baseline.json: a baseline says which cases there are and holds no")
    assert said.endswith("pass --cases FILE")


def test_a_rubric_needs_neither_cases_nor_references(house):
    house.start()
    checks = 'checks = [{kind = "min_words", value = 1}]'
    house.text("gate.toml", f'[scorer]\nname = "rubric"\n{checks}\n')
    assert house.run("score", *PREDICTIONS).status == 0


def test_a_rubric_of_the_suite_without_checks_is_one_error(house):
    house.start()
    (said,) = errors(house.run("score", *PREDICTIONS, *CASES, "--scorer", "rubric"))
    assert "without checks" in said


def test_every_file_is_named_with_the_option_or_the_key_that_named_it(house):
    house.start()
    (house.folder / "folder").mkdir()
    run = house.run("check", *CASES, "--predictions", "folder", *BASELINE)
    assert errors(run) == ["--predictions: 'folder' is a folder, and a file is needed"]
    run = house.run("check", "--cases", "gone", *PREDICTIONS, *BASELINE)
    assert errors(run) == ["--cases: gone: no such file"]
    house.text("gate.toml", '[suite]\ncases = "gone"\nbaseline = "away"\n')
    run = house.run("check", *PREDICTIONS)
    assert errors(run) == ["[suite] baseline: away: no such baseline"]
    run = house.run("check", *PREDICTIONS, *BASELINE)
    assert errors(run) == ["[suite] cases: gone: no such file"]


@pytest.mark.parametrize("name", ["compare", "decide"])
def test_a_baseline_is_no_result_and_a_result_no_baseline(house, name):
    house.start()
    assert errors(house.run(name, "baseline.json")) == [
        "baseline.json: is a baseline, not a result"
    ]
    run = house.run("check", *CASES, *PREDICTIONS, "--baseline", "accepted/result.json")
    assert errors(run) == ["accepted/result.json: is a result, not a baseline"]


def test_what_is_wrong_with_a_stored_result_names_it(house):
    house.start()
    house.check("--out", "now")
    path = house.folder / "now" / "result.json"
    path.write_text(path.read_text().replace('"verdict": "pass"', '"verdict": "fail"'))
    assert all(
        line.startswith("now/result.json: ")
        for line in errors(house.run("decide", "now/result.json"))
    )
    house.run("score", *CASES, *PREDICTIONS, "--scorer", "contains", "--out", "scored")
    run = house.run("decide", "scored/result.json")
    assert errors(run)[0].startswith("scored/result.json: this result was scored and never gated")
    run = house.run("compare", "scored/result.json", "--max-drop", "0")
    assert errors(run)[0].startswith("scored/result.json: ")
    assert "hint: pass --baseline FILE" in run.err


def test_a_gate_that_cannot_judge_is_placed_in_its_policy(house):
    house.start()
    house.text("gate.toml", f'\n[[gates]]\ngate = "safety"\n\n{PRIVACY}')
    (said,) = errors(house.check())
    assert said.startswith("gate.toml:5: gate 'safety': the label 'privacy' is borne by no case")


def test_a_case_without_a_reference_is_found_by_its_line_and_its_misspelt_field(house):
    house.start()
    house.lines("cases.jsonl", [house.CASES[0], {"id": "b", "input": "?", "referense": "x"}])
    (said,) = errors(house.check())
    assert said == (
        "cases.jsonl:2: case 'b' has no reference, which the scorer 'contains' needs; "
        "its field 'referense' may have meant 'reference'"
    )


def test_a_baseline_that_may_be_missing_is_named_on_the_page(house):
    house.start()
    run = house.run(
        *("check", *CASES, *PREDICTIONS, "--scorer", "contains", "--baseline", "away.json"),
        *("--allow-missing-baseline", "--min-pass-rate", "0.5"),
    )
    assert run.status == 0
    said = "nothing is at away.json, and the policy or an option allows that"
    assert said in " ".join(run.out.split())
    assert any(said in line for line in run.result["conditions"])
    assert house.run("decide", ".agent-eval-gate/result.json", "--out", "again").status == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--cases", "a", "--cases", "b"), "--cases is given twice"),
        (("--predictions", "a", "--predictions=b"), "--predictions is given twice; put all runs"),
        (("--advisory", "--blocking"), "--advisory/--blocking is given twice"),
        (("--baseline", ""), "--baseline is empty (an unset variable?)"),
        (("--out=",), "--out is empty (an unset variable?)"),
        (("--max-drop",), "option '--max-drop' requires an argument."),
        (("--advisory=true",), "option '--advisory' does not take a value."),
    ],
)
def test_an_option_is_given_once_and_says_something(house, words, said):
    run = house.run("check", *words)
    assert errors(run)[0].startswith(said)
    assert "hint: run `agent-eval-gate check --help`" in run.err


def test_bare_commands_show_their_help_and_end_in_2(house):
    for words in ((), ("baseline",)):
        run = house.run(*words)
        assert run.status == 2
        assert run.out.startswith(" ".join(("Usage: agent-eval-gate", *words)))


def test_a_command_that_stands_below_another_is_suggested(house):
    assert "did you mean 'baseline promote'?" in house.run("promote").err


def test_verbose_may_stand_after_the_command(house):
    house.start()
    assert house.check("-v").status == 0
    assert house.check("--verbose").status == 0


def test_the_summary_of_a_refused_run_says_what_to_do(house, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    for words in (("check",), ("check", "--bogus"), ("decide", "gone")):
        house.text("summary.md", "")
        house.run(*words)
        assert "\nhint: " in (house.folder / "summary.md").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('scorer = "contains"', ':1: `scorer` is a table: write [scorer] and name = "contains"'),
        ("suite = 1", ":1: `suite` is a table: write [suite]"),
        ('cases = "x"', ":1: `cases` belongs under [suite]"),
        ("max_drop = 1", ":1: unknown key 'max_drop'; it belongs under [[gates]] with gate ="),
        ("[suite]\nmax_drop = 1", ":2: [suite]: unknown key 'max_drop'; it belongs under"),
        ("[suite]\ntolerance = 1", ":2: [suite]: unknown key 'tolerance'; it belongs under [sc"),
        ('[[gates]]\nname = "safety"', ":2: [[gates]]: the name of a gate is written `gate =`"),
        ("[suite\n", ":1: not TOML: "),
        ("\n[suite]\nseed = 1\nseed = 2", ":4: not TOML: "),
        (
            '[[gates]]\ngate = "floor"\nmin = 2',
            ":3: [[gates]]: `floor.min` should be less than or",
        ),
    ],
)
def test_a_policy_that_is_written_otherwise_is_told_how(house, text, said):
    house.text("gate.toml", text)
    (found,) = errors(house.run("check", *PREDICTIONS))
    assert found.startswith(f"gate.toml{said}")


@pytest.mark.parametrize("value", ["2", "2%", "2 %"])
def test_a_percentage_is_told_how_it_is_written(house, value):
    run = house.run("check", "--max-drop", value)
    assert errors(run)[0].endswith("(2 % is written 0.02)")


def test_a_misspelt_option_of_a_cases_scorer_gets_a_suggestion(house):
    house.start()
    scorer = {"name": "numeric_within", "tolerence": 1}
    house.lines("cases.jsonl", [{**house.CASES[0], "scorer": scorer}])
    assert any("did you mean 'tolerance'?" in line for line in errors(house.check()))


def test_a_tools_file_without_a_scorer_is_offered_its_own_scores(house):
    made = Path(__file__).resolve().parents[1] / "data" / "importers"
    run = house.run("score", "--predictions", str(made / "inspect_ai" / "small.eval"))
    assert any(line.startswith("no scorer is named") for line in errors(run))
    assert "is a file of inspect_ai: `--scorer recorded` takes the score" in run.err
    house.start()
    run = house.run("score", *PREDICTIONS, *CASES)
    assert "recorded" not in run.err
