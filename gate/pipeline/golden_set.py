"""Hold a stored result to a golden set: the same cases, each what it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.errors import Undecided
from gate.records.figures import count
from gate.records.json_text import canonical
from gate.records.scoring import RECORDED
from gate.scorers.table import scorer_text
from gate.suite.digests import case_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.records.case import EvalCase
    from gate.records.report import Report
    from gate.records.result import CaseResult, ScorerIdentity

_NAMED: Final = 5
_ID: Final = 80
_HINT: Final = "`check` scores the predictions anew, by the golden set of the base commit"


def require_cases(report: Report, cases: Sequence[EvalCase], *, source: str) -> None:
    """Decide nothing by a result of other cases than ``cases``, or of the same ones changed.

    A case is the same if all that its digest is made of is, but for what another tool's score
    stands on, which the result alone tells; and if its row says openly the same of labels,
    cluster and path, since those are what the gates read. ``source`` names the result. Raises
    ``Undecided``.
    """
    rows = {row.id: row for row in report.cases}
    wanted = {case.id: case for case in cases}
    groups = (
        ("lacks", sorted(wanted.keys() - rows.keys())),
        ("holds besides", sorted(rows.keys() - wanted.keys())),
        (
            "holds otherwise",
            sorted(
                name
                for name in wanted.keys() & rows.keys()
                if not _is_same(rows[name], wanted[name], report.scorer)
            ),
        ),
    )
    said = [f"{verb} {_listed(names)}" for verb, names in groups if names]
    if said:
        raise Undecided(
            f"{source}: is not of the golden set in force, of which it {', and '.join(said)}",
            hint=_HINT,
        )


def _is_same(row: CaseResult, case: EvalCase, suite: ScorerIdentity) -> bool:
    said = (row.labels, row.cluster, row.declares_path)
    if said != (case.labels, case.cluster, bool(case.expected_tools)):
        return False
    if case.scorer is None and suite.name == RECORDED:
        found = case_digest(case, scorer="")
        parts = ("input", "reference", "expected_tools")
        return all(getattr(found, part) == getattr(row.digest, part) for part in parts)
    own = case.scorer
    text = canonical(suite.model_dump(mode="json")) if own is None else scorer_text(own)
    return case_digest(case, scorer=text).whole == row.digest.whole


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:_ID]) for name in names[:_NAMED])
    return f"{count(len(names), 'case')} ({shown}{', …' if len(names) > _NAMED else ''})"
