"""A run of the action: its inputs as a runner tells them, and the process it starts."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "entrypoint.py"


def inputs(**said):
    return {f"INPUT_{name.replace('_', '-').upper()}": value for name, value in said.items()}


def golden(**said):
    return inputs(
        cases=str(ROOT / "examples/golden/cases.jsonl"),
        predictions=str(ROOT / "examples/golden/good.jsonl"),
        baseline=str(ROOT / "baselines/golden.json"),
        max_drop="0.05",
        **said,
    )


def run(environ, *arguments, folder):
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env={**kept, **environ},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
