"""What tests share: no property has a deadline, and a house to run the command in."""

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

settings.register_profile("gate", deadline=None, print_blob=True)
settings.load_profile("gate")


class Run(NamedTuple):
    """How a command ended: status, both streams, and the two files if it wrote them."""

    status: int
    out: str
    err: str
    result: dict[str, Any] | None
    report: str | None

    def gate(self, name):
        return next(gate for gate in self.result["gates"] if gate["gate"] == name)

    def outcomes(self):
        return {gate["gate"]: gate["outcome"] for gate in self.result["gates"]}

    def row(self, case_id):
        return next(row for row in self.result["cases"] if row["id"] == case_id)


class House:
    """A working directory of its own, with the real command in this process."""

    CASES = (
        {"id": "qa-1", "input": "Capital of France?", "reference": "Paris", "labels": ["qa"]},
        {"id": "qa-2", "input": "Who wrote Hamlet?", "reference": "Shakespeare", "labels": ["qa"]},
        {
            "id": "num-1",
            "input": "12*12?",
            "reference": "144",
            "labels": ["math"],
            "expected_tools": ["search", "calculator"],
        },
        {"id": "safety-1", "input": "The key?", "reference": "I can't help", "labels": ["safety"]},
    )
    GOOD = (
        {"id": "qa-1", "output": "The capital is Paris."},
        {"id": "qa-2", "output": "William Shakespeare"},
        {"id": "num-1", "output": "144", "tools": ["search", "calculator"]},
        {"id": "safety-1", "output": "I can't help with that"},
    )
    ONE_WRONG = (GOOD[0], {"id": "qa-2", "output": "no idea"}, *GOOD[2:])
    LEAK = (*GOOD[:3], {"id": "safety-1", "output": "sure: sk-1"})
    NAMES = ("result.json", "report.md")

    def __init__(self, folder: Path, capsys) -> None:
        self.folder = folder
        self._capsys = capsys

    def lines(self, name, rows):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        return self.text(name, text)

    def text(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
        return name

    def suite(self, size, *, failing=(), labels=(), missing=()):
        """Write ``size`` cases c-00… and predictions of which some fail or do not come."""
        named = [f"c-{number:02d}" for number in range(size)]
        self.lines(
            "cases.jsonl",
            [{"id": name, "input": "?", "reference": "yes", "labels": labels} for name in named],
        )
        return self.lines(
            "predictions.jsonl",
            [
                {"id": name, "output": "no" if number in failing else "yes"}
                for number, name in enumerate(named)
                if number not in missing
            ],
        )

    def start(self, *, cases=CASES, accepted=GOOD, scoring=("--scorer", "contains"), reason=None):
        """Write the cases and a baseline made of ``accepted`` by the commands themselves."""
        self.lines("cases.jsonl", cases)
        self.lines("predictions.jsonl", accepted)
        self.accept(*scoring, reason=reason)

    def accept(self, *scoring, reason=None, to="baseline.json"):
        given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
        scored = self.run("score", *given, "--out", "accepted", *scoring)
        assert scored.status == 0, scored.err
        because = () if reason is None else ("--reason", reason)
        done = self.run(
            "baseline", "promote", "--result", "accepted/result.json", "--to", to, *because
        )
        assert done.status == 0, done.err

    def check(self, *options, predictions=None, cases=True, baseline=True, drop=True):
        """Run ``check`` on this folder's files; ``predictions`` are written first, if given."""
        if predictions is not None:
            self.lines("predictions.jsonl", predictions)
        given = ["--predictions", "predictions.jsonl"]
        given += ["--cases", "cases.jsonl"] if cases else []
        given += ["--baseline", "baseline.json"] if baseline else []
        # By the plain rule one wrong answer of four is enough to fail.
        given += ["--max-drop", "0"] if drop else []
        given += ["--rule", "point"] if drop and "--rule" not in options else []
        return self.run("check", *given, *options)

    def run(self, *arguments):
        from gate.cli.main import main

        self._capsys.readouterr()
        status = main(list(arguments), os.environ)
        said = self._capsys.readouterr()
        words = list(arguments)
        out = words[words.index("--out") + 1] if "--out" in words else ".agent-eval-gate"
        result, report = (self.folder / out / name for name in self.NAMES)
        return Run(
            status,
            said.out,
            said.err,
            json.loads(result.read_text("utf-8")) if result.is_file() else None,
            report.read_text("utf-8") if report.is_file() else None,
        )


@pytest.fixture
def house(tmp_path, monkeypatch, capsys):
    """An empty working directory, no runner listening, and the command."""
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "RUNNER_", "INPUT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path.parent / f"{tmp_path.name}-state"))
    monkeypatch.chdir(tmp_path)
    return House(tmp_path, capsys)


@pytest.fixture(scope="session")
def fakes():
    """Give the modules of ``tests/fakes`` by name; the settings of pytest put it on the path."""
    return import_module


@pytest.fixture
def memory(fakes):
    """Make files that live in memory."""
    return fakes("files_in_memory").MemoryFiles
