"""Which importer reads a file is told by its content."""

import json
import os
from pathlib import Path

import pytest

from gate.errors import UsageInvalid
from gate.inputs.importers.table import IMPORTERS, OURS, importer, is_ours, recognise

ROOT = Path(__file__).resolve().parents[4]
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")
FOLDERS = {"agentevals": "messages", "otel_genai": "otel"}


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_module_holds_what_the_table_promises(name):
    module = importer(name)
    assert name == module.NAME
    assert module.TITLE
    assert module.DOC.strip()
    assert module.recognises(b"") is False


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("inspct_ai", "did you mean 'inspect_ai'?"),
        ("x" * 500, "known: agent-eval-gate, inspect_ai"),
    ],
)
def test_an_unknown_format_is_refused_with_those_there_are(name, said):
    with pytest.raises(UsageInvalid, match="no format") as caught:
        importer(name)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": "a", "output": "x"}\n{"broken',
        b'\xef\xbb\xbf{"id": 7, "output": null, "score": 1}',
        b'\n  {"repeat": 0, "id": "a", "error": "boom"}\r\n',
        b'{"id": "a", "output": "' + b"x" * 70_000,
    ],
)
def test_a_prediction_of_ours_is_known_by_its_first_line(line):
    assert is_ours(line)
    assert recognise(line) == (OURS,)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b'{"id": "a", "input": "?"}',
        b'{"id": "a", "score": 1, "success": true}',
        b'{"output": "x"}',
        b'{"id": "a", "output": NaN}',
        b'{"id": "a", "output": "\xff"}',
        b"{" * 200,
    ],
)
def test_nothing_else_is(line):
    assert not is_ours(line)


@pytest.mark.parametrize(
    "path",
    [
        *sorted(ROOT.glob("examples/*/*.jsonl")),
        *sorted(ROOT.glob("baselines/*.json")),
        ROOT / "tests/golden/result.json",
        ROOT / "action.yml",
    ],
    ids=lambda path: path.name,
)
def test_no_tool_claims_a_file_of_ours(path):
    assert set(recognise(path.read_bytes()[:65_536])) <= {OURS}


@pytest.mark.skipif(not REAL.is_dir(), reason="GATE_REAL_DATA names no folder of real files")
def test_every_real_file_is_one_tools_alone():
    for path in sorted(REAL.glob("*/*.*")):
        found = recognise(path.read_bytes()[:65_536])
        tool = FOLDERS.get(path.parent.name, path.parent.name)
        assert set(found) <= {tool}, path
        if path.suffix in {".eval", ".xml"}:
            assert found == (tool,)


def test_recognition_loads_nothing_for_a_prediction_of_ours(monkeypatch):
    monkeypatch.setitem(IMPORTERS, "absent", "gate.inputs.importers.absent")
    assert recognise(json.dumps({"id": "a", "output": "x"}).encode()) == (OURS,)
