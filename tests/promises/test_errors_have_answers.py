"""Whatever can go wrong has a status, a remedy, a place in the tree and a test."""

import re
from pathlib import Path

import pytest

from gate import errors

ROOT = Path(__file__).resolve().parents[2]
ALL = [
    thing
    for thing in vars(errors).values()
    if isinstance(thing, type) and issubclass(thing, errors.GateError)
]
LEAVES = [error for error in ALL if error is not errors.GateError]


@pytest.mark.parametrize("error", LEAVES, ids=lambda error: error.__name__)
def test_an_error_has_a_status_that_no_verdict_has(error):
    assert error.status in {2, 3, 4}
    assert error.status == next(
        branch.status
        for branch in (errors.InvalidInput, errors.Undecided, errors.Defect)
        if issubclass(error, branch)
    )


@pytest.mark.parametrize("error", LEAVES, ids=lambda error: error.__name__)
def test_an_error_says_what_to_do(error):
    assert vars(error).get("hint"), "a remedy of its own"
    assert error("what").remedy == error.hint
    assert error("what", hint="nearer").remedy == "nearer"


def test_the_tree_that_is_drawn_is_the_tree():
    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__))
    assert drawn == {error.__name__ for error in LEAVES}


@pytest.mark.parametrize(
    "error",
    [error for error in LEAVES if not error.__subclasses__()],
    ids=lambda error: error.__name__,
)
def test_an_error_that_is_raised_occurs_in_a_test(error):
    here = Path(__file__)
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path != here]
    assert any(re.search(rf"\b{error.__name__}\b", path.read_text()) for path in tests)
