"""One value of each record of a judged run, every field filled."""

from gate.records.gating import BudgetOptions, JudgedOptions, JudgeTrustOptions
from gate.records.judge_options import JudgeOptions, Price
from gate.records.judge_run import (
    Bound,
    Canary,
    JudgeCounts,
    Judgement,
    JudgeRun,
    Snapshots,
    Spent,
    Unscored,
)
from gate.records.judge_words import Usage
from gate.records.judging import Answer, Attempt, JudgeConfig, LedgerEntry, Question
from gate.records.result import Effort
from gate.records.scoring import AutoraterOptions, GeoktoolsOptions, JudgeScorerOptions
from gate.records.trust import KappaBounds, Label, LabelAgreement, Probe, TrustRecord

DIGEST = "sha256:" + "0a" * 32
USAGE = Usage(input_tokens=3, output_tokens=2, thinking_tokens=1)
ANSWER = Answer(
    status="ok",
    text='{"rating":2}',
    model="m-001",
    finish_reason="STOP",
    usage=USAGE,
    message="said so",
    rung="json_schema",
)
CONFIG = JudgeConfig(
    provider="command",
    model="m",
    params={"temperature": 0.5},
    prompt="autorater",
    prompt_digest=DIGEST,
    schema_digest=DIGEST,
    runs=3,
    rating_map={"0": 0.0, "1": 0.5, "2": 1.0},
    condenser=1,
    parser=1,
    tools=DIGEST,
    command=DIGEST,
)
QUESTION = Question(
    key=DIGEST,
    case_id="a",
    repeat=1,
    run=2,
    system="s",
    prompt="p",
    schema_text={"type": "object"},
    params={"temperature": 0.5},
)


def asking():
    """Give what is asked and answered, and by whom."""
    options = JudgeOptions(
        provider="command",
        model="m",
        command="python 'my judge.py'",
        mode="oneshot",
        base_url="http://localhost",
        key_env="KEY",
        env=("HOME",),
        prompt="p.txt",
        tools="t.txt",
        runs=2,
        date="2026-07-01",
        temperature="0.5",
        seed=7,
        max_tokens=9,
        max_calls=1,
        max_cost="0.5",
        price=Price(input="0.75", output="3.75", dated="2026-10-07"),
        ledger="l.jsonl",
        canary="no",
        trust="trust.json",
    )
    return (
        QUESTION,
        USAGE,
        ANSWER,
        Attempt(answer=ANSWER, retry_after=1.5),
        LedgerEntry(key=DIGEST, case_id="a", repeat=1, run=2, answer=ANSWER),
        CONFIG,
        options,
        GeoktoolsOptions(),
        AutoraterOptions(prompt="workflow"),
        JudgeScorerOptions(rubric="be kind"),
        JudgedOptions(),
        JudgeTrustOptions(criterion="lower"),
        BudgetOptions(max_cost_usd="0.5", max_latency_ms="100"),
    )


def quiet_run(**fields):
    """Give the record of a run in which nothing happened, but for ``fields``."""
    given = {
        "models": (),
        "rungs": (),
        "date": None,
        "counts": JudgeCounts(**dict.fromkeys(JudgeCounts.model_fields, 0)),
        "unscored": (),
        "bounds": None,
        "canaries": (),
        "known_bad_wanted": False,
        "spent": Spent(usage=Usage(), cost_usd=None, price=None),
        "flip_rate": None,
        "within_sd": None,
        "questions": DIGEST,
    }
    return JudgeRun(**{**given, **fields})


def judged():
    """Give what came of it."""
    run = quiet_run(
        models=("m-001",),
        rungs=("json_schema",),
        date="2026-07-01",
        counts=JudgeCounts(**{name: at for at, name in enumerate(JudgeCounts.model_fields, 1)}),
        unscored=(Unscored(why="timeout", count=1, message="late"),),
        bounds=Bound(pass_rate=(0.5, 1.0), mean_score=(0.25, 0.75)),
        known_bad_wanted=True,
        canaries=(
            Canary(
                case_id="a", kind="new_orders", score=0.5, status="ok", key="0a" * 8, elements=2
            ),
        ),
        spent=Spent(usage=USAGE, cost_usd=0.5, price="$1"),
        flip_rate=0.5,
        within_sd=0.25,
        snapshots=Snapshots(first="2026-01-01", last="2026-02-01", n_cases=2),
        stopped="the deadline is over",
        budget=True,
    )
    judgement = Judgement(status="ok", votes=(1.0, 0.5), keys=("0a" * 8, "0b" * 8), elements=2)
    effort = Effort(
        n_answers=3,
        n_costs=2,
        cost_usd=0.5,
        n_latencies=2,
        mean_latency_ms=1.5,
        p95_latency_ms=2.0,
        max_latency_ms=2.5,
    )
    return (run, judgement, effort, *trusted())


def trusted():
    """Give what people said, and how far the judge agrees."""
    record = TrustRecord(
        scorer="autorater",
        judge_config=CONFIG.model_dump(mode="json"),
        judge=DIGEST,
        labels_digest=DIGEST,
        n_items=4,
        unscored=1,
        not_asked=1,
        unknown=1,
        threshold=0.5,
        weighting="linear",
        categories=(0.0, 1.0),
        confusion=((1, 1), (0, 2)),
        human_counts=(2, 2),
        judge_counts=(1, 3),
        agreement=0.75,
        kappa=0.5,
        unweighted_kappa=0.5,
        interval=KappaBounds(method="bootstrap", low=-0.5, high=1.0, lower_bound=-0.25),
        per_label=(LabelAgreement(label="k:1", n_items=2, agreement=0.5, kappa=0.0),),
        probes=(
            Probe(name="empty", n=2, figure=0.5, wanted="0", held=False, because="it is not 0"),
        ),
    )
    return (record, Label(id="a", repeat=1, label=0.5))


def judged_records():
    """Give all of them."""
    return (*asking(), *judged())
