"""Comparison is by pairs, limits are inclusive and exact, a missing baseline is never green."""

import json

import pytest


def moved(house, **fields):
    house.lines("cases.jsonl", [{**house.CASES[0], **fields}, *house.CASES[1:]])


def test_an_added_case_is_scored_and_shown_and_not_compared(house):
    house.start()
    house.lines("cases.jsonl", [*house.CASES, {"id": "new", "input": "?", "reference": "x"}])
    run = house.check(predictions=[*house.GOOD, {"id": "new", "output": "wrong"}])
    assert run.status == 0
    assert run.result["comparison"]["added"] == ["new"]
    assert run.result["comparison"]["n_compared"] == 4
    assert run.row("new")["passed"] is False
    assert "added cases (1)" in run.report


def test_an_added_safety_case_is_subject_to_safety(house):
    house.start()
    new = {"id": "new", "input": "?", "reference": "no", "labels": ["safety"]}
    house.lines("cases.jsonl", [*house.CASES, new])
    run = house.check(predictions=[*house.GOOD, {"id": "new", "output": "sure"}])
    assert (run.status, run.gate("safety")["case_ids"]) == (1, ["new"])


def test_an_added_case_is_subject_to_the_floor(house):
    house.start()
    house.lines("cases.jsonl", [*house.CASES, {"id": "new", "input": "?", "reference": "x"}])
    answers = [*house.GOOD, {"id": "new", "output": "wrong"}]
    assert house.check("--min-pass-rate", "0.9", predictions=answers).status == 1
    assert house.check("--min-pass-rate", "0.8", predictions=answers).status == 0


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"input": "Capital of Italy?"}, "input"),
        ({"reference": "pari"}, "reference"),
        ({"expected_tools": ["search"]}, "expected_tools"),
        ({"labels": ["qa", "easy"]}, "labels"),
        ({"scorer": {"name": "jaccard"}}, "scorer"),
    ],
)
def test_a_changed_case_is_listed_by_field_and_undecided(house, fields, named):
    house.start()
    moved(house, **fields)
    run = house.check()
    assert run.status == 3
    assert run.result["comparison"]["changed"] == [{"id": "qa-1", "fields": [named]}]
    assert f"1 case changed since the baseline ({named})" in run.gate("comparable")["because"]
    assert run.result["comparison"]["n_compared"] == 3


def test_metadata_is_not_what_a_case_is(house):
    house.start()
    moved(house, snapshot_date="2026-01-01")
    assert house.check().status == 0


def test_a_removed_case_is_listed_and_undecided(house):
    house.start()
    house.lines("cases.jsonl", house.CASES[1:])
    run = house.check()
    assert run.status == 3
    assert run.result["comparison"]["removed"] == ["qa-1"]
    assert run.gate("comparable")["case_ids"] == ["qa-1"]


@pytest.mark.parametrize("key", ["allow_changed", "allow_removed"])
def test_the_policy_may_allow_changed_or_removed_cases(house, key):
    house.start()
    house.text("gate.toml", f'[[gates]]\ngate = "comparable"\n{key} = true\n')
    if key == "allow_changed":
        moved(house, input="Capital of France, please?")
    else:
        house.lines("cases.jsonl", house.CASES[1:])
    run = house.check()
    assert run.status == 0
    assert "not compared" in run.gate("comparable")["because"]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("--scorer", "exact_match"), "scorer is 'exact_match', and was 'contains'"),
        (("--pass-threshold", "0.5"), "pass_threshold is 0.5, and was 1"),
        (("--trajectory", "exact"), None),
    ],
)
def test_another_measurement_is_undecided_naming_the_field(house, options, field):
    house.start()
    answers = [
        {**row, "output": case["reference"]}
        for row, case in zip(house.GOOD, house.CASES, strict=True)
    ]
    run = house.check(*options, predictions=answers)
    if field is None:
        assert run.status == 0
    else:
        assert run.status == 3
        assert field in run.gate("comparable")["because"]
        assert run.outcomes()["regression"] == "undecided"


def test_another_trajectory_mode_is_undecided_naming_it(house):
    house.start()
    house.text("gate.toml", '[suite]\ntrajectory = "set"\n')
    run = house.check()
    assert run.status == 3
    assert "trajectory_mode is set, and was exact" in run.gate("comparable")["because"]


def test_another_scorer_parameter_is_undecided_naming_it(house):
    house.lines("cases.jsonl", [{"id": "a", "input": "?", "reference": "10"}])
    house.lines("predictions.jsonl", [{"id": "a", "output": "10"}])
    house.accept("--scorer", "numeric_within", "--tolerance", "1")
    run = house.check("--tolerance", "2")
    assert run.status == 3
    assert "scorer tolerance differs from the baseline's" in run.gate("comparable")["because"]
    assert house.check().status == 0


def test_a_failed_safety_case_fails_all_the_same(house):
    house.start()
    run = house.check("--scorer", "exact_match", predictions=house.LEAK)
    assert run.outcomes()["comparable"] == "undecided"
    assert (run.status, run.outcomes()["safety"]) == (1, "fail")


def test_pairs_are_compared_although_the_whole_rate_rose(house):
    house.start()
    easy = [{"id": f"easy-{n}", "input": "?", "reference": "x"} for n in range(96)]
    house.lines("cases.jsonl", [*house.CASES, *easy])
    answers = [*house.ONE_WRONG, *({"id": case["id"], "output": "x"} for case in easy)]
    run = house.check("--rule", "point", "--max-drop", "0.2", predictions=answers, drop=False)
    assert run.result["suite"]["pass_rate"] == 0.99
    assert run.result["comparison"]["drop"] == 0.25
    assert run.status == 1


@pytest.mark.parametrize(
    ("failing", "allowed", "status"), [(1, "0.05", 0), (2, "0.05", 1), (1, "0.049", 1)]
)
def test_95_after_100_percent_with_5_points_allowed_passes(house, failing, allowed, status):
    house.suite(20)
    house.accept("--scorer", "contains")
    house.suite(20, failing=range(failing))
    assert house.check("--rule", "point", "--max-drop", allowed, drop=False).status == status


@pytest.mark.parametrize("passed", range(5, 101, 5))
def test_a_drop_of_exactly_the_limit_passes_from_every_height(house, passed):
    house.suite(20, failing=range(20 - passed // 5))
    house.accept("--scorer", "contains", reason="as it is")
    house.suite(20, failing=range(20 - passed // 5 + 1))
    assert (
        house.check("--rule", "point", "--max-drop", "0.05", drop=False).outcomes()["regression"]
        == "pass"
    )
    assert (
        house.check("--rule", "point", "--max-drop", "0.0499", drop=False).outcomes()["regression"]
        == "fail"
    )


def test_110_against_100_is_within_ten_percent(house):
    house.lines("cases.jsonl", [{"id": "a", "input": "?", "reference": "[100]"}])
    house.lines("predictions.jsonl", [{"id": "a", "output": "[110]"}])
    given = ("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    assert house.run(*given, "--scorer", "structured").row("a")["score"] == 1.0


def test_a_tolerance_is_inclusive_and_exact(house):
    house.lines("cases.jsonl", [{"id": "a", "input": "?", "reference": "0.3"}])
    house.lines("predictions.jsonl", [{"id": "a", "output": "0.1"}])
    given = ("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    run = house.run(*given, "--scorer", "numeric_within", "--tolerance", "0.2")
    assert run.row("a")["score"] == 1.0


def test_a_floor_is_inclusive_and_exact(house):
    house.suite(10, failing=range(3))
    house.accept("--scorer", "contains")
    assert house.check("--min-pass-rate", "0.7").outcomes()["floor"] == "pass"
    assert house.check("--min-pass-rate", "0.7000001").outcomes()["floor"] == "fail"


def test_an_improvement_always_passes(house):
    house.start(accepted=house.ONE_WRONG)
    run = house.check(predictions=house.GOOD)
    assert run.status == 0
    assert run.result["comparison"]["drop"] == -0.25
    assert run.result["comparison"]["newly_passing"] == ["qa-2"]


def test_rows_are_exact_and_aggregates_have_six_places(house):
    house.lines("cases.jsonl", [{"id": n, "input": "?", "reference": "a b c"} for n in "xyz"])
    house.lines(
        "predictions.jsonl",
        [{"id": n, "output": o} for n, o in zip("xyz", ("a b", "a", "a b c"), strict=True)],
    )
    given = ("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    run = house.run(*given, "--scorer", "jaccard")
    assert run.row("x")["score"] == 2 / 3
    assert run.result["suite"]["mean_score"] == 0.666667


def test_the_baselines_rates_are_unrounded(house):
    house.suite(3, failing=[0])
    house.accept("--scorer", "contains")
    summary = json.loads((house.folder / "baseline.json").read_text())["summary"]
    assert summary["pass_rate"] == 2 / 3


class TestNoBaseline:
    def test_no_baseline_is_2(self, house):
        house.start()
        run = house.check("--scorer", "contains", baseline=False)
        assert run.status == 2
        assert "--allow-missing-baseline" in run.err

    def test_a_named_baseline_that_is_not_there_is_2(self, house):
        house.start()
        run = house.check("--scorer", "contains", "--baseline", "gone.json", baseline=False)
        assert run.status == 2
        assert "gone.json: no such baseline" in run.err

    def test_allowed_and_without_a_floor_it_is_3(self, house):
        house.start()
        run = house.check("--scorer", "contains", "--allow-missing-baseline", baseline=False)
        assert run.status == 3
        assert "no floor decides instead" in run.gate("regression")["because"]

    @pytest.mark.parametrize("by", ["option", "policy"])
    def test_a_floor_of_0_is_no_floor(self, house, by):
        house.lines("cases.jsonl", house.CASES)
        given = ("--min-pass-rate", "0") if by == "option" else ()
        switched_off = "".join(
            f'[[gates]]\ngate = "{name}"\nenabled = false\n'
            for name in ("regression", "safety", "completeness", "comparable")
        )
        floor = '[[gates]]\ngate = "floor"\nmin = 0\n' if by == "policy" else ""
        for rules in ("[suite]\nseed = 0\n" + floor, floor + switched_off):
            house.text("gate.toml", rules)
            run = house.check(
                *("--scorer", "contains", "--allow-missing-baseline", *given),
                predictions=[{"id": case["id"], "output": "?"} for case in house.CASES[:3]]
                + [house.GOOD[3]],
                baseline=False,
                drop=False,
            )
            assert (run.status, run.result["verdict"]) == (3, "undecided")
            assert "no floor decides instead" in run.gate("regression")["because"]
            assert "nothing lies below 0" in run.gate("floor")["because"]

    def test_allowed_with_a_floor_that_holds_it_is_0_and_said_loudly(self, house):
        house.start()
        options = ("--scorer", "contains", "--allow-missing-baseline", "--min-pass-rate", "0.9")
        run = house.check(*options, baseline=False)
        assert run.status == 0
        assert run.result["comparison"] is None
        assert "No baseline: nothing was compared" in run.report

    def test_allowed_with_a_floor_that_does_not_hold_it_is_1(self, house):
        house.start()
        options = ("--scorer", "contains", "--allow-missing-baseline", "--min-pass-rate", "0.9")
        assert house.check(*options, baseline=False, predictions=house.ONE_WRONG).status == 1

    def test_allowed_with_a_floor_gate_of_the_policy_it_is_0(self, house):
        house.start()
        house.text("gate.toml", '[[gates]]\ngate = "floor"\nmin = 0.9\n')
        options = ("--scorer", "contains", "--allow-missing-baseline")
        assert house.check(*options, baseline=False).status == 0

    def test_switching_the_comparing_gates_off_does_not_make_it_green(self, house):
        house.start()
        off = "".join(
            f'[[gates]]\ngate = "{name}"\nenabled = false\n'
            for name in ("regression", "comparable")
        )
        house.text("gate.toml", off)
        options = ("--scorer", "contains", "--allow-missing-baseline")
        assert house.check(*options, baseline=False, drop=False).status == 3

    def test_a_baseline_that_is_there_and_broken_is_2_although_absence_is_allowed(self, house):
        house.start()
        house.text("baseline.json", "{}")
        assert house.check("--allow-missing-baseline", "--min-pass-rate", "0.1").status == 2
