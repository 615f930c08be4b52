"""A judged run is killed at random points and taken up again: what is lost, what is paid twice.

    python benchmarks/judge_kill.py [KILLS]

The command itself scores answers through a judge on loopback and is ended with SIGKILL while it
asks; then it runs again with the same ledger. Nothing that was answered may be asked again, no
more than what was under way may be paid twice, and the result has to be the same bytes as that of
a run that nobody disturbed. The status is 1 where any of that does not hold.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Final, NamedTuple

from judge import server

QUESTIONS: Final = 120
AT_ONCE: Final = 8
LATENCY_MS: Final = 20
KILLS: Final = 200
_GATE: Final = (sys.executable, "-c", "from gate.cli.main import run; run()")


class Killed(NamedTuple):
    """One run that was killed and taken up again."""

    answered: int
    asked_before: int
    asked_after: int
    same: bool


def main() -> None:
    """Kill, take up, count, and print what came of it."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    draw = random.Random(kills)  # noqa: S311 - seeded, not secret
    with tempfile.TemporaryDirectory(prefix="gate-kill-") as name, server(LATENCY_MS) as port:
        folder = Path(name)
        _write_suite(folder)
        began = time.perf_counter()
        wanted = _run(folder, port, ledger="whole.jsonl")
        whole = time.perf_counter() - began
        found = [
            _killed(folder, port, wanted, at=draw.uniform(0.5, 1.0) * whole) for _ in range(kills)
        ]
    lost = sum(one.asked_after != QUESTIONS - one.answered for one in found)
    twice = [one.asked_before + one.asked_after - QUESTIONS for one in found]
    halfway = sum(0 < one.answered < QUESTIONS for one in found)
    differ = sum(not one.same for one in found)
    print(f"{kills} kills, {halfway} of them between the first answer and the last")
    print(f"runs in which an answer that was kept was asked for again: {lost} (bound 0)")
    print(f"paid twice: at most {max(twice)} of {AT_ONCE} under way, {sum(twice)} in all")
    print(f"results that differ from that of an undisturbed run: {differ} (bound 0)")
    sys.exit(bool(lost or differ or max(twice) > AT_ONCE))


def _killed(folder: Path, port: int, wanted: bytes, *, at: float) -> Killed:
    ledger = folder / "ledger.jsonl"
    ledger.unlink(missing_ok=True)
    before = _count(port)
    process = subprocess.Popen(
        _command(port, ledger.name),
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(at)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(3 * LATENCY_MS / 1000)  # what was under way arrives
    middle = _count(port)
    answered = _whole_lines(ledger)
    result = _run(folder, port, ledger=ledger.name)
    return Killed(answered, middle - before, _count(port) - middle, result == wanted)


def _run(folder: Path, port: int, *, ledger: str) -> bytes:
    result = folder / "out" / "result.json"
    result.unlink(missing_ok=True)
    subprocess.run(_command(port, ledger), cwd=folder, check=True, capture_output=True)
    return result.read_bytes()


def _command(port: int, ledger: str) -> list[str]:
    options = {
        "--cases": "cases.jsonl",
        "--predictions": "predictions.jsonl",
        "--scorer": "judge",
        "--judge": "openai-compatible",
        "--judge-model": "judge-1",
        "--judge-base-url": f"http://127.0.0.1:{port}",
        "--judge-prompt": "rubric.txt",
        "--concurrency": str(AT_ONCE),
        "--ledger": ledger,
        "--out": "out",
    }
    return [*_GATE, "score", *(word for pair in options.items() for word in pair)]


def _write_suite(folder: Path) -> None:
    names = [f"case-{number:03}" for number in range(QUESTIONS)]
    cases = [{"id": name, "input": f"What is {name}?"} for name in names]
    answers = [{"id": name, "output": f"It is the answer to {name}."} for name in names]
    for file, rows in (("cases.jsonl", cases), ("predictions.jsonl", answers)):
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (folder / "rubric.txt").write_text("The response names what it is about.\n", "utf-8")


def _count(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/count") as reply:
        return int(reply.read())


def _whole_lines(ledger: Path) -> int:
    if not ledger.exists():
        return 0
    return sum(line.endswith(b"\n") for line in ledger.read_bytes().splitlines(keepends=True))


if __name__ == "__main__":
    os.environ["OPENAI_API_KEY"] = "key-of-none"
    main()
