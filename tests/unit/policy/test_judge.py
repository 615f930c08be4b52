"""Who is asked: the table, the options over it, and what cannot be."""

from decimal import Decimal

import pytest

from gate.errors import PolicyInvalid, UsageInvalid
from gate.policy.effective import effective_policy
from gate.policy.judge import OPTIONS, judge_options
from gate.policy.toml import read_policy
from gate.records.judge_options import JudgeOptions
from gate.records.policy import Overrides
from gate.records.scoring import ContainsOptions, GeoktoolsOptions

GEO = GeoktoolsOptions()


def found(table=None, *, scorer=GEO, judged=True, **options):
    held = None if table is None else JudgeOptions(**table)
    return judge_options(held, Overrides(**options), scorer, judged=judged)


def test_an_option_beats_the_table_key_by_key():
    merged = found(
        {"provider": "gemini", "model": "a", "runs": 2, "timeout": 5},
        judge_model="b",
        concurrency=3,
    )
    assert (merged.provider, merged.model, merged.runs) == ("gemini", "b", 2)
    assert (merged.concurrency, merged.timeout) == (3, Decimal(5))


def test_every_option_names_a_key_of_the_table():
    assert set(OPTIONS.values()) <= set(JudgeOptions.model_fields)
    assert set(OPTIONS) <= set(Overrides.model_fields)


def test_a_judge_that_nobody_names_is_usage_that_lists_them():
    with pytest.raises(UsageInvalid, match="asks a judge, and none is named: pass --judge gemini"):
        found()


def test_a_table_waits_for_a_scorer_that_asks():
    assert found({"provider": "gemini"}, scorer=ContainsOptions(), judged=False) is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"judge": "gemini"}, "--judge: the scorer 'contains' asks no judge"),
        ({"max_calls": 0}, "--max-calls: the scorer 'contains' asks no judge"),
        ({"judge_runs": 1, "ledger": "l"}, "--judge-runs, --ledger: the scorer 'contains'"),
    ],
)
def test_an_option_without_such_a_scorer_is_a_mistake(options, said):
    with pytest.raises(UsageInvalid, match=said):
        found(scorer=ContainsOptions(), judged=False, **options)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"provider": "command"}, "pass --judge-command"),
        ({"provider": "command", "command": "x", "base_url": "u"}, "--judge-base-url means noth"),
        ({"provider": "gemini", "command": "x"}, "--judge-command, or under"),
        ({"provider": "gemini", "mode": "oneshot"}, "--judge-mode, or under"),
        ({"provider": "openai-compatible"}, "which model"),
        ({"provider": "anthropic"}, "which model"),
        ({"provider": "anthropic", "model": "m", "seed": 1}, "take none"),
    ],
)
def test_half_a_judge_is_usage(table, said):
    with pytest.raises(UsageInvalid, match=said):
        found(table)


@pytest.mark.parametrize(
    "table",
    [
        {"provider": "gemini"},
        {"provider": "command", "command": "python judge.py"},
        {"provider": "command", "command": "python judge.py", "mode": "oneshot", "model": "m"},
        {"provider": "openai-compatible", "model": "m", "base_url": "http://localhost"},
        {"provider": "anthropic", "model": "m"},
    ],
)
def test_a_whole_one_is_taken(table):
    assert found(table).provider == table["provider"]


def test_a_command_is_split_into_words_by_no_shell():
    one = found(judge="command", judge_command="python 'my judge.py' $HOME | tee")
    assert one.command == ("python", "my judge.py", "$HOME", "|", "tee")


POLICY = '[scorer]\nname = "geoktools"\n[judge]\nprovider = "gemini"\n'


def policy(text, **options):
    return effective_policy(read_policy(text, source="gate.toml"), Overrides(**options))


def test_a_judged_run_has_the_gate_judged_and_another_has_not():
    assert policy(POLICY).gates[-1].gate == "judged"
    other = policy('[scorer]\nname = "contains"\n')
    assert "judged" not in {gate.gate for gate in other.gates}
    assert other.judge is None


def test_a_trust_record_that_is_named_is_gated_on():
    names = [gate.gate for gate in policy(POLICY, judge_trust="t.json").gates]
    assert names[-2:] == ["judged", "judge_trust"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[judge]\nprovider = "gpt"\n', r"gate.toml:2: \[judge\]"),
        ('[judge]\nprovidr = "gemini"\n', "did you mean 'provider'"),
        ("[judge]\nruns = 10\n", "less than or equal to 9"),
        ("[judge]\ntimeout = 0\n", "greater than 0"),
        ('[judge]\ndate = "2026-13-01"\n', "date"),
        ('[judge]\nkey_env = "sk-123"\n', "key_env"),
        ('[judge]\ncommand = "a \'b"\n', "cannot be split into words"),
        ("judge = 1\n", "is a table"),
        ("[suite]\nconcurrency = 3\n", r"it belongs under \[judge\]"),
    ],
)
def test_a_table_that_is_wrong_is_placed(text, said):
    with pytest.raises(PolicyInvalid, match=said):
        policy(text)


def test_a_policy_that_only_names_a_judge_says_something():
    assert not read_policy('[judge]\nprovider = "gemini"\n', source="gate.toml").says_nothing
