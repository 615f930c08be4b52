"""`import`: another tool's file becomes files of ours, whole or not at all."""

import gzip
import json
from pathlib import Path

import pytest

MADE = Path(__file__).resolve().parents[1] / "data" / "importers"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = {
    "deepeval/evaluation_result.json": ("--id-field", "metadata.id"),
    "deepeval/latest_test_run.json": ("--id-field", "metadata.id"),
    "deepeval/test_run.json": ("--id-field", "metadata.id"),
    "inspect_ai/small.eval": (),
    "inspect_ai/small.json": (),
    "lm_eval/samples_choice.jsonl": (),
    "lm_eval/samples_mock.jsonl": (),
    "messages/agentevals.json": (),
    "messages/openai.jsonl": (),
    "openai_evals/record.jsonl": (),
    "openinference/spans.jsonl": (),
    "otel/console.txt": (),
    "otel/otlp_base64.json": (),
    "otel/otlp_hex.jsonl": (),
    "otel/spans.json": (),
    "plain/excel.csv": (),
    "plain/rows.json": ("--format", "plain"),
    "plain/rows.jsonl": ("--format", "plain"),
    "plain/semicolons.csv": (),
    "promptfoo/small.json": (),
    "promptfoo/small.jsonl": (),
    "promptfoo/variants.jsonl": (),
    "pydantic_evals/once.json": (),
    "pydantic_evals/repeated.json": (),
    "ragas/conversation.jsonl": (),
    "ragas/results.csv": (),
    "ragas/results.jsonl": (),
    "tau_bench/results.json": (),
}
RUBRIC = """
[scorer]
name = "rubric"
checks = [{ kind = "min_words", value = 2 }, { kind = "regex", value = "[a-m]", weight = 2 }]
"""
BOTH = ("--cases-to", "cases.jsonl", "--predictions-to", "predictions.jsonl")


@pytest.fixture
def rubric(house):
    house.text("rubric.toml", RUBRIC)
    return ("--policy", "rubric.toml", "--trajectory", "order")


def rows(run):
    return [
        {key: value for key, value in row.items() if key != "evidence"}
        for row in run.result["cases"]
    ]


def test_every_made_file_is_tried_or_needs_what_ours_cannot_hold():
    without = {"promptfoo/no_tests.json", "promptfoo/nothing_matched.json"}
    made = {
        str(path.relative_to(MADE))
        for path in MADE.glob("*/*")
        if path.suffix not in {".md", ".js", ".yaml"}
    }
    without |= {name for name in made if name.startswith("junit/")}
    assert made - without == {*FILES, "ragas/dataset.jsonl"}


@pytest.mark.parametrize("name", FILES)
def test_our_files_score_as_the_tools_own_does(house, rubric, name):
    path, options = str(MADE / name), FILES[name]
    direct = house.run("score", "--predictions", path, *options, *rubric)
    assert direct.status == 0, direct.err
    done = house.run("import", path, *options, *BOTH, "--allow-gaps")
    assert done.status == 0, done.err
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    assert rows(house.run("score", *given, *rubric)) == rows(direct)
    again = house.run("import", path, *options, *BOTH, "--allow-gaps")
    assert again.status == 0
    assert again.out.count("is so already: ") == 2


def test_the_page_says_what_was_found(house):
    run = house.run("import", str(MADE / "promptfoo" / "small.json"))
    assert run.status == 0
    lines = run.out.splitlines()
    assert lines[0].endswith("small.json: read as a file of promptfoo")
    assert "  answers   14, 3 errors among them" in lines
    assert any(line.startswith("  scores    ") and "success (9, says" in line for line in lines)
    assert "written" not in run.out
    assert list(house.folder.iterdir()) == []


def test_recorded_scores_stay_behind_and_the_page_says_so(house):
    run = house.run("import", str(MADE / "promptfoo" / "small.json"), *BOTH)
    assert "the recorded scores are not in it" in run.out
    assert '"score"' not in (house.folder / "predictions.jsonl").read_text()
    run = house.run("score", "--predictions", "predictions.jsonl", "--scorer", "recorded")
    assert run.status == 2


def test_tests_of_which_no_output_was_kept_become_no_predictions(house):
    path = str(MADE / "junit" / "pytest.xml")
    run = house.run("import", path, "--allow-gaps", *BOTH)
    assert run.status == 2
    assert "kept no output" in run.err
    assert list(house.folder.iterdir()) == []
    run = house.run("import", path, "--allow-gaps", *BOTH[:2])
    assert run.status == 0, run.err
    assert len((house.folder / "cases.jsonl").read_text().splitlines()) == 12


def test_a_file_that_may_not_be_whole_becomes_nothing_unless_somebody_says_so(house):
    lines = (MADE / "openai_evals" / "record.jsonl").read_text().splitlines(keepends=True)
    house.text("cut.jsonl", "".join(line for line in lines if "final_report" not in line))
    run = house.run("import", "cut.jsonl", *BOTH)
    assert run.status == 3
    assert "  gap       " in run.out
    assert "--allow-gaps" in run.err
    assert not (house.folder / "cases.jsonl").exists()
    assert house.run("import", "cut.jsonl", *BOTH, "--allow-gaps").status == 0


def test_a_look_at_a_file_that_may_not_be_whole_decides_nothing(house):
    lines = (MADE / "openai_evals" / "record.jsonl").read_text().splitlines(keepends=True)
    house.text("cut.jsonl", "".join(line for line in lines if "final_report" not in line))
    run = house.run("import", "cut.jsonl")
    assert run.status == 0
    assert "  gap       " in run.out
    assert "warning: the file may not hold all that was run" in run.out
    assert run.err == ""


def test_one_wrong_record_and_nothing_is_written(house):
    house.text("rows.csv", "id,output\na,yes\na,no,more\n")
    run = house.run("import", "rows.csv", *BOTH)
    assert run.status == 2
    assert "rows.csv:3: " in run.err
    assert not (house.folder / "predictions.jsonl").exists()


def test_what_is_there_stays_unless_it_is_the_same_or_forced(house):
    house.text("rows.csv", "id,output,input\na,yes,?\n")
    house.text("cases.jsonl", "mine")
    run = house.run("import", "rows.csv", *BOTH)
    assert run.status == 2
    assert "cases.jsonl is there already" in run.err
    assert (house.folder / "cases.jsonl").read_text() == "mine"
    assert not (house.folder / "predictions.jsonl").exists()
    assert house.run("import", "rows.csv", *BOTH, "--force").status == 0
    assert json.loads((house.folder / "cases.jsonl").read_text()) == {"id": "a", "input": "?"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--cases-to", "rows.csv"), "--cases-to rows.csv is FILE, too"),
        (("--cases-to", "./x", "--predictions-to", "x"), "is --predictions-to, too"),
        (("--cases-to", "-", "--predictions-to", "-"), "is --predictions-to, too"),
        (("--format", "nonesuch"), "--format: no format 'nonesuch'"),
        (("--force", "--cases-to", ""), "--cases-to is empty"),
    ],
)
def test_what_cannot_be_meant_is_refused(house, options, said):
    house.text("rows.csv", "id,output\na,yes\n")
    run = house.run("import", "rows.csv", *options)
    assert run.status == 2
    assert said in run.err
    assert [path.name for path in house.folder.iterdir()] == ["rows.csv"]


def test_one_of_them_may_go_to_the_output_and_then_the_page_does_not(house):
    house.text("rows.csv", "id,output,input\nb,yes,?\na,no,?\n")
    run = house.run("import", "rows.csv", "--predictions-to", "-")
    assert run.out == '{"id": "b", "output": "yes"}\n{"id": "a", "output": "no"}\n'
    assert "read as a file of plain" in run.err
    run = house.run("import", "rows.csv", "--cases-to", "-")
    assert run.out == '{"id": "a", "input": "?"}\n{"id": "b", "input": "?"}\n'


def test_a_file_that_cannot_be_written_leaves_no_other_behind(house):
    house.text("rows.csv", "id,output,input\na,yes,?\n")
    house.text("file", "")
    run = house.run("import", "rows.csv", "--cases-to", "file/c", "--predictions-to", "p.jsonl")
    assert run.status in {2, 3}
    assert not (house.folder / "p.jsonl").exists()


def test_a_file_that_is_not_there_is_named_by_its_argument(house):
    run = house.run("import", "absent.eval")
    assert run.status == 2
    assert "FILE: absent.eval: no such file" in run.err


@pytest.mark.parametrize("name", ["golden/good.jsonl", "geo/regressed.jsonl"])
def test_predictions_of_ours_become_themselves(house, name):
    path = str(EXAMPLES / name)
    assert house.run("import", path, "--predictions-to", "once.jsonl").status == 0
    assert house.run("import", "once.jsonl", "--predictions-to", "twice.jsonl").status == 0
    once, twice = ((house.folder / name).read_bytes() for name in ("once.jsonl", "twice.jsonl"))
    assert once == twice
    theirs = [json.loads(line) for line in Path(path).read_text().splitlines()]
    assert [json.loads(line) for line in once.splitlines()] == theirs


def test_predictions_of_ours_hold_no_cases(house):
    run = house.run("import", str(EXAMPLES / "golden" / "good.jsonl"), "--cases-to", "c.jsonl")
    assert run.status == 2
    assert "holds predictions of our own (agent-eval-gate), and no cases" in run.err


@pytest.mark.parametrize("name", ["golden/cases.jsonl", "geo/cases.jsonl", "expert/cases.jsonl"])
def test_cases_of_ours_become_themselves_in_one_spelling(house, name):
    from gate.inputs.cases import read_cases

    path = EXAMPLES / name
    assert house.run("import", str(path), "--cases-to", "once.jsonl").status == 0
    once = (house.folder / "once.jsonl").read_bytes()
    assert read_cases(once, source="once") == read_cases(path.read_bytes(), source=name)
    house.run("import", "once.jsonl", "--cases-to", "twice.jsonl")
    assert (house.folder / "twice.jsonl").read_bytes() == once
    run = house.run("import", str(path), "--predictions-to", "p.jsonl")
    assert run.status == 2


def test_cases_in_one_array_and_compressed_are_read_as_well(house):
    cases = [{"id": 2, "query": "?", "K": 3, "note": {"a": [1]}}]
    (house.folder / "cases.json.gz").write_bytes(gzip.compress(json.dumps(cases).encode()))
    run = house.run("import", "cases.json.gz", "--cases-to", "-")
    assert run.status == 0, run.err
    found = {"id": "2", "input": "?", "labels": ["k:3"], "note": {"a": [1]}}
    assert json.loads(run.out) == found


def test_fields_that_are_never_read_are_left_out_and_named(house):
    house.lines("p.jsonl", [{"id": "a", "output": "x", "score": 1}])
    run = house.run("import", "p.jsonl", "--predictions-to", "q.jsonl")
    assert "left out: score (1)" in run.out
    assert (house.folder / "q.jsonl").read_text() == '{"id": "a", "output": "x"}\n'


def test_a_map_in_the_policy_reads_what_the_option_reads(house):
    row = {"meta": {"case": "a"}, "response": {"text": "yes"}, "want": "yes"}
    house.lines("rows.jsonl", [row])
    pairs = {"id": "meta.case", "output": "response.text", "reference": "want"}
    maps = [part for pair in pairs.items() for part in ("--map", "=".join(pair))]
    given = ("--predictions", "rows.jsonl", "--scorer", "contains")
    said = house.run("score", *given, *maps)
    assert said.status == 0, said.err
    assert said.result["suite"]["n_passed"] == 1
    spelt = ", ".join(f'{name} = "{path}"' for name, path in pairs.items())
    house.text("gate.toml", f"[suite]\nmap = {{ {spelt} }}\n")
    run = house.run("score", *given)
    assert run.result["cases"] == said.result["cases"]
    house.text("gate.toml", '[suite]\nmap = { outptu = "response.text" }\n')
    run = house.run("score", *given)
    assert run.status == 2
    assert "output" in run.err


def test_every_mistake_of_a_map_is_refused(house):
    house.text("rows.jsonl", '{"a": 1}\n')
    for pair in ("output", "=x", "output=", "outptu=x"):
        assert house.run("import", "rows.jsonl", "--map", pair).status == 2
    assert house.run("import", "rows.jsonl", "--map", "id=a", "--map", "id=b").status == 2
