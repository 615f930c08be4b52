"""What a checkout holds does not choose the rules: each way that was tried to turn a run green.

The workflow's own inputs and variables are another matter: `docs/pull-requests.md` says what
whoever edits those can do.
"""

import json
import shutil

import pytest

LAX = """
[[gates]]
gate = "floor"
min = 0.1
"""
LOOSE = "max_drop = 0.9"
STRICT = "max_drop = 0.0"
ZERO = b"\xef\xbb\xbf"


def moved(change, name):
    """Move the rules of both commits into a folder, and the policy's paths along."""
    folder = change.folder / name
    folder.mkdir()
    policy = change.POLICY
    for file in ("cases.jsonl", "baseline.json"):
        policy = policy.replace(f'"{file}"', f'"{name}/{file}"')
        change.base[f"{name}/{file}"] = change.base.pop(file)
        shutil.move(change.folder / file, folder / file)
    del change.base["gate.toml"]
    (change.folder / "gate.toml").unlink()
    change.text(f"{name}/gate.toml", policy)
    change.commit(f"{name}/gate.toml")
    return folder


def loosened(change, path):
    change.edit(path, STRICT, LOOSE)
    change.text(path, (change.folder / path).read_text() + LAX)


def test_a_policy_that_the_change_brings_cannot_make_the_run_advisory(change):
    del change.base["gate.toml"]
    change.edit("gate.toml", "[suite]", "[suite]\nadvisory = true")
    run = change.check(
        *("--cases", "cases.jsonl", "--baseline", "baseline.json", "--max-drop", "0"),
        predictions=change.house.ONE_WRONG,
    )
    assert run.status == 1
    assert run.outcomes()["rules"] == "fail"
    assert run.outcomes()["regression"] == "fail"
    assert "advisory" in run.out


def test_a_working_directory_that_became_a_link_is_refused(change, monkeypatch):
    moved(change, "evals")
    (change.folder / "evals").rename(change.folder / "mine")
    (change.folder / "evals").symlink_to("mine")
    text = change.POLICY.replace(STRICT, LOOSE) + LAX
    change.text("mine/gate.toml", text)
    change.house.lines("mine/predictions.jsonl", change.house.ONE_WRONG)
    monkeypatch.setenv("INPUT_WORKING-DIRECTORY", "evals")
    monkeypatch.chdir(change.folder / "evals")
    run = change.house.run("check")
    assert run.status == 2
    assert "working-directory" in run.err


@pytest.mark.parametrize("target", [".", "mine/..", "mine/deeper"])
def test_wherever_that_link_leads(change, monkeypatch, target):
    (change.folder / "mine" / "deeper").mkdir(parents=True)
    (change.folder / "evals").symlink_to(target)
    loosened(change, "gate.toml")
    monkeypatch.setenv("INPUT_WORKING-DIRECTORY", "evals")
    monkeypatch.chdir(change.folder / "evals")
    run = change.check()
    assert run.status == 2
    assert "working-directory" in run.err


def test_a_working_directory_that_is_a_folder_is_entered(change, monkeypatch):
    moved(change, "evals")
    change.text("evals/gate.toml", change.POLICY)
    change.commit("evals/gate.toml")
    change.house.lines("evals/predictions.jsonl", change.house.ONE_WRONG)
    monkeypatch.setenv("INPUT_WORKING-DIRECTORY", "./evals/")
    monkeypatch.chdir(change.folder / "evals")
    run = change.house.run("check")
    assert run.status == 1, run.err


def test_a_folder_of_the_rules_that_becomes_a_link_fails(change):
    folder = moved(change, "evals")
    folder.rename(change.folder / "elsewhere")
    folder.symlink_to("elsewhere")
    run = change.check("--policy", "evals/gate.toml")
    assert run.status == 1
    kinds = [one["kind"] for one in run.result["rule_changes"]]
    assert kinds == ["unreadable"] * 3
    assert "is a link" in run.out


def test_a_folder_that_was_a_link_already_brings_no_rules_of_its_own(change):
    folder = moved(change, "evals")
    folder.rename(change.folder / "elsewhere")
    folder.symlink_to("elsewhere")
    change.base.clear()
    loosened(change, "elsewhere/gate.toml")
    run = change.check("--policy", "evals/gate.toml", predictions=change.house.ONE_WRONG)
    assert run.status == 2
    assert "is a link" in run.err


def test_a_folder_that_becomes_a_repository_of_its_own_fails(change):
    folder = moved(change, "evals")
    (folder / ".git").write_text("gitdir: ../.git/modules/evals\n")
    run = change.check("--policy", "evals/gate.toml")
    assert run.status == 1
    assert run.outcomes()["rules"] == "fail"


def test_a_repository_that_is_planted_around_the_working_directory_moves_no_path(
    change, monkeypatch
):
    moved(change, "evals")
    change.text("evals/gate.toml", change.POLICY)
    change.commit("evals/gate.toml")
    (change.folder / "evals" / ".git").mkdir()
    change.text("evals/gate.toml", change.POLICY.replace(STRICT, LOOSE) + LAX)
    change.house.lines("evals/predictions.jsonl", change.house.ONE_WRONG)
    monkeypatch.setenv("INPUT_WORKING-DIRECTORY", "evals")
    monkeypatch.chdir(change.folder / "evals")
    run = change.house.run("check")
    assert run.status == 1
    assert "regression: pass rate fell 0.250" in run.out


@pytest.mark.parametrize(
    "event",
    ["pull_request", "pull_request_review", "pull_request_review_comment", "merge_group"],
)
def test_every_event_of_a_pull_request_is_judged_by_its_base(change, event, fake):
    group = {"head_sha": fake.HEAD, "base_sha": fake.BASE, "base_ref": "refs/heads/main"}
    change.happens(event, **({"merge_group": group} if event == "merge_group" else {}))
    change.edit("gate.toml", STRICT, LOOSE)
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert run.outcomes()["rules"] == "fail"
    assert run.outcomes()["regression"] == "fail"


@pytest.mark.parametrize("payload", [None, "", "{}", "[]", "[[[", '{"pull_request": null}'])
def test_an_event_that_cannot_be_understood_decides_nothing(change, monkeypatch, payload):
    if payload is None:
        monkeypatch.delenv("GITHUB_EVENT_PATH")
    else:
        change.text("event.json", payload)
    run = change.check()
    assert run.status == 2
    assert run.result is None


def test_a_base_of_another_repository_decides_nothing(change, fake, github):
    change.edit_pull(
        base={"ref": "main", "sha": fake.BASE, "repo": {"full_name": "mallory/agent"}}
    )
    assert change.check().status == 2
    assert github.asked == []


@pytest.mark.parametrize(
    "address", ["http://evil.example", "https://", "file:///etc", "http://[::1", "x"]
)
def test_an_address_that_no_token_is_sent_to_decides_nothing(change, monkeypatch, address):
    monkeypatch.setenv("GITHUB_API_URL", address)
    run = change.check()
    assert run.status == 2
    assert change.TOKEN not in run.err


def test_a_workspace_that_is_reached_by_a_link_is_the_same_workspace(change, monkeypatch):
    other = change.folder.parent / f"{change.folder.name}-by-link"
    other.symlink_to(change.folder)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(other))
    assert change.check().status == 0
    assert change.check("--policy", str(other / "gate.toml")).status == 0
    change.edit("gate.toml", STRICT, LOOSE)
    assert change.check().status == 1


@pytest.mark.parametrize("workspace", ["/nowhere", "/", "evals", "..", "~"])
def test_a_workspace_that_is_none_of_this_checkout_turns_nothing_green(
    change, monkeypatch, workspace
):
    change.edit("gate.toml", STRICT, LOOSE)
    monkeypatch.setenv("GITHUB_WORKSPACE", workspace)
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status != 0


@pytest.mark.parametrize("name", ["Gate.toml", "GATE.TOML", "gate.toml.bak", "gate.toml "])
def test_a_file_that_is_named_nearly_so_is_no_policy(change, name):
    change.text(name, change.POLICY.replace(STRICT, LOOSE))
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert run.result["rules_from"]["file"] == "gate.toml"


def test_a_policy_elsewhere_in_the_checkout_is_none(change):
    for folder in ("evals", ".github", ".agent-eval-gate"):
        change.text(f"{folder}/gate.toml", change.POLICY.replace(STRICT, LOOSE))
    assert change.check(predictions=change.house.ONE_WRONG).status == 1


def test_a_mark_at_the_beginning_or_other_line_ends_are_no_change(change):
    text = (change.folder / "gate.toml").read_bytes()
    (change.folder / "gate.toml").write_bytes(ZERO + text.replace(b"\n", b"\r\n"))
    run = change.check()
    assert run.status == 0, run.out
    assert run.result["rule_changes"] == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"#" * 300_000),
        lambda path: path.write_bytes(b"\xff\xfe" + b"x" * 10),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), path.symlink_to("nowhere")),
        lambda path: (path.unlink(), path.symlink_to("/dev/zero")),
        lambda path: (path.unlink(), path.symlink_to(path.name)),
    ],
    ids=["huge", "no text", "a folder", "leads nowhere", "never ends", "leads to itself"],
)
def test_a_policy_that_nobody_can_read_fails_and_does_not_judge(change, spoil):
    spoil(change.folder / "gate.toml")
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1, run.err
    assert run.outcomes()["rules"] == "fail"
    assert run.outcomes()["regression"] == "fail"


def test_a_folder_for_the_result_that_leads_to_the_rules_changes_none(change):
    before = {name: (change.folder / name).read_bytes() for name in change.RULES}
    (change.folder / ".agent-eval-gate").symlink_to(".")
    change.text("result.json", json.dumps({"verdict": "pass", "exit_status": 0}))
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert json.loads(change.result_bytes())["verdict"] == "fail"
    assert {name: (change.folder / name).read_bytes() for name in change.RULES} == before


def test_a_result_that_lies_there_already_is_never_an_answer(change):
    change.text(".agent-eval-gate/result.json", json.dumps({"verdict": "pass"}))
    run = change.check("--bogus")
    assert run.status == 2
    assert change.check("--policy-from", "base", "--cases", "other.jsonl").status == 2
    assert not (change.folder / ".agent-eval-gate" / "result.json").exists()


def test_new_cases_lift_nothing_over_a_floor(change):
    floor = '\n[[gates]]\ngate = "floor"\nmin = 0.9\n'
    change.text("gate.toml", change.POLICY.replace(STRICT, LOOSE) + floor)
    change.commit("gate.toml")
    new = [{"id": f"new-{at}", "input": "?", "reference": "yes"} for at in range(60)]
    change.house.lines("cases.jsonl", [*change.house.CASES, *new])
    answers = [*change.house.ONE_WRONG, *({"id": one["id"], "output": "yes"} for one in new)]
    run = change.check(predictions=answers)
    assert run.status == 1
    assert "without the 60 new cases" in run.gate("floor")["because"]


def test_nor_do_they_where_there_is_no_baseline_yet(change):
    floor = '\n[[gates]]\ngate = "floor"\nmin = 0.9\n'
    lacking = change.POLICY.replace('baseline = "baseline.json"', "allow_missing_baseline = true")
    change.text("gate.toml", lacking + floor)
    change.commit("gate.toml")
    new = [{"id": f"new-{at:02}", "input": "?", "reference": "yes"} for at in range(60)]
    change.house.lines("cases.jsonl", [*change.house.CASES, *new])
    answers = [*change.house.ONE_WRONG, *({"id": one["id"], "output": "yes"} for one in new)]
    run = change.check(predictions=answers)
    assert run.status == 1
    assert "without the 60 new cases" in run.gate("floor")["because"]
    assert run.result["rules_from"]["added"] == [one["id"] for one in new]
    before = change.result_bytes()
    assert change.house.run("decide", ".agent-eval-gate/result.json").status == 1
    assert change.result_bytes() == before


@pytest.mark.parametrize("mode", ["exact", "order"])
def test_new_paths_lift_nothing_over_the_floor_of_paths(change, mode):
    path = f'\n[[gates]]\ngate = "trajectory"\nmode = "{mode}"\nmin = 0.9\n'
    change.text(
        "gate.toml", change.POLICY.replace("[scorer]", f'trajectory = "{mode}"\n\n[scorer]') + path
    )
    cases = [{**case, "expected_tools": ["search"]} for case in change.house.CASES]
    change.house.lines("cases.jsonl", cases)
    right = [{**answer, "tools": ["search"]} for answer in change.house.GOOD]
    change.house.lines("predictions.jsonl", right)
    change.house.accept("--scorer", "contains", "--trajectory", mode, reason="paths")
    change.commit(*change.RULES)
    assert change.check(predictions=right).status == 0
    wrong = [{**right[0], "tools": ["delete"]}, *right[1:]]
    assert change.check(predictions=wrong).status == 1
    new = [{**cases[0], "id": f"new-{at:02}", "reference": "yes"} for at in range(60)]
    change.house.lines("cases.jsonl", [*cases, *new])
    more = [{"id": one["id"], "output": "yes", "tools": ["search"]} for one in new]
    run = change.check(predictions=[*wrong, *more])
    assert run.status == 1
    assert "without the 60 new cases, below the floor" in run.gate("trajectory")["because"]


def test_a_threshold_that_would_change_the_headline_is_no_tightening(change):
    change.text("gate.toml", change.POLICY.replace('"contains"', '"jaccard"'))
    change.house.accept("--scorer", "jaccard", reason="graded")
    change.commit(*change.RULES)
    run = change.check("--pass-threshold", "1.0")
    assert run.status == 2
    assert "makes the pass rate the headline" in run.err


def test_another_policy_than_the_bases_is_compared_with_it_by_all_that_it_lacks(change):
    change.text("mine.toml", change.POLICY.replace(STRICT, LOOSE) + LAX)
    run = change.check("--policy", "mine.toml", predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert run.result["rules_from"]["brought"] == ["mine.toml"]


def test_a_case_under_another_name_is_a_case_that_is_gone(change):
    change.edit("cases.jsonl", '"qa-2"', '"qa-two"')
    answers = [*change.house.GOOD, {"id": "qa-two", "output": "Shakespeare"}]
    run = change.check(predictions=[one for one in answers if one["id"] != "qa-2"])
    assert run.status == 1
    assert {"case-removed", "case-added"} <= {one["kind"] for one in run.result["rule_changes"]}
    assert run.row("qa-2")["standing"] == "missing"


def test_rules_that_swap_places_are_no_adoption(change):
    """The policy names other files than before: those that it named still judge."""
    for name in ("cases.jsonl", "baseline.json"):
        shutil.copyfile(change.folder / name, change.folder / f"new-{name}")
    change.edit("gate.toml", '"cases.jsonl"', '"new-cases.jsonl"')
    change.edit("gate.toml", '"baseline.json"', '"new-baseline.json"')
    change.house.lines("new-cases.jsonl", change.house.CASES[:1])
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert run.result["rules_from"]["first"] is False
    assert run.outcomes()["regression"] == "fail"
    assert [one["kind"] for one in run.result["rule_changes"]].count("file-moved") == 2
