"""A gate that an input switches on: a table of its own replaces it, and may not be looser."""

import pytest

from gate.pipeline.policy_changes import policy_changes
from gate.policy.effective import effective_policy
from gate.policy.toml import read_policy
from gate.records.policy import Overrides
from gate.records.rule_words import sentence

JUDGED = '[scorer]\nname = "geoktools"\n[judge]\nprovider = "gemini"\n'
TRUST = Overrides(judge_trust="trust.json")
EXACT = Overrides(trajectory="exact")
FLOOR = Overrides(min_pass_rate="0.9")  # noqa: S106 - a rate


def table(name, **keys):
    return f'[[gates]]\ngate = "{name}"\n' + "".join(f"{k} = {v}\n" for k, v in keys.items())


def changes(base, head, options):
    was, now = (read_policy(text, source="gate.toml") for text in (base, head))
    return list(policy_changes(was, now, path="gate.toml", redact=str, options=options))


def loosening(base, head, options):
    return [
        (one.kind, sentence(one, show_expected=True))
        for one in changes(base, head, options)
        if one.loosens
    ]


BY = "by the inputs of this run"


@pytest.mark.parametrize(
    ("options", "name", "keys", "said"),
    [
        (EXACT, "trajectory", {"min": 0}, ["[[gates]] trajectory min, by", "1 → 0"]),
        (EXACT, "trajectory", {"min": 0.9, "enabled": "false"}, ["trajectory min, by", "1 → 0.9"]),
        (EXACT, "trajectory", {"max_drop": 1}, ["trajectory min, by", "1 → unset"]),
        (TRUST, "judge_trust", {"enabled": "false"}, [f"gate judge_trust, {BY} switched off"]),
        (TRUST, "judge_trust", {"untrusted": '"advisory"'}, ["judge_trust untrusted, by"]),
        (TRUST, "judge_trust", {"min_kappa": 0}, ["judge_trust min_kappa, by", "0.6 → 0"]),
    ],
)
def test_a_table_that_is_looser_than_what_an_input_switches_on_loosens(options, name, keys, said):
    found = loosening(JUDGED, JUDGED + table(name, **keys), options)
    assert found
    assert all(part in found[0][1] for part in said)


@pytest.mark.parametrize(
    ("options", "name", "keys"),
    [
        (EXACT, "trajectory", {}),
        (EXACT, "trajectory", {"min": 1}),
        (EXACT, "trajectory", {"mode": '"exact"'}),
        (TRUST, "judge_trust", {}),
        (TRUST, "judge_trust", {"min_kappa": 0.7, "criterion": '"lower"'}),
        (FLOOR, "floor", {"min": 0.1, "metric": '"pass_rate"'}),
        (FLOOR, "floor", {"min": 0.1, "metric": '"pass_rate"', "enabled": "false"}),
        (FLOOR, "floor", {"min": 0.1, "metric": '"mean_score"'}),
        (FLOOR, "floor", {"min": 0.1}),
    ],
)
def test_one_that_is_as_strict_or_stands_beside_it_does_not(options, name, keys):
    found = changes(JUDGED, JUDGED + table(name, **keys), options)
    assert found
    assert [one for one in found if one.loosens] == []


@pytest.mark.parametrize("name", ["trajectory", "judge_trust", "floor"])
def test_where_no_input_switches_it_on_any_table_of_it_is_new(name):
    text = JUDGED + table(name, **{"min" if name != "judge_trust" else "min_kappa": 0.1})
    for options in (Overrides(), None, Overrides(max_drop="0.1")):
        assert loosening(JUDGED, text, options) == []


def test_of_several_tables_one_that_is_as_strict_is_enough():
    text = JUDGED + table("trajectory", min=0) + table("trajectory", min=1)
    assert loosening(JUDGED, text, EXACT) == []


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_a_table_that_is_off_is_switched_on_by_the_input_with_its_own_limit(enabled):
    base = JUDGED + table("trajectory", min=0.9, enabled="false")
    head = JUDGED + table("trajectory", min=0.1, enabled=enabled)
    ((kind, said),) = loosening(base, head, EXACT)
    assert kind == "limit-loosened"
    assert said == f"[[gates]] trajectory min, {BY}: 0.9 → 0.1"
    assert loosening(base, head, Overrides()) == []


def test_what_is_listed_already_is_not_listed_twice():
    base, head = (JUDGED + table("trajectory", min=value) for value in (0.9, 0.1))
    assert loosening(base, head, EXACT) == loosening(base, head, Overrides())
    assert len(loosening(base, head, EXACT)) == 1


def test_a_policy_that_comes_where_options_decided_alone_is_held_to_them():
    now = read_policy(table("trajectory", min=0), source="gate.toml")
    found = policy_changes(None, now, path="gate.toml", redact=str, options=EXACT)
    assert [one.kind for one in found if one.loosens] == ["limit-loosened"]


def test_the_floor_of_an_option_beats_a_table():
    """So a table of it loosens nothing."""
    text = table("floor", min=0.1, metric='"pass_rate"', enabled="false")
    policy = effective_policy(read_policy(text, source="gate.toml"), FLOOR)
    (floor,) = [gate for gate in policy.gates if gate.gate == "floor"]
    assert (floor.enabled, str(floor.min)) == (True, "0.9")
