"""Options of a pull request's workflow may tighten the rules of its base, and no more."""

from decimal import Decimal
from pathlib import Path

import pytest

from gate.baseline.store import read_baseline
from gate.errors import UsageInvalid
from gate.pipeline.tighter import CHECKS, FREE, looser_options, refuse_looser
from gate.policy.toml import read_policy
from gate.records.baseline import Baseline
from gate.records.policy import Overrides
from gate.records.scoring import StructuredOptions
from gate.scorers.table import identity

GOLDEN = Path(__file__).resolve().parents[3] / "baselines" / "golden.json"
BASELINE = read_baseline(GOLDEN.read_bytes(), source="golden.json")
POLICY = """
[suite]
cases = "evals/cases.jsonl"
baseline = "baselines/suite.json"
format = "inspect"
id_field = "id"
map = { output = "answer" }
pass_threshold = 0.8
trajectory = "order"
repeats = 3

[scorer]
name = "structured"
tolerance_ratio = 0.1

[judge]
provider = "gemini"
model = "m"
mode = "worker"
prompt = "p.txt"
runs = 3
date = "2026-01-15"
trust = "t.json"
max_calls = 100
max_cost = 1
ledger = "/var/ledger"

[[gates]]
gate = "regression"
max_drop = 0.05
rule = "point"

[[gates]]
gate = "floor"
min = 0.9
metric = "pass_rate"
"""
LOOSER = {
    "cases": "evals/easy.jsonl",
    "format": "promptfoo",
    "id_field": "name",
    "map": {"output": "reference"},
    "baseline": "baselines/low.json",
    "scorer": "contains",
    "tolerance": "0.2",
    "pass_threshold": "0.5",
    "trajectory": "set",
    "max_drop": "0.5",
    "metric": "mean_score",
    "rule": "significant",
    "on_inconclusive": "pass",
    "min_pass_rate": "0.5",
    "repeats": 1,
    "allow_missing_baseline": True,
    "advisory": True,
    "judge": "command",
    "judge_model": "mm",
    "judge_command": "python mine.py",
    "judge_mode": "oneshot",
    "judge_base_url": "https://judge.example",
    "judge_prompt": "mine.txt",
    "judge_runs": 1,
    "judge_date": "2020-01-01",
    "judge_trust": "mine.json",
    "max_calls": 1000,
    "max_cost": "10",
    "ledger": "mine.jsonl",
}
TIGHTER = {
    "cases": "./evals/cases.jsonl",
    "format": "inspect",
    "id_field": "id",
    "map": {"output": "answer"},
    "baseline": "baselines//suite.json",
    "scorer": "structured",
    "tolerance": "0.05",
    "pass_threshold": "0.9",
    "trajectory": "exact",
    "max_drop": "0.01",
    "rule": "noninferior",
    "on_inconclusive": "fail",
    "min_pass_rate": "0.95",
    "repeats": 5,
    "allow_missing_baseline": False,
    "advisory": False,
    "judge": "gemini",
    "judge_model": "m",
    "judge_mode": "worker",
    "judge_prompt": "p.txt",
    "judge_runs": 3,
    "judge_date": "2026-01-15",
    "judge_trust": "t.json",
    "max_calls": 10,
    "max_cost": "0.5",
    "ledger": "/var/ledger",
    "predictions": "anything.jsonl",
    "seed": 7,
    "n_boot": 10,
    "concurrency": 1,
}


def file(text=POLICY):
    return read_policy(text, source="gate.toml")


def said(text=POLICY, *, held=BASELINE, **options):
    return looser_options(file(text), Overrides(**options), baseline=held)


def test_every_option_is_decided():
    assert set(CHECKS) == set(Overrides.model_fields)
    assert {*LOOSER, *FREE} == set(Overrides.model_fields)


@pytest.mark.parametrize("name", LOOSER)
def test_an_option_that_loosens_is_refused_by_its_name(name):
    (found,) = said(**{name: LOOSER[name]})
    assert found.startswith(f"--{name.replace('_', '-')} ")


@pytest.mark.parametrize("name", TIGHTER)
def test_an_option_that_tightens_or_repeats_is_fine(name):
    assert said(**{name: TIGHTER[name]}) == ()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"max_drop": "0.5"},
            "loosens max_drop of the regression gate in the base commit's policy: 0.05",
        ),
        (
            {"advisory": True},
            "the base commit's policy does not say advisory = true under [suite]",
        ),
        (
            {"cases": "b.jsonl"},
            "is another file than [suite] cases of the base commit's policy: evals/cases.jsonl",
        ),
    ],
)
def test_a_refusal_says_what_the_base_has(options, words):
    ((name, value),) = options.items()
    (found,) = said(**options)
    assert found == f"--{name.replace('_', '-')} {str(value).lower()}: {words}"


def test_everything_that_loosens_is_named_at_once():
    with pytest.raises(UsageInvalid) as caught:
        refuse_looser(file(), Overrides(max_drop="0.5", advisory=True), baseline=None)
    assert len(str(caught.value).split("\n")) == 2
    assert "on the base branch" in caught.value.remedy
    refuse_looser(file(), Overrides(max_drop="0.01"), baseline=BASELINE)


def test_without_a_policy_at_the_base_options_decide_alone():
    assert looser_options(None, Overrides(**LOOSER), baseline=BASELINE) == ()


BARE = "[suite]\nseed = 0\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_drop", "0.01"),
        ("pass_threshold", "0.99"),
        ("trajectory", "set"),
        ("judge_base_url", "https://judge.example"),
        ("judge", "command"),
        ("ledger", "mine.jsonl"),
        ("metric", "pass_rate"),
        ("scorer", "exact_match"),
    ],
)
def test_what_the_policy_leaves_unset_is_held_against_defaults_and_baseline(name, value):
    assert len(said(BARE, **{name: value})) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cases", "a.jsonl"),
        ("baseline", "b.json"),
        ("scorer", BASELINE.scorer.name),
        ("pass_threshold", "1"),
        ("trajectory", "exact"),
        ("judge_trust", "t.json"),
        ("max_calls", 5),
        ("min_pass_rate", "0.1"),
        ("format", "inspect"),
    ],
)
def test_what_the_policy_leaves_open_may_be_named_and_limits_may_be_added(name, value):
    assert said(BARE, **{name: value}) == ()


def test_the_baselines_threshold_holds_where_the_policy_has_none():
    lax = Baseline(**{**dict(BASELINE), "pass_threshold": 0.5})
    assert said(BARE, held=lax, pass_threshold="0.6") == ()  # noqa: S106 - a share
    (found,) = said(BARE, held=lax, pass_threshold="0.4")  # noqa: S106 - a share
    assert "the base commit's baseline (pass_threshold): 0.5" in found


def test_a_floor_of_the_workflows_lets_no_first_run_pass():
    (found,) = said(BARE, held=None, min_pass_rate="0.1")  # noqa: S106 - a rate
    assert "the base commit's policy has none" in found
    floored = BARE + '[[gates]]\ngate = "floor"\nmin = 0.5\n'
    assert said(floored, held=None, min_pass_rate="0.1") == ()  # noqa: S106 - a rate


@pytest.mark.parametrize(
    ("own", "value", "fine"),
    [
        ('score = "match"', "recorded:match", True),
        ('score = "match"', "recorded", True),
        ('score = "match"', "recorded:other", False),
        ("", "recorded:match", False),
        ("", "contains", False),
    ],
)
def test_another_recorded_score_is_another_scorer(own, value, fine):
    text = BARE + f'[scorer]\nname = "recorded"\n{own}\n'
    assert (said(text, scorer=value) == ()) is fine


def test_without_scorer_and_baseline_the_workflow_names_one():
    assert said(BARE, held=None, scorer="exact_match", tolerance="3", repeats=1) == ()


RATED = Baseline(
    **{**dict(BASELINE), "scorer": identity(StructuredOptions()), "metric": "pass_rate"}
)
STRUCTURED = '[suite]\nseed = 0\n[scorer]\nname = "structured"\n'


def test_a_tolerance_does_not_make_another_scorer_than_the_baselines():
    """Then no case of the suite's scorer would be compared, and the headline may be another."""
    (found,) = said(STRUCTURED, held=RATED, tolerance="0.05")
    assert "another scorer than the baseline's" in found
    assert said(STRUCTURED, held=RATED, tolerance="0.1") == ()
    assert said(STRUCTURED, held=BASELINE, tolerance="0.05") == ()
    assert said(STRUCTURED, held=None, tolerance="0.05") == ()


@pytest.mark.parametrize(
    ("fields", "said_of"),
    [
        (
            {"pass_threshold": Decimal("0.1")},
            "would set pass_threshold 0.1, and without it 1 is in force",
        ),
        ({"trajectory_mode": "set"}, "would set trajectory set, and without it exact is in force"),
        ({"metric": "pass_rate"}, "makes another headline than is in force without it: pass_rate"),
        ({"metric": "mean_score"}, None),
        ({"metric": "mean_score", "repeats": 3}, None),
    ],
)
def test_a_baseline_that_the_policy_may_lack_loosens_nothing(fields, said_of):
    """A run without one counts as is usual; where it is wanted, what it says is in force."""
    held = Baseline(**{**dict(RATED), "metric": "mean_score", **fields})
    lacking = STRUCTURED.replace("seed = 0", "allow_missing_baseline = true")
    found = said(lacking, held=held, baseline="b.json")
    assert [one.partition(": ")[2] for one in found] == ([] if said_of is None else [said_of])
    assert said(STRUCTURED, held=held, baseline="b.json") == ()


@pytest.mark.parametrize("metric", ["mean_score", "pass_rate"])
def test_a_threshold_that_is_set_nowhere_does_not_come_in_place_of_the_mean(metric):
    held = Baseline(**{**dict(RATED), "metric": metric})
    one = {"pass_threshold": "1"}
    found = said(STRUCTURED, held=held, **one)
    assert bool(found) == (metric == "mean_score")
    assert said(STRUCTURED, held=None, **one) != ()
    assert said(STRUCTURED.replace("structured", "contains"), held=None, **one) == ()


def test_a_trust_record_may_be_named_where_no_gate_waits_for_one():
    plain = POLICY.replace('trust = "t.json"\n', "")
    assert said(plain, judge_trust="mine.json") == ()
    waiting = plain + '\n[[gates]]\ngate = "judge_trust"\n'
    (found,) = said(waiting, judge_trust="mine.json")
    assert found.startswith("--judge-trust")
    assert said(waiting + "enabled = false\n", judge_trust="mine.json") == ()
