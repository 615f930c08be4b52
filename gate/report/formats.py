"""The table of report formats: name to module and file, each imported when a run writes it.

A format's module holds ``write(report, *, show_expected, redact) -> str``, the whole text of
its file. ``report`` comes without secrets in its ids and labels; what else the text quotes is
redacted there, before it is spelt in a way in which no secret would be found.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.records.report import Report


class Format(NamedTuple):
    """The module that writes it, and the name of its file beside ``result.json``."""

    module: str
    file: str


FORMATS: Final = {
    "markdown": Format("gate.report.markdown", "report.md"),
    "junit": Format("gate.report.junit", "junit.xml"),
}
USUAL: Final = "markdown"
"""What is written where nobody names a format."""


def write(name: str, report: Report, *, show_expected: bool, redact: Callable[[str], str]) -> str:
    """Give the text of the file of one format."""
    module = import_module(FORMATS[name].module)
    text: str = module.write(report, show_expected=show_expected, redact=redact)
    return text
