"""Trajectory never touches `passed`; its gate looks only at cases that declare a path."""

ORDER = [{"id": "num-1", "output": "144", "tools": ["calculator", "search"]}]


def wrong_order(house):
    return [*house.GOOD[:2], *ORDER, house.GOOD[3]]


def test_a_wrong_path_does_not_touch_passed_or_the_verdict(house):
    house.start()
    run = house.check(predictions=wrong_order(house))
    assert run.status == 0
    assert run.row("num-1")["passed"] is True
    assert run.row("num-1")["trajectory"] == 0.0


def test_the_trajectory_mean_keeps_the_vacuous_one_for_cases_without_a_path(house):
    house.start()
    assert house.check(predictions=wrong_order(house)).result["suite"]["trajectory_mean"] == 0.75


def test_the_gate_looks_only_at_cases_that_declare_a_path_and_names_them(house):
    house.start()
    run = house.check("--trajectory", "exact", predictions=wrong_order(house))
    assert run.status == 1
    gate = run.gate("trajectory")
    assert gate["numbers"] == {"mean": 0.0, "min": 1.0, "mode": "exact", "n_cases": 1}
    assert gate["case_ids"] == ["num-1"]


def test_exact_needs_every_path_unless_a_minimum_is_set(house):
    house.start()
    house.text("gate.toml", '[[gates]]\ngate = "trajectory"\nmin = 0.0\n')
    assert house.check(predictions=wrong_order(house)).status == 0


def test_a_soft_mode_needs_a_limit_of_its_own(house):
    house.start()
    run = house.check("--trajectory", "set")
    assert run.status == 2
    assert "`min` or `max_drop` is required in the mode 'set'" in run.err


def test_max_drop_compares_paths_with_the_baseline(house):
    house.start()
    house.text("gate.toml", '[[gates]]\ngate = "trajectory"\nmax_drop = 0.5\n')
    assert house.check().status == 0
    assert house.check(predictions=wrong_order(house)).status == 1


def test_a_path_that_nobody_told_counts_zero_and_is_noted(house):
    house.start()
    silent = [*house.GOOD[:2], {"id": "num-1", "output": "144"}, house.GOOD[3]]
    run = house.check(predictions=silent)
    assert run.row("num-1")["trajectory"] == 0.0
    assert any("not say which tools were called" in note for note in run.result["notes"])


def test_a_suite_without_paths_says_so(house):
    house.suite(3)
    house.accept("--scorer", "contains")
    run = house.check("--trajectory", "exact")
    assert run.gate("trajectory")["because"] == "no case declares a path"
    assert (run.status, run.outcomes()["trajectory"]) == (0, "off")


ALONE = """
[[gates]]
gate = "trajectory"
min = 1.0
""" + "".join(
    f'[[gates]]\ngate = "{name}"\nenabled = false\n'
    for name in ("regression", "safety", "completeness", "comparable")
)


def test_a_gate_with_nothing_to_judge_makes_no_verdict_of_nothing(house):
    house.suite(2)
    house.accept("--scorer", "contains")
    house.suite(2, failing=(0, 1))
    house.text("gate.toml", ALONE)
    run = house.check(drop=False)
    assert (run.status, run.result["verdict"]) == (3, "undecided")
    assert run.out.startswith("UNDECIDED  no gate judged this run: 0 of 2 cases passed")


def test_the_page_shows_the_number_that_the_gate_judges_and_the_wrong_path(house):
    house.start()
    run = house.check("--trajectory", "exact", predictions=wrong_order(house))
    (line,) = (line for line in run.out.splitlines() if line.startswith("  trajectory (exact"))
    assert line.split() == ["trajectory", "(exact,", "1", "case)", "0.000", "1.000", "−1.000"]
    assert "Wrong paths (1)\n  - num-1" in run.out
    assert run.row("num-1")["evidence"][0]["tools"] == ["calculator", "search"]


def test_without_the_gate_no_wrong_path_is_kept(house):
    house.start()
    run = house.check(predictions=wrong_order(house))
    assert run.row("num-1")["evidence"] == []
    assert "Wrong paths" not in run.out
