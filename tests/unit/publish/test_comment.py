"""Which comment is ours, and what is to be done about it."""

from pathlib import Path

import pytest

from gate.publish.comment import (
    ACTIONS_BOT,
    Create,
    Nothing,
    Recreate,
    Stamp,
    Update,
    next_step,
    ours,
    read_stamp,
    stamp_of,
    stamped,
)
from gate.records.host import HostComment, Occasion
from gate.records.marker import MARKER

OLD, NEW = "a" * 40, "b" * 40
NOW = Stamp("default", 7, 1, NEW)
BODY = f"{MARKER}\n## FAIL\n"


def comment(number, body=BODY, *, stamp=NOW, author=ACTIONS_BOT, **fields):
    text = body if stamp is None else stamped(body, stamp)
    usual = {"author_id": 1, "by_app": True, "url": f"https://example.org/{number}"}
    return HostComment(id=number, body=text, author=author, **(usual | fields))


def step(*comments, body=BODY, mode="update", stamp=NOW, author=ACTIONS_BOT, head=NEW):
    return next_step(comments, body, mode=mode, stamp=stamp, author=author, head=head)


EARLIER = NOW._replace(run=6, head=OLD)


def test_a_stamp_is_read_back_as_it_was_written():
    for stamp in (NOW, Stamp("geo-2.x_y", 2**62, 12, "0" * 64)):
        assert read_stamp(stamped(BODY, stamp)) == stamp


def test_the_stamp_stands_right_below_the_marker_and_shows_nothing():
    first, second, third = stamped(BODY, NOW).splitlines()[:3]
    assert (first, third) == (MARKER, "## FAIL")
    assert second == f"<!-- agent-eval-gate id=default run=7 attempt=1 head={NEW} -->"


@pytest.mark.parametrize("body", ["", "## FAIL", f" {BODY}", f"{MARKER} {BODY}"])
def test_only_what_begins_with_the_marker_is_stamped(body):
    with pytest.raises(ValueError, match="marker"):
        stamped(body, NOW)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "<!-- agent-eval-gate id=default run=7 attempt=1 head= -->",
        f"<!-- agent-eval-gate id=a b run=7 attempt=1 head={NEW} -->",
        f"<!-- agent-eval-gate id=default run=x attempt=1 head={NEW} -->",
        f"<!-- agent-eval-gate id=default run={'9' * 5000} attempt=1 head={NEW} -->",
        f"<!-- agent-eval-gate id=default run=7 attempt=1 head={NEW} --> more",
        f"\n<!-- agent-eval-gate id=default run=7 attempt=1 head={NEW} -->",
    ],
)
def test_a_text_without_a_whole_stamp_has_none(line):
    assert read_stamp(f"{MARKER}\n{line}\n## FAIL") is None


def test_a_real_report_can_be_stamped():
    report = (Path(__file__).parents[2] / "golden" / "report.md").read_text("utf-8")
    first, _, heading, blank, commit, rest = stamped(report, NOW).split("\n", 5)
    assert (blank, commit) == ("", f"Commit `{NEW[:12]}`")
    assert f"{first}\n{heading}\n{rest}" == report


def test_a_run_is_known_by_its_number_its_attempt_and_its_head():
    run = Occasion(kind="pull_request", run=3, attempt=2, head_sha=NEW)
    assert stamp_of(run, "geo") == Stamp("geo", 3, 2, NEW)
    assert stamp_of(run, None) == stamp_of(run, "") == Stamp("default", 3, 2, NEW)


@pytest.mark.parametrize("missing", ["run", "head_sha"])
def test_without_a_run_or_a_head_there_is_no_stamp(missing):
    given = {"run": 3, "head_sha": NEW, missing: None}
    assert stamp_of(Occasion(kind="push", **given), None) is None


@pytest.mark.parametrize("name", ["a b", "x" * 101, "--> <b>", "ä", "a\n"])
def test_an_id_that_is_no_short_name_raises(name):
    with pytest.raises(ValueError, match="short name"):
        stamp_of(Occasion(kind="push", run=1, head_sha=NEW), name)


@pytest.mark.parametrize(
    "planted",
    [
        comment(1, author="mallory"),
        comment(1, author="mallory", by_app=True),
        comment(1, author="github-actions"),
        comment(1, minimized=True),
        comment(1, stamp=NOW._replace(comment_id="geo")),
        comment(1, stamp=None),
        comment(1, body="hello", stamp=None),
        comment(1, body=f"> {stamped(BODY, NOW)}", stamp=None),
        comment(1, body=f"\n{stamped(BODY, NOW)}", stamp=None),
    ],
    ids=[
        *("another's", "another bot's", "a name like ours", "hidden", "another gate's"),
        *("without a stamp", "of ours about something else", "quoted", "not at byte 0"),
    ],
)
def test_what_is_not_ours_is_left_alone(planted):
    assert ours([planted], comment_id="default", author=ACTIONS_BOT) == ()
    assert step(planted) == Create()
    mine = comment(2, stamp=EARLIER)
    assert step(planted, mine) == step(mine, planted) == Update(2)


def undecided(*comments, **given):
    return next_step(
        comments,
        given.get("body", BODY),
        mode=given.get("mode", "update"),
        stamp=NOW,
        author=ACTIONS_BOT,
        head=given.get("head", NEW),
        decided=False,
    )


def test_a_run_without_a_verdict_takes_the_place_of_one_of_another_commit_alone():
    assert isinstance(undecided(), Nothing)
    assert isinstance(undecided(comment(1, author="mallory")), Nothing)
    assert undecided(comment(1, stamp=EARLIER)) == Update(1)
    assert undecided(comment(1, stamp=EARLIER), mode="recreate") == Recreate((1,))
    assert undecided(comment(1, stamp=EARLIER), comment(2, stamp=EARLIER)) == Update(1, (2,))


@pytest.mark.parametrize("run", [6, 7, 8])
def test_it_leaves_what_is_said_of_its_own_commit(run):
    found = undecided(comment(1, stamp=NOW._replace(run=run)), body=f"{MARKER}\n## none\n")
    assert isinstance(found, Nothing)


def test_it_leaves_what_a_later_run_said_and_a_head_that_is_newer():
    later = comment(1, stamp=EARLIER._replace(run=8))
    assert undecided(later) == Update(1), "it is about a commit that is the head no more"
    assert isinstance(undecided(later, head=OLD), Nothing)
    assert isinstance(undecided(comment(1, stamp=EARLIER), head="c" * 40), Nothing)
    assert isinstance(undecided(later, head=None), Nothing)
    assert isinstance(undecided(comment(1, stamp=EARLIER), mode="off"), Nothing)


def test_a_login_is_the_same_in_another_case():
    found = ours([comment(1, author="Octo")], comment_id="default", author="octo")
    assert [one.comment.id for one in found] == [1]


def test_where_nobody_knows_the_author_nothing_is_ours():
    assert step(comment(1), author=None) == Create()


def test_the_first_comment_is_created():
    assert step() == Create()
    assert step(mode="recreate") == Create()


def test_a_newer_head_replaces_what_stands():
    assert step(comment(1, stamp=EARLIER)) == Update(1)
    assert step(comment(1, stamp=EARLIER), mode="recreate") == Recreate((1,))


@pytest.mark.parametrize("mode", ["update", "recreate"])
def test_the_same_text_about_the_same_commit_is_not_sent_again(mode):
    again = NOW._replace(attempt=2)
    assert step(comment(1), stamp=again, mode=mode) == Nothing("it says so already")


@pytest.mark.parametrize("kept", ["\r\n", "\n"])
def test_line_ends_and_a_last_line_end_do_not_make_a_text_another(kept):
    body = stamped(BODY, NOW).strip().replace("\n", kept)
    assert isinstance(step(comment(1, body=body, stamp=None)), Nothing)


def test_the_same_text_about_another_commit_says_something_new():
    assert step(comment(1, stamp=EARLIER)) == Update(1)


def test_another_text_about_the_same_commit_replaces_the_older_run():
    assert step(comment(1, body=f"{BODY}old", stamp=NOW._replace(run=6))) == Update(1)


@pytest.mark.parametrize("mode", ["update", "recreate"])
@pytest.mark.parametrize("head", [NEW, None])
@pytest.mark.parametrize("later", [{"run": 8}, {"run": 8, "attempt": 1}, {"attempt": 2}])
def test_a_later_run_is_never_overwritten(mode, head, later):
    theirs = comment(1, body=f"{BODY}other", stamp=NOW._replace(**later))
    assert step(theirs, mode=mode, head=head) == Nothing("a later run has spoken already")


@pytest.mark.parametrize("comments", [(), (comment(1, stamp=EARLIER),), (comment(1),)])
@pytest.mark.parametrize("mode", ["update", "recreate"])
def test_a_run_of_a_commit_that_is_no_longer_the_head_says_nothing(comments, mode):
    found = step(*comments, mode=mode, stamp=EARLIER._replace(attempt=9))
    assert found == Nothing("the pull request has a newer commit")


def test_without_the_head_the_runs_numbers_decide():
    assert step(comment(1, stamp=EARLIER), head=None) == Update(1)
    assert isinstance(step(comment(1), stamp=EARLIER, head=None), Nothing)


def test_a_workflow_that_was_renamed_counts_anew_and_still_replaces_an_older_commit():
    assert step(comment(1, stamp=NOW._replace(run=900, head=OLD))) == Update(1)


def test_switched_off_nothing_is_done_at_all():
    duplicates = (comment(1, stamp=EARLIER), comment(2, stamp=EARLIER))
    assert step(*duplicates, mode="off") == Nothing("comments are switched off")


def test_duplicates_of_ours_become_the_first_with_the_latest_runs_text():
    older, newer = comment(1, stamp=EARLIER), comment(2)
    for found in (step(older, newer), step(newer, older)):
        assert found == Update(1, (2,))
    assert step(comment(1), comment(2, stamp=EARLIER)) == Nothing("it says so already", (2,))
    assert step(comment(1, stamp=EARLIER), comment(2, stamp=EARLIER)) == Update(1, (2,))


def test_an_older_run_takes_no_duplicate_away_that_says_more_than_what_would_stay():
    older, newer = comment(1, stamp=EARLIER), comment(2)
    assert step(older, newer, stamp=EARLIER) == Nothing("the pull request has a newer commit")
    assert step(older, newer, stamp=EARLIER, head=None) == Nothing(
        "a later run has spoken already"
    )
    swapped = (comment(1), comment(2, stamp=EARLIER))
    assert step(*swapped, stamp=EARLIER, head=None).surplus == (2,)


def test_of_duplicates_that_are_posted_anew_the_latest_runs_stays():
    for found in (
        (comment(1, stamp=EARLIER), comment(2)),
        (comment(2, stamp=EARLIER), comment(1)),
    ):
        stays = next(one.id for one in found if read_stamp(one.body) == NOW)
        assert step(*found, mode="recreate") == Nothing("it says so already", (3 - stays,))


def test_recreating_takes_every_older_one_away_and_nobody_elses():
    comments = (comment(1, stamp=EARLIER), comment(2, author="x"), comment(3, stamp=EARLIER))
    assert step(*comments, mode="recreate") == Recreate((1, 3))
