"""A host that is down, slow or lies: the verdict, its status and its bytes are what they were."""

import contextlib
import re
import socket
import threading
import time

import pytest

from gate.adapters.github import client
from gate.adapters.github.line import Means

TOTAL = 30.0
MARKS = {"INPUT_COMMIT-STATUS": "agent eval", "INPUT_CHECK-RUN": "agent eval (check)"}
SLOW = 10.0
ENOUGH = 60
"""More than anybody asks before giving up."""
REAL = 3.0
"""Seconds that the whole of a run with a silent host may really take here."""


class Clock:
    """A clock that stands still, but for who sleeps by it and for slow hosts."""

    def __init__(self):
        self.now = 0.0
        self.began = None

    def __call__(self):
        if self.began is None:
            self.began = self.now
        return self.now

    def pass_(self, seconds):
        self.now += seconds

    @property
    def spent(self):
        return 0.0 if self.began is None else self.now - self.began


@pytest.fixture
def clock(monkeypatch):
    """Let the client live by a clock of ours."""
    made = Clock()
    means = Means(total=TOTAL, clock=made, sleep=made.pass_, chance=lambda: 0.5)
    _connect_by(monkeypatch, means)
    return made


def _connect_by(monkeypatch, means):
    real = client.connect
    monkeypatch.setattr(
        client, "connect", lambda environ, **named: real(environ, **named, means=means)
    )


@pytest.fixture
def judged(change, monkeypatch):
    """A pull request whose comment and marks are wanted; its rules are at hand."""
    for name, value in MARKS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("INPUT_COMMENT")
    change.house.lines("predictions.jsonl", change.house.ONE_WRONG)

    def run(*options):
        found = change.house.run("check", "--policy-from", "head", *options)
        return found.status, change.result_bytes(), found.report, found

    return run


def slowly(clock, step, seconds=SLOW):
    """Take some time, by our clock, before the reply."""

    def slow(handler, asked):
        clock.pass_(seconds)
        step(handler, asked)

    return slow


def honest(handler, asked):
    handler.give(handler.perform(asked))


def lies(fake):
    return {
        "empty": fake.sends(200, b""),
        "null": fake.sends(200, b"null"),
        "no JSON": fake.sends(200, b"<html>"),
        "a number": fake.sends(200, b"1e999"),
        "an object": fake.sends(200, b"{}"),
        "an empty list": fake.sends(200, b"[]"),
        "no such form": fake.sends(200, b'[{"id": "seven"}]'),
        "deep": fake.sends(200, b"[" * 100_000),
        "twice": fake.sends(200, b'{"id": 1, "id": 2}'),
        "NaN": fake.sends(200, b"NaN"),
        "no text": fake.sends(200, b"\xff\xfe\x00"),
        "another page elsewhere": fake.link_to("https://evil.example/2"),
        "a page that leads to itself": fake.link_to("x" * 20_000),
        "moved": fake.redirect_to("http://127.0.0.1:9"),
        "no content": fake.sends(204, b""),
        "an unknown status": fake.sends(299, b"[]"),
        "a teapot": fake.refuses(418, "I'm a teapot"),
        "echo": fake.echo_token,
        "unwelcome": fake.no_permission(),
        "gone": fake.refuses(410, "gone"),
        "no such thing": fake.refuses(404, "Not Found"),
        "unfit": fake.refuses(422, "Validation Failed"),
        "unauthorised": fake.refuses(401, "Bad credentials"),
    }


def troubles(fake):
    return {
        "down": fake.refuses(503, "down"),
        "a proxy's words": fake.page(),
        "hangs up": fake.disconnect,
        "breaks off": fake.half,
        "did it and says not": fake.lost(),
        "limited": fake.limited(retry_after="5"),
        "limited for an hour": fake.limited(retry_after="3600"),
        "limited for no time": fake.limited(),
        "secondary": fake.secondary(),
        "limited till a time": fake.limited(403, x_ratelimit_remaining="0", x_ratelimit_reset="9"),
        "limited till nonsense": fake.limited(retry_after="-1; rm"),
    }


NAMES = [
    *("empty", "null", "no JSON", "a number", "an object", "an empty list", "no such form"),
    *("deep", "twice", "NaN", "no text", "another page elsewhere", "a page that leads to itself"),
    *("moved", "no content", "an unknown status", "a teapot", "echo", "unwelcome", "gone"),
    *("no such thing", "unfit", "unauthorised", "down", "a proxy's words", "hangs up"),
    *("breaks off", "did it and says not", "limited", "limited for an hour"),
    *("limited for no time", "secondary", "limited till a time", "limited till nonsense"),
]


def trouble(fake, name):
    return {**lies(fake), **troubles(fake)}[name]


def test_every_trouble_has_its_name(fake):
    assert sorted({**lies(fake), **troubles(fake)}) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_whatever_the_host_does_the_verdict_stands(judged, github, fake, clock, name):
    status, data, report, _ = judged()
    github.world.comments.clear()
    clock.began = None
    github.script.extend([trouble(fake, name)] * ENOUGH)
    again = judged()
    assert again[:3] == (status, data, report)
    assert status == 1
    assert clock.spent <= TOTAL
    assert "Traceback" not in again[3].err
    assert "ghs_CANARY" not in again[3].err + again[3].out


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("name", ["empty", "null", "down", "breaks off", "did it and says not"])
@pytest.mark.parametrize("after", [1, 2, 3, 4])
def test_trouble_that_begins_in_the_middle_changes_as_little(judged, github, fake, name, after):
    status, data, report, _ = judged()
    github.world.comments.clear()
    github.script.extend([honest] * after + [trouble(fake, name)] * ENOUGH)
    assert judged()[:3] == (status, data, report)


@pytest.mark.parametrize("name", ["down", "hangs up", "limited", "empty", "an empty list"])
def test_a_slow_host_gets_no_more_than_its_time(judged, github, fake, clock, name):
    status, data, report, _ = judged()
    github.world.comments.clear()
    clock.began = None
    github.script.extend([slowly(clock, trouble(fake, name))] * ENOUGH)
    again = judged()
    assert again[:3] == (status, data, report)
    assert clock.spent <= TOTAL + SLOW  # a try that has begun is left its own time


def test_a_host_that_is_slow_and_honest_gets_its_time_and_not_more(judged, github, clock):
    status, data, report, _ = judged()
    github.world.comments.clear()
    clock.began = None
    github.script.extend([slowly(clock, honest, 8.0)] * ENOUGH)
    again = judged()
    assert again[:3] == (status, data, report)
    assert clock.spent <= TOTAL + 8.0
    assert len(github.world.bodies()) == 1


@pytest.mark.parametrize("name", ["hang", "drip", "endless"])
def test_a_silent_host_is_left_after_its_time(judged, github, fake, monkeypatch, name):
    status, data, report, _ = judged()
    github.world.comments.clear()
    _connect_by(monkeypatch, Means(total=0.6, each=0.2, sleep=lambda _: None))
    github.script.extend([getattr(fake, name)] * ENOUGH)
    begun = time.monotonic()
    assert judged()[:3] == (status, data, report)
    assert time.monotonic() - begun < REAL


def test_nobody_listens_there(judged, clock, monkeypatch):
    status, data, report, _ = judged()
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as found:
        free = found.getsockname()[1]
    monkeypatch.setenv("GITHUB_API_URL", f"http://127.0.0.1:{free}")
    clock.began = None
    again = judged()
    assert again[:3] == (status, data, report)
    assert clock.spent <= TOTAL
    assert "comment: not posted" in again[3].err


@pytest.mark.usefixtures("clock")
def test_a_stranger_listens_there_who_speaks_no_http(judged, monkeypatch):
    status, data, report, _ = judged()
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as found:
        monkeypatch.setenv("GITHUB_API_URL", f"http://127.0.0.1:{found.getsockname()[1]}")

        def talk():
            while True:
                try:
                    line, _ = found.accept()
                except OSError:
                    return
                with line, contextlib.suppress(OSError):
                    line.sendall(b"220 smtp.example ESMTP\r\n")

        thread = threading.Thread(target=talk, daemon=True)
        thread.start()
        assert judged()[:3] == (status, data, report)
        found.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.mark.parametrize("name", [name for name in NAMES if "page" not in name.split()])
def test_rules_that_the_host_does_not_give_decide_nothing(change, github, fake, clock, name):
    github.script.extend([trouble(fake, name)] * ENOUGH)
    run = change.house.run("check")
    assert run.status == 2
    assert run.result is None
    assert clock.spent <= TOTAL
    assert "ghs_CANARY" not in run.err + run.out


@pytest.mark.parametrize("after", [1, 2, 3])
@pytest.mark.parametrize("name", ["down", "no such thing", "unwelcome", "gone", "empty", "deep"])
def test_rules_of_which_the_host_gives_a_part_turn_nothing_green(
    change, github, fake, clock, name, after
):
    change.edit("gate.toml", "max_drop = 0.0", "max_drop = 0.5")
    change.house.lines("predictions.jsonl", change.house.ONE_WRONG)
    github.script.extend([honest] * after + [trouble(fake, name)] * ENOUGH)
    run = change.house.run("check")
    assert run.status in {1, 2, 3}
    assert clock.spent <= TOTAL


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("name", ["down", "hangs up", "breaks off", "limited", "secondary"])
def test_of_an_outage_it_is_said_that_another_run_helps_and_no_token(change, github, fake, name):
    github.script.extend([trouble(fake, name)] * ENOUGH)
    run = change.house.run("check")
    assert run.status == 2
    assert "the host did not answer: run it again" in run.err
    assert "policy-from" not in run.err
    assert "`github-token`" not in run.err


def test_a_host_that_refuses_the_connection_is_an_outage(change, clock, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("GITHUB_API_URL", f"http://127.0.0.1:{port}")
    run = change.house.run("check")
    assert run.status == 2
    assert "the host did not answer: run it again" in run.err
    assert clock.spent <= TOTAL


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("name", ["no such thing", "unwelcome", "unauthorised"])
def test_of_a_token_that_may_not_it_is_said_what_it_takes(change, github, fake, name):
    github.script.extend([trouble(fake, name)] * ENOUGH)
    run = change.house.run("check")
    assert run.status == 2
    assert "give the step `github-token`, and its job `contents: read`" in run.err
    assert "policy-from" not in run.err


def test_an_outage_that_ends_in_time_is_no_trouble(change, github, fake, clock):
    github.script.extend([fake.refuses(502, "?"), honest, fake.disconnect, fake.half])
    run = change.house.run("check")
    assert run.status == 0, run.err
    assert 0.0 < clock.spent < TOTAL


@pytest.mark.usefixtures("clock")
def test_what_is_said_of_the_trouble_is_one_line(judged, github, fake):
    github.script.extend([fake.refuses(503, "a\n::error::b ##[error]c\x1b[2J" * 40)] * ENOUGH)
    said = judged()[3].err
    assert not re.search(r"^\s*::", said, re.MULTILINE)
    assert "##[" not in said
    assert "\x1b" not in said
