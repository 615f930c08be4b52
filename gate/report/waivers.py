"""The waivers of a report, all of them: those that were not needed are told of as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.report import Report
    from gate.records.waiver import WaiverUse

_LISTED: Final = 5
_NAME: Final = 60


def waiver_lines(report: Report) -> Iterator[tuple[str, str]]:
    """Give a line each: the case and its gate, and what became of the waiver, whose, till when.

    Case, owner and reason are untrusted.
    """
    for one in report.waivers:
        name = f"{one.case[:_NAME]} ({one.gate})"
        yield name, f"{one.said}; {one.owner}, until {until(one)}: {one.reason}"


def until(one: WaiverUse) -> str:
    """Say when a waiver ends, and how far off that is.

    >>> from gate.records.waiver import WaiverUse
    >>> text = {"owner": "ana", "reason": "ticket 12", "said": "unused: the case passed"}
    >>> one = WaiverUse(case="qa-2", gate="regression", expires="2026-12-31", days_left=31,
    ...     used=False, **text)
    >>> until(one)
    '2026-12-31 (31 days left)'
    """
    left = f"{count(one.days_left, 'day')} left" if one.days_left else "the last day"
    return f"{one.expires} ({left})"


def waiver_warnings(report: Report) -> Iterator[str]:
    """Say loudly which cases no gate counted, now or when the baseline was accepted."""
    used = [one for one in report.waivers if one.used]
    if used:
        named = ", ".join(f"{one.case[:_NAME]!r} ({one.gate})" for one in used[:_LISTED])
        more = f" and {len(used) - _LISTED:,} more" if len(used) > _LISTED else ""
        is_ = "is" if len(used) == 1 else "are"
        yield (
            f"{count(len(used), 'waiver')} {is_} in use: what went wrong and was not counted is "
            f"{named}{more}."
        )
    waived = report.comparison.baseline_waived if report.comparison else ()
    if waived:
        named = ", ".join(repr(name[:_NAME]) for name in waived[:_LISTED])
        more = f" and {len(waived) - _LISTED:,} more" if len(waived) > _LISTED else ""
        yield f"The baseline was accepted with waivers of {named}{more}, which went wrong there."
