"""What the end of an Inspect log says of the run, held against the samples that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.inputs.importers.parts.inspect_sample import SampleRefused, key_of, scores_of
from gate.records.json_text import JsonRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import RecordedScore
    from gate.inputs.importers.parts.inspect_log import Log
    from gate.inputs.importers.parts.members import Members

    Key = tuple[int | str, int]
    Scores = tuple[RecordedScore, ...]


def contradictions(log: Log, samples: dict[Key, Scores | None]) -> Iterator[str]:
    """Say what the end of the log and its summaries say otherwise than its samples.

    ``samples`` has the scores of each sample, and ``None`` for one that has an error. Raises
    ``JsonRefused``.
    """
    results = log.header.get("results")
    completed = results.get("completed_samples") if isinstance(results, dict) else None
    here = sum(scores is not None for scores in samples.values())
    if type(completed) is int and completed < here:
        yield f"the log says that {completed} samples were completed, and {here} have no error"
    if log.header.get("status") == "success" and log.header.get("error") is not None:
        yield "the status of the run is 'success', and beside it stands an error"
    times: dict[str, int] = {}
    for summary in log.summaries:
        try:
            said = _contradiction(summary, samples)
        except (SampleRefused, JsonRefused):
            said = "cannot be read"
        if said:
            times[said] = times.get(said, 0) + 1
    for said, count in times.items():
        yield f"summaries that {said}: {count}"


def _contradiction(summary: Members | str, samples: dict[Key, Scores | None]) -> str:
    if isinstance(summary, str):
        return "cannot be read"
    key = key_of(summary)
    if key not in samples:
        return "are of samples that are not in the log"
    here = samples[key]
    if (summary.get("error") is not None) != (here is None):
        return "say otherwise than their samples whether these failed"
    scores = summary.get("scores")
    if here is None or not isinstance(scores, dict):
        return ""
    values = {score.name: score.value for score in scores_of(scores, set())}
    differ = any(
        None not in (score.value, values.get(score.name)) and values[score.name] != score.value
        for score in here
    )
    return "have other scores than their samples" if differ else ""
