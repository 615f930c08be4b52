"""A waiver says all that it must, and every mistake in one has its line."""

import pytest

from gate.errors import PolicyInvalid
from gate.policy.effective import effective_policy
from gate.policy.toml import read_policy
from gate.policy.waivers import MAX_WAIVERS
from gate.records.policy import Overrides

WAIVER = {
    "case": '"qa-2"',
    "gate": '"regression"',
    "owner": '"ana"',
    "reason": '"ticket 12"',
    "expires": "2026-12-31",
}


def table(**changed):
    kept = {key: value for key, value in (WAIVER | changed).items() if value is not None}
    return "[[waivers]]\n" + "".join(f"{key} = {value}\n" for key, value in kept.items())


def read(text):
    return read_policy(text, source="gate.toml")


def problems(text):
    with pytest.raises(PolicyInvalid) as caught:
        read(text)
    return str(caught.value).splitlines()


@pytest.mark.parametrize("expires", ["2026-12-31", '"2026-12-31"'])
def test_a_waiver_is_read_whole_with_a_date_of_either_spelling(expires):
    (found,) = read(table(expires=expires)).waivers
    assert dict(found) == {
        "case": "qa-2",
        "gate": "regression",
        "owner": "ana",
        "reason": "ticket 12",
        "expires": "2026-12-31",
        "allow_safety": False,
    }


@pytest.mark.parametrize("key", list(WAIVER))
def test_every_key_is_required(key):
    (said,) = problems(table(**{key: None}))
    assert said == f"gate.toml:1: [[waivers]]: `{key}` is required"


@pytest.mark.parametrize("key", ["owner", "reason"])
@pytest.mark.parametrize("blank", ['""', '"  "', '"-"'])
def test_an_owner_and_a_reason_say_something(key, blank):
    (said,) = problems(table(**{key: blank}))
    assert said.startswith("gate.toml:")
    assert f"`{key}`" in said


@pytest.mark.parametrize(
    "expires", ["2026-02-30", '"soon"', '"2026-02-30"', "20261231", "2026-12-31T00:00:00Z", "true"]
)
def test_a_date_is_a_day(expires):
    (said,) = problems(table(expires=expires))
    assert said.startswith("gate.toml:6: ")


def test_an_unknown_gate_and_an_unknown_key_are_named_with_the_nearest():
    (said,) = problems(table(gate='"regresion"'))
    assert said.startswith("gate.toml:3: [[waivers]]: `gate` is none of regression, safety")
    assert said.endswith("did you mean 'regression'?")
    said = problems(table(expiry="2026-12-31", expires=None))
    assert any("unknown key 'expiry'; did you mean 'expires'?" in one for one in said)


@pytest.mark.parametrize("gate", ["comparable", "floor", "judged", "judge_trust", "budget"])
def test_a_gate_that_holds_no_single_case_against_a_run_cannot_be_waived(gate):
    (said,) = problems(table(gate=f'"{gate}"'))
    assert said.startswith(f"gate.toml:3: [[waivers]]: the gate {gate!r} holds no single case")
    assert "regression, safety, completeness, trajectory, slices, creep" in said


def test_the_waivers_are_tables_in_a_list():
    assert problems("[waivers]\ncase = 'a'\n") == [
        "gate.toml:1: [waivers]: waivers are written [[waivers]], one table each"
    ]
    assert problems("waivers = 3\n")
    assert problems("waivers = [1]\n")


def test_so_many_waivers_are_other_rules():
    (said,) = problems(table() * (MAX_WAIVERS + 1))
    assert f"{MAX_WAIVERS + 1} waivers" in said


def test_a_misspelt_table_is_suggested():
    assert problems("[[waiver]]\n") == [
        "gate.toml:1: [[waiver]]: unknown table 'waiver'; did you mean 'waivers'?"
    ]


def test_a_file_of_waivers_alone_says_something():
    assert not read(table()).says_nothing


def test_they_are_in_force_where_there_are_gates():
    file = read(table())
    assert effective_policy(file, Overrides()).waivers == file.waivers
    assert effective_policy(file, Overrides(), gated=False).waivers == ()


def test_what_is_wrong_with_a_waiver_later_is_placed_at_its_key():
    file = read("[suite]\nseed = 0\n\n" + table() + "\n" + table(case='"b"'))
    placed = str(file.placed(PolicyInvalid("waiver 2: `expires` was\nwaiver 1: `case` x")))
    assert placed.splitlines() == [
        "gate.toml:16: [[waivers]]: `expires` was",
        "gate.toml:5: [[waivers]]: `case` x",
    ]
