"""What it takes to read large files of other tools: peak memory, and time over size.

    python benchmarks/importers.py [--largest MEGABYTES]

Each file is generated, read once by a process of its own, and removed. Linear time shows as an
equal rate at each size; absolute figures belong to the machine. The status is 0 whatever they are.
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
from typing import Final, NamedTuple

LARGEST: Final = 500
BOUND_MB: Final = 300
MEGABYTE: Final = 1_000_000
READ: Final = """
import sys
from importlib import import_module
from gate.inputs.importers.found import Found
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source
name, path = sys.argv[1:]
source = Source(path, lambda: open(path, "rb"))
print(sum(isinstance(each, Found) for each in import_module(
    "gate.inputs.importers." + name).found(source, ImportOptions())))
"""


class Cost(NamedTuple):
    """What one reading took."""

    rows: int
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


def read(name: str, path: Path) -> Cost:
    """Read a file in a process of its own."""
    child = subprocess.Popen(
        (sys.executable, "-c", READ, name, str(path)), stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None  # noqa: S101 - for the type checker
    rows = int(child.stdout.read())
    _, _, usage = os.wait4(child.pid, 0)
    child.stdout.close()
    child.returncode = 0
    return Cost(rows, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / MEGABYTE)


def main() -> None:
    """Print one line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=LARGEST, help="megabytes")
    largest = parser.parse_args().largest
    print(f"{'tool':12} {'file':>8} {'rows':>7} {'CPU s':>8} {'MB/s':>7} {'peak':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in (largest // 10, largest // 3, largest):
            path = Path(folder, "large.eval")
            written = inspect_log(path, megabytes)
            size = path.stat().st_size / MEGABYTE
            cost = read("inspect_ai", path)
            path.unlink()
            kept = "" if cost.rows == written else f" {written} were written!"
            over = f" (over {BOUND_MB} MB)" if cost.peak_mb > BOUND_MB else ""
            print(
                f"{'inspect_ai':12} {size:5.0f} MB {cost.rows:7} {cost.cpu:8.1f} "
                f"{size / cost.cpu:7.0f} {cost.peak_mb:4.0f} MB{over}{kept}"
            )


if __name__ == "__main__":
    main()
