"""A scorer or a gate is one table line, one file, one option model, one test, one section.

A report format is one table line, one file, one file name, one test, one line of the documents.
"""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest
import yaml

from gate.cli.options import SCORERS as OFFERED
from gate.cli.place import FILES, RESULT
from gate.gates.table import GATES
from gate.inputs.importers.table import IMPORTERS
from gate.policy.effective import DEFAULT_GATES, JUDGED_GATE
from gate.records.gating import GateOptions
from gate.records.scoring import JUDGED, RECORDED, ScorerOptions
from gate.report.formats import FORMATS, USUAL
from gate.scorers.table import SCORERS

ROOT = Path(__file__).resolve().parents[2]
PARTS = {
    "scorers": (SCORERS, ScorerOptions, "name", {"bind", "prompt", "recorded_score"}),
    "gates": (GATES, GateOptions, "gate", {"judge"}),
}
KINDS = pytest.mark.parametrize("kind", PARTS)


def models(kind):
    _, union, tag, _ = PARTS[kind]
    return {model.model_fields[tag].default: model for model in get_args(get_args(union)[0])}


def sections(kind):
    parts = (ROOT / "docs" / f"{kind}.md").read_text().split("\n## `")[1:]
    return {part.split("`")[0]: part for part in parts}


def functions(path):
    return {
        node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)
    }


@KINDS
def test_every_line_of_the_table_names_the_module_of_its_name(kind):
    table = PARTS[kind][0]
    assert table == {name: f"gate.{kind}.{name}" for name in table}


@KINDS
def test_the_files_are_those_of_the_table(kind):
    table, _, _, entries = PARTS[kind]
    folder = ROOT / "gate" / kind
    found = {path.stem: functions(path) for path in folder.glob("*.py") if path.stem != "table"}
    assert {name for name, held in found.items() if "objection" in held} == set(table)
    for name in table:
        assert len(entries & found[name]) == 1, name


def test_a_scorer_asks_a_judge_or_computes_and_one_does_neither():
    for name in SCORERS:
        held = functions(ROOT / "gate" / "scorers" / f"{name}.py")
        assert ("prompt" in held) is (name in JUDGED), name
        assert ("recorded_score" in held) is (name == RECORDED), name


@KINDS
def test_every_member_has_an_option_model_and_no_model_stands_alone(kind):
    assert set(models(kind)) == set(PARTS[kind][0])


@KINDS
def test_every_member_has_a_section_that_names_each_of_its_options(kind):
    found, tag = sections(kind), PARTS[kind][2]
    assert list(found) == list(PARTS[kind][0])
    for name, model in models(kind).items():
        for option in model.model_fields:
            if option not in {tag, "enabled"}:
                assert f"`{option}`" in found[name], (name, option)


@KINDS
def test_every_member_has_a_test_file(kind):
    folder = ROOT / "tests" / "unit" / kind
    missing = [name for name in PARTS[kind][0] if not (folder / f"test_{name}.py").is_file()]
    assert not missing


@KINDS
def test_every_member_stands_in_the_readme(kind):
    said = (ROOT / "README.md").read_text()
    assert [name for name in PARTS[kind][0] if f"`{name}`" not in said] == []


def test_every_importer_is_a_module_of_its_name_and_has_tests_and_made_files():
    assert {name: f"gate.inputs.importers.{name}" for name in IMPORTERS} == IMPORTERS
    folder = ROOT / "gate" / "inputs" / "importers"
    files = {path.stem for path in folder.glob("*.py") if "recognises" in functions(path)}
    assert files == set(IMPORTERS)
    tests = ROOT / "tests" / "unit" / "inputs" / "importers"
    assert [name for name in IMPORTERS if not (tests / f"test_{name}.py").is_file()] == []


def test_the_command_offers_every_scorer():
    assert tuple(SCORERS) == OFFERED


def test_the_gates_that_are_on_by_default_exist():
    assert {*DEFAULT_GATES, JUDGED_GATE} <= set(GATES)


def test_every_format_is_a_module_of_its_name_and_every_such_module_a_format():
    assert {one.module for one in FORMATS.values()} == {f"gate.report.{name}" for name in FORMATS}
    folder = ROOT / "gate" / "report"
    files = {path.stem for path in folder.glob("*.py") if "write" in functions(path)}
    assert files - {"formats"} == set(FORMATS)
    assert USUAL in FORMATS


def test_no_two_formats_share_a_file_and_none_takes_that_of_the_result():
    files = [one.file for one in FORMATS.values()]
    assert len({*files, RESULT}) == len(files) + 1
    assert {*files, RESULT} == set(FILES)


def test_every_format_has_a_test_file_and_a_line_of_the_documents():
    tests = ROOT / "tests" / "unit" / "report"
    assert [name for name in FORMATS if not (tests / f"test_{name}.py").is_file()] == []
    said = (ROOT / "docs" / "files.md").read_text()
    lines = re.findall(r"^\| `(\w+)` \| `([\w.]+)` \|", said.split("## Reports")[1], re.MULTILINE)
    assert lines == [(name, one.file) for name, one in FORMATS.items()]


def test_the_action_the_readme_and_the_command_name_every_format(entrypoint):
    action = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]["report-formats"]
    readme = (ROOT / "README.md").read_text().split("\n| `report-formats` |")[1].split("\n")[0]
    option = entrypoint.parameters("check")["report-formats"]
    assert option.default == USUAL
    for said in (action["description"], readme, option.help):
        assert [name for name in FORMATS if name not in said] == []
