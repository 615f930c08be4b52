"""What the client asks and what the fake answers, held to GitHub's description by a proxy.

The proxy answers 422 to a request that the description does not know, and 500 to a reply that it
does not: whatever passes here is as GitHub says it is, for github.com and for an Enterprise
Server.
"""

import threading
import time
from contextlib import closing

import httpx2
import pytest

from gate.errors import HostFailed


def refusal(call, *arguments, **named):
    with pytest.raises(HostFailed) as caught:
        call(*arguments, **named)
    return str(caught.value)


def test_the_proxy_refuses_what_the_description_does_not_know(proxied):
    headers = {"authorization": "Bearer x"}
    issue = f"{proxied.address}/repos/octo/agent/issues"
    for path, body, code in (("7/comments", {"bdy": "x"}, 422), ("7/comment", {"body": "x"}, 404)):
        reply = httpx2.post(f"{issue}/{path}", json=body, headers=headers, trust_env=False)
        assert (reply.status_code, proxied.server.asked) == (code, [])


def test_the_proxy_refuses_a_fake_that_lies(proxied, client, fake):
    proxied.server.script.extend([fake.sends(200, b'[{"id": "seven"}]')] * 4)
    assert "HTTP 500" in refusal(client.comments, 7)


def test_a_comment_is_created_updated_listed_and_deleted(proxied, client):
    made = client.create_comment(7, "first — ünï 🙂")
    assert client.update_comment(made.id, "second").body == "second"
    assert [one.body for one in client.comments(7)] == ["second"]
    client.delete_comment(made.id)
    client.delete_comment(made.id)
    assert proxied.world.bodies() == []


def test_all_pages_are_read(proxied, client):
    proxied.world.most = 30
    bodies = [f"c{number}" for number in range(100)]
    for body in bodies:
        proxied.world.comment(7, body)
    assert [one.body for one in client.comments(7)] == bodies
    assert len(proxied.server.asked) == 4


def test_hidden_comments_and_comments_of_nobody_are_as_described(proxied, client):
    proxied.world.comment(7, "a", minimized="SPAM")
    proxied.world.comment(7, "b", author=None)
    assert [(one.author, one.minimized) for one in client.comments(7)] == [
        ("mallory", True),
        ("", False),
    ]


def test_pull_requests_files_statuses_and_check_runs_are_as_described(proxied, client, fake):
    proxied.world.files[fake.BASE] = {"evals/gate.toml": b"a = 1\n"}
    assert client.pull(7).head_sha == fake.HEAD
    assert [pull.number for pull in client.pulls_of(fake.HEAD)] == [7]
    assert [pull.number for pull in client.pulls_from("octo", "topic")] == [7]
    assert client.file_at("evals/gate.toml", fake.BASE, limit=100) == b"a = 1\n"
    assert client.file_at("evals/cases.jsonl", fake.BASE, limit=100) is None
    client.create_status(fake.HEAD, state="success", context="evals", description="fine")
    client.create_check(fake.HEAD, name="evals", conclusion="success", summary="fine")
    assert (len(proxied.world.statuses), len(proxied.world.checks)) == (1, 1)


def test_the_pull_requests_of_a_fork_are_found_by_its_branch_over_all_pages(proxied, client, fake):
    proxied.world.most = 2
    branch = "a b&state=all/🙂"
    theirs = {"head_repository": "mallory/agent", "branch": branch}
    for number in (8, 9, 10):
        proxied.world.pulls[number] = fake.Pull(number, **theirs)
    proxied.world.pulls[11] = fake.Pull(11, state="closed", **theirs)
    assert [pull.number for pull in client.pulls_of(fake.HEAD)] == [7]
    assert sorted(pull.number for pull in client.pulls_from("mallory", branch)) == [8, 9, 10]


def test_two_runs_at_once_lose_no_comment(proxied):
    def post(name):
        with closing(proxied.connect()) as client:
            for number in range(5):
                client.create_comment(7, f"{name}{number}")

    runs = [threading.Thread(target=post, args=(name,)) for name in "ab"]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    wanted = [f"{name}{number}" for name in "ab" for number in range(5)]
    assert sorted(proxied.world.bodies()) == wanted


def test_a_comment_that_goes_while_it_is_updated_is_said_to_be_gone(proxied, client, fake):
    made = client.create_comment(7, "x")
    proxied.server.script.append(fake.first(lambda server: server.world.comments.clear()))
    assert "HTTP 404" in refusal(client.update_comment, made.id, "y")


def test_a_read_only_token_is_told_the_permission(proxied, client, fake):
    proxied.world.may = dict(fake.READ_ONLY)
    assert "lacks `pull-requests: write`" in refusal(client.create_comment, 7, "x")
    assert len(proxied.server.asked) == 1


def test_404_410_and_422_are_not_asked_again(proxied, client):
    assert "HTTP 404" in refusal(client.create_comment, 8, "x")
    assert "body is too long" in refusal(client.create_comment, 7, "x" * 65_537)
    proxied.world.gone.add(7)
    assert "HTTP 410" in refusal(client.create_comment, 7, "x")
    assert "HTTP 410" in refusal(client.comments, 7)
    assert len(proxied.server.asked) == 4


@pytest.mark.parametrize("name", ["limited", "secondary"])
def test_a_limit_that_says_how_long_is_waited_for(proxied, client, fake, name):
    proxied.server.script.append(getattr(fake, name)(retry_after="2"))
    client.create_comment(7, "x")
    assert proxied.world.bodies() == ["x"]
    assert client.waits == [2.0]


def test_a_secondary_limit_without_a_time_is_not_waited_for_in_vain(proxied, client, fake):
    proxied.server.script.append(fake.secondary())
    assert "left alone for 62 s" in refusal(client.create_comment, 7, "x")
    assert client.waits == []


def test_an_outage_is_outlasted_and_nothing_posted_twice(proxied, client, fake):
    proxied.server.script.extend([fake.lost(503), fake.FAULTS["server_error"]])
    client.create_comment(7, "x")
    assert proxied.world.bodies() == ["x"]


def test_a_silent_host_takes_no_more_than_its_time(proxied, fake):
    proxied.server.script.extend([fake.hang] * 9)
    with closing(proxied.connect(total=0.6, each=0.3)) as client:
        begun = time.monotonic()
        assert "no whole reply" in refusal(client.pull, 7)
        assert time.monotonic() - begun < 5.0
