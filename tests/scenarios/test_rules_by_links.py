"""Links in place of the rules, checkouts side by side, long paths: where a path leads to."""

import shutil

import pytest

LAX = """
[[gates]]
gate = "floor"
min = 0.1
"""
LOOSE = "max_drop = 0.9"
STRICT = "max_drop = 0.0"


def linked(change, target):
    (change.folder / "gate.toml").unlink()
    (change.folder / "gate.toml").symlink_to(target)


def test_a_policy_that_becomes_a_link_fails_though_its_bytes_stay(change):
    """Merged, the host would give the link's text for it, which is a policy, too."""
    (change.folder / "real").mkdir()
    shutil.copy(change.folder / "gate.toml", change.folder / "real" / "gate.toml")
    (change.folder / "suite={advisory=true}#").symlink_to("real")
    linked(change, "suite={advisory=true}#/gate.toml")
    run = change.check(predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert [one["kind"] for one in run.result["rule_changes"]] == ["unreadable"]
    assert "gate.toml: is a link" in run.out
    assert run.outcomes()["regression"] == "fail"
    change.base["gate.toml"] = b"suite={advisory=true}#/gate.toml"
    merged = change.check(predictions=change.house.LEAK)
    assert merged.status == 2
    assert "the base commit holds a link" in merged.err


@pytest.mark.parametrize("name", ["gate.toml", "cases.jsonl", "baseline.json"])
@pytest.mark.parametrize("where", ["real", "sub", "out"])
def test_wherever_a_link_in_place_of_the_rules_leads(change, name, where):
    folder = {"out": change.folder.parent / f"{change.folder.name}-out"}.get(
        where, change.folder / where
    )
    folder.mkdir()
    if where == "sub":
        (folder / ".git").mkdir()
    shutil.move(change.folder / name, folder / name)
    (change.folder / name).symlink_to(folder / name)
    run = change.check()
    assert run.status == 1, run.err
    assert [one["kind"] for one in run.result["rule_changes"]] == ["unreadable"]


def test_a_link_that_the_base_has_already_fails_and_the_file_in_its_place_passes(change):
    """The host follows one to a file of the repository: nobody can tell it from a file."""
    text = (change.folder / "gate.toml").read_text()
    change.text("real.toml", text)
    linked(change, "real.toml")
    assert change.check().status == 1
    (change.folder / "gate.toml").unlink()
    change.text("gate.toml", text)
    run = change.check()
    assert run.status == 0, run.out
    assert run.result["rule_changes"] == []


def test_a_link_that_is_new_brings_no_rules(change):
    del change.base["gate.toml"]
    change.text("real.toml", change.POLICY.replace(STRICT, LOOSE) + LAX)
    linked(change, "real.toml")
    run = change.check()
    assert run.status == 2
    assert "gate.toml: is a link" in run.err


def side_by_side(change, policies="https://github.com/octo/policies"):
    """The change's checkout below the workspace, and beside it that of another repository."""
    strict = change.POLICY
    shutil.rmtree(change.folder / ".git")
    for name, url in (("agent", "https://github.com/octo/agent"), ("policies", policies)):
        change.text(f"{name}/.git/config", f'[remote "origin"]\n\turl = {url}\n')
    for name in ("cases.jsonl", "baseline.json"):
        shutil.move(change.folder / name, change.folder / "agent" / name)
        strict = strict.replace(f'"{name}"', f'"agent/{name}"')
    (change.folder / "gate.toml").unlink()
    del change.base["gate.toml"]
    return strict


def test_a_policy_in_a_checkout_of_another_repository_is_not_asked_of_this_one(change, github):
    change.text("policies/gate.toml", side_by_side(change))
    change.base["gate.toml"] = change.POLICY.replace(STRICT, LOOSE).encode()
    run = change.check("--policy", "policies/gate.toml", predictions=change.house.ONE_WRONG)
    assert run.status == 2
    assert "octo/policies, another repository" in run.err
    assert "policy-from: head" in run.err
    assert github.lines == []


def test_a_checkout_of_this_repository_below_the_workspace_is_asked_for(change, monkeypatch):
    strict = side_by_side(change)
    change.text("agent/gate.toml", strict)
    change.commit("agent/gate.toml")
    change.base["gate.toml"] = change.base.pop("agent/gate.toml")
    run = change.check("--policy", "agent/gate.toml", predictions=change.house.ONE_WRONG)
    assert run.status == 1
    assert run.result["rule_changes"] == []
    monkeypatch.chdir(change.folder / "policies")
    assert change.house.run("check", "--policy", "../agent/gate.toml").status == 2


def test_a_path_longer_than_a_record_holds_is_cut_where_it_is_told(change):
    name = "/".join(["p" * 200] * 6) + "/gate.toml"
    change.text(name, change.POLICY)
    new = change.check("--policy", name)
    assert new.status == 1
    assert new.result["rules_from"]["brought"][0].endswith("p…")
    change.commit(name)
    assert change.check("--policy", name).status == 0
    (change.folder / name).unlink()
    assert change.check("--policy", name).status == 1
