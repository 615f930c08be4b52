"""``python -m gate`` is the command ``agent-eval-gate``."""

from gate.cli.main import run

run()
