import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.patience import (
    AskAgain,
    Done,
    GiveUp,
    Rules,
    Tries,
    Wait,
    cooled,
    decide,
    in_a_row,
    together,
)
from gate.records.judge_words import CONTENT, STOPPING, TRANSIENT, Usage

WAYS = sorted(TRANSIENT)


def decided(status, tries, *, retry_after=None, left=3600.0, chance=0.5, rules=None):
    return decide(
        status,
        tries,
        retry_after=retry_after,
        left=left,
        chance=chance,
        rules=rules or Rules(),
    )


@pytest.mark.parametrize("status", ["ok", *sorted(STOPPING)])
def test_what_no_try_could_change_is_done(status):
    assert decided(status, Tries()) == Done()


@pytest.mark.parametrize("status", sorted(CONTENT))
def test_what_was_said_is_asked_for_again_twice(status):
    found = [decided(status, Tries(content=count)) for count in (1, 2, 3)]
    assert found == [AskAgain(), AskAgain(), GiveUp("asked 3 times")]


def test_nothing_is_asked_for_again_once_the_deadline_is_over():
    assert decided("schema", Tries(content=1), left=0.0) == GiveUp("the deadline is over")


@pytest.mark.parametrize("status", WAYS)
def test_waits_double_up_to_a_bound(status):
    waits = [decided(status, Tries(transient=count), chance=0.5) for count in range(1, 8)]
    assert waits == [Wait(s) for s in (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)]


@pytest.mark.parametrize("status", WAYS)
def test_tries_are_bounded(status):
    assert decided(status, Tries(transient=8)) == GiveUp("tried 8 times")


def test_content_and_the_way_there_are_counted_apart():
    tries = Tries()
    for status in ("timeout", "schema", "server", "blocked", "ok", "auth"):
        tries = tries.after(status)
    assert tries == Tries(content=2, transient=2)


def test_a_wait_that_would_outlast_the_deadline_is_not_begun():
    found = decided("server", Tries(transient=7), left=20.0)
    assert found == GiveUp("20 s are left, too few to try again")


def test_a_wish_beyond_the_deadline_is_given_up_with_both_figures():
    found = decided("rate_limited", Tries(transient=1), retry_after=120.0, left=30.0)
    assert found == GiveUp("the provider asks for 120 s of peace, and 30 s are left")


def test_a_wish_of_no_seconds_is_none():
    assert decided("rate_limited", Tries(transient=1), retry_after=0.0) == Wait(0.5)
    assert decided("server", Tries(transient=1), retry_after=-5.0) == Wait(0.5)


@given(
    st.sampled_from(WAYS),
    st.integers(1, 7),
    st.none() | st.floats(0, 1e6),
    st.floats(-10, 1e5),
    st.floats(0, 1, exclude_max=True),
)
def test_a_wait_honours_the_wish_stays_below_its_bound_and_ends_before_the_deadline(
    status, count, wish, left, chance
):
    rules = Rules()
    found = decided(status, Tries(transient=count), retry_after=wish, left=left, chance=chance)
    if isinstance(found, Wait):
        assert found.seconds >= (wish or 0.0)
        assert found.seconds <= max(wish or 0.0, rules.longest)
        assert found.seconds < left
    else:
        assert isinstance(found, GiveUp)
        assert found.why


def test_a_very_patient_rule_does_not_overflow():
    patient = Rules(tries=10_000)
    assert decided("server", Tries(transient=5000), rules=patient) == Wait(30.0)


def test_a_cool_down_is_never_shortened():
    assert cooled(90.0, now=10.0, status="rate_limited", wait=Wait(1.0), wish=2.0) == 90.0


def test_a_wish_cools_down_even_where_the_question_was_given_up():
    assert cooled(0.0, now=10.0, status="rate_limited", wait=None, wish=40.0) == 50.0
    assert cooled(0.0, now=10.0, status="rate_limited", wait=None, wish=None) == 0.0


def test_any_reply_ends_a_row_of_failures():
    assert [in_a_row(3, status) for status in ("server", "ok", "truncated")] == [4, 0, 0]


def test_usage_that_nobody_told_stays_unknown():
    assert together(Usage(), Usage()) == Usage()
    assert together(Usage(input_tokens=1), Usage(thinking_tokens=2)) == Usage(
        input_tokens=1, thinking_tokens=2
    )
