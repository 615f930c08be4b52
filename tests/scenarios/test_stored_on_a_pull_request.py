"""`compare` and `decide` on a pull request: a stored result, and the base commit's rules."""

import json

import pytest

STRICT, LOOSE = "max_drop = 0.0", "max_drop = 0.9"


@pytest.fixture
def stored(change):
    """A result that `score` wrote of one wrong answer, and no gate has seen."""
    change.house.lines("predictions.jsonl", change.house.ONE_WRONG)
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    done = change.house.run("score", *given, "--scorer", "contains", "--out", "scored")
    assert done.status == 0, done.err
    return change


def compare(change, *options):
    return change.house.run("compare", "scored/result.json", *options)


def test_a_comparison_is_by_the_rules_of_the_base_commit(stored, fake):
    run = compare(stored)
    assert run.status == 1, run.err
    assert run.result["rules_from"]["commit"] == fake.BASE
    assert run.outcomes()["rules"] == "pass"


def test_a_comparison_by_a_policy_that_the_change_loosens_fails(stored):
    stored.edit("gate.toml", STRICT, LOOSE)
    run = compare(stored)
    assert run.status == 1
    assert run.outcomes()["rules"] == "fail"
    assert run.outcomes()["regression"] == "fail"
    assert "max_drop: 0 → 0.9" in run.out


def test_so_it_does_where_all_answers_are_right(stored):
    stored.house.lines("predictions.jsonl", stored.house.GOOD)
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    stored.house.run("score", *given, "--scorer", "contains", "--out", "scored")
    assert compare(stored).status == 0
    stored.edit("gate.toml", STRICT, LOOSE)
    run = compare(stored)
    assert run.status == 1
    assert [gate for gate, said in run.outcomes().items() if said == "fail"] == ["rules"]


def test_a_comparison_with_a_baseline_of_the_changes_own_fails(stored):
    stored.house.accept("--scorer", "contains", reason="easier")
    run = compare(stored)
    assert run.status == 1
    assert run.outcomes()["regression"] == "fail"
    assert run.outcomes()["rules"] == "fail"


@pytest.mark.parametrize(
    "options", [("--max-drop", "0.9"), ("--baseline", "other.json"), ("--advisory",)]
)
def test_an_option_of_a_comparison_may_only_tighten(stored, options):
    run = compare(stored, *options)
    assert run.status == 2
    assert options[0] in run.err


def test_a_result_that_was_scored_more_easily_is_no_pass(stored):
    """Another golden set, another scorer, a lower threshold: each is another measurement."""
    given = ("--cases", "easy.jsonl", "--predictions", "predictions.jsonl", "--out", "scored")
    easy = [{**case, "reference": ""} for case in stored.house.CASES]
    easy = [{**case, "reference": "i"} for case in easy]
    stored.house.lines("easy.jsonl", easy)
    for scoring in (("contains",), ("jaccard", "--pass-threshold", "0.0001")):
        done = stored.house.run("score", *given, "--scorer", *scoring)
        assert done.status == 0, done.err
        assert compare(stored).status in {1, 2, 3}


def test_a_result_of_fewer_cases_is_no_pass(stored):
    fewer = [case for case in stored.house.CASES if case["id"] != "qa-2"]
    stored.house.lines("few.jsonl", fewer)
    given = ("--cases", "few.jsonl", "--predictions", "predictions.jsonl", "--out", "scored")
    assert stored.house.run("score", *given, "--scorer", "contains").status == 0
    assert compare(stored).status == 3


@pytest.mark.parametrize(
    ("change_of", "said"),
    [
        (lambda cases: cases[:1], "lacks 3 cases ("),
        (lambda cases: [*cases, {**cases[0], "id": "mine"}], "holds besides 1 case ('mine')"),
        (lambda cases: [{**cases[0], "reference": "i"}, *cases[1:]], "holds otherwise 1 case"),
        (lambda cases: [{**cases[0], "labels": ["x"]}, *cases[1:]], "holds otherwise 1 case"),
    ],
)
@pytest.mark.parametrize("command", [("compare",), ("decide", "--policy", "gate.toml")])
def test_a_result_of_another_golden_set_decides_nothing(stored, change_of, said, command):
    floor = '\n[[gates]]\ngate = "floor"\nmin = 0.1\n'
    lacking = stored.POLICY.replace('baseline = "baseline.json"', "allow_missing_baseline = true")
    stored.text("gate.toml", lacking + floor)
    stored.commit("gate.toml")
    name, *given = command
    assert stored.house.run(name, "scored/result.json", *given).status == 0
    stored.house.lines("other.jsonl", change_of(stored.house.CASES))
    files = ("--cases", "other.jsonl", "--predictions", "predictions.jsonl", "--out", "scored")
    assert stored.house.run("score", *files, "--scorer", "contains").status == 0
    run = stored.house.run(name, "scored/result.json", *given)
    assert run.status == 3, run.out
    assert said in run.err
    assert run.result is None


def test_what_the_host_does_not_give_decides_no_comparison(stored, github, fake):
    github.script.extend([fake.no_permission("contents=read")] * 20)
    run = compare(stored)
    assert run.status == 2
    assert run.result is None


@pytest.fixture
def bound(change):
    """The bytes of a result that `check` wrote by the rules of the base, one of them loosened."""
    change.edit("gate.toml", STRICT, LOOSE)
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert run.result["rule_changes"] != []
    return change


def test_it_is_decided_again_to_the_same_bytes_without_the_host(bound, github, monkeypatch):
    before, asked = bound.result_bytes(), len(github.asked)
    for name in ("GITHUB_EVENT_NAME", "GITHUB_ACTIONS", "INPUT_GITHUB-TOKEN", "GITHUB_API_URL"):
        monkeypatch.delenv(name)
    for name in ("gate.toml", "cases.jsonl", "baseline.json", "predictions.jsonl"):
        (bound.folder / name).unlink()
    run = bound.house.run("decide", ".agent-eval-gate/result.json")
    assert run.status == 1, run.err
    assert bound.result_bytes() == before
    assert run.outcomes()["rules"] == "fail"
    again = bound.house.run("decide", ".agent-eval-gate/result.json", "--out", "elsewhere")
    assert again.status == 1
    assert (bound.folder / "elsewhere" / "result.json").read_bytes() == before
    assert len(github.asked) == asked


def test_on_its_pull_request_too(bound):
    before = bound.result_bytes()
    run = bound.house.run("decide", ".agent-eval-gate/result.json")
    assert run.status == 1, run.err
    assert bound.result_bytes() == before


def test_a_result_of_other_rules_does_not_decide_a_pull_request(bound, fake, github):
    own = bound.check("--policy-from", "head", "--out", "own")
    assert own.status == 0, own.err
    run = bound.house.run("decide", "own/result.json")
    assert run.status == 2
    assert "was not decided by the rules of this pull request's base commit" in run.err
    # A base that moved on is another base.
    bound.edit_pull(base={"ref": "main", "sha": "8" * 40, "repo": {"full_name": "octo/agent"}})
    github.world.files["8" * 40] = dict(github.world.files[fake.BASE])
    assert bound.house.run("decide", ".agent-eval-gate/result.json").status == 2


def test_the_bases_policy_decides_it_where_somebody_names_that(bound):
    bound.check("--policy-from", "head", "--out", "own")
    run = bound.house.run("decide", "own/result.json", "--policy", "gate.toml")
    assert run.status == 1
    assert run.outcomes()["regression"] == "fail"
    assert run.outcomes()["rules"] == "fail"


def test_a_limit_that_was_edited_is_refused_beside_a_baseline_too(change):
    assert change.check(predictions=change.house.ONE_WRONG).status == 1
    path = change.folder / ".agent-eval-gate" / "result.json"
    found = json.loads(path.read_text())
    (gate,) = [one for one in found["policy"]["gates"] if one["gate"] == "regression"]
    gate["max_drop"] = 1
    path.write_text(json.dumps(found))
    for given in ((), ("--baseline", "baseline.json")):
        run = change.house.run("decide", ".agent-eval-gate/result.json", *given, "--out", "again")
        assert run.status == 2, run.out
        assert "digests" in run.err


def test_a_result_that_is_decided_again_names_the_bases_policy(change, fake):
    change.check()
    given = (".agent-eval-gate/result.json", "--baseline", "baseline.json", "--out", "again")
    run = change.house.run("decide", *given)
    assert run.status == 0, run.err
    assert f"gate.toml of the base commit {fake.BASE[:12]}" in run.result["conditions"][0]


@pytest.mark.parametrize("edit", ["verdict", "rule_changes", "rules_from", "gate"])
def test_a_result_that_was_edited_is_refused(bound, monkeypatch, edit):
    path = bound.folder / ".agent-eval-gate" / "result.json"
    found = json.loads(path.read_text())
    if edit == "verdict":
        found["verdict"], found["exit_status"] = "pass", 0
    elif edit == "gate":
        found["gates"] = [one for one in found["gates"] if one["gate"] != "rules"]
        found["policy"]["gates"] = [
            one for one in found["policy"]["gates"] if one["gate"] != "rules"
        ]
    else:
        found[edit] = [] if edit == "rule_changes" else None
    path.write_text(json.dumps(found))
    for event in ("pull_request", ""):
        monkeypatch.setenv("GITHUB_EVENT_NAME", event)
        assert bound.house.run("decide", ".agent-eval-gate/result.json").status == 2


@pytest.fixture
def unaccepted(stored):
    """The same, where the base has no baseline yet and a floor decides."""
    floor = '\n[[gates]]\ngate = "floor"\nmin = 0.9\n'
    lacking = stored.POLICY.replace('baseline = "baseline.json"', "allow_missing_baseline = true")
    stored.text("gate.toml", lacking + floor)
    stored.commit("gate.toml")
    return stored


def test_without_a_baseline_at_the_base_a_results_own_comparison_is_none(unaccepted):
    """It says that it fell nowhere, beside a baseline of its own."""
    easy = unaccepted.POLICY.replace("max_drop = 0.0", "max_drop = 1")
    unaccepted.text("mine.toml", easy)
    given = ("--policy", "mine.toml", "--policy-from", "head", "--out", "own")
    own = unaccepted.check(*given, predictions=unaccepted.house.ONE_WRONG)
    assert own.result["comparison"] is not None
    run = unaccepted.house.run("compare", "own/result.json")
    assert run.status == 1, run.err
    assert run.result["comparison"] is None
    assert run.outcomes()["floor"] == "fail"


def test_a_result_that_was_counted_more_loosely_is_refused(unaccepted):
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl", "--out", "scored")
    loose = ("--scorer", "contains", "--pass-threshold", "0.1", "--trajectory", "set")
    assert unaccepted.house.run("score", *given, *loose).status == 0
    run = unaccepted.house.run("compare", "scored/result.json")
    assert run.status == 2
    assert "pass_threshold 0.1, where 1 is in force" in run.err
    assert "trajectory set, where exact is in force" in run.err


def test_a_case_that_comes_back_is_compared_with_nothing(change):
    """The base dropped it and its baseline did not: what it once scored says nothing now."""
    base = [case for case in change.house.CASES if case["id"] != "qa-2"]
    full = change.house.CASES
    policy = change.POLICY + '\n[[gates]]\ngate = "comparable"\nallow_removed = true\n'
    change.text("gate.toml", policy)
    change.house.lines("cases.jsonl", base)
    change.commit("gate.toml", "cases.jsonl")
    change.house.lines("cases.jsonl", full)
    run = change.check()
    assert run.result["rules_from"]["added"] == ["qa-2"]
    assert run.result["comparison"]["added"] == ["qa-2"]
    assert run.result["comparison"]["removed"] == ["qa-2"]
    before = change.result_bytes()
    assert change.house.run("decide", ".agent-eval-gate/result.json").status == run.status
    assert change.result_bytes() == before
