"""Every error has a status and a remedy, and stands in the tree that the module draws."""

import inspect

import pytest

from gate import errors
from gate.errors import SHOWN, Defect, GateError, InvalidInput, Problem, Undecided

CLASSES = [
    found
    for _, found in inspect.getmembers(errors, inspect.isclass)
    if issubclass(found, GateError) and found is not GateError
]


def drawn():
    """Read the tree of the docstring: name, depth."""
    tree = {}
    for line in errors.__doc__.splitlines():
        for mark in ("├── ", "└── "):
            if mark in line:
                name = line.split(mark)[1].split()[0]
                tree[name] = (line.index(mark) - len("    ")) // len("│   ")
    return tree


def test_the_docstring_draws_exactly_the_classes_that_there_are():
    assert drawn().keys() == {found.__name__ for found in CLASSES}


@pytest.mark.parametrize("found", CLASSES, ids=lambda found: found.__name__)
def test_a_class_stands_where_it_is_drawn(found):
    assert drawn()[found.__name__] == len(found.__mro__) - GateError.mro().__len__() - 1


@pytest.mark.parametrize("found", CLASSES, ids=lambda found: found.__name__)
def test_a_class_has_a_status_a_hint_and_a_docstring_of_its_own(found):
    assert found.status in {2, 3, 4}
    assert found.__dict__.get("hint"), found
    assert found.__doc__ != GateError.__doc__
    assert found("message").remedy == found.hint
    assert found("message", hint="nearer").remedy == "nearer"


@pytest.mark.parametrize("found", CLASSES, ids=lambda found: found.__name__)
def test_the_status_is_that_of_its_branch(found):
    branches = {InvalidInput: 2, Undecided: 3, Defect: 4}
    assert [status for branch, status in branches.items() if issubclass(found, branch)] == [
        found.status
    ]


def test_an_error_of_many_problems_lists_the_first_and_counts_the_rest():
    problems = [Problem("f.jsonl", line, "is wrong") for line in range(1, SHOWN + 6)]
    lines = str(InvalidInput.of(problems)).splitlines()
    assert lines[0] == "f.jsonl:1: is wrong"
    assert len(lines) == SHOWN + 1
    assert lines[-1] == "... and 5 more"


def test_problems_that_nobody_kept_are_counted_too():
    error = InvalidInput.of([Problem("f", 1, "x")], total=4)
    assert str(error).splitlines() == ["f:1: x", "... and 3 more"]


def test_exactly_as_many_as_are_shown_leave_no_rest():
    assert "more" not in str(InvalidInput.of([Problem("f", 1, "x")] * SHOWN))
