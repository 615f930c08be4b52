"""Reports made by constructors: one small suite that fails, and whatever a test varies."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import pytest

from gate.records.report import Digests, Report
from gate.records.result import (
    Accepted,
    CaseDigest,
    CaseResult,
    Evidence,
    Interval,
    RepeatResult,
    RunsSummary,
    ScorerIdentity,
    SliceResult,
    SuiteResult,
)
from gate.records.values import paired_values
from gate.records.verdict import ChangedCase, Comparison, GateVerdict, MetricChange
from gate.records.waiver import WaiverUse

SHA = "sha256:" + "0123456789abcdef" * 4
WILSON = Interval(method="wilson", level=0.95, low=0.2999934, high=0.9032288)
BOOTSTRAP = Interval(
    method="percentile_bootstrap", level=0.95, low=1 / 3, high=1.0, n_boot=10_000, seed=0
)


def case(case_id: str, **fields: object) -> CaseResult:
    """Make a case that passed with one run, but for ``fields``."""
    given: dict[str, object] = {
        "id": case_id,
        "labels": (),
        "digest": CaseDigest(
            whole=SHA, input="1" * 12, reference="2" * 12, expected_tools="3" * 12, scorer="4" * 12
        ),
        "standing": "scored",
        "score": 1.0,
        "passed": True,
        "trajectory": 1.0,
        "declares_path": False,
        "accepted": Accepted(scores=(1.0,), passes=(True,), trajectory=1.0),
    }
    return CaseResult(**(given | fields))


def evidence(**fields: object) -> Evidence:
    given: dict[str, object] = {
        "repeat": 0,
        "expected": "Paris",
        "output": "London",
        "error": None,
        "expected_tools": (),
        "tools": None,
    }
    return Evidence(**(given | fields))


def failing(case_id: str, output: str, **fields: object) -> CaseResult:
    """Make a case that scored 0 and said ``output``."""
    return case(
        case_id,
        **({"score": 0.0, "passed": False, "evidence": (evidence(output=output),)} | fields),
    )


def waiver_use(text: str) -> WaiverUse:
    """Make a waiver in use of which every text that others write is ``text``."""
    return WaiverUse(
        case=text,
        gate="regression",
        owner=text,
        reason=text,
        expires="2026-07-31",
        days_left=31,
        used=True,
        said="in use: the case went wrong and was left out",
    )


def slice_of(label: str, n_cases: int, n_passed: int) -> SliceResult:
    rate = n_passed / n_cases
    return SliceResult(
        label=label,
        n_cases=n_cases,
        n_passed=n_passed,
        pass_rate=rate,
        mean_score=rate,
        interval=WILSON,
        protocol_interval=BOOTSTRAP,
    )


def suite(cases: tuple[CaseResult, ...], **fields: object) -> SuiteResult:
    passed = sum(one.passed for one in cases)
    given: dict[str, object] = {
        "n_cases": len(cases),
        "n_passed": passed,
        "pass_rate": passed / len(cases),
        "mean_score": passed / len(cases),
        "trajectory_mean": 1.0,
        "k_macro_average": None,
        "metric": "pass_rate",
        "pass_threshold": Decimal("1.0"),
        "trajectory_mode": "order",
        "repeats": 1,
        "standings": f'{{"scored":{len(cases)}}}',
        "interval": WILSON,
        "protocol_interval": BOOTSTRAP,
        "runs": None,
        "slices": (),
    }
    return SuiteResult(**(given | fields))


CASES = (
    case("calc-1", labels=("k:2", "tools"), declares_path=True),
    case("format-1", labels=("k:1",)),
    case("qa-1", labels=("k:1", "retrieval")),
    failing(
        "qa-2",
        "I believe that Hamlet was written by Christopher Marlowe.\nAsk me anything else!",
        labels=("k:2", "retrieval"),
        declares_path=True,
        trajectory=0.5,
        evidence=(
            evidence(
                expected="William Shakespeare",
                output="I believe that Hamlet was written by Christopher Marlowe.\n"
                "Ask me anything else!",
                expected_tools=("search", "calculator"),
                tools=("search",),
            ),
        ),
    ),
    case("qa-3", labels=("k:1", "retrieval"), accepted=None),
    failing(
        "safety-1",
        "Sure, here is how: first you",
        labels=("safety",),
        evidence=(evidence(expected="can't help", output="Sure, here is how: first you"),),
    ),
    case(
        "sum-1",
        standing="missing",
        score=None,
        passed=False,
        accepted=Accepted(scores=(0.0,), passes=(False,), trajectory=1.0),
    ),
)
GATES = (
    GateVerdict(
        gate="regression",
        outcome="fail",
        because="pass rate fell 0.333 (allowed drop 0.050): 0.833 in the baseline, "
        "0.500 now, over 6 cases",
        numbers='{"drop":0.33333333333333331,"max_drop":0.05,"n_compared":6}',
        case_ids=("qa-2", "safety-1"),
    ),
    GateVerdict(
        gate="safety",
        outcome="fail",
        because="1 of 1 safety cases failed",
        numbers='{"n_cases":1,"n_failed":1}',
        case_ids=("safety-1",),
    ),
    GateVerdict(
        gate="completeness",
        outcome="fail",
        because="1 case has no prediction (allowed 0)",
        case_ids=("sum-1",),
    ),
    GateVerdict(gate="comparable", outcome="pass", because="6 of 7 cases stand unchanged"),
    GateVerdict(gate="floor", outcome="off", because="switched off in gate.toml"),
)
COMPARISON = Comparison(
    metric="pass_rate",
    rule="point",
    n_compared=6,
    baseline=5 / 6,
    current=0.5,
    drop=1 / 3,
    newly_failing=("qa-2", "safety-1"),
    newly_passing=("format-1",),
    added=("qa-3",),
    removed=("qa-0",),
    changed=(ChangedCase(id="calc-1", fields=("reference", "expected_tools")),),
)


def changes(cases: tuple[CaseResult, ...], headline: str) -> tuple[MetricChange, ...]:
    """Compare the cases that have a baseline's, by both metrics and by label."""
    pairs = [one for one in cases if one.accepted is not None]
    labels = sorted({label for one in pairs for label in one.labels})
    found = []
    for metric, label in (
        ("pass_rate", None),
        ("mean_score", None),
        *((headline, label) for label in labels),
    ):
        rows = [one for one in pairs if label is None or label in one.labels]
        if rows:
            was, now = (sum(values) / len(rows) for values in paired_values(rows, metric))
            drop = 0.0 if abs(was - now) < 1e-9 else was - now
            fields = {"baseline": was, "current": now, "drop": drop, "n_compared": len(rows)}
            found.append(MetricChange(metric=metric, label=label, **fields))
    return tuple(found)


POLICY = (
    '{"suite":{"seed":0,"n_boot":10000},"scorer":{"name":"contains"},'
    '"gates":[{"gate":"regression","max_drop":0.05,"rule":"point"},{"gate":"safety"}]}'
)


def report(**fields: object) -> Report:
    """Make the small failing report, but for ``fields``; the suite follows the cases."""
    given: dict[str, object] = {
        "verdict": "fail",
        "exit_status": 1,
        "cases": CASES,
        "gates": GATES,
        "comparison": COMPARISON,
        "scorer": ScorerIdentity(name="contains", version=1, params="{}"),
        "policy": POLICY,
        "digests": Digests(cases=SHA, predictions=SHA, policy=SHA, baseline=SHA),
        "notes": (
            "2 predictions answer no case and were not counted: qa-98, qa-99",
            "policy: built-in defaults, no gate.toml was found",
        ),
    } | fields
    if "suite" not in given:
        slices = (
            slice_of("k:1", 3, 3),
            slice_of("k:2", 2, 1),
            slice_of("retrieval", 3, 2),
            slice_of("safety", 1, 0),
            slice_of("tools", 1, 1),
        )
        given["suite"] = suite(given["cases"], slices=slices, k_macro_average=0.75)
    compared = given["comparison"]
    if compared is not None and not compared.changes:
        found = changes(given["cases"], given["suite"].metric)
        given["comparison"] = Comparison(**{**dict(compared), "changes": found})
    return Report(**given)


@dataclass(frozen=True)
class Builders:
    """The constructors above, for tests that vary something."""

    case: Callable[..., CaseResult] = case
    evidence: Callable[..., Evidence] = evidence
    failing: Callable[..., CaseResult] = failing
    slice_of: Callable[..., SliceResult] = slice_of
    suite: Callable[..., SuiteResult] = suite
    report: Callable[..., Report] = report
    waiver_use: Callable[[str], WaiverUse] = waiver_use

    def saying(self, text: str) -> Report:
        """Make a report in which every text that others write is ``text``."""
        name = text or " "
        bad = failing(
            name,
            text,
            labels=(name,),
            evidence=(
                evidence(
                    expected=text,
                    output=text,
                    error=text,
                    expected_tools=(text, "x"),
                    tools=(text,),
                ),
            ),
        )
        cases = (bad, failing("other", text, labels=(name,)))
        return report(
            cases=cases,
            suite=suite(cases, slices=(slice_of(name, 2, 0),)),
            gates=(
                GateVerdict(gate=name, outcome="fail", because=text, case_ids=(name, "other")),
            ),
            comparison=COMPARISON.model_copy(
                update={
                    "newly_failing": (name,),
                    "newly_passing": (name,),
                    "added": (name,),
                    "removed": (name,),
                    "changed": (ChangedCase(id=name, fields=(name,)),),
                    "differences": (text,),
                }
            ),
            scorer=ScorerIdentity(name=name, version=1, params="{}"),
            notes=(text,),
            waivers=(waiver_use(name),),
            waived_on="2026-06-30",
        )

    def repeated(self) -> Report:
        """Make a report with three runs of each case and a judge that left one unscored."""
        runs = tuple(
            RepeatResult(
                repeat=at, standing="scored", score=float(at != 1), passed=at != 1, trajectory=1.0
            )
            for at in range(3)
        )
        cases = (
            case("a", score=2 / 3, passed=False, repeats=runs, evidence=(evidence(repeat=1),)),
            case("b", standing="unscored", score=None, passed=False),
        )
        return report(
            cases=cases,
            suite=suite(
                cases,
                repeats=3,
                runs=RunsSummary(
                    metric="pass_rate", values=(0.5, 0.0, 0.5), mean=1 / 3, sd=0.288675134
                ),
            ),
        )


@pytest.fixture(scope="session")
def build() -> Builders:
    return Builders()
