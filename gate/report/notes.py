"""What a reader should know beside the verdict, one sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.figures import count
from gate.records.json_text import loads
from gate.records.scoring import RECORDED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.alignment import Alignment
    from gate.records.result import ScorerIdentity, SuiteResult
    from gate.records.rule_change import RulesFrom

_LISTED: Final = 10
_NAME: Final = 80
_DIGITS: Final = 12
PROVENANCE: Final = (
    "provenance: unverified; a gate cannot prove that these predictions came from the agent, "
    "so make them in a job that the change under test cannot edit"
)


class Imported(NamedTuple):
    """Another tool's file: what is to be said of it, and whether it says the cases as well."""

    tool: str
    own_cases: bool
    remarks: tuple[str, ...]


def conditions(
    suite: SuiteResult,
    alignment: Alignment | None,
    *,
    policy: str | None,
    scorer: ScorerIdentity,
    origin: RulesFrom | None = None,
    tightened: bool | None = None,
) -> tuple[str, ...]:
    """Say under which rules a run was decided; ``policy`` names the file, if there is one.

    ``origin`` is whose it is, where the run belongs to a pull request. ``tightened`` says whether
    there were options over that, ``None`` where nobody knows.
    """
    found = [f"rules: {_rules(policy, origin, tightened=tightened)}"]
    if scorer.name == RECORDED:
        found.append(_whose(loads(scorer.params)))
    if suite.metric == "mean_score":
        found.append(
            "the scorer is graded and no pass threshold is set: the headline is the mean score, "
            "and a case counts as passed only at 1.0"
        )
    if alignment is not None and alignment.repeats != suite.repeats:
        said = (
            f"{count(suite.repeats, 'run')} of each case compared with "
            f"{alignment.repeats:,} in the baseline"
        )
        fewest = min(suite.repeats, alignment.repeats)
        if suite.metric == "mean_score" or suite.n_clusters is not None:
            first = "first run" if fewest == 1 else f"first {fewest:,} runs"
            said += (
                f"; the test takes the {first} of each case on both sides, or it would be wrong"
            )
        found.append(f"{said}: best promote a baseline of as many runs")
    return tuple(found)


def _whose(recorded: dict[str, object]) -> str:
    return (
        f"scores: recorded by {str(recorded.get('tool'))[:_NAME]}, which calls them "
        f"{str(recorded.get('score'))[:_NAME]!r}; not computed here"
    )


_OPTIONS: Final = {
    True: ", and options that tighten it",
    False: "",
    None: "; options can only have tightened it",
}


def _rules(policy: str | None, origin: RulesFrom | None, *, tightened: bool | None) -> str:
    at = origin.commit if origin is not None and origin.source == "base" else None
    where = "" if at is None else f" of the base commit {at[:_DIGITS]}"
    if policy is None and at is not None and origin is not None:
        policy = origin.file
    if policy is None:
        return f"the built-in defaults and the options; no policy file{where}"
    if origin is not None and origin.source == "base":
        if policy in origin.brought:
            return f"{policy[:200]}, which the base commit lacks, and the options over it"
        return f"{policy[:200]}{where}{_OPTIONS[tightened]}"
    return f"{policy[:200]}, and the options over it"


def notes(
    *,
    unknown_ids: tuple[str, ...],
    unknown_predictions: int,
    ignored_fields: tuple[tuple[str, int], ...],
    pathless: int,
    own_scorers: tuple[str, int, tuple[tuple[str, int], ...]] | None = None,
    imported: Imported | None = None,
) -> tuple[str, ...]:
    """Say what was seen in cases and predictions; the last note is always about provenance.

    ``own_scorers`` is the suite's scorer, the number of cases, and the scorers that cases
    bring themselves, each with the number of its cases. ``imported`` is what is to be said of
    another tool's file.
    """
    return (
        *_about_import(imported),
        *_about_scorers(own_scorers),
        *_about_ids(unknown_ids, unknown_predictions),
        *_about_fields(ignored_fields),
        *_about_paths(pathless),
        PROVENANCE,
    )


def _about_import(imported: Imported | None) -> Iterator[str]:
    if imported is None:
        return
    yield f"predictions: read as a file of {imported.tool}"
    if imported.own_cases:
        yield (
            "cases: those of the predictions' own file, since no case file is given; whoever "
            "makes that file makes them"
        )
    yield from imported.remarks


def _about_scorers(
    scorers: tuple[str, int, tuple[tuple[str, int], ...]] | None,
) -> Iterator[str]:
    if scorers is not None and scorers[2]:
        usual, n_cases, own = scorers
        brought = _listed([f"{name} ({number:,})" for name, number in own])
        left = n_cases - sum(number for _, number in own)
        yield f"scorers: {usual} graded {count(left, 'case')}; brought by the case: {brought}"


def _about_ids(ids: tuple[str, ...], number: int) -> Iterator[str]:
    if number:
        names = _listed([repr(name[:_NAME]) for name in ids])
        answer = "answers no case and was" if number == 1 else "answer no case and were"
        yield f"{count(number, 'prediction')} {answer} not counted: {names}"


def _about_fields(fields: tuple[tuple[str, int], ...]) -> Iterator[str]:
    if fields:
        names = _listed([f"{name[:_NAME]!r} ({number:,})" for name, number in fields])
        yield f"fields of predictions that were not read: {names}"


def _about_paths(pathless: int) -> Iterator[str]:
    if pathless:
        does = "does" if pathless == 1 else "do"
        yield (
            f"{count(pathless, 'prediction')} of cases that declare a path {does} not say which "
            "tools were called; their paths count 0"
        )


def _listed(names: list[str]) -> str:
    more = ", …" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
