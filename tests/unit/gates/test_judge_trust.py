"""A judge is trusted as far as labels of people bear it out, and no further."""

import json
from decimal import Decimal

import pytest

from gate.gates.evidence import Setting
from gate.gates.judge_trust import assess, judge, objection
from gate.gates.table import GATES
from gate.records.gating import JudgeTrustOptions
from gate.records.json_text import canonical, digest
from gate.records.trust import KappaBounds, TrustRecord
from gate.statistics.agreement import table_agreement
from gate.statistics.weighted import ConfusionTable

CONFIG = {"model": "gemini-3.8-flash", "prompt_digest": "sha256:" + "1" * 64, "runs": 3}
GOOD = ((5, 0), (0, 5))
EXACTLY_THREE_FIFTHS = ((4, 1), (1, 4))


def record(table=GOOD, *, weighting="none", **fields):
    categories = tuple(map(float, range(len(table))))
    found = table_agreement(ConfusionTable(categories, table), weights=weighting)
    bounds = found.interval and KappaBounds(
        method="augmented",
        low=found.interval.low,
        high=found.interval.high,
        lower_bound=found.lower_bound,
    )
    given = {
        "scorer": "geoktools",
        "judge_config": CONFIG,
        "judge": digest(CONFIG),
        "labels_digest": "sha256:" + "0" * 64,
        "n_items": found.n,
        "unscored": 0,
        "threshold": 1.0 if len(table) == 2 else None,
        "weighting": weighting,
        "categories": categories,
        "confusion": table,
        "human_counts": found.human_counts,
        "judge_counts": found.judge_counts,
        "agreement": None,
        "kappa": found.kappa,
        "unweighted_kappa": found.kappa,
        "interval": bounds,
    }
    return TrustRecord(**(given | fields))


@pytest.fixture
def said(make):
    """Ask the gate about a record and this run's judge."""

    def ask(trust, *, config=CONFIG, threshold="1", **options):
        row = make.row("a")
        evidence = make.evidence(
            row,
            suite=make.suite(row, pass_threshold=Decimal(threshold)),
            judge_config=None if config is None else canonical(config),
            judge_trust=trust,
        )
        return judge(JudgeTrustOptions(**options), evidence)

    return ask


def test_a_judge_that_agrees_is_trusted_with_kappa_interval_and_size(said):
    verdict = said(record())
    assert verdict.outcome == "pass"
    assert verdict.because == (
        "the judge is trusted: kappa 1.000 with people (95 % interval 0.521 to 1.000, "
        "10 labelled responses): kappa is at least 0.6"
    )
    numbers = json.loads(verdict.numbers)
    assert (numbers["kappa"], numbers["n_items"], numbers["min_kappa"]) == (1.0, 10, 0.6)
    assert numbers["interval"][1] == 1.0


def test_without_a_judge_there_is_nothing_to_trust(said):
    verdict = said(record(), config=None)
    assert (verdict.outcome, verdict.because) == (
        "off",
        "no judge scored this run: there is nothing to trust",
    )


def test_without_a_record_nobody_has_shown_anything(said):
    verdict = said(None)
    assert verdict.outcome == "undecided"
    assert "no trust record says how far it agrees with people" in verdict.because


def test_the_record_of_another_judge_says_nothing_and_what_differs_is_named(said):
    other = {**CONFIG, "model": "gemini-4", "prompt_digest": "sha256:" + "2" * 64, "tools": None}
    verdict = said(record(), config=other)
    assert verdict.outcome == "undecided"
    assert verdict.because == (
        "the judge is not trusted: the trust record is of another judge: "
        'model was "gemini-3.8-flash", is "gemini-4"; '
        "prompt_digest was sha256:111111111111, is sha256:222222222222"
    )


def test_a_long_value_of_another_judge_is_cut(said):
    verdict = said(record(), config={**CONFIG, "model": "m" * 500})
    assert len(verdict.because) < 250


def test_scores_that_pass_elsewhere_were_not_compared(said):
    verdict = said(record(), threshold="0.5")
    assert verdict.outcome == "undecided"
    assert "compares scores at a pass threshold of 1, and this run passes at 0.5" in (
        verdict.because
    )
    ratings = record(((3, 0, 0), (0, 3, 0), (0, 0, 3)), weighting="quadratic")
    assert said(ratings, threshold="0.5").outcome == "pass"


@pytest.mark.parametrize(
    ("least", "outcome"),
    [("0.6", "pass"), ("0.600000000000000000000000000001", "undecided"), ("0.59", "pass")],
)
def test_the_limit_is_inclusive_and_exact(said, least, outcome):
    assert said(record(EXACTLY_THREE_FIFTHS), min_kappa=least).outcome == outcome


def test_the_lower_bound_may_be_what_has_to_reach_the_limit(said):
    many = ((50, 2), (2, 50))
    assert said(record(GOOD), criterion="lower").outcome == "undecided"
    assert said(record(many), criterion="lower").outcome == "pass"
    assert "lower bound 0.8" in said(record(many), criterion="lower").because
    bound = record(many).interval.lower_bound
    assert said(record(many), criterion="lower", min_kappa=repr(bound)).outcome == "pass"


def test_too_little_agreement_is_said_with_its_limit(said):
    verdict = said(record(((3, 2), (3, 2))))
    assert verdict.outcome == "undecided"
    assert "kappa 0.000 with people" in verdict.because
    assert verdict.because.endswith("kappa is below 0.6")
    worse = said(record(((2, 3), (3, 2))), min_kappa="0")
    assert "kappa −0.200 with people" in worse.because


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (((0, 0), (0, 9)), "none of 9 labels is a fail"),
        (((0, 0), (4, 5)), "none of 9 labels is a fail"),
        (((9, 0), (0, 0)), "none of 9 labels is a pass"),
        (((4, 0, 0), (0, 0, 0), (0, 0, 5)), "none of 9 labels is 1, so"),
        (((0, 0, 0), (0, 0, 0), (0, 0, 1)), "none of 1 label is 0 or 1, so"),
        (((0, 0), (0, 0)), "no labelled response has a verdict"),
    ],
)
def test_a_class_that_no_person_used_leaves_kappa_undefined(said, table, words):
    verdict = said(record(table), min_kappa="0")
    assert verdict.outcome == "undecided"
    assert "kappa is undefined" in verdict.because
    assert words in verdict.because


def test_a_judge_that_says_the_same_of_all_is_not_trusted(said):
    verdict = said(record(((0, 0, 9), (0, 0, 9), (0, 0, 9)), weighting="quadratic"))
    assert verdict.outcome == "undecided"
    assert "kappa 0.000" in verdict.because


def test_an_edited_figure_earns_no_trust(said):
    bad = ((3, 2), (3, 2))
    assert said(record(bad, kappa=0.99)).outcome == "undecided"
    assert "claims another kappa" in said(record(GOOD, kappa=0.7)).because
    assert "claims another kappa" in said(record(GOOD, n_items=1000)).because
    moved = record(GOOD).interval.model_copy(update={"lower_bound": 0.9})
    assert said(record(GOOD, interval=moved), criterion="lower").outcome == "undecided"


@pytest.mark.parametrize("trust", [None, record(((3, 2), (3, 2))), record(((0, 0), (0, 9)))])
def test_by_policy_it_only_says_so(said, trust):
    verdict = said(trust, untrusted="advisory")
    assert verdict.outcome == "off"
    assert verdict.because.startswith("advisory: the judge is not trusted: ")
    assert said(record(), untrusted="advisory").outcome == "pass"


def test_what_had_no_verdict_is_said(said):
    assert said(record(unscored=1200)).because.endswith("; 1,200 more had no verdict")


def test_weights_are_named_where_there_are_any():
    ratings = record(((3, 0, 0), (0, 3, 0), (0, 0, 3)), weighting="quadratic")
    assert ", quadratic weights, 9 labelled responses)" in (
        assess(ratings, JudgeTrustOptions()).said
    )


def test_it_objects_to_nothing_and_stands_in_the_table():
    setting = Setting(has_baseline=False, labels=frozenset(), trajectory_mode="exact")
    assert objection(JudgeTrustOptions(), setting) is None
    assert GATES["judge_trust"] == "gate.gates.judge_trust"
