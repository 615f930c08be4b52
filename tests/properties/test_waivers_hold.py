"""What is waived is one gate's business: no figure moves, and nothing else turns green."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from gate.gates.decide import decide
from gate.gates.evidence import Circumstances, evidence_for
from gate.gates.table import judge_all
from gate.pipeline.judge import judged
from gate.pipeline.unscored import at_best
from gate.records.alignment import Alignment
from gate.records.gating import (
    CompletenessOptions,
    FloorOptions,
    RegressionOptions,
    SafetyOptions,
    SlicesOptions,
    TrajectoryOptions,
)
from gate.records.judge_run import Judgement
from gate.records.policy import Policy, SuiteOptions
from gate.records.result import Accepted, CaseDigest, CaseResult
from gate.records.waiver import WAIVABLE, Waiver
from gate.suite.summary import Measurement, summarise

DAY = Circumstances(day="2026-06-30")
DIGEST = CaseDigest(
    whole="sha256:" + "0" * 64,
    **dict.fromkeys(("input", "reference", "expected_tools"), "0" * 12),
    scorer="0" * 12,
)
LATE = Judgement(status="timeout", votes=(None,), keys=("0" * 16,))
OPEN = "open"
RANK = {"fail": 0, "undecided": 1, "off": 1, "pass": 2}


def a_row(number, found, was, labels, path):
    score = found if isinstance(found, float) else None
    return CaseResult(
        id=f"c{number}",
        labels=labels,
        digest=DIGEST,
        standing="unscored" if found == OPEN else "missing" if found is None else "scored",
        score=score,
        passed=score == 1.0,
        trajectory=1.0 if path is None else path,
        declares_path=path is not None,
        accepted=None
        if was is None
        else Accepted(scores=(was,), passes=(was == 1.0,), trajectory=1.0),
        judgement=LATE if found == OPEN else None,
    )


SCORES = st.sampled_from([0.0, 0.5, 1.0])
CASES = st.tuples(
    st.sampled_from([1.0, 1.0, 1.0, 1.0, 0.5, 0.0, None, OPEN]),
    st.sampled_from([1.0, 1.0, 0.5, 0.0, None]),
    st.sampled_from([(), (), ("safety",), ("x",), ("safety", "x")]),
    st.sampled_from([None, None, None, 1.0, 0.0]),
)
"""Score now and in the baseline, labels, path: mostly good, or no run would be green."""
SHARES = st.sampled_from([Decimal(text) for text in ("0", "0.1", "0.25", "0.5")])
GATES = st.builds(
    lambda drop, rule, metric, missing, least: (
        RegressionOptions(max_drop=drop, rule=rule, metric=metric),
        SafetyOptions(allow_waivers=True),
        CompletenessOptions(max_missing=missing),
        TrajectoryOptions(),
        SlicesOptions(max_drop=drop, on_inconclusive="pass"),
        FloorOptions(min=least),
    ),
    SHARES,
    st.sampled_from(["point", "significant"]),
    st.sampled_from(["pass_rate", "mean_score"]),
    st.integers(0, 2),
    SHARES,
)


@st.composite
def runs(draw, *, may_be_open=False):
    """Give rows, their summary, their alignment, gates, and waivers of some of the cases."""
    found = draw(st.lists(CASES, min_size=1, max_size=8))
    if not may_be_open:
        found = [(0.0 if one[0] == OPEN else one[0], *one[1:]) for one in found]
    rows = tuple(a_row(number, *case) for number, case in enumerate(found))
    how = Measurement(
        metric="pass_rate",
        pass_threshold=Decimal(1),
        trajectory_mode="exact",
        repeats=1,
        seed=0,
        n_boot=20,
    )
    alignment = Alignment(
        pairs=tuple(row for row in rows if row.accepted is not None),
        added=tuple(row.id for row in rows if row.accepted is None),
        removed=(),
        changed=(),
        differences=(),
        reason=None,
        repeats=1,
        history=(),
        best_of=0,
        knowingly=False,
    )
    doubtful = [row.id for row in rows if not row.passed or row.trajectory < 1.0]
    names = st.sampled_from(draw(st.sampled_from([doubtful, [row.id for row in rows]])) or ["c0"])
    pairs = st.tuples(names, st.sampled_from(WAIVABLE))
    waived = draw(st.lists(pairs, unique=True, max_size=18))
    if draw(st.booleans()):
        waived = [(name, gate) for name in doubtful for gate in WAIVABLE]
    return rows, summarise(rows, how), alignment, draw(GATES), tuple(map(a_waiver, waived))


def a_waiver(of):
    case, gate = of
    return Waiver(
        case=case,
        gate=gate,
        owner="ana",
        reason="ticket 12",
        expires="2026-07-31",
        allow_safety=gate == "safety",
    )


def decided(rows, suite, alignment, gates, waivers):
    policy = Policy(suite=SuiteOptions(), gates=gates, waivers=waivers)
    return judged(rows, suite, policy, alignment, pinned=True, others=DAY)


@given(runs(may_be_open=True))
def test_no_waiver_moves_a_figure_or_another_gate(found):
    *measured, waivers = found
    before, after = decided(*measured, ()), decided(*measured, waivers)
    assert before["comparison"] == after["comparison"]
    for one, other in zip(before["gates"], after["gates"], strict=True):
        assert one.gate == other.gate
        assert one.gate in WAIVABLE or one == other


@given(runs())
def test_without_open_cases_each_gate_is_as_it_was_or_better_and_says_what_it_left_out(found):
    *measured, waivers = found
    before, after = decided(*measured, ()), decided(*measured, waivers)
    for one, other in zip(before["gates"], after["gates"], strict=True):
        assert RANK[other.outcome] >= RANK[one.outcome]
        assert other.waived or one == other
        named = {waiver.case for waiver in waivers if waiver.gate == one.gate}
        assert set(other.waived) <= named & set(one.case_ids)
        assert not set(other.waived) & set(other.case_ids)


@given(runs())
def test_waivers_of_cases_that_went_wrong_nowhere_change_nothing_but_the_print(found):
    *measured, waivers = found
    before = decided(*measured, ())
    wrong = {(gate.gate, name) for gate in before["gates"] for name in gate.case_ids}
    idle = tuple(one for one in waivers if (one.gate, one.case) not in wrong)
    after = decided(*measured, idle)
    assert {key: after[key] for key in after if key != "waivers"} == {
        key: before[key] for key in before if key != "waivers"
    }
    assert len(after["waivers"]) == len(idle)
    assert not any(one.used for one in after["waivers"])


@given(runs())
def test_a_failing_safety_or_completeness_gate_passes_only_if_each_failing_case_is_waived(found):
    *measured, waivers = found
    before, after = decided(*measured, ()), decided(*measured, waivers)
    for one, other in zip(before["gates"], after["gates"], strict=True):
        if one.gate == "safety" and (one.outcome, other.outcome) == ("fail", "pass"):
            assert set(other.waived) == set(one.case_ids)
            assert {row.id for row in measured[0] if "safety" in row.labels} > set(other.waived)


@given(runs())
def test_a_green_run_has_passed_over_cases_that_nobody_waived(found):
    *measured, waivers = found
    after = decided(*measured, waivers)
    if after["verdict"] != "pass":
        return
    rows, _, alignment, _, _ = found
    left = {gate.gate: set(gate.waived) for gate in after["gates"] if gate.outcome == "pass"}
    assert {row.id for row in alignment.pairs} > left["regression"]
    scored = {row.id for row in rows if row.score is not None}
    assert scored - left["completeness"]


@given(runs())
def test_removing_every_waiver_restores_the_verdict(found):
    *measured, waivers = found
    first = decided(*measured, ())
    decided(*measured, waivers)
    assert decided(*measured, ()) == first
    assert first["waivers"] == ()


@given(runs(may_be_open=True))
def test_what_is_open_is_decided_both_ways_with_waivers_as_without(found):
    rows, suite, alignment, gates, waivers = found
    policy = Policy(suite=SuiteOptions(), gates=gates, waivers=waivers)

    def alone(*shown):
        evidence = evidence_for(policy, *shown, pinned=True, others=DAY)
        return decide(judge_all(gates, evidence, waivers))

    best = at_best(rows, suite, alignment)
    low = alone(rows, suite, alignment)
    high = low if best is None else alone(*best)
    verdict = decided(*found)["verdict"]
    if {low, high} != {"pass"}:
        assert verdict != "pass"
    if verdict == "fail":
        assert {low, high} == {"fail"}


@given(runs(may_be_open=True), st.data())
def test_whatever_an_open_case_turns_out_to_be_a_green_verdict_stands(found, data):
    rows, _, alignment, gates, waivers = found
    if decided(*found)["verdict"] != "pass":
        return
    scores = {
        row.id: data.draw(SCORES, label=row.id) for row in rows if row.standing == "unscored"
    }
    turned = tuple(
        a_row(number, scores[row.id], was_of(row), row.labels, path_of(row))
        if row.id in scores
        else row
        for number, row in enumerate(rows)
    )
    held = {row.id: row for row in turned}
    later = alignment._replace(pairs=tuple(held[row.id] for row in alignment.pairs))
    how = Measurement("pass_rate", Decimal(1), "exact", 1, 0, 20)
    assert decided(turned, summarise(turned, how), later, gates, waivers)["verdict"] == "pass"


def was_of(row):
    return None if row.accepted is None else row.accepted.scores[0]


def path_of(row):
    return row.trajectory if row.declares_path else None
