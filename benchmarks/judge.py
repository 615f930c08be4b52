"""How fast a judge is asked, as ratios to what its latency alone would take.

    python benchmarks/judge.py

Each provider asks 500 questions of a server of ours in a process of its own, which takes 50 ms
for each, 32 at once: 0.78 s if asking cost nothing. What importing costs is left out. Figures
are the best of rounds in processes of their own, since whatever else the machine does only adds.
The status is 0 whatever the figures are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.ports import Provider
    from gate.records.judging import Question

HERE: Final = Path(__file__).resolve().parent
QUESTIONS: Final = 500
AT_ONCE: Final = 32
LATENCY_MS: Final = 50
IDEAL: Final = QUESTIONS / AT_ONCE * LATENCY_MS / 1000
ROUNDS: Final = 5


class Bound(NamedTuple):
    """How many times the ideal a run may take, and how much CPU a call (ms; ``None``: any)."""

    wall: float
    cpu_ms: float | None = None


BOUNDS: Final = {
    "openai-compatible": Bound(1.5),
    "anthropic": Bound(1.5),
    "gemini": Bound(2.0, 3.0),
}


def main() -> None:
    """Print the table, a line as soon as it is known."""
    for name, bound in BOUNDS.items():
        walls, cpus = zip(*(measured(name) for _ in range(ROUNDS)), strict=True)
        wall, cpu = min(walls), min(cpus)
        met = wall <= bound.wall * IDEAL and (bound.cpu_ms is None or cpu <= bound.cpu_ms)
        also = "" if bound.cpu_ms is None else f", {bound.cpu_ms:g} ms"
        print(
            f"{f'{name}: {QUESTIONS} questions, {LATENCY_MS} ms, {AT_ONCE} at once':<58}"
            f"{f'{wall:.2f} s = {wall / IDEAL:.2f}x, {cpu:.2f} ms CPU a call':<38}"
            f"{f'at most {bound.wall:g}x{also}':<24}{'met' if met else 'NOT met'}",
            flush=True,
        )


def measured(name: str) -> tuple[float, float]:
    """Ask through ``name`` in a process of its own; give the seconds, and CPU a call in ms."""
    with server() as port:
        command = [sys.executable, str(HERE / "judge.py"), name, str(port)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=_quiet())
    wall, cpu = json.loads(done.stdout)
    return wall, cpu


@contextmanager
def server(latency_ms: int = LATENCY_MS) -> Iterator[int]:
    """Run the judge beside this process, and give its port."""
    command = [sys.executable, str(HERE / "judge_server.py"), str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - it was asked for
            yield int(process.stdout.readline())
        finally:
            process.kill()


def ask_all(name: str, port: int) -> None:
    """Ask every question once, and print what it took."""
    from gate.adapters.judges.asker import PatientAsker
    from gate.judges.ledger import ledger_line
    from gate.judges.reply import settled
    from gate.records.judge_options import JudgeOptions

    options = JudgeOptions(base_url=f"http://127.0.0.1:{port}", concurrency=AT_ONCE)
    provider = connected(name, options)
    asker = PatientAsker(provider, options)
    questions = [question(number) for number in range(QUESTIONS)]
    wall, cpu = perf_counter(), process_time()
    lines = [
        ledger_line(asked, answer)
        for asked, answer in asker.ask(
            questions,
            settle=lambda _, answer: settled(answer, reply="rating"),
            go_on=lambda: True,
        )
        if answer.status == "ok"
    ]
    taken = (perf_counter() - wall, (process_time() - cpu) / QUESTIONS * 1000)
    provider.close()
    if len(lines) != QUESTIONS:
        sys.exit(f"{name}: {len(lines)} of {QUESTIONS} answers: {asker.stopped}")
    print(json.dumps(taken))


def connected(name: str, options: object) -> Provider:
    """Connect the provider ``name``, with a key that opens nothing."""
    from importlib import import_module

    from gate.adapters.judges.table import PROVIDERS

    module = import_module(PROVIDERS[name])
    keys = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"), "key-of-none")
    params = '{"max_tokens":1024}'
    provider: Provider = module.connect(options, keys, model="judge-1", params=params)
    return provider


def question(number: int) -> Question:
    """Make a question of the usual length."""
    from gate.judges.ratings import RATING_SCHEMA
    from gate.records.json_text import digest
    from gate.records.judging import Question

    return Question(
        key=digest(number),
        case_id=f"case-{number}",
        repeat=0,
        run=0,
        system="You grade one response by what is known to be right. " * 40,
        prompt=f"Number {number}: does the response give what the reference has? " * 25,
        schema_text=RATING_SCHEMA,
        params='{"max_tokens":1024}',
    )


def _quiet() -> dict[str, str]:
    return {**os.environ, "PYTHONWARNINGS": "ignore"}


if __name__ == "__main__":
    if len(sys.argv) == 3:
        ask_all(sys.argv[1], int(sys.argv[2]))
    else:
        main()
