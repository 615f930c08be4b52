"""What a calibration found, for people: kappa, who said what, and how the probes came out."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from gate.records import figures
from gate.records.json_text import loads
from gate.report.columns import laid_out

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.trust import Probe, TrustRecord

_WIDTH: Final = 96
_NAME: Final = 40
_ALL: Final = "all"
_WORDS: Final = (
    (0.8, "almost perfect"),
    (0.6, "substantial"),
    (0.4, "moderate"),
    (0.2, "fair"),
    (0.0, "slight"),
)
"""How Landis and Koch (1977) call a kappa from each figure on."""
_LABELS: Final = 30
"""Labels that are listed, at most."""


def trust_lines(record: TrustRecord, *, verdict: str | None = None) -> Iterator[str]:
    """Give the lines of the page; ``verdict`` is what a gate says of the record, if one is asked.

    What others wrote, names of models and labels, is made harmless by whoever prints it.
    """
    yield from _judge(record)
    yield ""
    yield from (f"  {line}" for line in _kappa(record))
    yield f"  {_compared(record)}"
    if record.n_items:
        yield ""
        yield from laid_out(_table(record))
    if record.per_label:
        yield ""
        yield from laid_out(_labels(record))
        left = len(record.per_label) - _LABELS
        if left > 0:
            yield f"  and {figures.count(left, 'label')} more"
    if record.probes:
        yield ""
        yield from _probes(record.probes)
    if verdict is not None:
        yield ""
        yield from wrap(verdict, width=_WIDTH, break_on_hyphens=False)


def in_words(kappa: float) -> str:
    """Call a kappa as Landis and Koch do.

    >>> in_words(0.61), in_words(0.6), in_words(0.0), in_words(-0.1)
    ('substantial', 'substantial', 'slight', 'poor')
    """
    return next((word for least, word in _WORDS if kappa >= least), "poor")


def _judge(record: TrustRecord) -> Iterator[str]:
    config = loads(record.judge_config)
    provider, model = config.get("provider", "?"), config.get("model", "?")
    named = provider if provider == model else f"{provider} {model}"
    runs = config.get("runs", 1)
    yield f"How far the judge {named} agrees with people"
    yield ""
    yield (
        f"  scorer {record.scorer}, prompt {config.get('prompt', '?')}, "
        f"{figures.count(runs if isinstance(runs, int) else 1, 'run')} a response; judge "
        f"{record.judge[: len('sha256:') + 12]}"
    )
    if record.threshold is not None:
        yield f"  classes: fail, and pass from a score of {record.threshold:g} on, on both sides"


def _kappa(record: TrustRecord) -> Iterator[str]:
    kappa, bounds = record.kappa, record.interval
    if kappa is None or bounds is None:
        why = "people used one class alone" if record.n_items else "nothing could be compared"
        yield f"kappa is undefined: {why}"
        return
    ends = f"{figures.signed(bounds.low)} to {figures.signed(bounds.high)}"
    weights = "" if record.weighting == "none" else f" with {record.weighting} weights"
    yield (
        f"kappa {figures.signed(kappa)}{weights}: {in_words(kappa)} "
        f"(95 % interval {ends}; one-sided 95 % lower bound {figures.signed(bounds.lower_bound)})"
    )
    if record.weighting != "none" and record.unweighted_kappa is not None:
        yield f"without weights {figures.signed(record.unweighted_kappa)}"


def _compared(record: TrustRecord) -> str:
    said = figures.count(record.n_items, "labelled response")
    if record.agreement is not None:
        said += f", {figures.percent(record.agreement)} judged alike"
    for number, what in (
        (record.unscored, "without a verdict"),
        (record.not_asked, "scored without asking this judge"),
        (record.unknown, "of no response of this run"),
    ):
        if number:
            said += f"; {number:,} {what}"
    return said


def _table(record: TrustRecord) -> list[tuple[str, ...]]:
    names = [_class(value, record) for value in record.categories]
    rows = [("people \\ judge", *names, _ALL)]
    for name, row, total in zip(names, record.confusion, record.human_counts, strict=True):
        rows.append((name, *(f"{count:,}" for count in row), f"{total:,}"))
    rows.append((_ALL, *(f"{count:,}" for count in record.judge_counts), f"{record.n_items:,}"))
    return rows


def _class(value: float, record: TrustRecord) -> str:
    if record.threshold is None:
        return f"{value:g}"
    return "pass" if value else "fail"


def _labels(record: TrustRecord) -> list[tuple[str, ...]]:
    return [
        ("label", "responses", "alike", "kappa"),
        *(
            (
                one.label if len(one.label) <= _NAME else f"{one.label[:_NAME]}…",
                f"{one.n_items:,}",
                figures.percent(one.agreement),
                "undefined" if one.kappa is None else figures.signed(one.kappa),
            )
            for one in record.per_label[:_LABELS]
        ),
    ]


def _probes(probes: tuple[Probe, ...]) -> Iterator[str]:
    rows = [("probe", "n", "figure", "wanted", "held")]
    for one in probes:
        figure = "-" if one.figure is None else figures.signed(one.figure)
        held = "-" if one.held is None else "yes" if one.held else "NO"
        rows.append((one.name, f"{one.n:,}", figure, one.wanted, held))
    said = ("", *(one.because or "" for one in probes))
    for line, because in zip(laid_out(rows), said, strict=True):
        yield f"{line}   {because}".rstrip()
