"""Newly failing cases as workflow commands, which a runner shows as annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count, score
from gate.records.values import accepted_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from gate.records.report import Report
    from gate.records.result import CaseResult, Evidence

MOST: Final = 9
"""A runner keeps ten of a kind of each step, and says by one of them how the step ended."""
_TITLE: Final = 200
_MESSAGE: Final = 1_000
"""Characters before escaping, which may make three of one; a runner keeps 4,096."""
_QUOTED: Final = 300
_DATA: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY: Final = {**_DATA, ":": "%3A", ",": "%2C"}


def annotation_lines(
    report: Report, *, visible: Callable[[str], str], show_expected: bool = True
) -> str:
    """Give a line a newly failing case: ``::error`` where a gate failed, else ``::warning``.

    At most :data:`MOST` lines, the last of which counts the others. ``report`` comes without
    secrets; ``visible`` makes one printable line of a text in which nothing is hidden. Empty
    where no case newly fails.
    """
    compared = report.comparison
    failing = compared.newly_failing if compared else ()
    if not failing:
        return ""
    kind = "error" if report.verdict == "fail" else "warning"
    shown = failing if len(failing) <= MOST else failing[: MOST - 1]
    wanted = frozenset(shown)
    found = {case.id: case for case in report.cases if case.id in wanted}
    lines = [
        _line(
            kind,
            f"newly failing: {visible(name[:_TITLE])}",
            "; ".join(_parts(found[name], visible, show_expected=show_expected)),
        )
        for name in shown
        if name in found
    ]
    more = len(failing) - len(shown)
    if more:
        said = f"{count(more, 'more case')} newly fail: see the summary of this run"
        lines.append(_line(kind, "newly failing: others", said))
    return "".join(f"{line}\n" for line in lines)


def command(kind: str, properties: Mapping[str, str], message: str) -> str:
    r"""Spell one workflow command, escaped as a runner reads it.

    >>> command("error", {"title": "a:b,c"}, "50 %\nof 2")
    '::error title=a%3Ab%2Cc::50 %25%0Aof 2'
    """
    spelt = ",".join(
        f"{name}={_escaped(value, _PROPERTY)}" for name, value in properties.items() if value
    )
    return f"::{kind}{f' {spelt}' if spelt else ''}::{_escaped(message, _DATA)}"


def _line(kind: str, title: str, message: str) -> str:
    return command(kind, {"title": title[:_TITLE]}, message[:_MESSAGE])


def _parts(
    case: CaseResult, visible: Callable[[str], str], *, show_expected: bool
) -> Iterator[str]:
    now = "no score" if case.score is None else f"score {score(case.score)}"
    if case.accepted is None:
        yield now
    else:
        yield f"{now}, {score(accepted_value(case.accepted, 'mean_score'))} in the baseline"
    if case.evidence:
        yield from _quoted(case.evidence[0], visible, show_expected=show_expected)


def _quoted(
    evidence: Evidence, visible: Callable[[str], str], *, show_expected: bool
) -> Iterator[str]:
    texts = (
        ("expected", evidence.expected if show_expected else None),
        ("got", evidence.output),
        ("error", evidence.error),
    )
    for name, text in texts:
        if text is not None:
            shown = visible(text[:_QUOTED])
            cut = "…" if max(len(text), len(shown)) > _QUOTED else ""
            yield f"{name}: {shown[:_QUOTED]}{cut}"


def _escaped(text: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(char, char) for char in text)
