"""The three formats of one small report, byte for byte.

After an intended change: ``REFRESH_GOLDEN=1 pytest tests/unit/report/test_golden.py``, then
read the difference.
"""

import os
from pathlib import Path

import pytest

from gate.report.markdown import render_markdown
from gate.report.result_json import write_result
from gate.report.terminal import render_terminal

GOLDEN = Path(__file__).parents[2] / "golden"
FORMATS = {
    "report.md": render_markdown,
    "report.txt": lambda report: render_terminal(report, colour=False),
    "result.json": write_result,
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_report_is_the_golden_one(build, name):
    made = FORMATS[name](build.report())
    path = GOLDEN / name
    if os.environ.get("REFRESH_GOLDEN"):
        path.write_text(made, encoding="utf-8", newline="\n")
    assert made == path.read_bytes().decode("utf-8")
