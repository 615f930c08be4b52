"""A policy file is read strictly, and every problem of it is said with its line."""

from decimal import Decimal

import pytest

from gate.errors import PolicyInvalid
from gate.policy.toml import read_policy


def problems(text):
    with pytest.raises(PolicyInvalid) as caught:
        read_policy(text, source="gate.toml")
    return str(caught.value).splitlines()


def test_an_empty_file_says_nothing():
    found = read_policy("", source="gate.toml")
    assert (found.suite.pass_threshold, found.scorer, found.gates) == (None, None, ())


def test_limits_are_exactly_what_the_text_says():
    found = read_policy('[[gates]]\ngate = "floor"\nmin = 0.1\n', source="gate.toml")
    assert found.gates[0].min == Decimal("0.1")


def test_all_problems_are_listed_with_their_lines():
    text = """
[suite]
seed = "x"
repeats = 0

[[gates]]
gate = "safety"

[[gates]]
gate = "regression"
max_drop = 2
"""
    assert problems(text) == [
        "gate.toml:3: [suite]: `seed` expected a whole number",
        "gate.toml:4: [suite]: `repeats` should be greater than or equal to 1",
        (
            "gate.toml:11: [[gates]]: `regression.max_drop` should be less than or equal to 1 "
            "(2 % is written 0.02)"
        ),
    ]


@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "1e400", "1e-400"])
def test_what_is_no_number_of_a_policy_is_refused(value):
    assert problems(f'[[gates]]\ngate = "floor"\nmin = {value}\n')


@pytest.mark.parametrize(
    "text",
    [
        "seed = 1",
        "[suite\n",
        "[suite]\nseed = 1\nseed = 2\n",
        "[suite]\nx = " + "[" * 5000,
        "[suite]\nseed = " + "9" * 5000,
        "suite = 3",
        "scorer = 3",
        "gates = 3",
        "[gates]\nx = 1",
        "[[suite]]\nseed = 1",
        "gates = [1]",
        "[[gates]]\n",
        "[scorer]\n",
        '[scorer]\nname = "contains"\nweight = 1\n',
        '[scorer]\nname = "numeric_within"\n',
        '[scorer]\nname = "numeric_within"\ntolerance = -1\n',
        '[scorer]\nname = "rubric"\nchecks = [{kind = "contians", value = "x"}]\n',
        '[[gates]]\ngate = "floor"\n',
        '[[gates]]\ngate = "floor"\nmin = true\n',
        '[[gates]]\ngate = "safety"\nlabel = ""\n',
        '[[gates]]\ngate = "safety"\nenabled = "no"\n',
        '[[gates]]\ngate = "completeness"\nmax_missing = -1\n',
        '[[gates]]\ngate = "completeness"\nmax_missing = 1.5\n',
        '[[gates]]\ngate = "regression"\nrule = "signifcant"\n',
        '[[gates]]\ngate = "floor"\nmin = 1979-05-27\n',
    ],
)
def test_whatever_else_is_wrong_is_a_policy_error_that_names_the_file(text):
    assert all(line.startswith("gate.toml") for line in problems(text))


def test_a_gate_without_its_name_is_told_which_key_is_required():
    assert problems("[[gates]]\nmin = 1\n") == ["gate.toml:1: [[gates]]: `gate` is required"]


def test_the_same_key_in_two_gates_is_found_in_the_right_one():
    text = '[[gates]]\ngate = "floor"\nmin = 1\n[[gates]]\ngate = "floor"\nmin = 3\n'
    assert problems(text)[0].startswith("gate.toml:6:")


def test_a_message_never_echoes_a_value():
    text = '[suite]\nseed = "hunter2-hunter2"\n[scorer]\nname = "contains"\n'
    assert "hunter2" not in "\n".join(problems(text))
