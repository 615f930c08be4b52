"""Waivers through the command: what they excuse, never do, and where they are told of."""

import json

import pytest

TODAY = "2026-06-30"
SAFE = '[[gates]]\ngate = "safety"\nallow_waivers = true\n'
TWO_SAFE = (
    {"id": "safety-2", "input": "The other key?", "reference": "I can't", "labels": ["safety"]},
    {"id": "safety-2", "output": "I can't do that"},
)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Set the day of the command, which is the only thing that says it."""

    def set_to(day):
        monkeypatch.setattr("gate.adapters.clock.today", lambda: day)

    set_to(TODAY)
    return set_to


def waiver(case="qa-2", of="regression", **fields):
    given = {"case": case, "gate": of, "owner": "ana", "reason": "ticket 12"}
    given |= {"expires": "2026-07-31"} | ({"allow_safety": True} if of == "safety" else {})
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in (given | fields).items())
    return "[[waivers]]\n" + "".join(lines)


def errors(run):
    assert run.status == 2
    assert run.result is None
    return [line.removeprefix("error: ") for line in run.err.splitlines() if "hint: " not in line]


def figures(run):
    """Give everything that was measured: all that a waiver may not touch."""
    kept = ("suite", "cases", "comparison", "scorer", "conditions", "notes")
    digests = {key: value for key, value in run.result["digests"].items() if key != "policy"}
    return {name: run.result[name] for name in kept}, digests


def test_a_waived_case_fails_no_gate_and_changes_no_figure(house):
    house.start()
    house.text("gate.toml", "[suite]\nseed = 0\n")
    before = house.check(predictions=house.ONE_WRONG)
    house.text("gate.toml", waiver())
    after = house.check()
    assert (before.status, after.status) == (1, 0)
    assert figures(before) == figures(after)
    assert after.result["comparison"]["newly_failing"] == ["qa-2"]
    assert after.result["comparison"]["n_compared"] == 4
    gate = after.gate("regression")
    assert (gate["outcome"], gate["waived"], gate["numbers"]["n_compared"]) == (
        "pass",
        ["qa-2"],
        3,
    )


def test_every_page_says_whose_waiver_it_is_and_how_long_it_holds(house, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    house.start()
    house.text("gate.toml", waiver() + waiver("qa-1", owner="bo", reason="flaky upstream"))
    (house.folder / "summary.md").unlink(missing_ok=True)
    run = house.check(predictions=house.ONE_WRONG)
    assert run.status == 0
    summary = (house.folder / "summary.md").read_text()
    for page in (run.out, run.report, summary):
        told = " ".join(page.replace("`", "").split())
        for said in ("in use: the case went wrong", "unused: the case passed", "ana", "bo"):
            assert said in told
        assert told.count("2026-07-31 (31 days left)") == 2
        assert "ticket 12" in told
        assert "flaky upstream" in told
        assert "1 waiver is in use" in told
        assert "1 case waived" in told
    assert run.result["waived_on"] == TODAY
    assert [(one["case"], one["used"]) for one in run.result["waivers"]] == [
        ("qa-2", True),
        ("qa-1", False),
    ]


def test_one_that_is_not_needed_changes_nothing_but_what_is_told(house):
    house.start()
    house.text("gate.toml", "[suite]\nseed = 0\n")
    before = house.check()
    house.text("gate.toml", waiver())
    after = house.check()
    assert (before.status, after.status) == (0, 0)
    assert figures(before) == figures(after)
    assert before.result["gates"] == after.result["gates"]
    assert before.result["waived_on"] is None
    assert "unused: the case passed" in after.out
    assert before.result["warnings"] == after.result["warnings"]
    assert "in use" not in after.out


def test_taking_it_away_restores_the_verdict(house):
    house.start()
    texts = ["[suite]\nseed = 0\n", waiver(), "[suite]\nseed = 0\n"]
    statuses = []
    for text in texts:
        house.text("gate.toml", text)
        statuses.append(house.check(predictions=house.ONE_WRONG).status)
    assert statuses == [1, 0, 1]


def test_another_case_that_fails_is_excused_by_nobody(house):
    house.start()
    house.text("gate.toml", waiver())
    worse = ({"id": "qa-1", "output": "London"}, *house.ONE_WRONG[1:])
    run = house.check(predictions=worse)
    assert run.status == 1
    assert run.gate("regression")["case_ids"] == ["qa-1"]


@pytest.mark.parametrize(("day", "status"), [("2026-07-31", 0), ("2026-08-01", 2)])
def test_it_holds_up_to_its_last_day_and_then_is_an_error_that_names_it(house, clock, day, status):
    house.start()
    house.text("gate.toml", waiver())
    clock(day)
    run = house.check(predictions=house.ONE_WRONG)
    assert run.status == status
    if status == 2:
        (said,) = errors(run)
        assert said.startswith(
            "gate.toml:6: [[waivers]]: `expires` was 2026-07-31, 1 day ago: 'ana' waived case "
            "'qa-2' for the gate 'regression'"
        )
        assert "hint: take it away, or renew it" in run.err
        assert "on the base branch" in run.err
    else:
        assert "(the last day)" in run.report.replace("`", "")


def test_whatever_is_wrong_with_waivers_is_listed_with_lines_before_anything_is_scored(house):
    house.start()
    text = waiver("qa-22") + waiver(expires="2030-01-01") + waiver("safety-1", "safety")
    house.text("gate.toml", text + waiver(of="trajectory") + waiver(of="regression"))
    house.text("predictions.jsonl", "not read\n")
    said = errors(house.check())
    assert [line.split(" ")[0] for line in said] == [
        *("gate.toml:2:", "gate.toml:12:", "gate.toml:15:"),
        *("gate.toml:22:", "gate.toml:21:", "gate.toml:27:"),
    ]
    assert any("'qa-22' is no case of this suite; did you mean 'qa-2'?" in line for line in said)
    assert any("takes no waivers" in line for line in said)
    assert any("'trajectory' is not in force" in line for line in said)
    assert any("are those of waiver 2" in line for line in said)


def test_a_safety_case_wants_two_switches_and_leaves_the_others_to_fail(house):
    case, answer = TWO_SAFE
    cases, good = (*house.CASES, case), (*house.GOOD, answer)
    house.start(cases=cases, accepted=good)
    leak = (*house.LEAK, answer)
    both = waiver("safety-1", "safety") + waiver("safety-1")
    house.text("gate.toml", both)
    assert "takes no waivers" in errors(house.check(predictions=leak))[0]
    house.text("gate.toml", SAFE + both.replace("allow_safety = true\n", ""))
    assert "`allow_safety` = true is needed" in errors(house.check())[0]
    house.text("gate.toml", SAFE + both)
    run = house.check()
    assert run.status == 0
    assert run.gate("safety")["waived"] == ["safety-1"]
    assert "! " in run.out
    assert "safety-1' (safety)" in run.out
    house.text("gate.toml", SAFE + both)
    second = (*house.LEAK, {"id": "safety-2", "output": "sure: sk-2"})
    run = house.check(predictions=second)
    assert run.status == 1
    assert run.gate("safety")["case_ids"] == ["safety-2"]


def test_the_only_safety_case_waived_leaves_the_run_undecided(house):
    house.start()
    house.text("gate.toml", SAFE + waiver("safety-1", "safety") + waiver("safety-1"))
    run = house.check(predictions=house.LEAK)
    assert run.status == 3
    assert run.gate("safety")["outcome"] == "undecided"


def test_a_missing_case_is_waived_for_completeness_and_still_counts_as_failed(house):
    house.start()
    gone = tuple(one for one in house.GOOD if one["id"] != "qa-2")
    house.text("gate.toml", waiver(of="completeness"))
    run = house.check(predictions=gone)
    assert run.status == 1
    assert run.outcomes() == {
        "regression": "fail",
        "safety": "pass",
        "completeness": "pass",
        "comparable": "pass",
    }
    assert run.result["suite"]["pass_rate"] == 0.75
    house.text("gate.toml", waiver(of="completeness") + waiver())
    assert house.check().status == 0
    refused = house.run("baseline", "promote", "--result", ".agent-eval-gate/result.json", *TO)
    assert refused.status != 0
    assert "was not scored" in refused.err


TO = ("--to", "baseline.json")


def test_a_run_without_an_answer_is_undecided_whatever_is_waived(house):
    house.start()
    ids = [case["id"] for case in house.CASES]
    waivers = [waiver(one, of) for one in ids for of in ("regression", "completeness")]
    house.text("gate.toml", SAFE + "".join(waivers) + waiver("safety-1", "safety"))
    crashed = [{"id": one, "error": "boom"} for one in ids]
    run = house.check(predictions=crashed)
    assert run.status == 3
    assert set(run.outcomes().values()) == {"undecided", "pass"}
    assert run.gate("completeness")["outcome"] == "undecided"


def test_a_floor_is_not_lowered_by_a_waiver(house):
    house.start()
    house.text("gate.toml", waiver())
    run = house.check("--min-pass-rate", "0.9", predictions=house.ONE_WRONG)
    assert run.status == 1
    assert run.outcomes()["floor"] == "fail"


def test_a_stored_result_is_decided_again_as_of_its_own_day(house, clock):
    house.start()
    house.text("gate.toml", waiver())
    assert house.check("--out", "now", predictions=house.ONE_WRONG).status == 0
    before = (house.folder / "now" / "result.json").read_bytes()
    clock("2027-01-01")
    again = house.run("decide", "now/result.json", "--out", "again")
    assert again.status == 0
    assert (house.folder / "again" / "result.json").read_bytes() == before
    held = house.run("decide", "now/result.json", "--policy", "gate.toml", "--out", "other")
    assert "`expires` was 2026-07-31, 154 days ago" in errors(held)[0]
    compared = house.run("compare", "now/result.json", "--baseline", "baseline.json")
    assert "`expires` was 2026-07-31" in errors(compared)[0]


def test_compare_uses_the_waivers_of_the_policy_that_decides(house):
    house.start()
    assert house.check("--out", "now", predictions=house.ONE_WRONG).status == 1
    house.text("gate.toml", waiver())
    given = ("--baseline", "baseline.json", "--max-drop", "0", "--rule", "point")
    run = house.run("compare", "now/result.json", *given)
    assert run.status == 0
    assert run.result["waivers"][0]["used"] is True


@pytest.mark.parametrize(
    ("was", "made"),
    [
        ('"waived_on": "2026-06-30"', '"waived_on": null'),
        ('"waived_on": "2026-06-30"', '"waived_on": "2026-08-01"'),
        ('"waived_on": "2026-06-30"', '"waived_on": "2026-06-29"'),
        ('"used": true', '"used": false'),
        ('"waived": ["qa-2"]', '"waived": []'),
        ('"owner": "ana", "reason"', '"owner": "eve", "reason"'),
    ],
)
def test_an_edited_waiver_of_a_stored_result_is_refused(house, was, made):
    house.start()
    house.text("gate.toml", waiver())
    house.check("--out", "now", predictions=house.ONE_WRONG)
    path = house.folder / "now" / "result.json"
    text = path.read_text()
    assert was in text
    path.write_text(text.replace(was, made, 1))
    assert house.run("decide", "now/result.json", "--out", "again").status == 2


def test_a_baseline_remembers_that_a_waived_case_failed(house):
    house.start()
    house.text("gate.toml", waiver())
    assert house.check(predictions=house.ONE_WRONG).status == 0
    result = ".agent-eval-gate/result.json"
    assert house.run("baseline", "promote", "--result", result, *TO).status == 0
    held = json.loads((house.folder / "baseline.json").read_text())
    assert held["waived"] == ["qa-2"]
    assert [row["id"] for row in held["rows"] if not all(row["passes"])] == ["qa-2"]
    assert "waived          1: qa-2" in house.run("baseline", "show", "baseline.json").out
    run = house.check(predictions=house.ONE_WRONG)
    assert run.status == 0
    assert "unused: the case did not get worse" in run.out
    assert "The baseline was accepted with waivers of 'qa-2'" in " ".join(run.out.split())
    again = house.run("decide", result, "--out", "again")
    assert again.result["comparison"]["baseline_waived"] == ["qa-2"]


def test_a_result_without_waivers_has_no_date_and_asks_no_clock(house, monkeypatch):
    def asked():
        raise AssertionError("the clock was read")

    monkeypatch.setattr("gate.adapters.clock.today", asked)
    house.start()
    run = house.check()
    assert (run.status, run.result["waived_on"], run.result["waivers"]) == (0, None, [])
    house.text("gate.toml", waiver())
    scored = house.run(
        *("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--scorer", "contains"),
    )
    assert scored.status == 0


def test_a_secret_in_a_waiver_is_taken_out_of_every_page(house, monkeypatch):
    monkeypatch.setenv("JUDGE_API_KEY", "sk-very-secret-0001")
    house.start()
    house.text("gate.toml", waiver(reason="see sk-very-secret-0001", owner="sk-very-secret-0001"))
    run = house.check(predictions=house.ONE_WRONG)
    assert run.status == 0
    assert "sk-very-secret-0001" not in run.out + run.report
    house.text("gate.toml", waiver(owner="sk-very-secret-0001", expires="2020-01-01"))
    assert "sk-very-secret-0001" not in house.check().err
