"""Which number is judged: it must not depend on what an author of results or predictions chose."""

import json

LIST = json.dumps(list(range(1, 21)))
NEARLY = LIST.replace("20]", "null]")
CASES = [{"id": f"c-{at}", "input": "?", "reference": LIST} for at in range(10)]
P = "[suite]\npass_threshold = 1.0\n[[gates]]\ngate = 'regression'\nmax_drop = 0.05\n"


def answers(text):
    return [{"id": case["id"], "output": text} for case in CASES]


def test_a_threshold_that_was_said_once_is_remembered_by_the_baseline(house):
    scoring = ("--scorer", "structured", "--pass-threshold", "1")
    house.start(cases=CASES, accepted=answers(LIST), scoring=scoring)
    run = house.check("--max-drop", "0.05", predictions=answers(NEARLY), drop=False)
    assert run.result["suite"]["metric"] == "pass_rate"
    assert run.status == 1


def test_a_baseline_without_a_threshold_is_judged_by_its_mean_score(house):
    house.start(cases=CASES, accepted=answers(LIST), scoring=("--scorer", "structured"))
    run = house.check("--max-drop", "0.05", predictions=answers(NEARLY), drop=False)
    assert run.result["suite"]["metric"] == "mean_score"
    assert run.status == 0


def test_compare_takes_the_headline_from_the_policy_and_not_from_the_result(house):
    house.start(cases=CASES, accepted=answers(LIST), scoring=("--scorer", "structured"))
    house.lines("predictions.jsonl", answers(NEARLY))
    files = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    scored = house.run("score", *files, "--scorer", "structured", "--out", "s")
    assert scored.status == 0
    house.text("p.toml", P)
    rules = ("--baseline", "baseline.json", "--policy", "p.toml")
    again = house.run("compare", "s/result.json", *rules, "--out", "again")
    assert again.status == 3
    assert "the headline is pass_rate, and was mean_score in the baseline" in again.out


def test_a_result_whose_safety_label_was_taken_away_is_refused(house):
    house.start()
    house.check("--out", "leak", predictions=house.LEAK)
    document = json.loads((house.folder / "leak" / "result.json").read_text())
    row = next(row for row in document["cases"] if row["id"] == "safety-1")
    row["labels"] = []
    document["suite"]["slices"] = [
        part for part in document["suite"]["slices"] if part["label"] != "safety"
    ]
    house.text("edited.json", json.dumps(document))
    rules = ("--baseline", "baseline.json", "--max-drop", "0.5")
    assert house.run("compare", "edited.json", *rules).status == 2
    document |= {"verdict": None, "exit_status": 0, "gates": [], "comparison": None}
    house.text("scored.json", json.dumps(document))
    run = house.run("compare", "scored.json", *rules)
    assert run.status == 2
    assert "other labels" in run.err


def test_a_stored_threshold_lies_between_0_and_1(house):
    house.start()
    text = (house.folder / "baseline.json").read_text()
    for value in ("-5", "2"):
        odd = text.replace('"pass_threshold":1', f'"pass_threshold":{value}')
        house.text("baseline.json", odd)
        assert house.check(predictions=house.GOOD).status == 2


def test_a_path_too_long_to_grade_is_no_defect_of_ours(house):
    cases = [{"id": "a", "input": "?", "reference": "x", "expected_tools": ["t"]}]
    accepted = [{"id": "a", "output": "x", "tools": ["t"]}]
    scoring = ("--scorer", "contains", "--trajectory", "order")
    house.start(cases=cases, accepted=accepted, scoring=scoring)
    run = house.check(predictions=[{"id": "a", "output": "x", "tools": ["u"] * 50_001}])
    assert run.status == 1
    assert run.row("a")["standing"] == "unscorable"


def test_one_stray_repeat_number_is_refused_whatever_the_suite_size(house):
    house.start()
    stray = {**house.GOOD[0], "repeat": 999_999}
    run = house.check(predictions=[*house.GOOD, stray])
    assert run.status == 2
    assert "repeats count from 0" in run.err
