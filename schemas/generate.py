#!/usr/bin/env python3
"""Write the published JSON Schemas anew from the records, beside this file."""

from pathlib import Path

from gate.report.schema import schemas

for name, text in schemas().items():
    Path(__file__).with_name(name).write_text(text, encoding="utf-8")
