"""Defaults, file and options become one policy: option beats file beats default."""

from decimal import Decimal

import pytest
from pydantic import ValidationError

from gate.errors import PolicyInvalid, UsageInvalid
from gate.policy.effective import DEFAULT_GATES, effective_policy, suite_options
from gate.policy.toml import read_policy
from gate.records.policy import Overrides
from gate.records.scoring import RecordedOptions


def file(text):
    return read_policy(text, source="gate.toml")


def gates(text="", **options):
    policy = effective_policy(file(text), Overrides(**options))
    return {gate.gate: gate for gate in policy.gates}


def regression(**keys):
    return '[[gates]]\ngate = "regression"\n' + "".join(f"{k} = {v}\n" for k, v in keys.items())


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("", {}, Decimal(0)),
        ("", {"rule": "point"}, None),
        (regression(max_drop=0.1), {}, Decimal("0.1")),
        ("", {"max_drop": "0.2"}, Decimal("0.2")),
        (regression(max_drop=0.1), {"max_drop": "0.2"}, Decimal("0.2")),
        (regression(max_drop=0.1), {"max_drop": "0"}, Decimal(0)),
        (regression(max_drop=0.1), {"metric": "mean_score"}, Decimal("0.1")),
    ],
)
def test_max_drop_is_the_options_else_the_files(text, options, expected):
    assert gates(text, **options)["regression"].max_drop == expected


@pytest.mark.parametrize(
    ("key", "default", "in_file", "in_option"),
    [
        ("pass_threshold", None, "0.5", "0.6"),
        ("trajectory", None, '"set"', "order"),
        ("repeats", None, "2", 3),
        ("seed", 0, "2", 3),
        ("n_boot", 10_000, "20", 30),
        ("cases", None, '"a"', "b"),
        ("predictions", None, '"a"', "b"),
        ("baseline", None, '"a"', "b"),
        ("allow_missing_baseline", False, "true", False),
        ("advisory", False, "true", False),
    ],
)
def test_the_suite_table_merges_key_by_key(key, default, in_file, in_option):
    text = f"[suite]\n{key} = {in_file}\n"
    assert getattr(suite_options(None, Overrides()), key) == default
    assert str(getattr(suite_options(file(text), Overrides()), key)).lower() == in_file.strip('"')
    found = getattr(suite_options(file(text), Overrides(**{key: in_option})), key)
    assert found == (Decimal(in_option) if key == "pass_threshold" else in_option)


def test_the_default_gates_are_added_where_the_file_does_not_name_them():
    assert tuple(gates()) == DEFAULT_GATES
    text = '[[gates]]\ngate = "safety"\nenabled = false\n'
    assert gates(text)["safety"].enabled is False
    assert set(gates(text)) == set(DEFAULT_GATES)


@pytest.mark.parametrize(
    ("tables", "standing"),
    [
        (('label = "a"', 'label = "b"'), ["a", "b", None]),
        (('label = "privacy"',), ["privacy", None]),
        (('label = "privacy"\nenabled = false',), ["privacy", None]),
        (('label = "safety"',), ["safety"]),
        (("", 'label = "privacy"'), [None, "privacy"]),
        (('label = "privacy"', 'label = "safety"\nenabled = false'), ["privacy", "safety"]),
    ],
)
def test_a_safety_gate_of_another_label_leaves_the_default_one_standing(tables, standing):
    text = "".join(f'[[gates]]\ngate = "safety"\n{table}\n' for table in tables)
    policy = effective_policy(file(text), Overrides())
    assert [gate.label for gate in policy.gates if gate.gate == "safety"] == standing


def test_min_pass_rate_adds_a_floor_or_moves_the_one_of_the_file():
    assert gates(min_pass_rate=0.9)["floor"].min == Decimal("0.9")
    text = '[[gates]]\ngate = "floor"\nmin = 0.2\nmetric = "pass_rate"\nenabled = false\n'
    moved = gates(text, min_pass_rate=0.9)["floor"]
    assert (moved.min, moved.enabled) == (Decimal("0.9"), True)


def test_a_floor_of_the_mean_score_is_another_one():
    text = '[[gates]]\ngate = "floor"\nmin = 0.2\nmetric = "mean_score"\n'
    policy = effective_policy(file(text), Overrides(min_pass_rate=0.9))
    assert [gate.metric for gate in policy.gates if gate.gate == "floor"] == [
        "mean_score",
        "pass_rate",
    ]


def test_trajectory_adds_a_gate_or_switches_the_one_of_the_file_on():
    assert gates(trajectory="exact")["trajectory"].mode == "exact"
    text = '[[gates]]\ngate = "trajectory"\nmin = 0.5\nenabled = false\n'
    found = gates(text, trajectory="set")["trajectory"]
    assert (found.mode, found.min, found.enabled) == ("set", Decimal("0.5"), True)


def test_a_trajectory_of_the_suite_table_only_grades():
    assert "trajectory" not in gates('[suite]\ntrajectory = "set"\n')


@pytest.mark.parametrize(
    "option", [{"max_drop": "0.1"}, {"metric": "mean_score"}, {"rule": "point"}]
)
def test_an_option_of_a_gate_that_is_switched_off_contradicts_the_policy(option):
    with pytest.raises(PolicyInvalid, match="switches the regression gate off"):
        gates(regression(enabled="false"), **option)


def test_a_policy_that_decides_nothing_is_refused():
    text = "".join(f'[[gates]]\ngate = "{name}"\nenabled = false\n' for name in DEFAULT_GATES)
    with pytest.raises(PolicyInvalid, match="every gate is switched off"):
        gates(text)
    assert gates(text, min_pass_rate=0.5)["floor"].enabled


def test_score_has_no_gates_at_all():
    assert effective_policy(None, Overrides(max_drop="0.1"), gated=False).gates == ()


BASELINE = {"name": "structured", "tolerance_ratio": 0.2}


def scorer(text="", baseline=None, **options):
    return effective_policy(file(text), Overrides(**options), baseline_scorer=baseline).scorer


def test_the_scorer_is_the_options_else_the_files_else_the_baselines_else_none():
    text = '[scorer]\nname = "contains"\n'
    assert scorer() is None
    assert scorer(baseline=BASELINE).name == "structured"
    assert scorer(text, baseline=BASELINE).name == "contains"
    assert scorer(text, baseline=BASELINE, scorer="jaccard").name == "jaccard"


def test_a_scorer_named_again_keeps_the_parameters_of_file_or_baseline():
    text = '[scorer]\nname = "structured"\ntolerance_ratio = 0.3\n'
    assert scorer(text, BASELINE, scorer="structured").tolerance_ratio == Decimal("0.3")
    assert scorer("", BASELINE, scorer="structured").tolerance_ratio == Decimal("0.2")
    assert scorer("", scorer="structured").tolerance_ratio == Decimal("0.10")


def test_tolerance_is_for_the_two_scorers_that_have_one():
    assert scorer(scorer="numeric_within", tolerance="2").tolerance == 2
    assert scorer(scorer="structured", tolerance="0.2").tolerance_ratio == Decimal("0.2")
    with pytest.raises(UsageInvalid, match="--tolerance means nothing to the scorer 'contains'"):
        scorer(scorer="contains", tolerance="2")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"scorer": "numeric_within"}, "needs a tolerance"),
        ({"scorer": "containz"}, "did you mean 'contains'"),
        ({"scorer": "structured", "tolerance": "2"}, "less than or equal to 1"),
    ],
)
def test_a_scorer_that_cannot_be_is_usage(options, said):
    with pytest.raises(UsageInvalid, match=said):
        scorer(**options)


def test_a_recorded_score_is_named_with_the_scorer_or_in_the_policy():
    assert scorer(scorer="recorded:match") == RecordedOptions(score="match")
    text = '[scorer]\nname = "recorded"\nscore = "style"\n'
    assert scorer(text) == RecordedOptions(score="style")
    assert scorer(text, scorer="recorded") == RecordedOptions(score="style")
    assert scorer(text, scorer="recorded:a:b") == RecordedOptions(score="a:b")
    before = {"name": "recorded", "score": "match", "tool": "junit"}
    assert scorer(baseline=before, scorer="recorded").score == "match"
    assert scorer(baseline=before, scorer="recorded:x").score == "x"


def test_a_colon_without_a_name_is_refused():
    with pytest.raises(UsageInvalid, match="stands after the colon"):
        scorer(scorer="recorded:")


def test_how_a_tools_file_is_read_is_said_by_option_or_policy():
    text = '[suite]\nformat = "plain"\nid_field = "q.id"\nmap = { output = "a.b", id = "c" }\n'
    suite = effective_policy(file(text), Overrides()).suite
    assert (suite.format, suite.id_field) == ("plain", "q.id")
    assert suite.map == (("id", "c"), ("output", "a.b"))
    said = Overrides(format="junit", map=("output=x\n id = y.z ",))
    suite = effective_policy(file(text), said).suite
    assert (suite.format, suite.map) == ("junit", (("id", "y.z"), ("output", "x")))
    assert effective_policy(file(""), Overrides()).suite.map == ()


@pytest.mark.parametrize("text", ["output", "=x", "output=", "a=b\na=c"])
def test_a_map_that_says_no_field_or_one_twice_is_refused(text):
    with pytest.raises(ValidationError, match=r"is not written FIELD=PATH|mapped twice"):
        Overrides(map=(text,))


def test_a_map_is_written_as_the_table_it_is():
    policy = effective_policy(file('[suite]\nmap = { id = "a" }\n'), Overrides())
    dumped = policy.model_dump(mode="json")
    assert dumped["suite"]["map"] == {"id": "a"}
    assert type(policy).model_validate(dumped) == policy
