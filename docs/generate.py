#!/usr/bin/env python3
"""Write `importers.md`, beside this file, anew from the table of importers."""

from pathlib import Path

from gate.inputs.importers.table import IMPORTERS, OURS, importer

HEAD = f"""\
# Other tools' files

`--predictions` of `check` and `score` takes these files as they are, and `import` turns them into
cases and predictions of ours. This page is made from the table of importers by `make docs`.

* **Which format** is told by a file's content, never by its name. Where it may be several, nothing
  is guessed: `--format NAME` (`format` in the policy) says it. `{OURS}` is our own.
* **Ids** are the tool's where it has stable ones. `--id-field PATH` (`id_field`) names another
  place, a dotted path into the tool's record of one answer; a record without it is an error. An
  answer that has no id gets a digest of what was asked. An id that is a mere position in the file
  is warned about. Two answers of one id and run are an error, and so are two cases of one id.
* **Runs** of one case are numbered as the tool numbers them, else in the order of the file. Where
  nobody numbers them, and there are more than the baseline has, older runs may have stayed in the
  file: no verdict is a pass unless `--repeats` says how many belong together.
* **Scores** are read only where `--scorer recorded` says so: the one with which the tool says
  itself whether a case passed, else the only one, else `recorded:NAME`. It lies between 0 and 1.
  What it stands on (*rules*: assertions, thresholds, graders, their options) is held against the
  baseline case by case; another scorer beside the named one is none of its rules, where the tool
  tells them apart.
* **Crashed runs** are errors: counted, not passed, never left out. Where a file shows that it may
  not hold all that was run (a *gap*), no verdict on it is a pass, and `import` writes nothing
  unless `--allow-gaps` says so.
* **What is wrong** in any record is told with its place, for all of them at once, and then nothing
  is decided. Nothing in a file is executed, unpickled or followed.
* **Compressed** files (gzip, Zstandard) and the standard input (`-`) are read like any other. A
  file of lines has at most 1,000,000 blank ones.

| `--format` | file |
|---|---|
"""


def importers() -> str:
    """Give the page: what holds for all of them, then a section each, in the table's order."""
    modules = [importer(name) for name in IMPORTERS]
    listed = "".join(f"| [`{one.NAME}`](#{one.NAME}) | {one.TITLE} |\n" for one in modules)
    sections = (f"\n## `{one.NAME}`\n\n{one.TITLE}\n\n{one.DOC.strip()}\n" for one in modules)
    return HEAD + listed + "".join(sections)


if __name__ == "__main__":
    Path(__file__).with_name("importers.md").write_text(importers(), encoding="utf-8")
