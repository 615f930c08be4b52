"""An importer is one table line, one file, one section, one line of the README that works."""

import importlib.util
import re
import shlex
import shutil
from pathlib import Path

import pytest

from gate.cli.main import COMMANDS
from gate.errors import UsageInvalid
from gate.inputs.importers.table import IMPORTERS

ROOT = Path(__file__).resolve().parents[2]
MADE = ROOT / "tests" / "data" / "importers"
README = (ROOT / "README.md").read_text()
TOOLS = re.search(r"<!-- tools -->\n(.*?)<!-- /tools -->", README, re.DOTALL)[1]
LINES = dict(
    re.findall(r"^\| \[`(\w+)`\]\(docs/importers\.md#\1\).*\| `(.+)` \|$", TOOLS, re.MULTILINE)
)
FIXTURES = {
    "inspect_ai": "small.eval",
    "promptfoo": "small.json",
    "deepeval": "latest_test_run.json",
    "pydantic_evals": "once.json",
    "messages": "agentevals.json",
    "otel": "spans.json",
    "junit": "pytest.xml",
    "plain": None,
    "lm_eval": "samples_choice.jsonl",
    "openai_evals": "record.jsonl",
    "ragas": "results.csv",
    "openinference": "spans.jsonl",
    "tau_bench": "results.json",
}
MAPPED = '{"meta": {"case": "geo-1"}, "response": {"text": "yes"}}\n'
CASE = {"id": "geo-1", "input": "?", "reference": "yes"}


@pytest.fixture(scope="module")
def generator():
    path = ROOT / "docs" / "generate.py"
    spec = importlib.util.spec_from_file_location("docs_generate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_table_makes_of_it(generator):
    assert (ROOT / "docs" / "importers.md").read_text() == generator.importers(), "run `make docs`"


def test_the_page_has_a_section_for_each_in_the_order_of_the_table(generator):
    assert re.findall(r"^## `(\w+)`$", generator.importers(), re.MULTILINE) == list(IMPORTERS)


def test_the_readme_has_one_line_for_each_in_the_order_of_the_table():
    assert list(LINES) == list(IMPORTERS) == list(FIXTURES)


@pytest.mark.parametrize("name", LINES)
def test_the_line_of_the_readme_scores_a_file_of_the_tool(house, name):
    words = shlex.split(LINES[name])
    path = words[words.index("--predictions") + 1]
    (house.folder / path).parent.mkdir(parents=True, exist_ok=True)
    if FIXTURES[name] is None:
        house.text(path, MAPPED)
    else:
        shutil.copy(MADE / name / FIXTURES[name], house.folder / path)
    house.lines("cases.jsonl", [CASE])
    run = house.run("score", *words)
    assert run.status == 0, run.err
    assert f"predictions: read as a file of {name}" in run.result["notes"]


@pytest.mark.parametrize("name", IMPORTERS)
def test_the_files_of_a_tool_say_how_they_were_made(name):
    if name != "plain":  # a format of nobody's
        assert re.search(r"\d{4}-\d\d-\d\d", (MADE / name / "MADE.md").read_text())


@pytest.mark.parametrize("command", ["import", "init", "plan", "calibrate"])
def test_what_is_for_a_person_at_a_desk_is_no_command_of_the_action(entrypoint, command):
    assert command in COMMANDS
    assert command not in entrypoint.COMMANDS
    with pytest.raises(UsageInvalid, match="no such command"):
        entrypoint.command_line([], {"INPUT_COMMAND": command})


def test_the_folder_holds_the_importers_their_seam_and_their_parts_and_nothing_else():
    folder = ROOT / "gate" / "inputs" / "importers"
    seam = {"__init__", "table", "found", "source", "options"}
    assert {path.stem for path in folder.glob("*.py")} == {*IMPORTERS, *seam}
    parts = list((folder / "parts").glob("*.py"))
    assert not [path.name for path in parts if "def recognises(" in path.read_text()]
    used = "".join(path.read_text() for path in [*folder.glob("*.py"), *parts])
    idle = [path.stem for path in parts if f"importers.parts.{path.stem} import" not in used]
    assert idle == ["__init__"]
