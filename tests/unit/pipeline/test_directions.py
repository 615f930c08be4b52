"""Every field of every option model says which way it is strict."""

from decimal import Decimal
from typing import get_args

import pytest

from gate.pipeline.directions import DIRECTIONS, direction
from gate.policy.file import PolicyFile
from gate.policy.toml import TABLES
from gate.records.gating import GateOptions, RegressionOptions, RulesOptions
from gate.records.judge_options import JudgeOptions
from gate.records.policy import Policy, SuiteOptions
from gate.records.scoring import ScorerOptions
from gate.records.waiver import Waiver

GATES = get_args(get_args(GateOptions)[0])
SCORERS = get_args(get_args(ScorerOptions)[0])
OUTSIDE = {
    **{model: {"gate", "enabled"} for model in GATES},
    **{model: {"name"} for model in SCORERS},
    SuiteOptions: set(),
    JudgeOptions: set(),
    Waiver: {"case", "gate"},
}
"""Fields that tell what a table is about: its tag, and whether it is on."""


@pytest.mark.parametrize("model", OUTSIDE, ids=lambda model: model.__name__)
def test_every_field_of_a_model_has_a_direction_and_no_other_name_has_one(model):
    assert set(DIRECTIONS[model]) == set(model.model_fields) - OUTSIDE[model]


def test_no_model_is_forgotten_and_none_is_made_up():
    assert set(DIRECTIONS) == set(OUTSIDE)


def test_no_part_of_a_policy_is_forgotten():
    """A new table must be compared in `policy_changes`, and then named here."""
    parts = {"suite", "scorer", "judge", "gates", "waivers"}
    assert set(Policy.model_fields) == parts == set(TABLES)
    assert set(PolicyFile.__slots__) == {*parts, "text", "written"}


def test_an_allowance_is_wider_if_it_holds_anything_more():
    way = direction(RulesOptions, "allow_policy_changes")
    assert way.loosens(("gate-off",), ("case-removed",))
    assert not way.loosens(("gate-off", "case-removed"), ("case-removed",))


def test_an_unset_drop_is_none_at_all():
    way = direction(RegressionOptions, "max_drop")
    assert way.loosens(None, Decimal("0.1"))
    assert not way.loosens(Decimal("0.1"), None)


def test_a_budget_that_comes_tightens():
    way = direction(JudgeOptions, "max_calls")
    assert not way.loosens(None, 5)
    assert way.loosens(5, None)
