"""A run that is held to a base commit's rules, decided once and again from what was stored."""

from pathlib import Path

import pytest

from gate.baseline.store import read_baseline
from gate.errors import ResultInvalid
from gate.inputs.cases import read_cases
from gate.inputs.predictions import PredictionReader
from gate.pipeline.conclude import conclude
from gate.pipeline.prepare import prepare
from gate.pipeline.replay import regate
from gate.policy.effective import effective_policy
from gate.policy.toml import read_policy
from gate.records.json_text import loads
from gate.records.policy import Overrides, Policy
from gate.records.report import Report
from gate.records.rule_change import Origin, RuleChange, RulesFrom
from gate.report.result_json import read_result, write_result

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "golden"
BASE = RulesFrom(source="base", commit="a" * 40, file="gate.toml")
LIMIT = RuleChange(
    kind="limit-loosened",
    subject="[[gates]] regression max_drop",
    before="0.02",
    after="0.5",
    loosens=True,
)


def run(*changes, found=BASE, policy="[suite]\nseed = 0\n", bound=True):
    baseline = read_baseline((ROOT / "baselines/golden.json").read_bytes(), source="b")
    given = {**loads(baseline.scorer.params), "name": baseline.scorer.name}
    effective = effective_policy(
        read_policy(policy, source="gate.toml"), Overrides(), baseline_scorer=given, bound=bound
    )
    setup = prepare(
        effective,
        cases=read_cases((EXAMPLE / "cases.jsonl").read_bytes(), source="c"),
        source="c",
        baseline=baseline,
        gated=True,
    )
    lines = (EXAMPLE / "good.jsonl").read_bytes().splitlines(keepends=True)
    reader = PredictionReader(lines, source="p")
    return conclude(
        setup, reader, source="p", policy="gate.toml", redact=str, origin=Origin(found, changes)
    )


def again(report):
    stored = read_result(write_result(report).encode(), source="r")
    policy = Policy.model_validate(loads(stored.policy))
    return regate(stored, policy, baseline=None)


def rules(report):
    return next(gate for gate in report.gates if gate.gate == "rules")


def test_a_good_agent_passes_where_the_rules_stay():
    report = run()
    assert (report.verdict, rules(report).outcome) == ("pass", "pass")
    assert report.conditions[0] == "rules: gate.toml of the base commit aaaaaaaaaaaa"


def test_a_good_agent_fails_where_its_change_loosens_them():
    report = run(LIMIT)
    assert (report.verdict, report.exit_status) == ("fail", 1)
    assert rules(report).outcome == "fail"


def test_the_base_may_allow_the_kind():
    allowed = '[[gates]]\ngate = "rules"\nallow_policy_changes = ["limit-loosened"]\n'
    assert run(LIMIT, policy=allowed).verdict == "pass"


def test_advisory_rules_block_nothing_and_say_so():
    report = run(LIMIT, policy="[suite]\nadvisory = true\n")
    assert (report.verdict, report.exit_status, report.advisory) == ("fail", 0, True)


@pytest.mark.parametrize("changes", [(), (LIMIT,)])
def test_a_stored_result_is_decided_alike(changes):
    report = run(*changes)
    assert again(report).gates == report.gates
    assert again(report).verdict == report.verdict
    assert again(report).rule_changes == changes


@pytest.mark.parametrize("edit", [{"rule_changes": ()}, {"rules_from": None}])
def test_a_result_from_which_a_change_was_taken_out_is_refused(edit):
    report = Report(**{**dict(run(LIMIT)), **edit})
    with pytest.raises(ResultInvalid, match="gates is not what the rows and the policy give"):
        again(report)


def test_a_run_of_no_pull_request_has_no_such_gate():
    report = run(found=None, bound=False)
    assert {gate.gate for gate in report.gates}.isdisjoint({"rules"})
    assert (report.rules_from, report.rule_changes) == (None, ())


def test_a_policy_that_names_the_gate_has_it_off_there():
    report = run(found=None, bound=False, policy='[[gates]]\ngate = "rules"\n')
    assert (report.verdict, rules(report).outcome) == ("pass", "off")


def test_a_policy_that_the_change_brings_is_said_to_be():
    report = run(found=RulesFrom(source="base", commit="a" * 40, brought=("gate.toml",)))
    assert report.conditions[0].startswith("rules: gate.toml, which the base commit lacks")
