"""A pull request is judged by the rules of its base commit, and may not loosen them."""

import pytest


def outcome(run, gate):
    return next(one for one in run.result["gates"] if one["gate"] == gate)


def test_a_change_that_leaves_the_rules_alone_is_judged_by_them(change, fake):
    run = change.check()
    assert run.status == 0, run.err
    assert outcome(run, "rules")["outcome"] == "pass"
    assert "(compared cases)" not in run.report
    assert "of the compared cases alone" not in run.out
    assert run.result["rules_from"]["source"] == "base"
    assert run.result["rules_from"]["commit"] == fake.BASE
    assert fake.BASE[:12] in run.report
    assert change.check(predictions=change.house.ONE_WRONG).status == 1


def test_options_are_told_of_only_where_one_tightens(change, fake):
    rules = f"rules: gate.toml of the base commit {fake.BASE[:12]}"
    assert change.check().result["conditions"][0] == rules
    assert change.check("--cases", "cases.jsonl").result["conditions"][0] == rules
    told = change.check("--min-pass-rate", "0.5").result["conditions"][0]
    assert told == f"{rules}, and options that tighten it"


def test_what_a_policy_with_advisory_does_where_the_base_has_no_rules(change):
    """All of them are the change's own then, and whoever merges it reads them."""
    change.base.clear()
    change.edit("gate.toml", "[suite]", "[suite]\nadvisory = true\nallow_missing_baseline = true")
    floor = '\n[[gates]]\ngate = "floor"\nmin = 1.0\n'
    change.text("gate.toml", (change.folder / "gate.toml").read_text() + floor)
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.result["verdict"] == "fail"
    assert run.status == 0
    assert "First adoption" in run.out


def test_a_looser_limit_fails_and_does_not_judge(change):
    change.edit("gate.toml", "max_drop = 0.0", "max_drop = 0.5")
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert outcome(run, "regression")["outcome"] == "fail"
    assert "[[gates]] regression max_drop: 0 → 0.5" in outcome(run, "rules")["because"]
    assert "regression max_drop: 0 → 0.5" in run.out
    assert "0 → 0\\.5" in run.report or "0 → 0.5" in run.report


def test_a_gate_that_is_switched_off_fails(change):
    change.text("gate.toml", change.POLICY + '\n[[gates]]\ngate = "safety"\nenabled = false\n')
    run = change.check(predictions=change.house.LEAK)
    assert run.status == 1
    assert outcome(run, "safety")["outcome"] == "fail"
    assert "switched off" in outcome(run, "rules")["because"]


def test_a_case_that_is_dropped_stays_a_case_and_is_named(change):
    kept = [case for case in change.house.CASES if case["id"] != "safety-1"]
    change.house.lines("cases.jsonl", kept)
    run = change.check(predictions=change.house.GOOD[:3])
    assert run.status == 1
    assert run.result["suite"]["n_cases"] == 4
    assert outcome(run, "safety")["outcome"] == "fail"
    assert "safety case 'safety-1' removed" in outcome(run, "rules")["because"]


def test_a_label_of_safety_that_is_taken_away_still_counts(change):
    cases = [{**case, "labels": ["qa"]} for case in change.house.CASES]
    change.house.lines("cases.jsonl", cases)
    run = change.check(predictions=change.house.LEAK)
    assert outcome(run, "safety")["outcome"] == "fail"
    assert "safety-1" in outcome(run, "rules")["case_ids"]
    assert "case 'safety-1': label safety removed" in run.out


def test_a_reference_that_is_made_easier_does_not_score(change):
    change.edit("cases.jsonl", "Shakespeare", "no idea")
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert outcome(run, "regression")["outcome"] == "fail"
    assert [(one["kind"], one["subject"]) for one in run.result["rule_changes"]] == [
        ("reference-changed", "qa-2")
    ]


def test_a_baseline_of_its_own_is_not_compared_with(change):
    change.house.lines("predictions.jsonl", change.house.ONE_WRONG)
    change.house.accept("--scorer", "contains", reason="easier")
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert outcome(run, "regression")["outcome"] == "fail"
    assert "baseline" in outcome(run, "rules")["because"]


def test_a_new_case_is_scored_and_shown_and_fails_nothing(change):
    more = {"id": "new-1", "input": "?", "reference": "yes", "labels": ["qa"]}
    change.house.lines("cases.jsonl", [*change.house.CASES, more])
    answers = [*change.house.GOOD, {"id": "new-1", "output": "yes"}]
    run = change.check(predictions=answers)
    assert run.status == 0, run.out
    assert run.result["suite"]["n_cases"] == 5
    assert run.result["comparison"]["added"] == ["new-1"]
    assert "| change (compared cases) |" in run.report
    assert "Baseline and change are those of the compared cases alone." in run.out
    assert [one["kind"] for one in run.result["rule_changes"]] == ["case-added"]


def test_a_kind_of_change_that_the_base_allows_does_not_fail(change):
    allowed = '\n[[gates]]\ngate = "rules"\nallow_policy_changes = ["limit-loosened"]\n'
    change.text("gate.toml", change.POLICY + allowed)
    change.commit("gate.toml")
    change.edit("gate.toml", "max_drop = 0.0", "max_drop = 0.5")
    run = change.check()
    assert run.status == 0, run.out
    assert "allows" in outcome(run, "rules")["because"]


def test_a_change_cannot_allow_itself(change):
    allowed = '\n[[gates]]\ngate = "rules"\nallow_policy_changes = ["limit-loosened"]\n'
    change.text("gate.toml", change.POLICY.replace("max_drop = 0.0", "max_drop = 0.5") + allowed)
    assert change.check().status == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--max-drop", "0.5"),
        ("--rule", "significant"),
        ("--advisory",),
        ("--scorer", "jaccard"),
        ("--cases", "other.jsonl"),
        ("--baseline", "other.json"),
        ("--allow-missing-baseline",),
        ("--pass-threshold", "0.1"),
    ],
)
def test_an_option_that_loosens_is_refused_by_name(change, options):
    run = change.check(*options)
    assert run.status == 2
    assert options[0] in run.err
    assert "base" in run.err


def test_an_option_that_tightens_is_taken(change):
    assert change.check("--min-pass-rate", "1.0").status == 0
    assert change.check("--min-pass-rate", "1.0", predictions=change.house.ONE_WRONG).status == 1


def test_a_policy_that_is_deleted_still_judges_and_that_fails(change):
    (change.house.folder / "gate.toml").unlink()
    run = change.check()
    assert run.status == 1
    assert "policy" in outcome(run, "rules")["because"]
    assert outcome(run, "regression")["outcome"] == "pass"


def test_files_that_the_change_spoils_are_a_change_and_not_the_end(change):
    change.text("gate.toml", "[suite\n")
    change.text("baseline.json", "{")
    change.text("cases.jsonl", "no JSON\n")
    run = change.check()
    assert run.status == 1, run.err
    labels = [one["kind"] for one in run.result["rule_changes"]]
    assert labels.count("unreadable") == 3


def test_a_host_that_refuses_the_token_decides_nothing(change, github, fake):
    github.script.extend([fake.no_permission("contents=read")] * 20)
    run = change.check()
    assert run.status == 2
    assert "github-token" in run.err
    assert run.result is None


def test_without_a_token_nothing_is_decided_and_the_checkout_not_read(change, monkeypatch):
    monkeypatch.delenv("INPUT_GITHUB-TOKEN")
    run = change.check()
    assert run.status == 2
    assert "token" in run.err


def test_the_change_that_brings_the_gate_is_judged_by_its_own_files_without_a_baseline(change):
    change.base.clear()
    run = change.check()
    assert run.status == 3
    assert run.result["rules_from"]["first"] is True
    assert outcome(run, "rules")["outcome"] == "off"
    change.text("gate.toml", change.POLICY + '\n[[gates]]\ngate = "floor"\nmin = 0.9\n')
    assert change.check().status == 0
    assert change.check(predictions=change.house.ONE_WRONG).status == 1


def test_a_first_baseline_that_the_change_brings_is_told_of_and_what_decides(change):
    change.base.clear()
    run = change.check()
    said = " ".join(run.out.split()).replace("`", "")
    assert "the base commit has none at baseline.json, and the one that this change brings" in said
    assert "and the policy or an option allows that" not in said
    assert "next the base commit has no baseline, so nothing can be compared" in said
    assert 'put allow_missing_baseline = true under [suite] and [[gates]] gate = "floor"' in said


def test_without_any_baseline_the_error_says_how_the_first_one_lands(change):
    change.base.clear()
    (change.folder / "baseline.json").unlink()
    run = change.check()
    assert run.status == 2
    assert "no such baseline (at the base commit)" in run.err
    assert "put allow_missing_baseline = true under [suite]" in run.err
    change.commit("gate.toml", "cases.jsonl")
    run = change.check()
    assert run.status == 2
    assert "the baseline is the base commit's, and it has none: land one there" in run.err


def test_a_suite_and_then_its_first_baseline_land_in_steps_that_pass(change):
    final = change.POLICY + '\n[[gates]]\ngate = "floor"\nmin = 0.9\n'
    first = final.replace("[suite]", "[suite]\nallow_missing_baseline = true")
    baseline = (change.folder / "baseline.json").read_text()
    (change.folder / "baseline.json").unlink()
    change.base.clear()
    change.text("gate.toml", first)
    assert change.check().status == 0
    change.commit("gate.toml", "cases.jsonl")
    assert change.check().status == 0
    change.text("baseline.json", baseline)
    assert change.check().outcomes()["rules"] == "fail"  # by hand: whoever may merges it
    change.commit("baseline.json")
    change.text("gate.toml", final)
    run = change.check()
    assert run.status == 0, run.out
    assert run.outcomes()["regression"] == "pass"


def test_whoever_says_head_is_told_that_the_rules_are_the_changes_own(change):
    change.edit("gate.toml", "max_drop = 0.0", "max_drop = 0.5")
    run = change.check("--policy-from", "head", predictions=change.house.ONE_WRONG)
    assert run.status == 0
    assert run.result["rules_from"]["source"] == "head"
    assert "this pull request's own" in run.report


def test_a_privileged_event_judges_nothing(change, monkeypatch):
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request_target")
    for options in ((), ("--policy-from", "head")):
        run = change.check(*options)
        assert run.status == 2
        assert "publish" in run.err


def test_a_push_is_judged_by_what_is_there(change, monkeypatch, github):
    monkeypatch.setenv("GITHUB_EVENT_NAME", "push")
    change.edit("gate.toml", "max_drop = 0.0", "max_drop = 0.5")
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 0
    assert github.asked == []
    assert run.result["rules_from"] is None


def test_base_is_refused_where_there_is_none(change, monkeypatch):
    monkeypatch.setenv("GITHUB_EVENT_NAME", "push")
    run = change.check("--policy-from", "base")
    assert run.status == 2
    assert "no base commit" in run.err
    assert change.check("--policy-from", "bas").status == 2


def test_a_run_that_ended_is_judged_by_the_base_of_its_one_pull_request(change, github, fake):
    ended = {
        "run_number": 3,
        "head_sha": fake.HEAD,
        "head_repository": {"full_name": "octo/agent"},
    }
    change.happens("workflow_run", workflow_run=ended)
    assert change.check("--policy-from", "base").status == 0
    github.world.pulls[5] = fake.Pull(5, base_ref="release", base="4" * 40)
    run = change.check("--policy-from", "base")
    assert run.status == 2
    assert "2 open pull requests (#5, #7)" in run.err


def test_a_run_of_a_fork_that_ended_is_judged_by_the_base_of_the_one_from_its_branch(
    change, github, fake
):
    github.world.pulls[7].head_repository = "evil/agent"
    ended = {
        "run_number": 3,
        "head_sha": fake.HEAD,
        "head_branch": "topic",
        "head_repository": {"full_name": "evil/agent"},
    }
    change.happens("workflow_run", workflow_run=ended)
    assert change.check("--policy-from", "base").status == 0
    assert github.lines[1] == "GET /repos/octo/agent/pulls"
    change.happens("workflow_run", workflow_run={**ended, "head_branch": None})
    run = change.check("--policy-from", "base")
    assert run.status == 2
    assert "no open pull request (asked for by commit 111111111111; by no branch" in run.err
    github.world.pulls[5] = fake.Pull(5, base_ref="release", head_repository="evil/agent")
    change.happens("workflow_run", workflow_run=ended)
    run = change.check("--policy-from", "base")
    assert run.status == 2
    assert "2 open pull requests (#5, #7)" in run.err
