"""Two runs at once, in any order in which a host may hear them: one comment, the newer head's."""

import random
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.publish.comment import ACTIONS_BOT, Stamp, read_stamp, stamped
from gate.publish.posting import ROUNDS, Edit, Look, Post, Posted, Remove, Seen, posting
from gate.records.host import HostComment
from gate.records.marker import MARKER

OLD, NEW, FIRST = "a" * 40, "b" * 40, "c" * 40
OLDER, NEWER = Stamp("default", 6, 1, OLD), Stamp("default", 7, 1, NEW)
EARLIEST = Stamp("default", 5, 1, FIRST)


def body(word):
    return f"{MARKER}\n## {word}\n"


class SmallHost:
    """Comments in memory; whoever asks is ``author``."""

    def __init__(self, *, head=NEW, author=ACTIONS_BOT):
        self.head, self.author = head, author
        self.kept, self.writes = {}, []
        self._ids = count(1)

    def plant(self, text, author=None):
        return self._keep(next(self._ids), text, author or self.author)

    def _keep(self, number, text, author):
        self.kept[number] = HostComment(
            id=number,
            body=text,
            author=author,
            author_id=1,
            by_app=True,
            url=f"https://example.org/{number}",
        )
        return self.kept[number]

    def answer(self, wish):
        if isinstance(wish, Look):
            return Seen(self.head, tuple(self.kept.values()))
        self.writes.append(wish)
        if isinstance(wish, Post):
            return self.plant(wish.body)
        if isinstance(wish, Edit):
            found = self.kept.get(wish.comment)
            return found and self._keep(wish.comment, wish.body, found.author)
        assert isinstance(wish, Remove)
        self.kept.pop(wish.comment, None)
        return None


class Talk:
    """One run's conversation with a host, a call at a time."""

    def __init__(self, host, stamp, word, *, mode="update", author=ACTIONS_BOT, decided=True):
        self._host = host
        self._talk = posting(body(word), mode=mode, stamp=stamp, author=author, decided=decided)
        self._wish, self.posted, self.calls = None, None, 0
        self._next(None)

    def _next(self, answer):
        try:
            self._wish = self._talk.send(answer)
        except StopIteration as end:
            self.posted = end.value

    def call(self):
        """Make one call of the host; say whether there was one left to make."""
        if self.posted is not None:
            return False
        self.calls += 1
        self._next(self._host.answer(self._wish))
        return True

    def whole(self):
        while self.call():
            pass
        return self.posted


STARTS = {
    "no comment yet": (),
    "an older one": ((EARLIEST, "FIRST"),),
    "two of a race before": ((EARLIEST, "FIRST"), (EARLIEST, "FIRST again")),
}
MODES = ("update", "recreate")


def started(start, *, head=NEW):
    host = SmallHost(head=head)
    planted = host.plant(stamped(body("planted"), NEWER), author="mallory")
    host.plant("a reviewer's remark", author="octocat")
    for stamp, word in STARTS[start]:
        host.plant(stamped(body(word), stamp))
    assert planted.id in host.kept
    return host


def gate_comments(host):
    return [one for one in host.kept.values() if one.author == ACTIONS_BOT]


def interleaved(talks, choices):
    """Let each choice make one call of one of the runs, and then all of them end."""
    for choice in choices:
        talks[choice].call()
    for talk in talks:
        talk.whole()


def assert_one_comment_of_the_newer_head(host):
    (one,) = gate_comments(host)
    assert read_stamp(one.body) == NEWER
    assert "## NEWER" in one.body
    assert [one.author for one in host.kept.values()][:2] == ["mallory", "octocat"]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(50))
def test_fifty_interleavings_of_two_runs_end_in_one_comment(start, mode, seed):
    host, draw = started(start), random.Random(seed)
    talks = [Talk(host, OLDER, "OLDER", mode=mode), Talk(host, NEWER, "NEWER", mode=mode)]
    interleaved(talks, [draw.randrange(2) for _ in range(12)])
    assert_one_comment_of_the_newer_head(host)


@given(st.sampled_from(sorted(STARTS)), st.sampled_from(MODES), st.lists(st.booleans()))
def test_whatever_the_order_one_comment_stands(start, mode, choices):
    host = started(start)
    talks = [Talk(host, OLDER, "OLDER", mode=mode), Talk(host, NEWER, "NEWER", mode=mode)]
    interleaved(talks, map(int, choices))
    assert_one_comment_of_the_newer_head(host)


@given(st.integers(0, 8), st.lists(st.booleans()), st.sampled_from(MODES))
def test_a_push_between_an_older_runs_calls_leaves_one_comment_of_the_newer_head(
    before, choices, mode
):
    """Unless a whole newer run fits between an older one's last look and its one edit."""
    host = started("no comment yet" if mode == "update" else "an older one", head=OLD)
    older = Talk(host, OLDER, "OLDER", mode=mode)
    for _ in range(before):
        older.call()
    host.head = NEW
    interleaved([older, Talk(host, NEWER, "NEWER", mode=mode)], map(int, choices))
    assert_one_comment_of_the_newer_head(host)


@settings(max_examples=400)
@given(st.lists(st.integers(0, 3)), st.sampled_from(MODES))
def test_four_runs_of_one_commit_leave_one_comment(choices, mode):
    host = started("no comment yet")
    talks = [Talk(host, NEWER._replace(run=run), f"run {run}", mode=mode) for run in (7, 8, 9, 10)]
    interleaved(talks, choices)
    assert len(gate_comments(host)) == 1


def test_a_run_posts_once_then_updates_then_sends_nothing():
    host = SmallHost()
    assert Talk(host, NEWER, "one").whole() == Posted("created", "https://example.org/1", "")
    second = NEWER._replace(attempt=2)
    assert Talk(host, second, "two").whole() == Posted("updated", "https://example.org/1", "")
    before = list(host.writes)
    again = Talk(host, second, "two").whole()
    assert again == Posted("nothing", "", "it says so already")
    assert host.writes == before
    assert len(host.kept) == 1


def test_recreating_posts_first_and_only_then_takes_away():
    host = SmallHost(head=OLD)
    Talk(host, OLDER, "one", mode="recreate").whole()
    host.head = NEW
    done = Talk(host, NEWER, "two", mode="recreate").whole()
    assert done == Posted("recreated", "https://example.org/2", "")
    assert host.writes[-2:] == [Post(stamped(body("two"), NEWER)), Remove(1)]


def test_switched_off_not_even_a_look_is_taken():
    talk = Talk(SmallHost(), NEWER, "x", mode="off")
    assert talk.posted == Posted("nothing", "", "comments are switched off")
    assert talk.calls == 0


@pytest.mark.parametrize("author", [None, ACTIONS_BOT])
def test_the_author_of_another_token_is_learnt_from_what_it_posts(author):
    host = SmallHost(author="my-app[bot]")
    host.plant(stamped(body("planted"), NEWER), author="mallory")
    for run in (7, 8, 9):
        Talk(host, NEWER._replace(run=run), f"run {run}", author=author).whole()
        mine = [one for one in host.kept.values() if one.author == "my-app[bot]"]
        assert [f"## run {run}" in one.body for one in mine] == [True]
    assert [one.author for one in host.kept.values()].count("mallory") == 1


def test_a_known_author_of_another_token_is_updated():
    host = SmallHost(author="my-app[bot]")
    for run in (7, 8, 9):
        Talk(host, NEWER._replace(run=run), f"run {run}", author="my-app[bot]").whole()
    assert list(host.kept) == [1]


def test_a_comment_that_was_taken_away_meanwhile_is_posted_anew():
    host = started("an older one")
    talk = Talk(host, NEWER, "NEWER")
    talk.call()
    host.kept.pop(gate_comments(host)[0].id)
    assert talk.whole().done == "created"
    assert_one_comment_of_the_newer_head(host)


def test_legs_of_a_matrix_that_share_an_id_do_not_overwrite_each_other_for_ever():
    host = SmallHost()
    talks = [Talk(host, NEWER, "linux"), Talk(host, NEWER, "windows")]
    interleaved(talks, [0, 1] * 20)
    assert len(host.kept) == 1
    assert all(talk.calls <= 2 * ROUNDS for talk in talks)


def test_gates_with_ids_of_their_own_have_comments_of_their_own():
    host = SmallHost()
    for name in ("geo", "golden", "geo"):
        Talk(host, NEWER._replace(comment_id=name), name).whole()
    assert [read_stamp(one.body).comment_id for one in host.kept.values()] == ["geo", "golden"]


def test_a_list_that_lags_behind_makes_no_second_comment():
    host = SmallHost()
    talk = Talk(host, NEWER, "x")
    talk.call()
    talk.call()
    hidden, host.kept = host.kept, {}
    talk.whole()
    assert talk.posted.done == "created"
    assert (len(hidden), host.kept) == (1, {})


def test_an_older_run_that_overwrote_a_newer_one_is_put_right():
    host = started("an older one")
    newer = Talk(host, NEWER, "NEWER")
    newer.call()
    newer.call()
    mine = gate_comments(host)[0].id
    host.answer(Edit(mine, stamped(body("OLDER"), OLDER)))
    newer.whole()
    assert_one_comment_of_the_newer_head(host)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("author", [ACTIONS_BOT, None])
def test_without_a_verdict_nothing_is_said_where_nothing_stands(mode, author):
    host = started("no comment yet")
    talk = Talk(host, NEWER, "none", mode=mode, author=author, decided=False)
    assert talk.whole().done == "nothing"
    assert host.writes == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("start", ["an older one", "two of a race before"])
def test_without_a_verdict_the_one_comment_of_an_older_commit_gives_way(mode, start):
    host = started(start)
    posted = Talk(host, NEWER, "none", mode=mode, decided=False).whole()
    assert posted.done == ("updated" if mode == "update" else "recreated")
    (one,) = gate_comments(host)
    assert one.body == stamped(body("none"), NEWER)
    assert Talk(host, NEWER, "again", mode=mode, decided=False).whole().done == "nothing"
    assert Talk(host, NEWER._replace(run=8), "PASS", mode=mode).whole().done == posted.done


@settings(max_examples=150)
@given(
    st.sampled_from(MODES),
    st.lists(st.integers(0, 1), max_size=12),
    st.booleans(),
)
def test_a_verdict_and_a_run_without_one_end_in_one_comment_of_the_newer_head(
    mode, choices, decided
):
    """Whichever of the two runs of one head is later, and whoever is first at the host.

    Which of the two it is about is not promised: the host has no compare-and-swap.
    """
    host = started("an older one")
    stamps = NEWER, NEWER._replace(run=8)
    talks = [
        Talk(host, stamp, f"run {stamp.run}", mode=mode, decided=decided == (stamp.run == 8))
        for stamp in stamps
    ]
    interleaved(talks, choices)
    (one,) = gate_comments(host)
    assert read_stamp(one.body) in stamps
