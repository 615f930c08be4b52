"""Equal input gives equal bytes, and every golden case has its row, whatever came."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = ("result.json", "report.md", "junit.xml")
SUITES = {
    "golden": ["--max-drop", "0.05"],
    "geo": ["--max-drop", "0.02"],
}


def check(folder, suite, *, cases=None, predictions=None, **environ):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "gate", "check", *SUITES[suite], "--out", str(folder)),
            *("--report-formats", "markdown,junit"),
            *("--baseline", str(ROOT / f"baselines/{suite}.json")),
            *("--cases", str(cases or ROOT / f"examples/{suite}/cases.jsonl")),
            *("--predictions", str(predictions or ROOT / f"examples/{suite}/regressed.jsonl")),
        ],
        env={"PATH": os.environ["PATH"], **environ},
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1, done.stderr.decode()
    return [(folder / name).read_bytes() for name in FILES]


@pytest.fixture
def folder(tmp_path):
    def make(name):
        (tmp_path / name).mkdir()
        return tmp_path / name

    return make


def shuffled(path, target, seed):
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    random.Random(seed).shuffle(lines)
    target.write_text("".join(lines), encoding="utf-8")
    return target


@pytest.mark.parametrize("suite", SUITES)
def test_the_order_of_lines_changes_no_byte(folder, suite, tmp_path):
    expected = check(folder("as-is"), suite)
    for seed in (1, 2):
        examples = ROOT / "examples" / suite
        found = check(
            folder(str(seed)),
            suite,
            cases=shuffled(examples / "cases.jsonl", tmp_path / "cases.jsonl", seed),
            predictions=shuffled(examples / "regressed.jsonl", tmp_path / "p.jsonl", seed + 10),
        )
        assert found == expected


@pytest.mark.parametrize(
    "environ",
    [
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "2", "TZ": "Pacific/Apia"},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        {"LC_ALL": "tr_TR.UTF-8"},
    ],
    ids=str,
)
def test_the_environment_changes_no_byte(folder, environ):
    assert check(folder("a"), "golden") == check(folder("b"), "golden", **environ)


def test_every_golden_case_has_one_row_though_half_the_answers_are_missing(folder, tmp_path):
    text = (ROOT / "examples/geo/good.jsonl").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    half = tmp_path / "half.jsonl"
    half.write_text("".join(lines[::2]), encoding="utf-8")
    result, *_ = check(folder("half"), "geo", predictions=half)
    rows = json.loads(result)["cases"]
    cases = (ROOT / "examples/geo/cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(row["id"] for row in rows) == sorted(json.loads(case)["id"] for case in cases)
    assert sum(row["standing"] == "missing" for row in rows) == len(lines) // 2
