"""Memory and time of reading promptfoo's JSONL, at three sizes.

    python benchmarks/importers_promptfoo.py [--megabytes 1000]

Rows are made like those that promptfoo writes, in a shuffled order, with two repeats of each
test. The importer alone is measured, each size in a process of its own; the file is in a
temporary folder. Time for each megabyte should be the same at every size, and the peak should
stay below 300 MB at 1,000 MB. The status is 0 whatever the figures are.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

MEGABYTE: Final = 1_000_000
BOUND_MB: Final = 300
_USAGE: Final = {"total": 12, "prompt": 4, "completion": 8, "cached": 0, "numRequests": 1}


def row(test: int, repeats: int) -> dict[str, object]:
    """Make one row, of some 2 kB."""
    number, answer = test // repeats, "word " * (60 + test % 80)
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
        "response": {"output": answer, "raw": answer, "cost": 0.01, "tokenUsage": _USAGE},
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


def write(path: Path, megabytes: int) -> int:
    """Write rows until the file has that size; give how many."""
    repeats = 2
    sample = sum(len(json.dumps(row(test, repeats))) for test in range(160)) / 160
    tests = list(range(max(int(megabytes * MEGABYTE / sample), 10) // repeats * repeats))
    random.Random(0).shuffle(tests)  # noqa: S311 - seeded, not secret
    with path.open("w", encoding="utf-8") as file:
        for test in tests:
            file.write(json.dumps(row(test, repeats)) + "\n")
    return len(tests)


def read(path: Path) -> None:
    """Read a file in this process, and print what that took as JSON."""
    from gate.inputs.importers.found import Found
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.promptfoo import found
    from gate.inputs.importers.source import Source

    start = time.process_time()
    findings = found(Source(path.name, lambda: path.open("rb")), ImportOptions())
    rows = sum(isinstance(finding, Found) for finding in findings)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE
    print(json.dumps({"rows": rows, "seconds": seconds, "peak_mb": peak}))


def main() -> None:
    """Measure three sizes: a quarter, a half and the whole."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--read", type=Path)
    arguments = parser.parse_args()
    if arguments.read is not None:
        read(arguments.read)
        return
    print("| MB | rows | CPU s | CPU s per 100 MB | peak MB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for share in (4, 2, 1):
            path = Path(folder) / "out.jsonl"
            rows = write(path, arguments.megabytes // share)
            size = path.stat().st_size / MEGABYTE
            said = subprocess.run(
                [sys.executable, __file__, "--read", str(path)],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            cost = json.loads(said)
            if cost["rows"] != rows:
                raise SystemExit(f"{cost['rows']} of {rows} rows were read")
            each = 100 * cost["seconds"] / size
            met = "" if cost["peak_mb"] < BOUND_MB else " (too much)"
            print(
                f"| {size:.0f} | {rows} | {cost['seconds']:.1f} | {each:.2f} "
                f"| {cost['peak_mb']:.0f}{met} |"
            )


if __name__ == "__main__":
    main()
