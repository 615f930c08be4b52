"""Two runs of one gate at a time, request by request, in orders drawn by a seed.

Real clients, the real conversation and a host that keeps what it is told. Only one run moves at
a time, from one request to the next, and a seed says which: the same seed is the same order.
"""

import random
import threading

import pytest

from gate.adapters.github.client import connect
from gate.adapters.github.line import Means
from gate.publish.comment import read_stamp
from gate.records.host import Occasion
from gate.records.marker import MARKER
from gate.shell.comment import commented

TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing
REPOSITORY = "octo/agent"
OLD, NEW = "a" * 40, "b" * 40
SEEDS = 50
FEWER = 12
KEPT = 40
"""Requests that are held to the description: the others are of the same kinds."""
PATIENCE = 10.0


class Turns:
    """Lets one of several runs move, up to its next request, and then draws who moves next."""

    def __init__(self, seed, names):
        self.order = []
        self._draw = random.Random(seed)
        self._changed = threading.Condition()
        self._state = dict.fromkeys(names, "moves")

    def wait(self, name):
        """Stop before a request until its turn comes."""
        with self._changed:
            self._set(name, "waits")
            assert self._changed.wait_for(lambda: self._state[name] == "moves", PATIENCE)

    def end(self, name):
        """Take part no more."""
        with self._changed:
            self._set(name, "ended")

    def lead(self):
        """Draw until all runs have ended."""
        with self._changed:
            while True:
                still = lambda: "moves" not in self._state.values()  # noqa: E731
                assert self._changed.wait_for(still, PATIENCE)
                ready = sorted(name for name, state in self._state.items() if state == "waits")
                if not ready:
                    return
                self.order.append(self._draw.choice(ready))
                self._set(self.order[-1], "moves")

    def _set(self, name, state):
        self._state[name] = state
        self._changed.notify_all()


class InTurns:
    """A host each of whose operations waits for its turn."""

    def __init__(self, host, turns, name):
        self._host, self._turns, self._name = host, turns, name

    def __getattr__(self, operation):
        def asked(*arguments, **named):
            self._turns.wait(self._name)
            return getattr(self._host, operation)(*arguments, **named)

        return asked


class Run(threading.Thread):
    """One run's comment, from its first look at the host to its last."""

    def __init__(self, server, turns, name, where, mode):
        super().__init__(daemon=True)
        self.run_name, self.posted, self.failed = name, None, None
        self._server, self._turns, self._where, self._mode = server, turns, where, mode

    def run(self):
        environ = {"GITHUB_API_URL": self._server.url}
        means = Means(sleep=lambda _: None, chance=lambda: 0.5)
        client = connect(environ, token=TOKEN, repository=REPOSITORY, means=means)
        try:
            self.posted = commented(
                self._where,
                mode=self._mode,
                comment_id=None,
                body=lambda: body(self.run_name),
                connect=lambda _: InTurns(client, self._turns, self.run_name),
            )
        except Exception as error:  # noqa: BLE001 - the test tells it
            self.failed = error
        finally:
            client.close()
            self._turns.end(self.run_name)


def body(word):
    return f"{MARKER}\n## {word}\n"


def of(head, *, run, attempt=1):
    return Occasion(
        kind="pull_request",
        repository=REPOSITORY,
        number=7,
        head_sha=head,
        head_repository=REPOSITORY,
        base_sha="c" * 40,
        base_ref="main",
        run=run,
        attempt=attempt,
    )


PAIRS = {
    "of different heads": (of(OLD, run=6), of(NEW, run=7)),
    "of different heads, the older one started again": (
        of(OLD, run=6, attempt=3),
        of(NEW, run=7),
    ),
    "of the same head": (of(NEW, run=6), of(NEW, run=7)),
    "of the same run, started again": (of(NEW, run=7), of(NEW, run=7, attempt=2)),
}
MODES = ("update", "recreate")
MOST = (("of different heads", "update"), ("of the same head", "update"))


def interleaved(server, pair, mode, seed):
    """Let both runs comment; give the order in which they moved."""
    turns = Turns(seed, ("older", "newer"))
    runs = [
        Run(server, turns, name, where, mode)
        for name, where in zip(("older", "newer"), PAIRS[pair], strict=True)
    ]
    for run in runs:
        run.start()
    turns.lead()
    for run in runs:
        run.join(PATIENCE)
    assert [run.failed for run in runs] == [None, None]
    return tuple(turns.order)


@pytest.fixture
def talking(github):
    """A pull request on which others talk, too; its head is the newer commit."""
    github.world.pulls[7].head = NEW
    github.world.pulls[7].commits.append(OLD)
    github.world.comment(7, "a reviewer's remark")
    github.world.comment(7, f"{MARKER}\n<!-- agent-eval-gate id=default run=9 -->\n## PASS")
    yield github
    del github.asked[KEPT:]


def clear(world, fake):
    for made in world.on(7):
        if made.author == fake.ACTIONS:
            del world.comments[made.id]


def assert_one_comment_of_the_newer(world, fake):
    (one,) = (made for made in world.on(7) if made.author == fake.ACTIONS)
    stamp = read_stamp(one.body)
    assert "## newer" in one.body
    assert stamp.head == NEW
    assert next(made.body for made in world.on(7)) == "a reviewer's remark"
    assert len(world.on(7)) == 3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pair", PAIRS)
def test_in_any_order_of_two_runs_one_comment_stands_the_newer_ones(talking, fake, pair, mode):
    orders = set()
    seeds = SEEDS if (pair, mode) in MOST else FEWER
    for seed in range(seeds):
        clear(talking.world, fake)
        orders.add(interleaved(talking, pair, mode, seed))
        assert_one_comment_of_the_newer(talking.world, fake)
    assert len(orders) > seeds // 4


@pytest.mark.parametrize("mode", MODES)
def test_so_they_do_where_an_earlier_comment_stands(talking, fake, mode):
    earlier = of(OLD, run=5)
    for seed in range(FEWER):
        clear(talking.world, fake)
        turns = Turns(0, ("earlier",))
        run = Run(talking, turns, "earlier", earlier, mode)
        talking.world.pulls[7].head = OLD
        run.start()
        turns.lead()
        run.join(PATIENCE)
        talking.world.pulls[7].head = NEW
        interleaved(talking, "of different heads", mode, seed)
        assert_one_comment_of_the_newer(talking.world, fake)


def test_so_they_do_where_the_host_says_that_it_failed_and_had_not(talking, fake):
    for seed in range(FEWER):
        clear(talking.world, fake)
        draw = random.Random(seed)
        talking.script.clear()
        honest = lambda handler, asked: handler.give(handler.perform(asked))  # noqa: E731
        talking.script.extend(fake.lost() if draw.random() < 0.2 else honest for _ in range(12))
        interleaved(talking, "of different heads", "update", seed)
        assert_one_comment_of_the_newer(talking.world, fake)


def test_the_same_seed_is_the_same_order(talking, fake):
    found = []
    for _ in range(2):
        clear(talking.world, fake)
        found.append(interleaved(talking, "of the same head", "update", 11))
    assert found[0] == found[1]
