"""What it takes to score large files of other tools: peak memory, and time over size.

    python benchmarks/importers.py [--share PERCENT]

Each file is generated, scored once by the whole command in a process of its own, and removed:
promptfoo's JSONL up to 1 GB, rows of 10 kB in a shuffled order with two repeats of each test, and
an Inspect archive up to 500 MB. Linear time shows as an equal rate at each size; absolute figures
belong to the machine. The status is 0 whatever they are.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

BOUND_MB: Final = 300
MEGABYTE: Final = 1_000_000
REPEATS: Final = 2
SCORE: Final = (sys.executable, "-c", "from gate.cli.main import run; run()", "score")
_USAGE: Final = {"total": 12, "prompt": 4, "completion": 8, "cached": 0, "numRequests": 1}


class Cost(NamedTuple):
    """What one run took."""

    cpu: float
    peak_mb: float


def inspect_log(path: Path, megabytes: int) -> int:
    """Write an Inspect archive of about so many bytes, packed by zstd; give its samples.

    The texts are random, so that what is packed is nearly as large as what it holds; half of each
    sample are events, which a gate does not read.
    """
    if sys.version_info >= (3, 14):
        import zipfile
    else:
        from backports.zstd import zipfile

    dice = random.Random(megabytes)  # noqa: S311 - a benchmark, not a secret
    n = 0
    header: dict[str, object] = {
        "version": 2,
        "status": "success",
        "eval": {"task": "large", "config": {"epochs": 1}},
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_ZSTANDARD) as archive:
        archive.writestr("_journal/start.json", json.dumps(header))
        while path.stat().st_size < megabytes * MEGABYTE:
            n += 1
            text = b64encode(dice.randbytes(400_000)).decode()
            messages = [
                {"role": "assistant", "content": text[at : at + 2_000], "tool_calls": [call()]}
                for at in range(0, len(text), 2_000)
            ]
            sample = {
                "id": f"case-{n}",
                "epoch": 1,
                "input": text[:500],
                "target": "Paris",
                "messages": messages,
                "output": {"choices": [{"message": {"content": text[:5_000]}}]},
                "scores": {"match": {"value": "C" if n % 3 else "I"}},
                "events": [{"event": "model", "data": message} for message in messages[::-1]],
            }
            archive.writestr(f"samples/case-{n}_epoch_1.json", json.dumps(sample))
        header["results"] = {"total_samples": n}
        archive.writestr("header.json", json.dumps(header))
    return n


def call() -> dict[str, object]:
    """Give a call of a tool as Inspect logs it."""
    return {"id": "x", "function": "search", "arguments": {"query": "q"}, "type": "function"}


def row(test: int) -> dict[str, object]:
    """Make one row, of some 10 kB."""
    number, answer = test // REPEATS, "word " * (1_700 + test % 80)
    assertion = {"type": "contains", "value": "{{expected}}", "metric": "accuracy"}
    variables = {"q": f"question {number}", "expected": f"golden {number}"}
    passed = bool(test % 3)
    return {
        "cost": 0.01,
        "gradingResult": {
            "pass": passed,
            "score": float(passed),
            "reason": "All assertions passed" if passed else "Expected output to contain",
            "namedScores": {"accuracy": int(passed)},
            "tokensUsed": _USAGE,
            "componentResults": [
                {"pass": passed, "score": int(passed), "reason": "x", "assertion": assertion}
            ],
        },
        "id": f"{test:032x}",
        "latencyMs": test % 900,
        "namedScores": {"accuracy": int(passed)},
        "prompt": {"raw": f"Answer: question {number}", "label": "Answer: {{q}}", "config": {}},
        "promptId": "9e882153a7e27d6103c4715abde4ec6b8a04261989f381735d7be5fcf7b62fd8",
        "promptIdx": 0,
        "provider": {"id": "echo", "label": ""},
        "response": {"output": answer, "raw": "", "cost": 0.01, "tokenUsage": _USAGE},
        "score": int(passed),
        "success": passed,
        "testCase": {
            "vars": variables,
            "metadata": {"id": f"case-{number}", "labels": ["retrieval"]},
            "assert": [assertion],
            "options": {},
        },
        "testIdx": test,
        "tokenUsage": {**_USAGE, "assertions": _USAGE, "completionDetails": {"reasoning": 0}},
        "vars": variables,
        "metadata": {"id": f"case-{number}", "_promptfooFileMetadata": {}},
        "failureReason": 0 if passed else 1,
    }


def promptfoo_rows(path: Path, megabytes: int) -> int:
    """Write promptfoo's JSONL of about so many bytes; give its rows."""
    size = sum(len(json.dumps(row(test))) for test in range(160)) / 160
    tests = list(range(max(int(megabytes * MEGABYTE / size), 10) // REPEATS * REPEATS))
    random.Random(0).shuffle(tests)  # noqa: S311 - a benchmark, not a secret
    with path.open("w", encoding="utf-8") as file:
        for test in tests:
            file.write(json.dumps(row(test)) + "\n")
    return len(tests)


FILES: Final[dict[str, tuple[Callable[[Path, int], int], int]]] = {
    "out.jsonl": (promptfoo_rows, 1_000),
    "log.eval": (inspect_log, 500),
}
"""Who writes each file, and how many megabytes of it at most."""


def score(path: Path) -> Cost:
    """Score a file by the scores that it holds, in a process of its own."""
    command = [*SCORE, "--predictions", path.name, "--scorer", "recorded"]
    with subprocess.Popen(command, cwd=path.parent, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{path.name}: score ended with {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / MEGABYTE)


def main() -> None:
    """Score each file at a quarter, a half and the whole of its size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=int, default=100, help="per cent of the full size")
    share = parser.parse_args().share
    print("| file | MB | rows | CPU s | MB/s | peak MB |\n|---|--:|--:|--:|--:|--:|")
    for name, (write, most) in FILES.items():
        for part in (4, 2, 1):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / name
                rows = write(path, most * share // 100 // part)
                size = path.stat().st_size / MEGABYTE
                cost = score(path)
                met = "" if cost.peak_mb < BOUND_MB else " (too much)"
                print(
                    f"| {name} | {size:.0f} | {rows:,} | {cost.cpu:.1f} | {size / cost.cpu:.0f} "
                    f"| {cost.peak_mb:.0f}{met} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
