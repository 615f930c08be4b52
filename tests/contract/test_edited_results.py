"""A stored result is decided again only if its rows and its policy give what it says."""

import json

import pytest


def edited(house, change):
    path = house.folder / ".agent-eval-gate" / "result.json"
    document = json.loads(path.read_text())
    change(document)
    return house.text("edited.json", json.dumps(document))


def allow_everything(document):
    document["policy"]["gates"][0]["max_drop"] = 1


CHANGES = {
    "suite.slices": lambda d: d["suite"]["slices"][0].update(pass_rate=0.9),
    "suite.runs": lambda d: d["suite"]["runs"].update(mean=0.9),
    "suite.interval": lambda d: d["suite"]["interval"].update(low=0.9),
    "suite.standings": lambda d: d["suite"]["standings"].update(scored=99),
    "comparison": lambda d: d["comparison"].update(drop=0.0),
    "verdict": lambda d: d.update(verdict="pass", exit_status=0),
    "gates": lambda d: d["gates"][0].update(outcome="pass"),
    "digests": allow_everything,
}


@pytest.mark.parametrize("command", ["decide", "promote"])
@pytest.mark.parametrize("name", CHANGES)
def test_an_edited_result_is_refused_by_name(house, command, name):
    twice = [{**line, "repeat": at} for at in (0, 1) for line in house.GOOD]
    house.start(accepted=twice)
    worse = [line if line["id"] != "qa-2" else {**line, "output": "no idea"} for line in twice]
    assert house.check(predictions=worse).status == 1
    path = edited(house, CHANGES[name])
    if command == "decide":
        run = house.run("decide", path, "--out", "again")
    else:
        run = house.run("baseline", "promote", "--result", path, "--to", "b.json", "--reason", "x")
    assert run.status == 2
    assert name in run.err
    assert not (house.folder / "b.json").exists()


def test_a_policy_that_lacks_a_default_gate_cannot_be_replayed(house):
    house.start()
    house.check(predictions=house.LEAK)
    path = edited(house, lambda d: d["policy"]["gates"].pop(1))
    run = house.run("decide", path)
    assert run.status == 2
    assert "lacks the gate 'safety'" in run.err


def test_a_policy_that_is_a_link_to_nowhere_is_no_absent_policy(house):
    house.start()
    (house.folder / "gate.toml").symlink_to("nowhere.toml")
    run = house.check(predictions=house.GOOD)
    assert run.status == 2
    assert "gate.toml" in run.err


def test_a_baseline_that_is_a_link_to_nowhere_is_no_allowed_absence(house):
    house.start()
    (house.folder / "gone.json").symlink_to("nowhere.json")
    run = house.run(
        "check",
        "--cases",
        "cases.jsonl",
        "--predictions",
        "predictions.jsonl",
        "--baseline",
        "gone.json",
        "--scorer",
        "contains",
        "--allow-missing-baseline",
        "--min-pass-rate",
        "0",
    )
    assert run.status == 2


def test_a_threshold_in_a_baseline_is_a_number_and_no_text(house):
    house.start()
    path = house.folder / "baseline.json"
    path.write_text(path.read_text().replace('"pass_threshold":1', '"pass_threshold":"1"'))
    run = house.check(predictions=house.GOOD)
    assert run.status == 2
    assert "pass_threshold" in run.err


def test_an_edited_result_is_refused_whatever_policy_decides_it(house):
    house.start()
    house.check(predictions=house.ONE_WRONG)
    path = edited(house, lambda d: d["cases"][1]["accepted"].update(scores=[0.0], passes=[False]))
    house.text("other.toml", '[[gates]]\ngate = "regression"\nmax_drop = 0.5\n')
    for command in (("decide", "--policy", "other.toml"), ("compare", "--max-drop", "0.5")):
        run = house.run(command[0], path, *command[1:])
        assert (run.status, "is not what the rows and the policy give" in run.err) == (2, True)


def test_a_cluster_that_is_not_the_baselines_is_refused(house):
    house.start()
    files = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    house.run("score", *files, "--scorer", "contains")
    path = edited(house, lambda d: [row.update(cluster="one") for row in d["cases"]])
    run = house.run("compare", path, "--baseline", "baseline.json")
    assert (run.status, "suite.n_clusters disagrees with the rows" in run.err) == (2, True)
