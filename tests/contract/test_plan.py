"""``plan``: what a suite can see, from a baseline or a result of it."""

import json

import pytest


def answers(house, *, wrong=(), repeat=0):
    return [
        {**line, "repeat": repeat, **({"output": "no idea"} if line["id"] in wrong else {})}
        for line in house.GOOD
    ]


def planned(house, *options):
    run = house.run("plan", "--json", *options)
    assert run.status == 0, run.err
    return json.loads(run.out)


def test_a_baseline_of_one_run_shows_what_would_be_seen_under_assumptions(house):
    house.start()
    plan = planned(house, "--baseline", "baseline.json", "--size", "100", "--max-drop", "0.05")
    assert (plan["n_cases"], plan["source"], plan["unchanged"]) == (100, None, None)
    seen = {one["noise"]: (one["by_test"], one["by_rule"]) for one in plan["sights"]}
    assert seen[0.0] == pytest.approx((0.055, 0.08), abs=0.005)
    assert seen[0.1] == pytest.approx((0.115, 0.115), abs=0.005)
    assert not any(one["measured"] for one in plan["sights"])


def test_a_true_drop_equal_to_the_limit_is_seen_about_half_the_time(house):
    house.start()
    options = ("--baseline", "baseline.json", "--max-drop", "0.05", "--drop", "0.05")
    plan = planned(house, *options, "--size", "1000")
    assert plan["at_max_drop"] == pytest.approx(0.48, abs=0.03)
    assert all(one["cases_needed"] is None for one in plan["sights"])
    page = house.run("plan", *options, "--size", "1000").out
    assert "no more than about half the time with any number of cases" in " ".join(page.split())
    assert "none would do" in page


def test_repeats_measure_the_noise_and_judge_the_agent_against_itself(house):
    house.start()
    runs = [*answers(house), *answers(house, wrong=("qa-2",), repeat=1)]
    house.check("--out", "now", "--repeats", "2", predictions=runs)
    plan = planned(house, "--result", "now/result.json")
    assert (plan["source"], plan["repeats"]) == ("repeats", 2)
    assert plan["sights"][0]["measured"]
    # One of four cases differs between its two runs; the other direction is a rise.
    assert plan["unchanged"] == {"n_pairs": 2, "n_failed": 0, "n_undecided": 1}
    assert "its own 2 full runs" in house.run("plan", "--result", "now/result.json").out


def test_a_result_lends_the_noise_of_its_comparison(house):
    house.start()
    house.check("--out", "now", predictions=answers(house, wrong=("qa-2",)))
    plan = planned(house, "--result", "now/result.json")
    assert (plan["source"], plan["sights"][0]["kind"]) == ("pairs", "flips")


def test_a_result_without_a_comparison_lends_none(house):
    house.start()
    plan = planned(house, "--result", "accepted/result.json")
    assert plan["source"] is None


def test_the_rule_of_the_policy_is_planned_for(house):
    house.start()
    (house.folder / "gate.toml").write_text(
        '[suite]\nbaseline = "baseline.json"\n[[gates]]\ngate = "regression"\n'
        'rule = "point"\nmax_drop = 0.1\n'
    )
    plan = planned(house)
    assert (plan["rule"], plan["max_drop"]) == ("point", 0.1)


def test_noninferior_is_planned_by_how_often_an_unchanged_agent_passes(house):
    house.start()
    options = ("--baseline", "baseline.json", "--rule", "noninferior", "--max-drop", "0.05")
    small, large = (planned(house, *options, "--size", size) for size in ("20", "1000"))
    assert (small["sights"], small["at_max_drop"], small["unchanged"]) == ([], None, None)
    passes = [[one["passes"] for one in plan["certifications"]] for plan in (small, large)]
    assert all(low < 0.2 for low in passes[0])
    assert all(high > 0.9 for high in passes[1][:3])
    page = " ".join(house.run("plan", *options).out.split())
    assert "an unchanged agent passes" in page


def test_repeats_are_planned_too(house):
    house.start()
    options = ("--baseline", "baseline.json", "--size", "100")
    assert planned(house, *options, "--drop", "0.08")["repeats_needed"] == 1
    assert planned(house, *options, "--drop", "0.03")["repeats_needed"] is None
    page = " ".join(house.run("plan", *options, "--drop", "0.03").out.split())
    assert "No number of runs shows 3.0 points here: it takes more cases." in page


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "pass --baseline FILE or --result FILE"),
        (("--baseline", "none.json"), "no such file"),
        (("--baseline", "baseline.json", "--drop", "0"), "`--drop`"),
        (("--baseline", "baseline.json", "--drop", "x"), "`--drop`"),
        (("--baseline", "baseline.json", "--power", "1"), "`--power`"),
        (("--baseline", "baseline.json", "--size", "0"), "`--size`"),
        (("--baseline", "baseline.json", "--rule", "magic"), "`--rule`"),
        (("--baseline", "baseline.json", "--rule", "noninferior"), "is about a margin"),
    ],
)
def test_what_cannot_be_planned_is_refused(house, options, said):
    house.start()
    run = house.run("plan", *options)
    assert (run.status, said in run.err) == (2, True), run.err


def test_clusters_are_the_units_of_a_plan(house):
    cases = [
        {"id": f"c{at:02}", "input": "?", "reference": "yes", "cluster": at // 5}
        for at in range(50)
    ]
    house.start(cases=cases, accepted=[{"id": case["id"], "output": "yes"} for case in cases])
    plan = planned(house, "--baseline", "baseline.json")
    assert (plan["clustered"], plan["n_cases"], plan["sights"][0]["kind"]) == (True, 10, "spread")
    page = house.run("plan", "--baseline", "baseline.json").out
    assert page.startswith("What 10 clusters can see")
