"""Answers and cases that are compressed, or come through the standard input."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from gate.adapters import kept
from gate.shell import gather

MADE = Path(__file__).resolve().parents[1] / "data" / "importers"
CASES = [{"id": name, "input": "?", "reference": "yes"} for name in "abc"]
ANSWERS = [{"id": name, "output": "yes"} for name in "abc"]


def zstd(data):
    if sys.version_info >= (3, 14):
        from compression.zstd import compress
    else:
        from backports.zstd import compress
    return compress(data)


PACK = {".gz": gzip.compress, ".zst": zstd}


def text(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture
def files(house):
    """Write cases, answers and a baseline of them, each packed in every way."""
    for name, rows in (("cases.jsonl", CASES), ("answers.jsonl", ANSWERS)):
        (house.folder / name).write_bytes(text(rows))
        for end, pack in PACK.items():
            (house.folder / f"{name}{end}").write_bytes(pack(text(rows)))
    house.lines("predictions.jsonl", ANSWERS)
    house.accept("--scorer", "contains")
    return house


def piped(house, *words, data):
    return subprocess.run(
        [sys.executable, "-m", "gate", *words],
        cwd=house.folder,
        input=data,
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("end", PACK)
def test_packed_files_are_scored_checked_and_imported_as_they_are(files, end):
    given = ("--cases", f"cases.jsonl{end}", "--predictions", f"answers.jsonl{end}")
    plain = ("--cases", "cases.jsonl", "--predictions", "answers.jsonl")
    scored = files.run("score", *given, "--scorer", "contains")
    assert (
        scored.result["suite"]
        == files.run("score", *plain, "--scorer", "contains").result["suite"]
    )
    assert files.run("check", *given, "--baseline", "baseline.json").status == 0
    run = files.run("import", f"answers.jsonl{end}", "--predictions-to", "-")
    assert [json.loads(line) for line in run.out.splitlines()] == ANSWERS
    run = files.run("import", f"cases.jsonl{end}", "--cases-to", "-")
    assert [json.loads(line) for line in run.out.splitlines()] == CASES


@pytest.mark.parametrize("end", PACK)
def test_a_packed_file_of_a_tool_is_recognised(house, end):
    (house.folder / f"log{end}").write_bytes(PACK[end]((MADE / "ragas/results.csv").read_bytes()))
    run = house.run("import", f"log{end}")
    assert "read as a file of ragas" in run.out


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
@pytest.mark.parametrize("end", ["", *PACK])
def test_answers_come_through_a_pipe(files, name, end):
    data = (files.folder / f"answers.jsonl{end}").read_bytes()
    given = ("--cases", "cases.jsonl", "--baseline", "baseline.json", "--predictions", name)
    done = piped(files, "check", *given, data=data)
    assert done.returncode == 0, done.stderr
    done = piped(files, "import", name, "--predictions-to", "copy.jsonl", data=data)
    assert done.returncode == 0, done.stderr
    assert json.loads((files.folder / "copy.jsonl").read_text().splitlines()[0]) == ANSWERS[0]


def test_a_tools_archive_comes_through_a_pipe(house):
    data = (MADE / "inspect_ai" / "small.eval").read_bytes()
    done = piped(house, "score", "--predictions", "-", "--scorer", "recorded:match", data=data)
    assert done.returncode == 0, done.stderr


def test_cases_come_through_a_pipe(files):
    done = piped(files, "import", "-", "--cases-to", "-", data=text(CASES))
    assert [json.loads(line) for line in done.stdout.splitlines()] == CASES


def test_an_empty_pipe_is_an_error(files):
    given = ("--cases", "cases.jsonl", "--baseline", "baseline.json")
    assert piped(files, "check", *given, "--predictions", "-", data=b"").returncode == 2
    assert piped(files, "import", "-", data=b"").returncode == 2


@pytest.mark.parametrize("end", PACK)
@pytest.mark.parametrize("command", ["score", "check", "import"])
def test_a_bomb_is_refused_by_the_limit_that_it_names(files, monkeypatch, end, command):
    monkeypatch.setattr(kept, "FREE", 1_000_000)
    (files.folder / "bomb").write_bytes(PACK[end](b"\n" * 3_000_000))
    words = {
        "score": ("--cases", "cases.jsonl", "--scorer", "contains", "--predictions", "bomb"),
        "check": (
            "--cases",
            "cases.jsonl",
            "--baseline",
            "baseline.json",
            "--predictions",
            "bomb",
        ),
        "import": ("bomb",),
    }
    run = files.run(command, *words[command])
    assert run.status == 2
    assert "holds more than 250 times its own size" in run.err


@pytest.mark.parametrize("end", PACK)
def test_a_bomb_of_cases_is_refused_too(files, monkeypatch, end):
    monkeypatch.setattr(gather, "MAX_CASES", 1_000_000)
    (files.folder / "bomb").write_bytes(PACK[end](b"\n" * 3_000_000))
    given = ("--predictions", "answers.jsonl", "--scorer", "contains")
    run = files.run("score", "--cases", "bomb", *given)
    assert run.status == 2
    assert "holds more than 1,000,000 bytes" in run.err


@pytest.mark.parametrize("end", PACK)
def test_a_packed_file_that_was_cut_is_refused(files, end):
    data = PACK[end](text(ANSWERS * 50))
    (files.folder / "cut").write_bytes(data[: len(data) // 2])
    for command in (("import", "cut"), ("score", "--predictions", "cut", "--scorer", "rubric")):
        run = files.run(*command)
        assert run.status == 2
        assert "is damaged" in run.err


def test_nothing_is_unpacked_twice(files):
    once = io.BytesIO()
    with gzip.GzipFile(fileobj=once, mode="wb") as packed:
        packed.write(gzip.compress(text(ANSWERS)))
    (files.folder / "twice").write_bytes(once.getvalue())
    assert files.run("import", "twice").status == 2
