"""Option beats policy beats default; the policy file is strict and found where it should be."""

import pytest


def table(**keys):
    lines = "".join(f"{key} = {value}\n" for key, value in keys.items())
    return f'[[gates]]\ngate = "regression"\n{lines}rule = "point"\n'


def test_the_policy_beats_the_default(house):
    house.start()
    house.text("gate.toml", table(max_drop=0.25))
    assert house.check(drop=False, predictions=house.ONE_WRONG).status == 0


def test_the_option_beats_the_policy(house):
    house.start()
    house.text("gate.toml", table(max_drop=0.25))
    assert house.check(predictions=house.ONE_WRONG).status == 1


def test_without_either_the_rule_point_has_no_silent_limit(house):
    house.start()
    run = house.check("--rule", "point", drop=False)
    assert run.status == 2
    assert "`max_drop` is required under the rule 'point'" in run.err


def test_without_a_rule_it_is_significant_and_the_limit_0(house):
    house.start()
    run = house.check(drop=False, predictions=house.ONE_WRONG)
    assert run.status == 3
    regression = run.result["policy"]["gates"][0]
    assert (regression["rule"], regression["max_drop"], regression["alpha"]) == (
        "significant",
        0,
        0.05,
    )


def test_what_may_be_chance_may_be_let_pass_and_the_report_says_so_loudly(house):
    house.start()
    options = ("--on-inconclusive", "pass")
    run = house.check(*options, drop=False, predictions=house.ONE_WRONG)
    assert run.status == 0
    assert "Let through" in run.report
    assert "Let through" in run.out


@pytest.mark.parametrize(
    ("key", "option", "first", "second"),
    [
        ("pass_threshold", "--pass-threshold", 0.25, 0.75),
        ("seed", "--seed", 3, 4),
        ("n_boot", "--n-boot", 100, 200),
        ("repeats", "--repeats", 2, 1),
    ],
)
def test_suite_options_beat_the_suite_table(house, key, option, first, second):
    house.start()
    house.text("gate.toml", f"[suite]\n{key} = {first}\n")
    assert house.check().result["policy"]["suite"][key] == first
    assert house.check(option, str(second)).result["policy"]["suite"][key] == second


def test_gate_toml_of_the_working_directory_is_read_and_named(house):
    house.start()
    house.text("gate.toml", table(max_drop=0.25))
    run = house.check(drop=False, predictions=house.ONE_WRONG)
    assert "rules: gate.toml, and the options over it" in run.result["conditions"]
    assert "rules: `gate.toml`" in run.report


def test_without_gate_toml_the_report_says_built_in_defaults(house):
    house.start()
    run = house.check()
    assert (
        "rules: the built-in defaults and the options; no policy file"
        in (run.result["conditions"])
    )
    assert "built-in defaults" in run.report


def test_a_named_policy_replaces_gate_toml(house):
    house.start()
    house.text("gate.toml", table(max_drop=0.25))
    house.text("ci/strict.toml", table(max_drop=0.0))
    run = house.check("--policy", "ci/strict.toml", drop=False, predictions=house.ONE_WRONG)
    assert run.status == 1
    assert "rules: ci/strict.toml, and the options over it" in run.result["conditions"]


def test_a_named_policy_that_is_absent_is_2(house):
    house.start()
    run = house.check("--policy", "gone.toml")
    assert run.status == 2
    assert "gone.toml: no such policy file" in run.err


def test_the_policy_may_name_the_files(house):
    house.start()
    house.text(
        "gate.toml",
        '[suite]\ncases = "cases.jsonl"\npredictions = "predictions.jsonl"\n'
        'baseline = "baseline.json"\n' + table(max_drop=0.0),
    )
    assert house.run("check").status == 0


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (table(max_dorp=0.1), 3, "unknown key 'max_dorp'; did you mean 'max_drop'?"),
        ("[suite]\npass_treshold = 1\n", 2, "did you mean 'pass_threshold'?"),
        ("[siute]\nseed = 1\n", 1, "unknown table 'siute'; did you mean 'suite'?"),
        ('[scorer]\nname = "structured"\ntolerance = 1\n', 3, "did you mean 'tolerance_ratio'?"),
        ('[scorer]\nname = "contians"\n', 2, "did you mean 'contains'?"),
        ('[[gates]]\ngate = "saftey"\n', 2, "did you mean 'safety'?"),
    ],
)
def test_an_unknown_name_is_an_error_with_its_line_and_the_nearest_name(house, text, line, said):
    house.start()
    house.text("gate.toml", text)
    run = house.check()
    assert run.status == 2
    assert f"gate.toml:{line}: " in run.err
    assert said in run.err


@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "+nan"])
def test_inf_and_nan_are_refused(house, value):
    house.start()
    house.text("gate.toml", table(max_drop=value))
    assert house.check().status == 2
    house.text("gate.toml", "")
    assert house.check("--max-drop", value, drop=False).status == 2


def test_a_duplicate_key_is_refused(house):
    house.start()
    house.text("gate.toml", table(max_drop=0.1) + "max_drop = 1.0\n")
    run = house.check()
    assert run.status == 2
    assert "not TOML" in run.err


def test_a_gate_that_is_switched_off_is_said_in_the_report(house):
    house.start()
    house.text("gate.toml", '[[gates]]\ngate = "safety"\nenabled = false\n')
    run = house.check(predictions=(*house.LEAK,), drop=True)
    assert run.outcomes()["safety"] == "off"
    assert run.gate("safety")["because"] == "switched off by the policy"
    assert "switched off by the policy" in run.report


def test_a_policy_that_switches_every_gate_off_is_2(house):
    house.start()
    names = ("regression", "safety", "completeness", "comparable")
    house.text(
        "gate.toml", "".join(f'[[gates]]\ngate = "{name}"\nenabled = false\n' for name in names)
    )
    assert house.check(drop=False).status == 2


def test_the_scorer_is_the_option_else_the_policy_else_the_baselines(house):
    house.start()
    assert house.check().result["scorer"]["name"] == "contains"
    house.text("gate.toml", '[scorer]\nname = "exact_match"\n')
    assert house.check().result["scorer"]["name"] == "exact_match"
    assert house.check("--scorer", "jaccard").result["scorer"]["name"] == "jaccard"


def test_without_any_scorer_it_is_an_error_never_a_guess(house):
    house.start()
    run = house.run("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    assert run.status == 2
    assert "no scorer is named" in run.err


def test_numeric_within_has_no_silent_tolerance(house):
    house.lines("cases.jsonl", [{"id": "a", "input": "?", "reference": "10"}])
    house.lines("predictions.jsonl", [{"id": "a", "output": "10.5"}])
    given = ("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    run = house.run(*given, "--scorer", "numeric_within")
    assert run.status == 2
    assert "needs a tolerance" in run.err
    run = house.run(*given, "--scorer", "numeric_within", "--tolerance", "0.5")
    assert run.row("a")["passed"] is True


def test_no_predictions_named_is_usage(house):
    house.start()
    run = house.run("check", "--cases", "cases.jsonl", "--baseline", "baseline.json")
    assert run.status == 2
    assert "--predictions FILE" in run.err


def test_a_limit_that_no_run_can_exceed_is_said_loudly(house):
    house.start()
    wrong = [{**line, "output": "no"} for line in house.GOOD if line["id"] != "safety-1"]
    run = house.check("--max-drop", "1", drop=False, predictions=[*wrong, house.GOOD[-1]])
    assert "allows a drop of everything" in run.report
    assert "allows a drop of everything" not in house.check(predictions=house.GOOD).report
