"""Every row of what may start a run, and what of its payload is believed."""

import json
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import UsageInvalid
from gate.publish.occasion import PRIVILEGED, occasion, pulls_of, undecided, with_pull
from gate.records.host import Occasion, Pull

EVENTS = Path(__file__).parents[2] / "data" / "events"
MERGE = "1" * 40
HEAD = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
BASE = "f95f852bd8fca8fcc58a9a2d6c842781e32a215e"
RAN = "3484a3fb816e0859fd6e1cea078d76385ff50625"
HERE = "Codertocat/Hello-World"


def payload(name):
    return json.loads((EVENTS / f"{name}.json").read_text("utf-8"))


def environ(event, *, repository=HERE, **more):
    return {
        "GITHUB_EVENT_NAME": event,
        "GITHUB_REPOSITORY": repository,
        "GITHUB_SHA": MERGE,
        "GITHUB_RUN_NUMBER": "7",
        "GITHUB_RUN_ATTEMPT": "2",
        "GITHUB_ACTOR": "octocat",
        **more,
    }


def put(found, path, value):
    """Give a copy of ``found`` with another value at a dotted path."""
    made = deepcopy(found)
    *above, last = path.split(".")
    part = made
    for key in above:
        part = part[key]
    part[last] = value
    return made


def pull(**fields):
    usual = {
        "number": 2,
        "state": "open",
        "head_sha": RAN,
        "base_sha": BASE,
        "base_ref": "main",
        "base_repository": "octo-org/octo-repo",
        "head_repository": "octo-org/octo-repo",
    }
    return Pull(**(usual | fields))


def ran(**changes):
    """Give the occasion of a completed run; ``changes`` are of its ``workflow_run``."""
    found = payload("workflow_run")
    found["workflow_run"].update(changes)
    return occasion(environ("workflow_run", repository="octo-org/octo-repo"), found)


@pytest.mark.parametrize(
    "event", ["pull_request", "pull_request_review", "pull_request_review_comment"]
)
def test_a_pull_request_is_judged_by_its_head_and_not_by_the_merge_commit(event):
    assert occasion(environ(event), payload("pull_request")) == Occasion(
        kind="pull_request",
        repository=HERE,
        number=2,
        head_sha=HEAD,
        base_sha=BASE,
        base_ref="master",
        head_repository=HERE,
        run=7,
        attempt=2,
        actor="octocat",
    )


@pytest.mark.parametrize(
    ("head", "known"),
    [({"full_name": "mallory/Hello-World"}, "mallory/Hello-World"), (None, None)],
    ids=["a fork", "a deleted fork"],
)
def test_a_head_in_another_repository_or_in_none_is_a_forks(head, known):
    changed = put(payload("pull_request"), "pull_request.head.repo", head)
    found = occasion(environ("pull_request"), changed)
    assert found.fork
    assert found.read_only
    assert found.head_repository == known
    assert found.head_sha == HEAD


def test_a_repository_that_is_itself_a_fork_is_not_taken_for_one():
    changed = payload("pull_request")
    for side in ("head", "base"):
        changed["pull_request"][side]["repo"]["fork"] = True
    assert not occasion(environ("pull_request"), changed).fork


def test_another_case_of_the_same_name_is_no_fork():
    changed = put(payload("pull_request"), "pull_request.head.repo.full_name", HERE.upper())
    assert not occasion(environ("pull_request"), changed).fork


def test_dependabot_may_only_read_though_its_branch_is_no_forks():
    given = environ("pull_request", GITHUB_ACTOR="dependabot[bot]")
    found = occasion(given, payload("pull_request"))
    assert (found.fork, found.read_only) == (False, True)


@pytest.mark.parametrize("head", [{"full_name": HERE}, {"full_name": "mallory/x"}, None])
def test_a_privileged_event_on_the_files_of_a_head_is_to_be_refused(head):
    changed = put(payload("pull_request"), "pull_request.head.repo", head)
    found = occasion(environ("pull_request_target"), changed)
    assert found.kind == "pull_request_target"
    assert found.refusal == PRIVILEGED
    assert found.head_sha == HEAD


def test_nothing_else_is_to_be_refused():
    events = ("pull_request", "issue_comment", "push", "schedule", "workflow_dispatch")
    given = {name: payload(name) for name in ("pull_request", "issue_comment")}
    assert not any(occasion(environ(name), given.get(name)).refusal for name in events)
    assert not ran().refusal


def test_a_completed_run_is_looked_up_by_the_commit_that_was_judged():
    found = ran()
    assert (found.kind, found.lookup, found.head_sha) == ("workflow_run", "pulls_of_commit", RAN)
    assert (found.run, found.attempt) == (163, 1)
    assert not found.fork


def test_a_pull_request_that_a_completed_run_lists_is_not_believed():
    assert payload("workflow_run")["workflow_run"]["pull_requests"][0]["head"]["sha"] != RAN
    assert ran().number is None


@pytest.mark.parametrize("head", [{"full_name": "mallory/octo-repo"}, None])
def test_a_completed_run_of_a_fork_lists_no_pull_request_and_is_looked_up(head):
    found = ran(pull_requests=[], head_repository=head)
    assert found.fork
    assert found.lookup == "pulls_of_commit"
    theirs = pull(head_repository="mallory/octo-repo" if head else None)
    assert pulls_of(found, [theirs]) == (theirs,)


@pytest.mark.parametrize(
    "other",
    [
        {"state": "closed"},
        {"head_sha": HEAD},
        {"base_repository": "mallory/octo-repo"},
        {"head_repository": "mallory/octo-repo"},
        {"head_repository": None},
    ],
    ids=["closed", "moved on", "of the fork itself", "the same commit of a fork", "deleted"],
)
def test_a_pull_request_of_another_kind_is_not_that_of_the_commit(other):
    assert pulls_of(ran(), [pull(**other)]) == ()
    assert pulls_of(ran(), [pull(number=1, **other), pull(number=5)]) == (pull(number=5),)


def test_a_run_of_a_fork_that_is_gone_is_not_that_of_another_fork():
    found = ran(head_repository=None)
    theirs = [pull(head_repository="victim/octo-repo"), pull(head_repository=HERE)]
    assert pulls_of(found, theirs) == ()
    assert undecided(()) == "this run belongs to no open pull request"


def test_of_several_of_one_commit_it_is_the_one_that_the_event_lists():
    two = [pull(number=5), pull(number=4, base_ref="release")]
    assert pulls_of(ran(pull_requests=[{"number": 5}, {"number": 9}]), two) == (two[0],)
    assert pulls_of(ran(pull_requests=[{"number": 9}]), two[:1]) == (two[0],)


@pytest.mark.parametrize("listed", [[], None, [{"number": 9}], [{"number": 4}, {"number": 5}]])
def test_of_several_that_the_event_does_not_tell_apart_it_is_none(listed):
    found = pulls_of(ran(pull_requests=listed), [pull(number=5), pull(number=4)])
    assert [one.number for one in found] == [4, 5]
    assert "2 open pull requests (#4, #5)" in undecided(found)


def test_a_completed_run_names_the_branch_of_its_head_as_it_stands():
    assert ran().head_branch == "master"
    odd = "refs/heads/a b&head=c:d/\N{ZERO WIDTH JOINER}%2F..#?"
    assert ran(head_branch=odd).head_branch == odd
    assert ran(head_branch=None).head_branch is None


@pytest.mark.parametrize("branch", ["", "x" * 1001, "a\nb", "\x7f", "\ud800", 7, True, [], {}])
def test_a_branch_that_is_none_is_said(branch):
    with pytest.raises(UsageInvalid, match=r"workflow_run\.head_branch") as raised:
        ran(head_branch=branch)
    assert len(str(raised.value)) < 200


def test_what_was_asked_in_vain_is_said():
    assert undecided((), asked=("by commit 1", "by branch 'a:b'")) == (
        "this run belongs to no open pull request (asked for by commit 1; by branch 'a:b')"
    )
    assert "asked" not in undecided([pull(number=5), pull(number=4)], asked=("by commit 1",))


@pytest.mark.parametrize("listed", [{}, "7", [7], [{"number": "7"}], [{}], [{"number": 7}] * 1001])
def test_a_list_of_pull_requests_that_is_none_is_said(listed):
    with pytest.raises(UsageInvalid, match="pull_requests"):
        ran(pull_requests=listed)


def test_where_the_event_names_a_number_it_is_that_one():
    found = occasion(environ("pull_request"), payload("pull_request"))
    same = {"head_sha": HEAD, "base_repository": HERE, "head_repository": HERE}
    assert pulls_of(found, [pull(number=1, **same)]) == ()
    (only,) = pulls_of(found, [pull(number=1, **same), pull(number=2, **same)])
    assert only.number == 2


def test_a_merge_group_has_a_head_and_no_pull_request():
    found = occasion(
        environ("merge_group", repository="octo-org/octo-repo"), payload("merge_group")
    )
    assert found.head_sha == payload("merge_group")["merge_group"]["head_sha"]
    assert found.base_sha == payload("merge_group")["merge_group"]["base_sha"]
    assert (found.kind, found.base_ref) == ("merge_group", "main")
    assert found.number is found.lookup is None


def test_a_comment_on_a_pull_request_has_a_number_and_no_commit():
    changed = put(payload("issue_comment"), "issue.pull_request", {"url": "x"})
    found = occasion(environ("issue_comment"), changed)
    assert (found.kind, found.number, found.lookup) == ("issue_comment", 1, "pull")
    assert found.head_sha is None


@pytest.mark.parametrize("more", [{}, {"pull_request": None}])
def test_a_comment_on_an_issue_has_no_pull_request(more):
    changed = payload("issue_comment")
    changed["issue"].update(more)
    found = occasion(environ("issue_comment"), changed)
    assert found.number is found.lookup is None
    assert found.head_sha == MERGE


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ("push", "push"),
        ("schedule", "schedule"),
        ("workflow_dispatch", "other"),
        ("repository_dispatch", "other"),
        ("an_event_of_next_year", "other"),
    ],
)
@pytest.mark.parametrize("given", [None, {}, {"repository": 1}])
def test_an_event_without_a_pull_request_is_no_error(event, kind, given):
    found = occasion(environ(event), given)
    assert found == Occasion(
        kind=kind, repository=HERE, head_sha=MERGE, run=7, attempt=2, actor="octocat"
    )


@pytest.mark.parametrize("given", [{}, {"GITHUB_EVENT_NAME": ""}, {"GITHUB_SHA": "x"}])
def test_without_an_event_the_run_is_a_local_one(given):
    assert occasion(given, None) == Occasion(kind="local")


def test_empty_variables_are_absent_ones():
    given = dict.fromkeys(environ("push"), "") | {"GITHUB_EVENT_NAME": "push"}
    assert occasion(given, None) == Occasion(kind="push")


def test_the_host_fills_in_what_the_event_did_not_say():
    changed = put(payload("issue_comment"), "issue.pull_request", {})
    asked = occasion(environ("issue_comment"), changed)
    told = pull(number=1, base_repository=HERE, head_repository=None)
    found = with_pull(asked, told)
    assert (found.number, found.head_sha, found.base_sha) == (1, RAN, BASE)
    assert (found.base_ref, found.fork, found.lookup) == ("main", True, None)
    assert (found.run, found.kind) == (7, "issue_comment")


def test_a_pull_request_of_another_repository_is_refused():
    asked = occasion(environ("pull_request"), payload("pull_request"))
    with pytest.raises(UsageInvalid, match="another repository"):
        with_pull(asked, pull(base_repository="mallory/x"))


NEEDED = {
    "pull_request": (
        "repository.full_name",
        "pull_request.number",
        "pull_request.head.sha",
        "pull_request.head.repo.full_name",
        "pull_request.base.sha",
        "pull_request.base.ref",
        "pull_request.base.repo.full_name",
    ),
    "pull_request_target": ("pull_request.number", "pull_request.head.sha"),
    "workflow_run": (
        "repository.full_name",
        "workflow_run.head_sha",
        "workflow_run.run_number",
        "workflow_run.head_repository.full_name",
    ),
    "merge_group": (
        "repository.full_name",
        "merge_group.head_sha",
        "merge_group.base_sha",
        "merge_group.base_ref",
    ),
    "issue_comment": ("repository.full_name", "issue.number"),
}
ODD = [None, "", "1", "x" * 100_000, 0, -1, 1.5, 10**40, True, [], {}, [1], {"sha": "x"}, "a\nb"]


def whole(event):
    found = payload(event.removesuffix("_target"))
    if event == "issue_comment":
        found["issue"]["pull_request"] = {}
    return found, environ(event, repository=found["repository"]["full_name"])


@pytest.mark.parametrize("value", ODD, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("event", NEEDED)
def test_a_payload_with_an_odd_value_is_an_error_that_names_the_key(event, value):
    found, given = whole(event)
    occasion(given, found)
    for path in NEEDED[event]:
        if path.endswith(("base_ref", "base.ref")) and value == "1":
            continue  # a branch may be called so
        with pytest.raises(UsageInvalid) as raised:
            occasion(given, put(found, path, value))
        assert path in str(raised.value)
        assert len(str(raised.value)) < 300


@pytest.mark.parametrize("event", NEEDED)
def test_a_payload_without_a_key_is_an_error_that_names_it(event):
    found, given = whole(event)
    for path in NEEDED[event]:
        *above, last = path.split(".")
        changed = deepcopy(found)
        part = changed
        for key in above:
            part = part[key]
        del part[last]
        with pytest.raises(UsageInvalid, match=path.replace(".", r"\.")):
            occasion(given, changed)


@pytest.mark.parametrize("event", NEEDED)
@pytest.mark.parametrize("given", [None, {}, [], "text", 3])
def test_a_payload_that_is_none_is_an_error(event, given):
    with pytest.raises(UsageInvalid, match="GITHUB_EVENT_PATH"):
        occasion(environ(event), given)


@pytest.mark.parametrize("event", NEEDED)
def test_a_payload_of_another_repository_is_an_error(event):
    found, given = whole(event)
    with pytest.raises(UsageInvalid, match="not that of"):
        occasion(given | {"GITHUB_REPOSITORY": "mallory/x"}, found)
    with pytest.raises(UsageInvalid, match="GITHUB_REPOSITORY is not set"):
        occasion(given | {"GITHUB_REPOSITORY": ""}, found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("GITHUB_REPOSITORY", "no slash"),
        ("GITHUB_REPOSITORY", "a/b/c"),
        ("GITHUB_SHA", "HEAD"),
        ("GITHUB_SHA", MERGE + "\n"),
        ("GITHUB_RUN_NUMBER", "seven"),
        ("GITHUB_RUN_NUMBER", "0"),
        ("GITHUB_RUN_NUMBER", "9" * 19),
        ("GITHUB_RUN_ATTEMPT", "-1"),
        ("GITHUB_RUN_ATTEMPT", "9" * 5000),
    ],
)
def test_a_variable_that_makes_no_sense_is_an_error_that_names_it(name, text):
    with pytest.raises(UsageInvalid, match=name) as raised:
        occasion(environ("push", **{name: text}), None)
    assert len(str(raised.value)) < 200


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                [
                    "pull_request",
                    "head",
                    "base",
                    "repo",
                    "repository",
                    "full_name",
                    "sha",
                    "number",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=300)
@given(st.sampled_from(sorted(NEEDED)), st.data())
def test_whatever_a_payload_holds_it_is_understood_or_refused(event, data):
    found, given_ = whole(event)
    path = data.draw(st.sampled_from(NEEDED[event]))
    depth = data.draw(st.integers(1, path.count(".") + 1))
    changed = put(found, ".".join(path.split(".")[:depth]), data.draw(ANYTHING))
    with suppress(UsageInvalid):
        assert occasion(given_, changed).kind == event
