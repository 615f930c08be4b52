"""Speed and memory, as ratios of figures that were measured side by side.

    python benchmarks/run.py [--quick]

CPU is user and system time of whole processes. Only ratios carry over to another machine, and
they are medians over rounds in which the two sides take turns, since a machine has moods. The
status is 0 whatever the figures are: a benchmark informs, it does not judge a change.

``--quick`` leaves out the largest file of predictions (1 GB) and takes fewer rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from array import array
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

HERE: Final = Path(__file__).resolve().parent
COMMAND: Final = (sys.executable, "-c", "from gate.cli.main import run; run()")
"""What the console script does."""
IMPORTS: Final = (sys.executable, "-c", "import numpy, pydantic, click, jinja2")
WORDS: Final = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota")
SLICES: Final = 4
OUTPUT_BYTES: Final = 10_000
HEAVY: Final = ("numpy", "google", "nltk", "pydantic", "jinja2", "rouge_score", "re2")


class Figure(NamedTuple):
    """One line of the table; ``met`` is ``None`` where no bound is set."""

    what: str
    measured: str
    bound: str
    met: bool | None


class Cost(NamedTuple):
    """What one process took."""

    cpu: float
    seconds: float
    peak_mb: float


class House:
    """A folder of data, and processes that find everything compiled.

    Many development machines set ``PYTHONDONTWRITEBYTECODE``, and some installers compile
    nothing. Every start would then compile hundreds of modules anew, ours and the others',
    which no user's second run does. So bytecode goes into a folder of its own, and whatever
    is measured runs once before.
    """

    def __init__(self, folder: Path) -> None:
        """Work in ``folder``."""
        self.folder = folder
        self._environ = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        }
        self._environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")

    def run(self, command: Sequence[str], *, statuses: Sequence[int] = (0,)) -> Cost:
        """Run a command to its end. Raises ``SystemExit`` for any status but these."""
        before = time.perf_counter()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                command, cwd=self.folder, env=self._environ, stdout=said, stderr=said
            )
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - before
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in statuses:
                said.seek(0)
                text = said.read().decode(errors="replace")
                sys.exit(f"{' '.join(command)} ended in {process.returncode}:\n{text}")
        unit = 1e6 if sys.platform == "darwin" else 1e3  # the kernel's: bytes there, KiB here
        return Cost(usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss / unit)

    def output(self, command: Sequence[str]) -> str:
        """Give what a command prints."""
        return subprocess.run(
            command, cwd=self.folder, env=self._environ, check=True, capture_output=True, text=True
        ).stdout


def suite(house: House, size: int, *, graded: bool) -> Sequence[str]:
    """Write a suite of ``size`` cases and its baseline; give the ``check`` of a worse agent."""
    draw = random.Random(size)  # noqa: S311 - seeded, not secret
    name = f"{'graded' if graded else 'plain'}-{size}"
    cases, accepted, current = [], [], []
    for number in range(size):
        reference = " ".join(draw.choices(WORDS, k=8)) if graded else draw.choice(WORDS)
        case_id = f"case-{number:06}"
        answer = _worse(reference, draw) if graded else reference
        if draw.random() < 0.1:
            answer = "nothing"
        cases.append(
            {
                "id": case_id,
                "input": f"question number {number}?",
                "reference": reference,
                "expected_tools": ["search"],
                "labels": [f"slice-{number % SLICES}"],
            }
        )
        accepted.append({"id": case_id, "output": reference, "tools": ["search"]})
        current.append({"id": case_id, "output": answer, "tools": ["search"]})
    for kind, rows in (("cases", cases), ("accepted", accepted), ("current", current)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (house.folder / f"{name}-{kind}.jsonl").write_text(text, "utf-8")
    scorer = "rouge_l" if graded else "contains"
    files = ("--cases", f"{name}-cases.jsonl", "--scorer", scorer, "--out", name)
    house.run((*COMMAND, "score", *files, "--predictions", f"{name}-accepted.jsonl"))
    promote = ("baseline", "promote", "--result", f"{name}/result.json", "--to", f"{name}.json")
    house.run((*COMMAND, *promote))
    given = ("--baseline", f"{name}.json", "--max-drop", "0.05", "--n-boot", "10000")
    return (*COMMAND, "check", *files, "--predictions", f"{name}-current.jsonl", *given)


def _worse(reference: str, draw: random.Random) -> str:
    kept = [word for word in reference.split() if draw.random() < 0.85]
    return " ".join([*kept, *(str(draw.randint(0, 9)) for _ in range(draw.randint(0, 12)))])


def checks(house: House, *, rounds: int) -> Iterator[Figure]:
    """Compare ``check`` with the imports that it cannot do without."""
    bounds = ((1_000, False, 1.8), (1_000, True, 2.2), (10_000, False, 3.0), (10_000, True, 3.0))
    runs = [
        (size, graded, most, suite(house, size, graded=graded)) for size, graded, most in bounds
    ]
    ratios: dict[tuple[int, bool], list[float]] = {}
    house.run(IMPORTS)
    for _ in range(rounds):
        for size, graded, _, command in runs:
            base = house.run(IMPORTS).cpu
            cost = house.run(command, statuses=(0, 1)).cpu
            ratios.setdefault((size, graded), []).append(cost / base)
    for size, graded, most, _ in runs:
        ratio = median(ratios[size, graded])
        kind = "graded" if graded else "0/1"
        yield Figure(
            f"check, {size:,} cases, {kind}: CPU over that of the imports",
            f"{ratio:.2f}x",
            f"at most {most}x",
            ratio <= most,
        )


def start(house: House) -> Iterator[Figure]:
    """Look at what ``--help`` loads."""
    probe = (
        "import sys; from gate.cli.main import main; main(['--help'], {}); "
        f"print(*[name for name in {HEAVY} if name in sys.modules])"
    )
    loaded = house.output((sys.executable, "-c", probe)).splitlines()[-1].strip()
    yield Figure("--help loads", loaded or "nothing heavy", "nothing heavy", not loaded)


def streams(house: House, sizes: Sequence[int]) -> Iterator[Figure]:
    """Score ever larger files of answers of 10 KB."""
    files = ("--cases", "large-cases.jsonl", "--predictions", "large.jsonl")
    command = (*COMMAND, "score", *files, "--scorer", "contains", "--out", "large")
    _answers(house.folder, 100)
    house.run(command)  # compiles
    least: float | None = None
    for size in sizes:
        size_mb = _answers(house.folder, size) / 1e6
        cost = house.run(command)
        (house.folder / "large.jsonl").unlink()
        each = 1e6 * cost.cpu / size
        measured = (
            f"{cost.seconds:.1f} s, {size_mb / cost.seconds:.0f} MB/s, {cost.peak_mb:.0f} MB peak"
        )
        whole = size == 100_000
        yield Figure(
            f"score, {size:,} predictions of 10 KB ({size_mb:,.0f} MB)",
            measured,
            "under 60 s, under 300 MB" if whole else "",
            cost.seconds < 60 and cost.peak_mb < 300 if whole else None,
        )
        least = least or each
        yield Figure(
            f"    CPU of one of {size:,}", f"{each:.0f} us", "linear", each < 1.25 * least
        )


def _answers(folder: Path, size: int) -> int:
    draw = random.Random(size)  # noqa: S311 - seeded, not secret
    filler = [" ".join(draw.choices(WORDS, k=OUTPUT_BYTES // 4)) for _ in range(50)]
    with (
        (folder / "large-cases.jsonl").open("w", encoding="utf-8") as cases,
        (folder / "large.jsonl").open("w", encoding="utf-8") as answers,
    ):
        for number in range(size):
            case = {
                "id": f"case-{number:06}",
                "input": f"question number {number}?",
                "reference": f"answer {number}",
                "labels": [f"slice-{number % SLICES}"],
            }
            cases.write(json.dumps(case) + "\n")
            said = f"{filler[number % len(filler)]} the answer {number if number % 9 else 'is'}"
            answers.write(json.dumps({"id": case["id"], "output": said[-OUTPUT_BYTES:]}) + "\n")
    return (folder / "large.jsonl").stat().st_size


def rouge() -> Iterator[Figure]:
    """Compare ROUGE-L with rouge-score, on a thousand tokens a side."""
    from rouge_score.rouge_scorer import RougeScorer

    from gate.metrics.rouge import rouge_l_f1

    draw = random.Random(0)  # noqa: S311 - as above
    one, other = (" ".join(draw.choices(WORDS, k=1_000)) for _ in range(2))
    scorer = RougeScorer(["rougeL"])
    theirs = _cpu(lambda: scorer.score(one, other), rounds=3, calls=1)
    ours = _cpu(lambda: rouge_l_f1(other, one), rounds=5, calls=100)
    equal = scorer.score(one, other)["rougeL"].fmeasure == rouge_l_f1(other, one)
    yield Figure(
        "ROUGE-L, 1,000 x 1,000 tokens: rouge-score's CPU over ours",
        f"{theirs / ours:.0f}x, {'equal' if equal else 'DIFFERENT'} floats",
        "at least 100x, equal",
        theirs / ours >= 100 and equal,
    )


def intervals() -> Iterator[Figure]:
    """Compare the bootstrap with scipy's, overall and in ten slices."""
    import bootstrap
    import numpy as np

    scores = (np.random.default_rng(0).binomial(1, 0.83, bootstrap.N_CASES) * 1.0).tolist()
    peak = bootstrap.peak_mb(scores)
    ours = bootstrap.cpu_ms(lambda: bootstrap.ours(scores), rounds=5)
    theirs = bootstrap.cpu_ms(lambda: bootstrap.theirs(scores), rounds=1)
    whole = bootstrap.N_CASES * bootstrap.N_BOOT * 8 / 1e6
    yield Figure(
        "bootstrap, 10,000 cases, 10 slices, 0/1: scipy's CPU over ours",
        f"{theirs / ours:.0f}x",
        "at least 50x",
        theirs / ours >= 50,
    )
    yield Figure("    peak of one interval", f"{peak:.1f} MB", f"far below {whole:.0f}", peak < 50)


def pairs(house: House, *, rounds: int) -> Iterator[Figure]:
    """Compare two runs of 10,000 cases in ten slices, beside 100 cases and beside scipy."""
    import paired

    draw = random.Random(0)  # noqa: S311 - as above
    for kind, steps in (("0/1", 1), ("sixths", 6), ("real numbers", 0)):
        commands = []
        for size in (100, 10_000):
            was, now = _two_runs(draw, size, steps)
            path = house.folder / f"pairs-{steps}-{size}"
            path.write_bytes(array("d", [*was, *now]).tobytes())
            commands.append((sys.executable, str(HERE / "paired.py"), str(path)))
        for command in commands:
            house.run(command)
        ratios = []
        for _ in range(rounds):
            small, large = (house.run(command).cpu for command in commands)
            ratios.append(large / small)
        ratio = median(ratios)
        yield Figure(
            f"paired comparison, 10,000 cases, 10 slices, {kind}: over 100 cases",
            f"{ratio:.2f}x",
            "at most 1.5x",
            ratio <= 1.5,
        )
        ours = _cpu(lambda was=was, now=now: paired.compare(was, now), rounds=5, calls=1)
        theirs = _cpu(lambda was=was, now=now: paired.theirs(was, now), rounds=1, calls=1)
        yield Figure(
            "    scipy's CPU (paired bootstrap) over ours",
            f"{theirs / ours:.0f}x",
            "at least 100x" if steps else "",
            theirs / ours >= 100 if steps else None,
        )


def _two_runs(draw: random.Random, size: int, steps: int) -> tuple[list[float], list[float]]:
    """Make two runs of one agent: 0/1 or sixths for ``steps`` of 1 or 6, else real numbers."""

    def run(ability: float) -> float:
        if steps:
            return sum(draw.random() < ability for _ in range(steps)) / steps
        return min(1.0, max(0.0, draw.gauss(ability, 0.1)))

    abilities = [draw.betavariate(8, 2) for _ in range(size)]
    return [run(one) for one in abilities], [run(one) for one in abilities]


def _cpu(work: Callable[[], object], *, rounds: int, calls: int) -> float:
    taken = []
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(calls):
            work()
        taken.append((time.process_time() - began) / calls)
    return min(taken)


def figures(house: House, *, quick: bool) -> Iterator[Figure]:
    """Give every figure, one by one.

    What loads much into this process comes last: a child's peak begins with its parent's.
    """
    yield from start(house)
    yield from streams(house, (3_000, 10_000) if quick else (10_000, 30_000, 100_000))
    yield from checks(house, rounds=9 if quick else 21)
    yield from rouge()
    yield from intervals()
    yield from pairs(house, rounds=3 if quick else 9)


def main() -> None:
    """Print the table, a line as soon as it is known."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="leave out the file of 1 GB")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory(prefix="gate-bench-") as folder:
        for what, measured, bound, met in figures(House(Path(folder)), quick=quick):
            verdict = "" if met is None else "met" if met else "NOT met"
            print(f"{what:<74}{measured:<38}{bound:<26}{verdict}", flush=True)


if __name__ == "__main__":
    main()
