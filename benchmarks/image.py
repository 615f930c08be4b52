"""The image's size and start, each beside what it must be measured against.

``python benchmarks/image.py IMAGE BASE``: the gzipped size of IMAGE beside a plain ``pip
install`` of the same locked dependencies on BASE, and the time from the start of a container
to its verdict beside ``/bin/true`` in the same image, turn about. ``GATE_DOCKER`` names the
client of the engine.
"""

import os
import subprocess
import sys
import zlib
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
DOCKER = os.environ.get("GATE_DOCKER", "docker")
PLAIN = """FROM {base}
COPY run.lock /run.lock
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r /run.lock
"""
TURNS = 15
CHECK = (
    "check",
    "--cases=examples/golden/cases.jsonl",
    "--predictions=examples/golden/good.jsonl",
    "--baseline=baselines/golden.json",
    "--max-drop=0.05",
    "--out=/out",
)


def main(image: str, base: str) -> None:
    """Print both figures and their limits."""
    with TemporaryDirectory() as folder:
        lock = (ROOT / "requirements" / "run.lock").read_bytes()
        Path(folder, "run.lock").write_bytes(lock)
        Path(folder, "Dockerfile").write_text(PLAIN.format(base=base))
        command = [DOCKER, "build", "--quiet", "--network", "host", folder]
        plain = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    ours, theirs = gzipped(image), gzipped(plain)
    print(f"size, gzipped    {ours / 1e6:.1f} MB, plain install {theirs / 1e6:.1f} MB: ", end="")
    print(f"{ours / theirs:.3f} (limit 0.9)")
    pairs = [(started(image), started(image, *CHECK)) for _ in range(TURNS)]
    nothing, verdict = (median(column) for column in zip(*pairs, strict=True))
    print(f"start to verdict {verdict:.2f} s, /bin/true {nothing:.2f} s: ", end="")
    print(f"{verdict / nothing:.2f} (limit 2.5)")


def gzipped(image: str) -> int:
    """Give the bytes of an image, all layers as one stream."""
    squeezed = zlib.compressobj(6, wbits=31)
    size = 0
    with subprocess.Popen([DOCKER, "save", image], stdout=subprocess.PIPE) as saving:
        while block := saving.stdout.read(1 << 20):
            size += len(squeezed.compress(block))
    if saving.returncode:
        raise SystemExit(f"{image} cannot be read")
    return size + len(squeezed.flush())


def started(image: str, *arguments: str) -> float:
    """Give the seconds that a container takes: to its verdict, or to do nothing."""
    options = ["--network", "none", "--read-only", "--tmpfs", "/out"]
    options += ["-v", f"{ROOT}:/github/workspace:ro"]
    options += [] if arguments else ["--entrypoint", "/bin/true"]
    began = perf_counter()
    subprocess.run(
        [DOCKER, "run", "--rm", *options, image, *arguments], check=True, capture_output=True
    )
    return perf_counter() - began


if __name__ == "__main__":
    main(*sys.argv[1:])
