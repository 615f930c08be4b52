"""A stored result that contradicts itself is refused by every command that reads one."""

import json

import pytest

from gate.records.json_text import canonical, digest

AGGREGATES = {
    "n_cases": 5,
    "n_passed": 4,
    "pass_rate": 1.0,
    "mean_score": 1.0,
    "trajectory_mean": 0.9,
    "k_macro_average": 0.5,
    "repeats": 2,
    "standings": {"scored": 3},
}
COMMANDS = {
    "compare": ("compare", "{}", "--baseline", "baseline.json", "--max-drop", "1"),
    "decide": ("decide", "{}"),
    "promote": ("baseline", "promote", "--result", "{}", "--to", "new.json", "--reason", "why"),
}


@pytest.fixture
def stored(house):
    """Give a function that tampers with a failed result and hands it to every command."""
    house.start()
    house.check("--out", "now", predictions=house.ONE_WRONG)
    path = house.folder / "now" / "result.json"

    def statuses(change):
        document = json.loads(path.read_text())
        change(document)
        house.text("tampered.json", json.dumps(document))
        runs = [
            house.run(*(word.format("tampered.json") for word in words), *out(name))
            for name, words in COMMANDS.items()
        ]
        assert all("Traceback" not in run.err for run in runs)
        return [run.status for run in runs]

    return statuses


def out(name):
    return () if name == "promote" else ("--out", f"out-{name}")


def test_an_honest_result_is_accepted(stored):
    assert stored(lambda _document: None) == [0, 1, 0]


@pytest.mark.parametrize("name", AGGREGATES)
def test_an_aggregate_that_disagrees_with_the_rows_is_refused(stored, name):
    assert stored(lambda found: found["suite"].update({name: AGGREGATES[name]})) == [2, 2, 2]


@pytest.mark.parametrize("name", ["interval", "protocol_interval"])
@pytest.mark.parametrize("edge", ["low", "high"])
def test_an_interval_that_disagrees_with_the_rows_is_refused(stored, name, edge):
    assert stored(lambda found: found["suite"][name].update({edge: 0.5})) == [2, 2, 2]


@pytest.mark.parametrize("name", ["n_cases", "n_passed"])
def test_a_slice_that_disagrees_with_the_rows_is_refused(stored, name):
    assert stored(lambda found: found["suite"]["slices"][1].update({name: 9})) == [2, 2, 2]


def test_a_slice_that_is_gone_is_refused(stored):
    assert stored(lambda found: found["suite"]["slices"].pop()) == [2, 2, 2]


@pytest.mark.parametrize(
    "fields",
    [
        {"passed": True},
        {"score": 1.0},
        {"standing": "missing"},
        {"score": None},
        {"standing": "missing", "score": None, "passed": True},
        {"id": "num-0"},
        {"labels": ["other"]},
    ],
)
def test_a_row_that_was_changed_is_refused(stored, fields):
    def change(document):
        row = next(row for row in document["cases"] if row["id"] == "qa-2")
        row.update(fields)

    assert stored(change) == [2, 2, 2]


def test_a_row_that_was_removed_is_refused(stored):
    assert stored(lambda found: found["cases"].pop()) == [2, 2, 2]


def test_a_row_that_stands_twice_is_refused(stored):
    assert stored(lambda found: found["cases"].append(found["cases"][-1])) == [2, 2, 2]


def test_no_rows_are_refused(stored):
    assert stored(lambda found: found.update(cases=[])) == [2, 2, 2]


@pytest.mark.parametrize(
    "fields",
    [
        {"schema_version": 2},
        {"schema_version": True},
        {"kind": "agent-eval-gate/baseline"},
        {"surprise": 1},
        {"suite": None},
    ],
)
def test_another_format_is_refused(stored, fields):
    assert stored(lambda found: found.update(fields)) == [2, 2, 2]


def test_repeats_that_contradict_their_row_are_refused(house):
    answers = [{**row, "repeat": number} for row in house.GOOD for number in (0, 1)]
    house.start(accepted=answers)
    path = house.folder / "accepted" / "result.json"
    document = json.loads(path.read_text())
    document["cases"][0]["repeats"][1].update(score=0.0, passed=False)
    house.text("tampered.json", json.dumps(document))
    run = house.run("compare", "tampered.json", "--baseline", "baseline.json", "--max-drop", "1")
    assert run.status == 2
    assert "contradicts its repeats" in run.err


def test_a_case_must_be_unchanged_added_or_changed(house):
    house.start()
    house.check("--out", "now")
    document = json.loads((house.folder / "now" / "result.json").read_text())
    document["cases"][0]["accepted"] = None
    house.text("tampered.json", json.dumps(document))
    run = house.run("decide", "tampered.json")
    assert run.status == 2
    assert "one of the three" in run.err


def test_a_policy_that_is_spelt_otherwise_is_still_the_results_own(stored):
    def change(document):
        for gate in document["policy"]["gates"]:
            del gate["enabled"]
        document["digests"]["policy"] = digest(canonical(document["policy"]))
        document.update(verdict="pass", exit_status=0)
        for gate in document["gates"]:
            gate["outcome"] = "pass"

    assert stored(change) == [2, 2, 2]


def test_a_result_that_lacks_what_is_usual_is_decided_as_it_was(stored):
    def change(document):
        for gate in document["policy"]["gates"]:
            del gate["enabled"]
        document["digests"]["policy"] = digest(canonical(document["policy"]))

    assert stored(change) == [0, 1, 0]
