"""What an importer finds in another tool's file, one thing at a time, in the order of the file."""

from __future__ import annotations

from typing import NamedTuple


class RecordedScore(NamedTuple):
    """One score that the tool recorded for one answer.

    ``name`` is the tool's own name of the scorer or metric. ``value`` is the tool's number, with
    its words turned into numbers by the tool's own rule (correct 1.0, incorrect 0.0); ``None``
    where the tool recorded that there is none: an error, a null, NaN. ``headline`` marks the one
    with which the tool itself says whether the case passed, if it has such a thing. ``by_hand``
    says that somebody set it afterwards: it measures nothing, and no verdict on it is green.
    """

    name: str
    value: float | None
    headline: bool = False
    by_hand: bool = False


class FoundCase(NamedTuple):
    """What a file says of the case itself. Texts that are no string there are canonical JSON.

    ``rules`` is what the tool's own verdict stands on, besides the reference: its assertions,
    metrics and thresholds, its graders and their options, as canonical text without what is new in
    every run. A recorded score under other rules is another measurement. ``rules_by_score`` gives
    the same for scores, by name, that stand on a part of them alone; a name that ends in a full
    stop is for all scores whose names begin so. Both are the same for every run of a case.
    """

    input: str
    reference: str | None = None
    expected_tools: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    metadata: str = "{}"
    rules: str = ""
    rules_by_score: tuple[tuple[str, str], ...] = ()


class Found(NamedTuple):
    """One answer of one run: either ``output`` or ``error`` is set, never both.

    ``place`` says where it stands, for messages: ``line 3``, ``samples/1_epoch_2.json``,
    ``results[4]``. ``repeat`` is the run's number from 0, or ``None`` where the file does not
    number them: then the answers of one id are numbered in the order in which they come.
    ``counted`` says that it does not number them either, and tells no more than their order.
    ``tools`` is ``None`` where the file does not say which tools were called; otherwise they are
    in the order of the calls. ``trace`` is what the agent did, as canonical JSON text.
    ``case`` is ``None`` where the file says nothing of it. ``by_place`` says that the id is no
    more than a position in the file. ``unanswered`` says that the tool kept no output, which is
    then empty: nothing but its own score says anything of such a run.
    """

    id: str
    place: str
    repeat: int | None = None
    output: str | None = None
    error: str | None = None
    tools: tuple[str, ...] | None = None
    scores: tuple[RecordedScore, ...] = ()
    case: FoundCase | None = None
    cost_usd: float | None = None
    latency_ms: float | None = None
    trace: str | None = None
    by_place: bool = False
    unanswered: bool = False
    counted: bool = False


class Wrong(NamedTuple):
    """Something that cannot be read. All of them are told at the end; then nothing is decided."""

    place: str
    message: str


class Gap(NamedTuple):
    """Why this file may not hold all that was run: then no verdict on it is green."""

    message: str


class Remark(NamedTuple):
    """What somebody who reads the report should know of the file; it changes no verdict."""

    message: str


Finding = Found | Wrong | Gap | Remark
