"""What a commit is marked with: success only where the run ended in 0."""

import pytest

from gate.publish.statuses import MAX_DESCRIPTION, mark, unmarkable
from gate.records.host import Occasion
from gate.report.sanitize import visible

SHA = "1" * 40


def marked(verdict, status, reason="r"):
    return mark(verdict, exit_status=status, reason=reason, visible=visible)


@pytest.mark.parametrize(
    ("verdict", "status", "state"),
    [
        ("pass", 0, "success"),
        ("fail", 1, "failure"),
        ("undecided", 3, "error"),
        ("invalid", 2, "error"),
        ("defect", 4, "error"),
        ("fail", 0, "success"),
        ("undecided", 0, "success"),
    ],
)
def test_the_mark_says_what_the_exit_status_says(verdict, status, state):
    found = marked(verdict, status)
    assert found.state == state
    assert found.conclusion == ("success" if status == 0 else "failure")
    assert found.description.startswith(verdict)
    assert ("nothing is blocked" in found.description) == (status == 0 and verdict != "pass")


def test_a_description_is_one_printable_line_of_bounded_length():
    found = marked("fail", 1, "a\n::error::\x1b[31m" + "x" * 500)
    assert found.description.isprintable()
    assert len(found.description) == MAX_DESCRIPTION
    assert " ::" not in found.description


def test_a_pull_request_of_this_repository_is_marked():
    where = Occasion(kind="pull_request", repository="o/r", number=7, head_sha=SHA)
    assert unmarkable(where) is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": "local"}, "no runner"),
        ({"kind": "pull_request", "head_sha": SHA, "read_only": True}, "may not set it"),
        ({"kind": "issue_comment", "number": 7, "lookup": "pull"}, "which commit"),
        ({"kind": "pull_request_target", "head_sha": SHA, "refusal": "never"}, "never"),
    ],
)
def test_where_nothing_can_be_marked_it_says_why(fields, said):
    assert said in unmarkable(Occasion(repository="o/r", **fields))
