"""The core cannot touch the world: what import-linter sees of that, and what it cannot."""

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORLD = ("gate.adapters", "gate.cli", "gate.__main__")
UNSORTED = ("gate.__init__", "gate.shell")
"""Pure, though no floor says so: the lazy names, and the shell, which is given its means."""
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
PURITY = next(contract for contract in CONTRACTS if contract["id"] == "purity")
FORBIDDEN = {*PURITY["forbidden_modules"], "sys", "io", "glob", "pickle", "importlib.metadata"}
ALLOWED = {
    ("gate/inputs/cases.py", "io"),
    ("gate/publish/artifact.py", "io"),
    ("gate/inputs/packed.py", "io"),
    ("gate/inputs/packed.py", "sys"),
    ("gate/inputs/importers/parts/inspect_archive.py", "sys"),
}
"""Bytes in memory are not the world, nor is the version of the language."""
CALLS = {"open", "print", "input", "exec", "eval", "compile", "breakpoint", "__import__"}
METHODS = {"now", "today", "utcnow", "getenv", "urandom", "system", "write_text", "write_bytes"}


def pure_files():
    return [
        path
        for path in sorted((ROOT / "gate").rglob("*.py"))
        if not any(f"{module_of(path)}.".startswith(f"{floor}.") for floor in WORLD)
    ]


def module_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_every_part_of_the_package_is_held_pure_or_named_as_touching_the_world():
    parts = {
        f"gate.{path.stem if path.is_file() else path.name}"
        for path in (ROOT / "gate").iterdir()
        if path.suffix == ".py" or (path.is_dir() and any(path.glob("*.py")))
    }
    assert parts == {*PURITY["source_modules"], *WORLD, *UNSORTED}


@pytest.mark.parametrize("path", pure_files(), ids=module_of)
def test_a_pure_module_imports_nothing_of_the_world(path):
    name = str(path.relative_to(ROOT))
    found = {
        module
        for module in imported(ast.parse(path.read_text()))
        if {module, module.split(".")[0]} & FORBIDDEN and (name, module) not in ALLOWED
    }
    assert not found


@pytest.mark.parametrize("path", pure_files(), ids=module_of)
def test_a_pure_module_calls_nothing_that_reads_prints_runs_text_or_asks_the_time(path):
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id in CALLS:
            found.append(f"{node.lineno}: {called.id}()")
        if isinstance(called, ast.Attribute) and called.attr in METHODS:
            found.append(f"{node.lineno}: .{called.attr}()")
        if isinstance(called, ast.Attribute) and called.attr == "default_rng" and not node.args:
            found.append(f"{node.lineno}: a generator without a seed")
    assert not found


@pytest.mark.parametrize("path", pure_files(), ids=module_of)
def test_a_pure_module_swallows_no_broad_exception(path):
    broad = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler)
        and (
            node.type is None
            or (isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"})
        )
    ]
    assert not broad


def test_an_excerpt_of_the_rule_itself_can_fail():
    tree = ast.parse("import os.path\nfrom time import sleep\n")
    assert {name.split(".")[0] for name in imported(tree)} <= FORBIDDEN
