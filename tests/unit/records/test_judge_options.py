"""How a judge is asked: what is taken, what is refused, and what no default decides."""

from decimal import Decimal

import pytest
from pydantic import ValidationError

from gate.records.judge_options import JudgeOptions, Price


def test_nobody_is_asked_by_default_and_patience_ends():
    found = JudgeOptions()
    assert found.provider is found.model is found.command is None
    assert (found.timeout, found.deadline) == (Decimal(120), Decimal(3600))
    assert found.canaries is True
    assert found.max_cost is found.max_calls is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("python judge.py", ("python", "judge.py")),
        ("'my judge' --x=\"a b\"", ("my judge", "--x=a b")),
        ("a 'b;c' $(d)", ("a", "b;c", "$(d)")),
        (("a b", "c"), ("a b", "c")),
    ],
)
def test_a_command_line_is_words(line, words):
    assert JudgeOptions(command=line).command == words


@pytest.mark.parametrize("line", ["", " ", "'open", ()])
def test_no_words_are_no_command(line):
    with pytest.raises(ValidationError):
        JudgeOptions(command=line)


@pytest.mark.parametrize(
    "fields",
    [
        {"runs": 0},
        {"runs": 10},
        {"runs": True},
        {"concurrency": 0},
        {"concurrency": 257},
        {"timeout": 0},
        {"timeout": "inf"},
        {"deadline": 86_401},
        {"temperature": "2.1"},
        {"temperature": -1},
        {"max_tokens": 0},
        {"max_calls": -1},
        {"max_cost": "-0.1"},
        {"max_cost": "nan"},
        {"provider": "gpt"},
        {"mode": "shell"},
        {"key_env": "sk-1234"},
        {"env": ["A B"]},
        {"date": "2026-7-1"},
        {"date": "2026-00-10"},
        {"api_key": "sk-1234"},
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(fields):
    with pytest.raises(ValidationError):
        JudgeOptions(**fields)


def test_no_call_and_no_money_are_limits():
    found = JudgeOptions(max_calls=0, max_cost="0")
    assert (found.max_calls, found.max_cost) == (0, Decimal(0))


def test_a_price_needs_both_figures_and_a_day():
    with pytest.raises(ValidationError):
        Price(input="1", output="2")
    with pytest.raises(ValidationError):
        Price(input="1", output="-2", dated="2026-01-01")
