"""Rows, suites and evidence made by constructors, with whatever a test varies; the entrypoint."""

import importlib.util
from decimal import Decimal

import pytest

from action_run import SCRIPT
from gate.gates.evidence import Evidence
from gate.records.alignment import Alignment
from gate.records.case import EvalCase
from gate.records.result import Accepted, CaseDigest, CaseResult, RepeatResult, ScorerIdentity
from gate.records.rule_change import Origin, RulesFrom
from gate.suite.summary import Measurement, summarise

SHA = "sha256:" + "0" * 64


class Make:
    """What the gates and the baseline are shown."""

    SHA = SHA

    def run(self, score, *, repeat=0, trajectory=1.0, standing=None):
        return RepeatResult(
            repeat=repeat,
            standing=standing or ("missing" if score is None else "scored"),
            score=score,
            passed=score == 1.0,
            trajectory=trajectory,
        )

    def digest(self, whole="0", **parts):
        given = dict.fromkeys(("input", "reference", "expected_tools", "scorer"), "0" * 12)
        return CaseDigest(whole="sha256:" + whole * 64, **(given | parts))

    def accepted(self, *scores, trajectory=1.0):
        return Accepted(
            scores=scores, passes=tuple(score == 1.0 for score in scores), trajectory=trajectory
        )

    def row(self, case_id, score=1.0, *, was=None, **fields):
        """Make a row of one run; ``was`` is its score in the baseline."""
        run = self.run(score)
        given = {
            "id": case_id,
            "labels": (),
            "digest": self.digest(),
            "standing": run.standing,
            "score": run.score,
            "passed": run.passed,
            "trajectory": 1.0,
            "declares_path": False,
            "accepted": None if was is None else self.accepted(was),
        }
        return CaseResult(**(given | fields))

    def how(self, **fields):
        given = {
            "metric": "pass_rate",
            "pass_threshold": Decimal(1),
            "trajectory_mode": "exact",
            "repeats": 1,
            "seed": 0,
            "n_boot": 50,
        }
        return Measurement(**(given | fields))

    def suite(self, *rows, **how):
        return summarise(rows, self.how(**how))

    def alignment(self, *pairs, **fields):
        given = {
            "added": (),
            "removed": (),
            "changed": (),
            "differences": (),
            "reason": None,
            "repeats": 1,
            "history": (),
            "best_of": 0,
            "knowingly": False,
        }
        return Alignment(pairs=pairs, **(given | fields))

    def evidence(self, *rows, compared=True, **fields):
        """Show ``rows``; those that have a baseline's are compared, unless told otherwise."""
        pairs = [row for row in rows if row.accepted is not None]
        given = {
            "rows": rows,
            "suite": self.suite(*rows),
            "alignment": self.alignment(*pairs) if compared else None,
            "has_floor": False,
            "pinned": True,
            "comparable": compared,
        }
        return Evidence(**(given | fields))

    def origin(self, *added):
        """Say that a pull request brings these cases."""
        return Origin(RulesFrom(source="base", commit="a" * 40, added=added))

    def case(self, case_id="a", **fields):
        return EvalCase(**({"id": case_id, "input": "?", "reference": "yes"} | fields))

    def scorer(self, name="contains", version=1, params="{}"):
        return ScorerIdentity(name=name, version=version, params=params)


@pytest.fixture(scope="session")
def make():
    """Build what a test varies."""
    return Make()


@pytest.fixture(scope="module")
def entrypoint():
    spec = importlib.util.spec_from_file_location("entrypoint", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
