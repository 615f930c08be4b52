"""`decide` on a pull request: a stored result that holds together, and the base's own rules."""

from datetime import UTC, datetime, timedelta

import pytest

STRICT, LOOSE = "max_drop = 0.0", "max_drop = 0.9"


@pytest.fixture
def forged(change):
    """Write a result that holds together and tells of a base commit that never was."""

    def write(edit, *options):
        told, base = dict(change.base), change.base
        kept = {name: (change.folder / name).read_bytes() for name in change.RULES}
        edit(change)
        run = change.check(*options, predictions=change.house.ONE_WRONG)
        for name, data in kept.items():
            (change.folder / name).write_bytes(data)
        base.clear()
        base.update(told)
        assert run.status == 0, run.err
        assert run.result["rules_from"]["commit"] == change.fake.BASE
        return change.house.run("decide", ".agent-eval-gate/result.json", "--out", "again")

    return write


def looser_limit(change):
    change.edit("gate.toml", STRICT, LOOSE)
    change.commit("gate.toml")


def accepted_before(change):
    change.house.lines("predictions.jsonl", change.house.ONE_WRONG)
    change.house.accept("--scorer", "contains", reason="easier")
    change.commit("baseline.json")


def allowed_to_loosen(change):
    allow = '\n[[gates]]\ngate = "rules"\nallow_policy_changes = ["limit-loosened"]\n'
    change.text("gate.toml", change.POLICY.replace(STRICT, LOOSE) + allow)
    change.commit("gate.toml")


def waived(change):
    waiver = '\n[[waivers]]\ncase = "qa-2"\ngate = "regression"\nowner = "me"\nreason = "flaky"\n'
    soon = datetime.now(UTC).date() + timedelta(days=30)
    change.text("gate.toml", f'{change.POLICY}{waiver}expires = "{soon}"\n')
    change.commit("gate.toml")


@pytest.mark.parametrize("edit", [looser_limit, accepted_before, allowed_to_loosen, waived])
def test_a_result_of_rules_that_the_base_never_had_is_decided_by_those_it_has(forged, edit):
    run = forged(edit)
    assert run.status == 1, run.err
    assert run.outcomes()["regression"] == "fail"
    assert run.result["policy"]["gates"][0]["max_drop"] == 0


def fewer_cases(change):
    kept = [case for case in change.house.CASES if case["id"] != "qa-2"]
    change.house.lines("cases.jsonl", kept)
    allow = '\n[[gates]]\ngate = "comparable"\nallow_removed = true\n'
    change.text("gate.toml", change.POLICY + allow)
    change.commit("gate.toml", "cases.jsonl")


def easier_case(change):
    change.house.lines("cases.jsonl", [{**one, "reference": "i"} for one in change.house.CASES])
    allow = '\n[[gates]]\ngate = "comparable"\nallow_changed = true\n'
    floor = '\n[[gates]]\ngate = "floor"\nmin = 0.1\n'
    text = change.POLICY.replace('baseline = "baseline.json"', "allow_missing_baseline = true")
    change.text("gate.toml", text + allow + floor)
    change.commit("gate.toml", "cases.jsonl")


@pytest.mark.parametrize(
    ("edit", "said"), [(fewer_cases, "lacks 1 case"), (easier_case, "holds otherwise")]
)
def test_a_result_of_cases_that_the_base_never_had_decides_nothing(forged, edit, said):
    run = forged(edit)
    assert run.status == 3, run.out
    assert said in run.err
    assert run.result is None


def measured_otherwise(change):
    text = change.POLICY.replace("[scorer]", "pass_threshold = 0.1\n[scorer]")
    text = text.replace('baseline = "baseline.json"', "allow_missing_baseline = true")
    change.text(
        "gate.toml", text.replace("contains", "jaccard") + '[[gates]]\ngate = "floor"\nmin = 0.1\n'
    )
    change.commit("gate.toml")


def test_a_result_that_was_measured_otherwise_is_refused(forged):
    run = forged(measured_otherwise)
    assert run.status == 2
    assert "run check" in run.err
    assert "options that `check` was given" in run.err


def test_what_the_checkout_loosens_now_fails_a_result_that_was_decided_before(change):
    assert change.check().status == 0
    before = change.result_bytes()
    assert change.house.run("decide", ".agent-eval-gate/result.json").status == 0
    assert change.result_bytes() == before
    change.edit("gate.toml", STRICT, LOOSE)
    run = change.house.run("decide", ".agent-eval-gate/result.json", "--out", "again")
    assert run.status == 1
    assert run.outcomes()["rules"] == "fail"


@pytest.mark.parametrize("named", [True, False])
def test_a_result_of_another_policy_file_of_the_base_is_refused(change, named):
    """Or of none: a policy file which nobody names here is not what holds the change."""
    change.text("other.toml", change.POLICY.replace(STRICT, LOOSE))
    change.commit("other.toml")
    if named:
        run = change.check("--policy", "other.toml", predictions=change.house.ONE_WRONG)
    else:
        (change.folder / "gate.toml").unlink()
        del change.base["gate.toml"]
        given = ("--scorer", "contains", "--max-drop", "0.9")
        change.house.lines("predictions.jsonl", change.house.ONE_WRONG)
        run = change.house.check(*given, drop=False)
        change.text("gate.toml", change.POLICY)
        change.commit("gate.toml")
    assert run.status == 0, run.err
    again = change.house.run("decide", ".agent-eval-gate/result.json", "--out", "again")
    assert again.status == 2
    assert f"was decided by {'other.toml' if named else 'options alone'}, not by" in again.err
    held = change.house.run("decide", ".agent-eval-gate/result.json", "--policy", "other.toml")
    assert held.status == 0, held.err
