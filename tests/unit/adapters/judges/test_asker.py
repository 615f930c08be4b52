"""The asker: no test sleeps, for the clock, the sleep and the provider are the tests' own."""

import threading
from collections import deque
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.adapters.judges.asker import PatientAsker
from gate.judges.patience import Rules
from gate.ports import Provider
from gate.records.judge_options import JudgeOptions
from gate.records.judge_words import Usage
from gate.records.judging import Answer, Attempt, Question

OK = Answer(
    status="ok", text="fine", finish_reason="stop", usage=Usage(input_tokens=10, output_tokens=2)
)
SCHEMA = Answer(status="schema", text="7.5", message="out of range", usage=Usage(input_tokens=10))
SLOW_DOWN = Answer(status="rate_limited", message="HTTP 429")
BROKEN = Answer(status="server", message="HTTP 500")
NO_KEY = Answer(status="auth", message="HTTP 401: who are you?")


class Clock:
    """Time that passes only where somebody sleeps, or a call takes it."""

    def __init__(self):
        self.now = 1000.0
        self.slept = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        assert seconds > 0
        self.slept.append(seconds)
        self.now += seconds


class Scripted(Provider):
    """Answers each question by its own script, then always the same way."""

    def __init__(self, scripts=None, *, always=OK, concurrency=None, takes=0.0, clock=None):
        self.concurrency = concurrency
        self.scripts = {name: deque(script) for name, script in (scripts or {}).items()}
        self.always = always
        self.takes = takes
        self.clock = clock
        self.calls = []
        self.timeouts = []
        self.times = []
        self.closed = False
        self.lock = threading.Lock()

    def ask(self, question, *, timeout):
        with self.lock:
            self.calls.append(question.case_id)
            self.timeouts.append(timeout)
            if self.clock is not None:
                self.times.append(self.clock.now)
                self.clock.now += self.takes
            script = self.scripts.get(question.case_id)
            step = script.popleft() if script else self.always
        if isinstance(step, BaseException):
            raise step
        return step if isinstance(step, Attempt) else Attempt(answer=step)

    def close(self):
        self.closed = True


def questions(*names):
    return [
        Question(
            key="sha256:" + f"{number:064x}",
            case_id=name,
            repeat=0,
            run=0,
            system="s",
            prompt="p",
            schema_text="{}",
        )
        for number, name in enumerate(names)
    ]


def as_it_is(question, answer):
    del question
    return answer


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def asker(clock):
    def make(provider, *, rules=None, chance=0.5, **options):
        usual = {"concurrency": 1, "deadline": Decimal(3600), "timeout": Decimal(120)}
        provider.clock = clock
        return PatientAsker(
            provider,
            JudgeOptions(**(usual | options)),
            rules=rules or Rules(),
            clock=clock,
            sleep=clock.sleep,
            chance=lambda: chance,
        )

    return make


def asked(made, names, *, settle=as_it_is, go_on=lambda: True):
    found = made.ask(questions(*names), settle=settle, go_on=go_on)
    return {question.case_id: answer for question, answer in found}


def test_every_question_is_given_with_its_answer(asker):
    provider = Scripted()
    made = asker(provider, concurrency=8)
    names = [f"c-{number}" for number in range(100)]
    found = asked(made, names)
    assert found == dict.fromkeys(names, OK)
    assert sorted(provider.calls) == sorted(names)
    assert made.stopped is None
    assert not provider.closed


def test_nothing_to_ask_asks_nothing_and_starts_no_thread(asker):
    before = threading.active_count()
    assert asked(asker(Scripted()), ()) == {}
    assert threading.active_count() == before


def test_threads_end_with_the_questions(asker):
    before = threading.active_count()
    asked(asker(Scripted(), concurrency=8), [str(number) for number in range(50)])
    assert threading.active_count() == before


class Together(Scripted):
    """Lets nobody go before ``wanted`` calls are under way at once."""

    def __init__(self, wanted):
        super().__init__()
        self.barrier = threading.Barrier(wanted, timeout=20)
        self.under_way = self.most = 0

    def ask(self, question, *, timeout):
        with self.lock:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        self.barrier.wait()
        with self.lock:
            self.under_way -= 1
        return super().ask(question, timeout=timeout)


def test_as_many_are_asked_at_once_as_the_options_say_and_no_more(asker):
    provider = Together(4)
    asked(asker(provider, concurrency=4), [str(number) for number in range(20)])
    assert provider.most == 4


def test_a_provider_may_take_fewer_at_once_than_the_options_say(asker):
    provider = Together(2)
    provider.concurrency = 2
    asked(asker(provider, concurrency=8), [str(number) for number in range(10)])
    assert provider.most == 2


def test_what_failed_on_the_way_is_tried_again_after_waits_that_double(asker, clock):
    provider = Scripted({"a": [BROKEN, BROKEN, BROKEN]})
    assert asked(asker(provider), ["a"])["a"] == OK
    assert clock.slept == [0.5, 1.0, 2.0]


def test_a_question_is_given_up_with_its_last_answer_after_so_many_tries(asker):
    provider = Scripted(always=BROKEN)
    made = asker(provider, rules=Rules(tries=3))
    found = asked(made, ["a"])["a"]
    assert (found.status, found.message) == ("server", "HTTP 500; tried 3 times")
    assert len(provider.calls) == 3
    assert made.stopped is None


def test_the_providers_own_wish_is_a_lower_bound_of_the_wait(asker, clock):
    wish = Attempt(answer=SLOW_DOWN, retry_after=7.0)
    asked(asker(Scripted({"a": [wish]})), ["a"])
    assert clock.slept == [7.0]


def test_a_wish_for_peace_holds_for_all_questions(asker, clock):
    provider = Scripted({"a": [Attempt(answer=SLOW_DOWN, retry_after=30.0)]})
    asked(asker(provider), ["a", "b", "c"])
    assert provider.calls == ["a", "a", "b", "c"]
    assert provider.times == [1000.0, 1030.0, 1030.0, 1030.0]
    assert clock.slept == [30.0]


def test_a_rate_limit_without_a_wish_cools_all_questions_down_too(asker):
    provider = Scripted({"a": [SLOW_DOWN]})
    asked(asker(provider), ["a", "b"])
    assert provider.times[1] == 1000.5


def test_a_broken_call_holds_up_no_other_question(asker):
    provider = Scripted({"a": [BROKEN]})
    asked(asker(provider), ["a", "b"])
    assert provider.calls == ["a", "b", "a"]
    assert provider.times == [1000.0, 1000.0, 1000.5]


def test_a_wish_beyond_the_deadline_ends_the_run_with_words(asker, clock):
    provider = Scripted({"a": [Attempt(answer=SLOW_DOWN, retry_after=500.0)]})
    made = asker(provider, deadline=Decimal(60))
    found = asked(made, ["a", "b"])
    assert found["a"].message == (
        "HTTP 429; the provider asks for 500 s of peace, and 60 s are left"
    )
    assert set(found) == {"a"}
    assert "500 s of peace" in made.stopped
    assert clock.slept == []


def test_the_deadline_ends_the_run_and_gives_what_waited(asker):
    provider = Scripted({"b": [BROKEN]}, takes=25.0)
    made = asker(provider, deadline=Decimal(60))
    found = asked(made, ["a", "b", "c", "d"])
    assert made.stopped == "the deadline of 60 s for all questions is over"
    assert found["a"] == OK
    assert found["b"].status in {"server", "ok"}
    assert "d" not in found


def test_a_call_is_given_no_more_time_than_the_deadline_leaves(asker):
    provider = Scripted(takes=25.0)
    asked(asker(provider, deadline=Decimal(60), timeout=Decimal(40)), ["a", "b", "c"])
    assert provider.timeouts == [40.0, 35.0, 10.0]


def test_the_deadline_runs_on_from_one_round_of_questions_to_the_next(asker):
    provider = Scripted(takes=40.0)
    made = asker(provider, deadline=Decimal(60))
    assert set(asked(made, ["a"])) == {"a"}
    assert made.stopped is None
    asked(made, ["b", "c"])
    assert provider.calls == ["a", "b"]
    assert made.stopped is not None
    assert asked(made, ["d"]) == {}


def test_questions_that_find_no_way_in_a_row_stop_the_run(asker):
    provider = Scripted(always=BROKEN)
    made = asker(provider, rules=Rules(tries=2, breaker=3))
    found = asked(made, [str(number) for number in range(100)])
    assert made.stopped == "3 questions in a row found no way to the judge"
    assert len(found) < 10


def test_one_reply_among_failures_keeps_the_run_going(asker):
    failing = {str(number): [BROKEN, BROKEN] for number in range(50) if number % 3}
    made = asker(Scripted(failing), rules=Rules(tries=2, breaker=3))
    assert len(asked(made, [str(number) for number in range(50)])) == 50
    assert made.stopped is None


def test_a_failure_of_the_last_questions_stops_nothing(asker):
    made = asker(Scripted(always=BROKEN), rules=Rules(tries=1, breaker=3))
    assert len(asked(made, ["a", "b", "c"])) == 3
    assert made.stopped is None


def test_what_was_said_badly_is_asked_again_at_once_twice_and_then_kept(asker, clock):
    provider = Scripted(always=SCHEMA)
    found = asked(asker(provider), ["a"])["a"]
    assert len(provider.calls) == 3
    assert clock.slept == []
    assert (found.status, found.message) == ("schema", "out of range; asked 3 times")


def test_the_usage_of_every_call_is_in_the_answer(asker):
    found = asked(asker(Scripted({"a": [SCHEMA, BROKEN, SCHEMA]})), ["a"])["a"]
    assert found.status == "ok"
    assert found.usage == Usage(input_tokens=30, output_tokens=2)


def test_settling_decides_what_an_answer_is_worth(asker):
    worth = deque(["unparseable", "ok"])

    def settle(question, answer):
        assert question.case_id == "a"
        return Answer(status=worth.popleft(), text=answer.text, usage=answer.usage)

    provider = Scripted()
    assert asked(asker(provider), ["a"], settle=settle)["a"].status == "ok"
    assert provider.calls == ["a", "a"]


def test_a_refusal_of_whoever_asks_stops_at_once_with_the_providers_words(asker):
    provider = Scripted({"b": [NO_KEY]})
    made = asker(provider)
    found = asked(made, ["a", "b", "c", "d"])
    assert provider.calls == ["a", "b"]
    assert found["b"] == NO_KEY
    assert made.stopped == "the judge refuses (auth): HTTP 401: who are you?"
    assert asked(made, ["e"]) == {}


class Late(Scripted):
    """Answers no question but ``a`` before ``told``."""

    def __init__(self, scripts):
        super().__init__(scripts)
        self.told = threading.Event()

    def ask(self, question, *, timeout):
        assert question.case_id == "a" or self.told.wait(20)
        return super().ask(question, timeout=timeout)


def test_what_was_under_way_when_something_stopped_is_still_given(asker):
    provider = Late({"a": [NO_KEY]})

    def settle(question, answer):
        if question.case_id == "a":
            provider.told.set()
        return answer

    found = asked(asker(provider, concurrency=3), ["a", "b", "c", "d"], settle=settle)
    assert set(found) == {"a", "b", "c"}
    assert found["b"] == OK


def test_it_is_asked_before_each_question_whether_to_go_on(asker):
    may = deque([True, True, False])
    made = asker(Scripted())
    assert set(asked(made, ["a", "b", "c", "d"], go_on=may.popleft)) == {"a", "b"}
    assert made.stopped == "told to ask no more"


def test_asking_again_for_what_was_said_has_to_be_allowed_and_a_try_on_the_way_has_not(asker):
    may = deque([True, False])
    found = asked(asker(Scripted({"a": [BROKEN, SCHEMA]})), ["a"], go_on=may.popleft)
    assert found["a"].message == "out of range; told to ask no more"


def test_whoever_may_ask_nothing_asks_nothing(asker):
    provider = Scripted()
    assert asked(asker(provider), ["a"], go_on=lambda: False) == {}
    assert provider.calls == []


class Hanging(Scripted):
    """Hangs in every call but the first, until it is closed."""

    def __init__(self):
        super().__init__()
        self.open = threading.Event()
        self.ended = threading.Semaphore(0)

    def ask(self, question, *, timeout):
        if question.case_id != "0":
            assert self.open.wait(20)
            self.ended.release()
        return super().ask(question, timeout=timeout)

    def close(self):
        super().close()
        self.open.set()


@pytest.mark.parametrize("how", ["close", "interrupt"])
def test_whoever_breaks_off_waits_for_nothing_and_leaves_no_call_behind(asker, how):
    provider = Hanging()
    made = asker(provider, concurrency=4)
    coming = made.ask(questions(*map(str, range(50))), settle=as_it_is, go_on=lambda: True)
    assert next(coming)[0].case_id == "0"
    if how == "close":
        coming.close()
    else:
        with pytest.raises(KeyboardInterrupt):
            coming.throw(KeyboardInterrupt)
    assert provider.closed
    for _ in range(3):
        assert provider.ended.acquire(timeout=20)


def test_what_a_provider_raises_is_raised_where_it_is_asked(asker):
    provider = Scripted({"b": [ZeroDivisionError("of its own")]})
    with pytest.raises(ZeroDivisionError, match="of its own"):
        asked(asker(provider), ["a", "b", "c"])
    assert provider.closed


def test_no_more_answers_are_held_than_calls_are_under_way(asker):
    provider = Scripted()
    made = asker(provider, concurrency=4)
    coming = made.ask(questions(*map(str, range(500))), settle=as_it_is, go_on=lambda: True)
    for number, _ in enumerate(coming, 1):
        assert len(provider.calls) <= number + 2 * 4


def test_few_questions_wait_for_another_try_at_once(asker):
    provider = Scripted(always=BROKEN)
    made = asker(provider, concurrency=3, rules=Rules(tries=2, breaker=1000))
    first = next(made.ask(questions(*map(str, range(500))), settle=as_it_is, go_on=lambda: True))
    assert first[1].status == "server"
    assert len(set(provider.calls)) <= 3 * 3


def test_a_long_message_leaves_room_for_why_it_was_given_up(asker):
    long = Answer(status="server", message="x" * 500)
    found = asked(asker(Scripted(always=long), rules=Rules(tries=1)), ["a"])["a"]
    assert len(found.message) == 500
    assert found.message.endswith("; tried 1 times")


STEPS = st.sampled_from(
    [
        OK,
        SCHEMA,
        BROKEN,
        SLOW_DOWN,
        Attempt(answer=SLOW_DOWN, retry_after=3.0),
        Attempt(answer=BROKEN, retry_after=900.0),
        NO_KEY,
    ]
)


@settings(max_examples=60)
@given(
    st.lists(st.lists(STEPS, max_size=12), max_size=12),
    st.integers(1, 4),
    st.integers(0, 40),
    st.floats(0, 1, exclude_max=True),
)
def test_whatever_comes_each_question_is_given_once_or_the_run_says_why_not(
    scripts, concurrency, allowed, chance
):
    clock = Clock()
    names = [str(number) for number in range(len(scripts))]
    provider = Scripted(dict(zip(names, scripts, strict=True)), clock=clock)
    options = JudgeOptions(concurrency=concurrency, deadline=Decimal(600))
    made = PatientAsker(provider, options, clock=clock, sleep=clock.sleep, chance=lambda: chance)
    may = iter([True] * allowed)
    given_back = [
        question.case_id
        for question, _ in made.ask(
            questions(*names), settle=as_it_is, go_on=lambda: next(may, False)
        )
    ]
    assert len(set(given_back)) == len(given_back)
    assert set(given_back) == set(provider.calls)
    assert made.stopped is not None or sorted(given_back) == sorted(names)
    assert clock.now <= 1600.0
    assert all(provider.calls.count(name) <= 8 + 3 for name in names)
