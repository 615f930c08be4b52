"""The client over real HTTP, against a GitHub of ours; GitHub's description judges each request.

Clocks and waits are given, so nothing here waits but where a server is silent.
"""

import logging
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import pytest

from gate.adapters.github.client import connect
from gate.adapters.github.line import Means
from gate.errors import HostFailed

TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing
REPOSITORY = "octo/agent"
SHORT = 0.2


class Time:
    """A clock that only waiting moves, unless ``each`` look at it costs something."""

    def __init__(self, *, each=0.0):
        self.at = 1000.0
        self.each = each
        self.waits = []

    def clock(self):
        self.at += self.each
        return self.at

    def sleep(self, seconds):
        self.waits.append(seconds)
        self.at += seconds

    def now(self):
        return 1_800_000_000.0


@pytest.fixture
def fake(fakes):
    return fakes("github_server")


@pytest.fixture(params=["", "/api/v3"], ids=["github.com", "enterprise"])
def server(request, fake, fakes):
    server = fake.GitHubServer(prefix=request.param).start()
    yield server
    server.stop()
    described = fakes("github_described")
    name = described.ENTERPRISE if request.param else described.GITHUB
    assert described.violations(server.asked, name=name) == []


@pytest.fixture
def world(server):
    return server.world


@pytest.fixture
def passing():
    return Time()


@pytest.fixture
def make(server, passing):
    made = []

    def connected(*, total=30.0, each=10.0, passing=passing, chance=0.5, token=TOKEN):
        means = Means(
            total=total,
            each=each,
            clock=passing.clock,
            sleep=passing.sleep,
            now=passing.now,
            chance=lambda: chance,
        )
        environ = {"GITHUB_API_URL": server.url}
        made.append(connect(environ, token=token, repository=REPOSITORY, means=means))
        return made[-1]

    yield connected
    for client in made:
        client.close()


@pytest.fixture
def client(make):
    return make()


def refusal(call, *arguments, **named):
    with pytest.raises(HostFailed) as caught:
        call(*arguments, **named)
    return caught.value


# What is sent


def test_a_comment_is_created_updated_listed_and_deleted(client, world):
    made = client.create_comment(7, "first — ünï 🙂")
    assert (made.body, made.author, made.by_app) == ("first — ünï 🙂", "github-actions[bot]", True)
    assert made.url.endswith(f"#issuecomment-{made.id}")
    assert client.update_comment(made.id, "second").body == "second"
    assert [(one.id, one.body) for one in client.comments(7)] == [(made.id, "second")]
    client.delete_comment(made.id)
    assert world.bodies() == []


def test_each_request_carries_the_token_and_the_version_and_follows_nothing(client, server):
    client.pull(7)
    headers = server.asked[0].headers
    assert headers["authorization"] == f"Bearer {TOKEN}"
    assert headers["x-github-api-version"] == "2022-11-28"
    assert headers["accept"] == "application/vnd.github+json"
    assert headers["user-agent"].startswith("agent-eval-gate/")
    assert headers["accept-encoding"] == "identity"


def test_a_pull_request_is_read(client, fake):
    pull = client.pull(7)
    assert (pull.number, pull.state, pull.head_sha, pull.base_sha) == (
        7,
        "open",
        fake.HEAD,
        fake.BASE,
    )
    assert (pull.base_ref, pull.base_repository, pull.head_repository) == (
        "main",
        REPOSITORY,
        REPOSITORY,
    )


@pytest.mark.parametrize("name", ["fork/agent", None])
def test_a_fork_is_told_by_its_repository_even_if_that_is_gone(client, world, name):
    world.pulls[7].head_repository = name
    assert client.pull(7).head_repository == name


def test_the_pull_requests_of_a_commit_are_found_over_all_pages(client, world, fake):
    world.most = 2
    for number in range(8, 13):
        world.pulls[number] = fake.Pull(number, head="f" * 40, commits=[fake.HEAD])
    assert [pull.number for pull in client.pulls_of(fake.HEAD)] == [7, 8, 9, 10, 11, 12]


def test_of_a_commit_that_lies_only_in_a_fork_the_host_tells_none(client, world, fake):
    world.pulls[7].head_repository = "mallory/agent"
    assert client.pulls_of(fake.HEAD) == ()


BRANCHES = [
    "topic",
    "a/b",
    "a b&state=all",
    "x?y#z",
    "%2e%2e/..",
    "+",
    "é\N{ZERO WIDTH JOINER}🙂",
    "h:i",
]


@pytest.mark.parametrize("branch", BRANCHES)
def test_the_open_pull_requests_from_a_branch_are_found_over_all_pages(
    client, world, server, fake, branch
):
    world.most = 2
    theirs = {"head_repository": "mallory/agent", "branch": branch}
    for number in range(8, 13):
        world.pulls[number] = fake.Pull(number, **theirs)
    world.pulls[13] = fake.Pull(13, state="closed", **theirs)
    world.pulls[14] = fake.Pull(14, **{**theirs, "head_repository": "eve/agent"})
    world.pulls[15] = fake.Pull(15, **{**theirs, "branch": "another"})
    found = client.pulls_from("mallory", branch)
    assert sorted(pull.number for pull in found) == [8, 9, 10, 11, 12]
    assert [asked.query["head"] for asked in server.asked] == [f"mallory:{branch}"] * 3
    assert server.lines[0] == f"GET /repos/{REPOSITORY}/pulls"


@pytest.mark.parametrize(
    ("owner", "branch"),
    [("", "topic"), ("mallory", ""), ("a:b", "c"), ("a/b", "c"), ("a", "b\nc"), ("a", "\ud800")],
)
def test_what_names_no_branch_of_anybody_is_asked_for_nowhere(client, server, owner, branch):
    assert "no branch" in str(refusal(client.pulls_from, owner, branch))
    assert server.asked == []


def test_a_list_of_pull_requests_without_an_end_is_refused_as_any_list_is(
    client, server, fake, monkeypatch
):
    monkeypatch.setattr("gate.adapters.github.client.MAX_PAGES", 3)
    listed = f"{server.url}/repos/{REPOSITORY}/pulls"
    server.script.extend(fake.link_to(f"{listed}?page={page}") for page in range(2, 9))
    assert "more than 3 pages" in str(refusal(client.pulls_from, "mallory", "topic"))
    server.script.clear()
    server.script.append(fake.link_to("https://evil.example/pulls?page=2"))
    assert "the next page is elsewhere" in str(refusal(client.pulls_from, "mallory", "topic"))


def test_a_token_that_may_not_list_pull_requests_is_told_the_permission(client, world):
    world.may = {"contents": "read"}
    assert "`pull-requests: read`" in str(refusal(client.pulls_from, "mallory", "topic"))


def test_a_status_and_a_check_run_are_set_on_the_commit(client, world, fake):
    client.create_status(fake.HEAD, state="failure", context="evals", description="d" * 500)
    client.create_check(fake.HEAD, name="evals", conclusion="failure", summary="s")
    (status,), (check,) = world.statuses, world.checks
    assert (status["sha"], status["state"], status["context"]) == (fake.HEAD, "failure", "evals")
    assert len(status["description"]) == 140
    assert (check["head_sha"], check["status"], check["conclusion"]) == (
        fake.HEAD,
        "completed",
        "failure",
    )
    assert check["output"] == {"title": "evals", "summary": "s"}


def test_who_wrote_a_comment_is_told_by_account_and_app(client, world, fake):
    world.comment(7, "a", author=fake.SOMEBODY)
    world.comment(7, "b", author=fake.ACTIONS)
    world.comment(7, "c", author=fake.Account("robot", 3, "Bot"))
    world.comment(7, "d", author=None)
    said = [(one.author, one.author_id, one.by_app) for one in client.comments(7)]
    assert said == [
        ("mallory", 666, False),
        ("github-actions[bot]", 41_898_282, True),
        ("robot", 3, True),
        ("", 0, False),
    ]


def test_a_hidden_comment_is_told_from_one_that_shows(client, world):
    world.comment(7, "shown")
    world.comment(7, "hidden", minimized="OUTDATED")
    assert [one.minimized for one in client.comments(7)] == [False, True]


# Pages


@pytest.mark.parametrize("most", [1, 30, 100])
def test_all_pages_of_comments_are_read(client, world, most):
    world.most = most
    bodies = [f"c{number}" for number in range(64)]
    for body in bodies:
        world.comment(7, body)
    assert [one.body for one in client.comments(7)] == bodies


def test_a_page_of_comments_of_full_length_is_read(client, world, fake):
    for _ in range(100):
        world.comment(7, "é" * (fake.MAX_COMMENT // 2))
    assert len(client.comments(7)) == 100


def test_a_comment_on_two_pages_is_given_once(client, server, world, fake):
    world.most = 2
    ids = [world.comment(7, f"c{number}").id for number in range(4)]

    def insert(server):
        # What was the second is the third now, and comes again.
        held = server.world.comments
        server.world.comments = {1: fake.Comment(1, 7, "older", fake.SOMEBODY), **held}

    server.script.extend([None, fake.first(insert)])
    assert [one.id for one in client.comments(7)] == ids


@pytest.mark.parametrize(
    "address",
    [
        "http://evil.example/repos/octo/agent/issues/7/comments?page=2",
        "https://127.0.0.1:{port}{prefix}/r?page=2",
        "http://127.0.0.1:1{prefix}/r?page=2",
        "http://user@127.0.0.1:{port}{prefix}/r?page=2",
        "http://127.0.0.1:{port}@evil.example/r?page=2",
        "//evil.example/r?page=2",
        "/r?page=2",
        "http://[/r",
        "http://127.0.0.1:{port}{prefix}/../r?page=2",
        "http://127.0.0.1:{port}{prefix}/r page=2",
    ],
)
def test_a_link_to_another_place_is_refused_and_never_followed(client, server, fake, address):
    link = address.format(port=server.server_address[1], prefix=server.prefix)
    server.script.append(fake.link_to(link))
    error = refusal(client.comments, 7)
    assert "next page" in str(error)
    assert len(server.asked) == 1


def test_a_list_without_an_end_is_refused_at_the_named_limit(client, server, fake, monkeypatch):
    monkeypatch.setattr("gate.adapters.github.client.MAX_PAGES", 5)
    listed = f"{server.url}/repos/{REPOSITORY}/issues/7/comments"
    server.script.extend(fake.link_to(f"{listed}?page={page}") for page in range(2, 20))
    assert "more than 5 pages" in str(refusal(client.comments, 7))
    assert len(server.asked) == 5


def test_a_page_that_links_to_itself_is_refused(client, server, fake):
    link = f"{server.url}/repos/{REPOSITORY}/issues/7/comments?page=2"
    server.script.extend([fake.link_to(link)] * 9)
    assert "links to an earlier one" in str(refusal(client.comments, 7))
    assert len(server.asked) == 2


# Permissions and refusals


@pytest.mark.parametrize(
    ("act", "needs"),
    [
        (lambda client: client.create_comment(7, "x"), "`pull-requests: write`"),
        (lambda client: client.update_comment(1001, "x"), "`issues: write`"),
        (lambda client: client.delete_comment(1001), "`pull-requests: write`"),
        (
            lambda client: client.create_status(
                "1" * 40, state="error", context="c", description=""
            ),
            "`statuses: write`",
        ),
        (
            lambda client: client.create_check(
                "1" * 40, name="n", conclusion="failure", summary=""
            ),
            "`checks: write`",
        ),
    ],
    ids=["create", "update", "delete", "status", "check"],
)
def test_a_read_only_token_is_asked_once_and_the_permission_is_named(
    client, server, world, fake, passing, act, needs
):
    world.comment(7, "x", author=fake.ACTIONS)
    world.may = dict(fake.READ_ONLY)
    error = refusal(act, client)
    assert needs in str(error)
    assert needs in error.remedy
    assert "HTTP 403: Resource not accessible by integration" in str(error)
    assert "GitHub says: " in str(error)
    assert "(request F4KE:0001)" in str(error)
    assert (len(server.asked), passing.waits) == (1, [])


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (("refuses", 401, "Bad credentials"), "the token is not accepted"),
        (("refuses", 404, "Not Found"), "takes `pull-requests: write` or `issues: write`"),
        (("refuses", 410, "Issues are disabled"), "it is gone"),
        (("refuses", 422, "Validation Failed"), "does not take what was sent"),
        (("refuses", 400, "Problems parsing JSON"), "HTTP 400: Problems parsing JSON"),
        (("refuses", 451, "Blocked"), "HTTP 451: Blocked"),
    ],
    ids=["401", "404", "410", "422", "400", "451"],
)
def test_what_will_be_refused_again_is_not_asked_again(client, server, fake, passing, step, said):
    name, *arguments = step
    server.script.append(getattr(fake, name)(*arguments))
    assert said in str(refusal(client.create_comment, 7, "x"))
    assert (len(server.asked), passing.waits) == (1, [])


def test_a_locked_conversation_is_not_said_to_be_a_missing_permission(client, world):
    world.locked.add(7)
    said = str(refusal(client.create_comment, 7, "x"))
    assert "issue is locked" in said
    assert "lacks" not in said


@pytest.mark.parametrize("size", [65_536, 65_537])
def test_a_body_beyond_the_limit_is_refused_with_githubs_reason(client, world, size):
    if size <= 65_536:
        assert client.create_comment(7, "x" * size).body == "x" * size
    else:
        assert "body is too long" in str(refusal(client.create_comment, 7, "x" * size))
    assert len(world.bodies()) == (size <= 65_536)


def test_a_comment_that_is_gone_needs_no_deletion(client, server, fake):
    client.delete_comment(12345)
    server.script.append(fake.refuses(410, "Gone"))
    client.delete_comment(12345)


def test_a_comment_that_is_gone_is_not_updated(client):
    assert "HTTP 404" in str(refusal(client.update_comment, 12345, "x"))


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_is_refused_and_never_followed(client, server, fake, code):
    with closing(socket.create_server(("127.0.0.1", 0))) as elsewhere:
        port = elsewhere.getsockname()[1]
        server.script.append(fake.redirect_to(f"http://127.0.0.1:{port}", code))
        assert "redirects are not followed" in str(refusal(client.pull, 7))
        elsewhere.settimeout(0)
        with pytest.raises(BlockingIOError):
            elsewhere.accept()
    assert len(server.asked) == 1


# Rates


@pytest.mark.parametrize("code", [403, 429])
def test_a_limit_is_waited_for_as_long_as_it_says(client, server, fake, passing, code):
    server.script.append(fake.limited(code, retry_after="7"))
    assert client.pull(7).number == 7
    assert passing.waits == [7.0]


@pytest.mark.parametrize("code", [403, 429])
def test_a_limit_that_names_its_end_is_waited_for_until_then(client, server, fake, passing, code):
    spent = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1800000020"}
    server.script.append(fake.limited(code, **spent))
    client.pull(7)
    assert passing.waits == [21.0]


def test_retry_after_goes_before_the_end_of_the_hour(client, server, fake, passing):
    spent = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1800000020"}
    server.script.append(fake.limited(403, retry_after="3", **spent))
    client.pull(7)
    assert passing.waits == [3.0]


@pytest.mark.parametrize("chance", [0.0, 0.99])
def test_a_secondary_limit_without_a_time_gets_a_minute_and_then_two(
    make, server, fake, passing, chance
):
    server.script.extend([fake.secondary(), fake.secondary(429, x_ratelimit_remaining="59")])
    make(total=600.0, chance=chance).pull(7)
    first, second = passing.waits
    assert 60.0 <= first < 66.0
    assert 120.0 <= second < 126.0


@pytest.mark.parametrize(
    ("headers", "wished"),
    [
        ({}, "62"),
        ({"retry_after": "31"}, "31"),
        ({"retry_after": "86400"}, "86400"),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1800003600"}, "3601"),
    ],
    ids=["secondary", "retry-after", "a day", "the hour"],
)
def test_a_limit_that_outlasts_the_time_that_is_left_is_not_waited_for(
    client, server, fake, passing, headers, wished
):
    server.script.append(fake.secondary(**headers))
    said = str(refusal(client.create_comment, 7, "x"))
    assert f"left alone for {wished} s" in said
    assert "of the 30 s that a run gives its host 30 are left" in said
    assert passing.waits == []
    assert len(server.asked) == 1


def test_no_wish_of_hours_is_granted_however_much_time_there_is(make, server, fake, passing):
    server.script.append(fake.limited(retry_after="3000"))
    assert "3000 s" in str(refusal(make(total=1e6).pull, 7))
    assert passing.waits == []


def test_a_limit_that_does_not_end_is_given_up(make, server, fake, passing):
    server.script.extend([fake.limited(retry_after="1")] * 9)
    assert "tried 4 times" in str(refusal(make(total=600.0).pull, 7))
    assert (len(server.asked), passing.waits) == (4, [1.0, 1.0, 1.0])


# Outages


@pytest.mark.parametrize("name", ["page", "server_error", "half", "disconnect"])
def test_what_broke_is_asked_again_after_a_draw(client, server, fake, passing, name):
    server.script.extend([fake.FAULTS[name]] * 2)
    assert client.pull(7).number == 7
    assert passing.waits == [0.25, 0.5]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("page", "HTTP 502: '<html>Unicorn!</html>'"),
        ("server_error", "HTTP 500: Server Error"),
        ("half", "the way to it is broken"),
        ("disconnect", "the way to it is broken"),
    ],
)
def test_an_outage_ends_after_a_few_tries(client, server, fake, name, said):
    server.script.extend([fake.FAULTS[name]] * 9)
    error = str(refusal(client.pull, 7))
    assert said in error
    assert "tried 4 times" in error
    assert len(server.asked) == 4


@pytest.mark.parametrize("name", ["hang", "drip"])
def test_a_silent_host_takes_no_more_than_its_time(make, server, fake, name):
    server.script.extend([fake.FAULTS[name]] * 9)
    client = make(total=3 * SHORT, each=SHORT, passing=Ticking(), chance=0.01)
    begun = time.monotonic()
    assert "no whole reply" in str(refusal(client.pull, 7))
    assert time.monotonic() - begun < 20 * SHORT
    assert 2 <= len(server.asked) <= 3


class Ticking(Time):
    """A clock that goes by itself."""

    def clock(self):
        return time.monotonic()

    def sleep(self, seconds):
        time.sleep(seconds)


def test_nobody_listening_is_an_error_like_any_other(passing):
    with closing(socket.create_server(("127.0.0.1", 0))) as gone:
        port = gone.getsockname()[1]
    means = Means(clock=passing.clock, sleep=passing.sleep, chance=lambda: 0.5)
    environ = {"GITHUB_API_URL": f"http://127.0.0.1:{port}"}
    with closing(connect(environ, token=TOKEN, repository=REPOSITORY, means=means)) as client:
        assert "ConnectError" in str(refusal(client.pull, 7))
    assert passing.waits == [0.25, 0.5, 1.0]


def test_the_time_of_a_run_is_one_over_all_its_calls(make, server, fake, passing):
    server.script.extend(
        [fake.limited(retry_after="20"), None, None, fake.limited(retry_after="20")]
    )
    client = make()
    client.pull(7)
    passing.at += 10_000.0  # what passes in between is not the host's
    client.pull(7)
    assert "left alone for 20 s; of the 30 s that a run gives its host 10 are left" in str(
        refusal(client.pull, 7)
    )
    assert passing.waits == [20.0]


def test_time_that_is_over_asks_nothing(make, server):
    client = make(total=0.0)
    assert "the time is over" in str(refusal(client.pull, 7))
    assert server.asked == []


def test_a_name_server_that_is_silent_takes_no_more_than_its_time(monkeypatch):
    over = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: over.wait(20))
    means = Means(total=2 * SHORT, each=SHORT, chance=lambda: 0.0)
    try:
        with closing(connect({}, token=TOKEN, repository=REPOSITORY, means=means)) as client:
            assert "no name server answered" in str(refusal(client.pull, 7))
    finally:
        over.set()


def test_a_reply_without_an_end_is_cut_off_and_not_asked_for_again(
    client, server, fake, monkeypatch
):
    monkeypatch.setattr("gate.adapters.github.call.Call.__new__.__defaults__", SMALL)
    server.script.append(fake.endless)
    assert "more than 100,000 bytes" in str(refusal(client.pull, 7))
    assert len(server.asked) == 1


SMALL = (None, "application/vnd.github+json", 100_000, frozenset(), None)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>", "the reply is no JSON"),
        (b"\xff", "the reply is no JSON"),
        (b'{"number": NaN}', "NaN is not JSON"),
        (b"[" * 5000, "the reply is no JSON"),
        (b"null", "an object is wanted"),
        (b"[]", "an object is wanted"),
        (b'{"number": 7}', "an object is wanted"),
        (b'{"number": "7", "head": {}, "base": {"repo": {}}}', "has not the form"),
    ],
)
def test_a_success_that_is_none_is_an_error(client, server, fake, body, said):
    server.script.append(fake.sends(200, body))
    error = str(refusal(client.pull, 7))
    assert said in error
    assert "\n" not in error


def test_a_list_that_is_none_is_an_error(client, server, fake):
    server.script.append(fake.sends(200, b'{"id": 1}'))
    assert "a list is wanted" in str(refusal(client.comments, 7))


def test_a_compressed_reply_is_refused(client, server, fake):
    server.script.extend([fake.sends(200, b"x", content_encoding="gzip")] * 4)
    assert "compressed" in str(refusal(client.pull, 7))


# Nothing is posted twice


@pytest.mark.parametrize("name", ["lost", "half"])
def test_a_comment_whose_reply_was_lost_is_found_and_not_posted_again(
    client, server, world, fake, name
):
    world.comment(7, "other")
    server.script.append(fake.FAULTS[name])
    made = client.create_comment(7, "mine")
    assert world.bodies() == ["other", "mine"]
    assert made.id == max(world.comments)
    assert [asked.method for asked in server.asked] == ["POST", "GET"]


@pytest.mark.parametrize("name", ["page", "limited", "disconnect"])
def test_a_comment_is_posted_again_only_after_it_was_looked_for(client, server, world, fake, name):
    server.script.append(fake.FAULTS[name])
    client.create_comment(7, "mine")
    assert world.bodies() == ["mine"]
    assert [asked.method for asked in server.asked] == ["POST", "GET", "POST"]


def test_a_comment_is_not_posted_again_where_it_cannot_be_looked_for(client, server, world, fake):
    server.script.extend([fake.lost(), *[fake.page()] * 9])
    assert "could not list the comments" in str(refusal(client.create_comment, 7, "mine"))
    assert world.bodies() == ["mine"]
    assert [asked.method for asked in server.asked].count("POST") == 1


def test_a_comment_that_was_there_before_does_not_stand_for_the_one_posted(
    client, server, world, fake
):
    planted = world.comment(7, "mine")
    client.comments(7)
    server.script.append(fake.page())
    assert client.create_comment(7, "mine").id != planted.id
    assert world.bodies() == ["mine", "mine"]


def test_line_ends_that_github_changes_do_not_hide_a_comment(client, server, world, fake):
    def changed(handler, asked):
        handler.perform(asked)
        world.comments[max(world.comments)].body = "a\r\nb"
        fake.page()(handler, asked)

    server.script.append(changed)
    client.create_comment(7, "a\nb\n")
    assert world.bodies() == ["a\r\nb"]


def test_an_update_is_repeated_since_it_changes_nothing_more(client, server, world, fake):
    made = world.comment(7, "old", author=fake.ACTIONS)
    server.script.append(fake.lost())
    assert client.update_comment(made.id, "new").body == "new"
    assert world.bodies() == ["new"]


def test_a_deletion_whose_reply_was_lost_is_done(client, server, world, fake):
    made = world.comment(7, "old", author=fake.ACTIONS)
    server.script.append(fake.lost())
    client.delete_comment(made.id)
    assert world.bodies() == []


# Files at a commit


def test_a_file_is_read_as_the_commit_holds_it(client, world, server, fake):
    world.files[fake.BASE] = {"evals/gate one?#.toml": b"\x00\xff base", "empty": b""}
    world.files[fake.HEAD] = {"evals/gate one?#.toml": b"head"}
    assert client.file_at("evals/gate one?#.toml", fake.BASE, limit=100) == b"\x00\xff base"
    assert client.file_at("evals/gate one?#.toml", fake.HEAD, limit=100) == b"head"
    assert client.file_at("empty", fake.BASE, limit=100) == b""
    assert server.asked[0].headers["accept"] == "application/vnd.github.raw"


def test_an_absent_file_of_a_readable_commit_is_none_and_the_commit_is_asked_for_once(
    client, server, fake
):
    assert client.file_at("gate.toml", fake.BASE, limit=10) is None
    assert client.file_at("cases.jsonl", fake.BASE, limit=10) is None
    assert [line for line in server.lines if "/git/commits/" in line] == [
        f"GET /repos/{REPOSITORY}/git/commits/{fake.BASE}"
    ]


@pytest.mark.parametrize("blind", ["repository", "contents", "commit"])
def test_what_the_token_may_not_see_is_not_taken_for_absent(client, world, fake, blind):
    world.files[fake.BASE] = {"gate.toml": b"x"}
    if blind == "repository":
        world.visible = False
    elif blind == "contents":
        world.may = {"pull_requests": "write"}
    else:
        del world.files[fake.BASE]
    error = refusal(client.file_at, "gate.toml", fake.BASE, limit=10)
    assert "`contents: read`" in str(error)
    assert "`contents: read`" in error.remedy


def test_a_file_is_not_absent_where_the_host_answers_with_another_commit(client, server, fake):
    server.script.extend([None, fake.sends(200, b'{"sha": "abc"}')])
    assert "another commit" in str(refusal(client.file_at, "gate.toml", fake.BASE, limit=10))


@pytest.mark.parametrize(
    "step", [("refuses", 403, "Forbidden"), ("refuses", 410, "Gone"), ("page", 500), ("page", 503)]
)
def test_only_a_clean_404_means_absent(client, server, fake, step):
    name, *arguments = step
    server.script.extend([getattr(fake, name)(*arguments)] * (1 if name == "refuses" else 4))
    refusal(client.file_at, "gate.toml", fake.BASE, limit=10)


def test_a_folder_is_no_file(client, world, fake):
    world.files[fake.BASE] = {"evals/gate.toml": b"x"}
    assert "a folder" in str(refusal(client.file_at, "evals", fake.BASE, limit=10_000))


@pytest.mark.parametrize("size", [1000, 1001, 600_000])
def test_a_file_beyond_the_limit_is_refused(client, world, fake, size):
    world.files[fake.BASE] = {"f": b"x" * size}
    if size <= 1000:
        assert client.file_at("f", fake.BASE, limit=1000) == b"x" * size
    else:
        assert "more than" in str(refusal(client.file_at, "f", fake.BASE, limit=1000))


def test_a_file_too_large_for_github_is_not_said_to_be_a_missing_permission(client, server, fake):
    wrong = [{"resource": "Blob", "field": "data", "code": "too_large"}]
    server.script.append(fake.refuses(403, "This API returns blobs up to 100 MB.", errors=wrong))
    said = str(refusal(client.file_at, "f", fake.BASE, limit=1000))
    assert "too_large" in said
    assert "lacks" not in said


@pytest.mark.parametrize("path", ["", "/etc/passwd", "a/../b", "..", "./a", "a//b", "a/"])
def test_what_is_no_path_of_a_repository_is_asked_for_nowhere(client, server, fake, path):
    assert "no path" in str(refusal(client.file_at, path, fake.BASE, limit=10))
    assert server.asked == []


@pytest.mark.parametrize("commit", ["main", "", "a" * 39, "A" * 40, "../../x", "1" * 40 + "?"])
def test_only_a_whole_commit_id_names_a_commit(client, server, commit):
    refusal(client.file_at, "f", commit, limit=10)
    refusal(client.pulls_of, commit)
    refusal(client.create_status, commit, state="error", context="c", description="")
    refusal(client.create_check, commit, name="n", conclusion="failure", summary="")
    assert server.asked == []


# The token


def test_the_token_is_in_no_message_no_repr_and_no_log(client, server, fake, caplog):
    caplog.set_level(logging.DEBUG)
    for step in (fake.echo_token, fake.sends(200, f'{{"{TOKEN}": 1, "{TOKEN}": 2}}'.encode())):
        server.script.append(step)
        error = refusal(client.create_comment, 7, "x")
        assert "CANARY" not in f"{error} {error!r} {error.remedy} {client!r}"
        assert "***" in str(error)
    server.script.append(fake.refuses(422, "x" * 285 + TOKEN))  # which a cut leaves half of
    assert "CAN" not in str(refusal(client.pull, 7))
    server.script.append(fake.link_to(f"http://{TOKEN}.example/"))
    assert "canary" not in str(refusal(client.comments, 7)).lower()
    assert "CANARY" not in caplog.text


@pytest.mark.parametrize("token", ["", "   ", "a b", "a\nb: c", "ä"])
def test_what_can_be_no_token_is_never_sent(token):
    error = refusal(connect, {}, token=token, repository=REPOSITORY)
    assert "token" in str(error)
    assert "a b" not in str(error)


@pytest.mark.parametrize(
    "address",
    [
        "http://ghe.example/api/v3",
        "https://user:hunter22@ghe.example/api/v3",
        "https://ghe.example/api/v3?x=1",
        "ftp://ghe.example",
        "nonsense",
    ],
)
def test_a_token_is_sent_to_no_address_that_others_could_read(address):
    error = refusal(connect, {"GITHUB_API_URL": address}, token=TOKEN, repository=REPOSITORY)
    assert "GITHUB_API_URL" in str(error)
    assert "hunter22" not in str(error)


@pytest.mark.parametrize("repository", ["", "a", "a/b/c", "a/..", "a b/c", "a/b?x", "../a"])
def test_a_repository_is_owner_and_name(repository):
    assert "owner/name" in str(refusal(connect, {}, token=TOKEN, repository=repository))


@pytest.fixture
def certificate(tmp_path):
    """A certificate of 127.0.0.1 that signs itself, and its key, in one file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    here = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(here, critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "both.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


@pytest.mark.parametrize("trusted", [True, False])
def test_a_server_of_ones_own_authority_is_trusted_only_where_it_is_named(
    fake, certificate, monkeypatch, passing, trusted
):
    server = fake.GitHubServer(prefix="/api/v3")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.start()
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    environ = {"GITHUB_API_URL": server.url.replace("http:", "https:")}
    means = Means(sleep=passing.sleep)
    try:
        with closing(connect(environ, token=TOKEN, repository=REPOSITORY, means=means)) as client:
            if trusted:
                assert client.pull(7).number == 7
            else:
                assert "named by SSL_CERT_FILE" in str(refusal(client.pull, 7))
    finally:
        server.stop()
    assert passing.waits == []


def test_without_an_address_it_is_github_itself():
    with closing(connect({}, token=TOKEN, repository=REPOSITORY)) as client:
        assert "https://api.github.com" in repr(client)


def test_a_message_is_one_printable_line_of_bounded_length(client, server, fake):
    server.script.append(fake.refuses(422, "::error::x\n##[error]\x1b[31m\u202e" + "long " * 1000))
    said = str(refusal(client.pull, 7))
    assert said.isprintable()
    assert len(said) <= 700


def test_importing_the_client_loads_no_http():
    probe = "import sys, gate.adapters.github.client; sys.exit('httpx2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0


def test_the_fake_runs_by_itself(fake):
    from urllib.request import Request, urlopen

    command = [sys.executable, fake.__file__, "--prefix", "/api/v3", "--read-only"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = f"http://127.0.0.1:{int(process.stdout.readline())}"
            told = b'{"comments": [{"number": 7, "body": "seeded"}], "script": ["limited"]}'
            urlopen(Request(f"{address}/_fake", data=told)).close()  # noqa: S310 - loopback
            environ = {"GITHUB_API_URL": f"{address}/api/v3"}
            waits = []
            means = Means(sleep=waits.append)
            made = connect(environ, token=TOKEN, repository=REPOSITORY, means=means)
            with closing(made) as client:
                assert [one.body for one in client.comments(7)] == ["seeded"]
                assert "lacks" in str(refusal(client.create_comment, 7, "x"))
            assert waits == [1.0]
        finally:
            process.terminate()
