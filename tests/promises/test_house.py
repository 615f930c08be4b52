"""The style that is a safety: short modules, no junk drawers, every promise of a docstring."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = sorted((ROOT / "gate").rglob("*.py"))
TEXTS = sorted(
    path
    for folder in ("gate", "tests", "docs", "benchmarks", "schemas")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".md", ".j2"}
) + sorted(ROOT.glob("*.md"))
ARITHMETIC = [path for path in CODE if path.parent.name in {"metrics", "statistics"}]
LONGEST = 300


def name_of(path):
    return str(path.relative_to(ROOT))


def public_functions(path):
    return [
        node
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]


@pytest.mark.parametrize("path", [*CODE, ROOT / "entrypoint.py"], ids=name_of)
def test_a_module_is_short(path):
    assert len(path.read_text().splitlines()) <= LONGEST


def test_no_module_is_a_junk_drawer():
    drawers = {"utils", "util", "helpers", "common", "misc", "tools"}
    assert not [name_of(path) for path in CODE if drawers & {path.stem, path.parent.name}]


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_nothing_is_left_for_later(path):
    marks = "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"))
    assert not re.findall(rf"\b(?:{marks})\b", path.read_text())


@pytest.mark.parametrize("path", ARITHMETIC, ids=name_of)
def test_every_public_function_of_the_arithmetic_shows_a_worked_example(path):
    bare = [
        node.name
        for node in public_functions(path)
        if ">>> " not in (ast.get_docstring(node) or "")
    ]
    assert not bare


def test_every_public_name_of_the_package_is_there_and_documented():
    import gate
    from gate import AgentFn

    for name in gate.__all__:
        found = getattr(gate, name)
        assert name in dir(gate)
        assert name == "__version__" or found is AgentFn or found.__doc__, name


def test_every_public_function_of_the_package_is_named_in_the_readme():
    import gate

    said = (ROOT / "README.md").read_text()
    assert [name for name in gate.__all__ if name not in said] == []
