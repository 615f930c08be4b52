"""Which pull request a fork's run belongs to, where the host does not tell it of the commit."""

import pytest

from forks_run import REPOSITORY, told, writes

LISTED = f"GET /repos/{REPOSITORY}/pulls"
OF_COMMIT = f"GET /repos/{REPOSITORY}/commits/{'1' * 40}/pulls"


def test_a_forks_commit_of_which_the_host_tells_nothing_is_found_by_its_branch(trusted, github):
    assert trusted.publish().status == 0
    assert len(github.world.bodies()) == 1
    assert github.lines[:2] == [OF_COMMIT, LISTED]
    assert github.asked[1].query == {"state": "open", "head": "mallory:topic", "per_page": "100"}


def test_where_the_commit_tells_it_the_branch_is_not_asked_for(trusted, github):
    github.world.knows_forks = True
    trusted.tell(head_branch="of no matter")
    assert trusted.publish().status == 0
    assert len(github.world.bodies()) == 1
    assert LISTED not in github.lines


@pytest.mark.parametrize(
    "edits",
    [
        {"head": "5" * 40},
        {"head_repository": "mallory/another"},
        {"head_repository": "eve/agent"},
        {"branch": "another"},
        {"state": "closed"},
    ],
    ids=lambda edits: next(iter(edits.items()))[1][:15],
)
def test_what_the_branch_leads_to_is_held_to_the_event(trusted, github, edits):
    for name, value in edits.items():
        setattr(github.world.pulls[7], name, value)
    run = trusted.publish()
    assert run.status == 0
    assert (
        "no open pull request (asked for by commit 111111111111; by branch 'mallory:topic')"
    ) in run.out
    assert writes(github) == []
    assert told(trusted)["comment-url"] == ""


@pytest.mark.parametrize("edits", [{"head_branch": None}, {"head_repository": None}])
def test_where_the_event_names_no_branch_and_owner_none_is_asked_for(trusted, github, edits):
    trusted.tell(**edits)
    run = trusted.publish()
    assert run.status == 0
    assert "by commit 111111111111; by no branch" in run.out
    assert github.lines == [OF_COMMIT]


def test_an_odd_branch_leads_nowhere_else_and_is_no_command_in_the_log(trusted, github):
    branch = "::error::x]&state=all&head=octo:topic#\N{RIGHT-TO-LEFT OVERRIDE}/../.."
    github.world.pulls[7].branch = branch
    trusted.tell(head_branch=branch)
    assert trusted.publish().status == 0
    assert len(github.world.bodies()) == 1
    github.world.pulls[7].state = "closed"
    run = trusted.publish()
    assert "no open pull request" in run.out
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in run.out
    assert not any(line.lstrip().startswith("::") for line in run.out.splitlines())


@pytest.mark.parametrize("branch", ["", "a\nb", 7])
def test_a_branch_that_is_none_is_2(trusted, github, branch):
    trusted.tell(head_branch=branch)
    run = trusted.publish()
    assert run.status == 2
    assert "workflow_run.head_branch" in run.err
    assert github.lines == []
