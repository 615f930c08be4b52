"""A policy that a pull request leaves behind judges the next one: can it, and how is it mended?"""

from datetime import UTC, datetime, timedelta

import pytest

TODAY = datetime.now(UTC).date()


def waiver(case="qa-2", gate="regression", *, days=30):
    return f"""
[[waivers]]
case = "{case}"
gate = "{gate}"
owner = "ana"
reason = "ticket 12"
expires = "{TODAY + timedelta(days=days)}"
"""


ALLOWING = """
[[gates]]
gate = "rules"
allow_policy_changes = ["waiver-added", "waiver-changed"]
"""


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[[gates]]\ngate = "safety"\nlabel = "privcy"\n', "the label 'privcy' is borne by no"),
        (waiver("nope"), "'nope' is no case of this suite"),
        (waiver(days=-1), "`expires` was"),
        (waiver(gate="creep"), "`gate` 'creep' is not in force"),
    ],
)
def test_a_policy_that_would_be_refused_once_merged_does_not_pass(change, more, said):
    """However welcome the change: no later pull request could, the one that mends it neither."""
    change.text("gate.toml", change.POLICY + ALLOWING)
    change.commit("gate.toml")
    change.text("gate.toml", change.POLICY + ALLOWING + more)
    run = change.check()
    assert run.status == 1, run.err
    (found,) = [one for one in run.result["rule_changes"] if one["kind"] == "unreadable"]
    assert found["after"].startswith("refused once merged: gate.toml:")
    assert said in found["after"]


def test_nor_do_cases_that_the_policy_would_be_refused_for(change):
    labelled = [{**one, "labels": ["billing"]} for one in change.house.CASES[:1]]
    cases = [*labelled, *change.house.CASES[1:]]
    change.house.lines("cases.jsonl", cases)
    gate = '\n[[gates]]\ngate = "safety"\nlabel = "billing"\n'
    allow = ALLOWING.replace("waiver-added", "label-changed").replace(
        "waiver-changed", "case-added"
    )
    change.text("gate.toml", change.POLICY + gate + allow)
    change.commit("gate.toml", "cases.jsonl")
    change.house.lines("cases.jsonl", change.house.CASES)
    run = change.check()
    assert "unreadable" in [one["kind"] for one in run.result["rule_changes"]]


def ended(change):
    """Let the base hold a waiver that has ended."""
    change.text("gate.toml", change.POLICY + ALLOWING + waiver(days=-3))
    change.commit("gate.toml")
    return change


def test_a_waiver_of_the_base_that_has_ended_says_whose_it_is(change, fake):
    run = ended(change).check()
    assert run.status == 2
    assert f"the policy of the base commit {fake.BASE[:12]}" in run.err


@pytest.mark.parametrize("answers", ["GOOD", "ONE_WRONG"])
def test_a_pull_request_that_takes_it_away_is_judged_without_it(change, answers):
    ended(change).text("gate.toml", change.POLICY + ALLOWING)
    run = change.check(predictions=getattr(change.house, answers))
    assert run.status == (0 if answers == "GOOD" else 1), run.err
    assert run.outcomes()["rules"] == "pass"
    assert run.result["waivers"] == []


def test_one_that_renews_it_is_judged_without_it_as_well(change):
    ended(change).text("gate.toml", change.POLICY + ALLOWING + waiver())
    assert change.check().status == 0
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert run.outcomes()["rules"] == "pass"


def test_a_waiver_that_holds_is_gone_with_the_change_that_takes_it_away(change):
    change.text("gate.toml", change.POLICY + waiver("gone-1") + waiver())
    change.commit("gate.toml")
    assert change.check().status == 2
    change.text("gate.toml", change.POLICY + waiver())
    run = change.check(predictions=change.house.ONE_WRONG)
    assert [one["case"] for one in run.result["waivers"]] == ["qa-2"]
    change.text("gate.toml", change.POLICY)
    assert change.check().result["waivers"] == []


def test_what_else_is_wrong_is_named_by_its_own_line(change):
    change.text("gate.toml", change.POLICY + waiver() + waiver("nope"))
    change.commit("gate.toml")
    change.text("gate.toml", change.POLICY + waiver("nope"))
    run = change.check()
    lines = (change.POLICY + waiver() + waiver("nope")).split("\n")
    at = lines.index('case = "nope"') + 1
    assert f"gate.toml:{at}: " in run.err
