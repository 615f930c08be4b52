"""What a judge left open never makes a run green, and nothing left open changes nothing."""

from decimal import Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from gate.gates.decide import decide
from gate.gates.evidence import evidence_for
from gate.gates.table import judge_all
from gate.pipeline.judge import judged
from gate.pipeline.unscored import at_best, either, open_runs
from gate.records.alignment import Alignment
from gate.records.gating import (
    CompletenessOptions,
    FloorOptions,
    RegressionOptions,
    SafetyOptions,
    SlicesOptions,
)
from gate.records.judge_run import Judgement
from gate.records.policy import Policy, SuiteOptions
from gate.records.result import Accepted, CaseDigest, CaseResult, RepeatResult
from gate.records.verdict import GateVerdict
from gate.suite.rows import compose
from gate.suite.summary import Measurement, summarise

OUTCOMES = ("pass", "fail", "undecided", "off")
DIGEST = CaseDigest(
    whole="sha256:" + "0" * 64,
    **dict.fromkeys(("input", "reference", "expected_tools"), "0" * 12),
    scorer="0" * 12,
)
LATE = Judgement(status="timeout", votes=(None,), keys=("0" * 16,))
SCORES = st.sampled_from([0.0, 0.5, 1.0])
OPEN = "open"


def a_run(found, repeat):
    """Make a run of a score, or one that is open (:data:`OPEN`) or missing (``None``)."""
    score = None if found == OPEN else found
    standing = "unscored" if found == OPEN else "missing" if found is None else "scored"
    return RepeatResult(
        repeat=repeat,
        standing=standing,
        score=score,
        passed=score == 1.0,
        trajectory=1.0,
        judgement=LATE if found == OPEN else None,
    )


def a_row(number, found, was, labels):
    runs = tuple(a_run(one, at) for at, one in enumerate(found))
    made = compose(runs)
    return CaseResult(
        id=f"c-{number:02d}",
        labels=labels,
        digest=DIGEST,
        standing=made.standing,
        score=made.score,
        passed=made.passed,
        trajectory=1.0,
        declares_path=False,
        accepted=Accepted(scores=(was,), passes=(was == 1.0,), trajectory=1.0),
        repeats=runs if len(runs) > 1 else (),
        judgement=runs[0].judgement if len(runs) == 1 else None,
    )


@st.composite
def suites(draw, *, may_be_open=True):
    repeats = draw(st.integers(1, 2))
    kinds = [SCORES, st.none()] + ([st.just(OPEN)] * 2 if may_be_open else [])
    runs = st.lists(st.one_of(kinds), min_size=repeats, max_size=repeats)
    labels = st.sampled_from([(), ("safety",), ("k:1",)])
    cases = draw(st.lists(st.tuples(runs, SCORES, labels), min_size=1, max_size=8))
    rows = tuple(a_row(number, *case) for number, case in enumerate(cases))
    how = Measurement(
        metric=draw(st.sampled_from(["pass_rate", "mean_score"])),
        pass_threshold=Decimal(1),
        trajectory_mode="exact",
        repeats=repeats,
        seed=0,
        n_boot=20,
    )
    return rows, summarise(rows, how)


SHARES = st.sampled_from([Decimal(text) for text in ("0", "0.1", "0.25", "0.5", "0.9", "1")])
POLICIES = st.builds(
    lambda drop, rule, inconclusive, least, missing: Policy(
        suite=SuiteOptions(),
        gates=(
            RegressionOptions(max_drop=drop, rule=rule, on_inconclusive=inconclusive),
            SafetyOptions(),
            CompletenessOptions(max_missing=missing),
            FloorOptions(min=least),
            SlicesOptions(max_drop=drop),
        ),
    ),
    SHARES,
    st.sampled_from(["point", "significant", "noninferior"]),
    st.sampled_from(["fail", "pass"]),
    SHARES,
    st.integers(0, 9),
)


def compared(rows):
    return Alignment(
        pairs=rows,
        added=(),
        removed=(),
        changed=(),
        differences=(),
        reason=None,
        repeats=1,
        history=(),
        best_of=0,
        knowingly=False,
    )


def alone(policy, rows, suite, alignment):
    """Decide as if these rows were all there is to know."""
    return judge_all(policy.gates, evidence_for(policy, rows, suite, alignment, pinned=True))


@given(suites(), POLICIES)
def test_no_run_is_green_that_one_of_its_bounds_would_not_be(found, policy):
    rows, suite = found
    alignment = compared(rows)
    best = at_best(rows, suite, alignment)
    low = decide(alone(policy, rows, suite, alignment))
    high = low if best is None else decide(alone(policy, *best))
    verdict = judged(rows, suite, policy, alignment, pinned=True)["verdict"]
    if {low, high} != {"pass"}:
        assert verdict != "pass"
    if low == high == "pass":
        assert verdict == "pass"
    if verdict == "fail":
        assert {low, high} == {"fail"}


@given(suites(), POLICIES)
def test_each_gate_says_what_it_says_at_both_bounds_or_is_undecided(found, policy):
    rows, suite = found
    alignment = compared(rows)
    best = at_best(rows, suite, alignment)
    gates = judged(rows, suite, policy, alignment, pinned=True)["gates"]
    low = alone(policy, rows, suite, alignment)
    high = low if best is None else alone(policy, *best)
    for one, worst, top in zip(gates, low, high, strict=True):
        same = worst.outcome == top.outcome
        assert one.outcome == (worst.outcome if same else "undecided")


@given(suites(may_be_open=False), POLICIES)
def test_with_nothing_open_nothing_changes(found, policy):
    rows, suite = found
    assert open_runs(rows) == 0
    assert at_best(rows, suite, compared(rows)) is None
    gates = judged(rows, suite, policy, compared(rows), pinned=True)["gates"]
    assert gates == alone(policy, rows, suite, compared(rows))


@given(suites())
def test_the_best_has_nothing_open_and_is_never_worse(found):
    rows, suite = found
    best = at_best(rows, suite, None)
    assert (best is None) == (open_runs(rows) == 0)
    if best is not None:
        assert open_runs(best.rows) == 0
        assert best.suite.pass_rate >= suite.pass_rate
        assert best.suite.mean_score >= suite.mean_score
        assert [row.id for row in best.rows] == [row.id for row in rows]


@example([("pass", "fail")])
@example([("fail", "pass"), ("fail", "fail")])
@given(st.lists(st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES)), min_size=1))
def test_two_lists_of_outcomes_become_a_pass_only_where_both_are(outcomes):
    def verdicts(side):
        return tuple(
            GateVerdict(gate=str(at), outcome=pair[side], because="so")
            for at, pair in enumerate(outcomes)
        )

    low, high = verdicts(0), verdicts(1)
    found = decide(either(low, high, n_open=1, n_asked=2))
    if found == "pass":
        assert decide(low) == decide(high) == "pass"
    if decide(low) == decide(high) == "undecided":
        assert found == "undecided"
