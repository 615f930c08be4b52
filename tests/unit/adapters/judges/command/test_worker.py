import json
import sys
from threading import Thread

import pytest

from gate.adapters.judges.command import session as command_session
from gate.adapters.judges.command.worker import RESTARTS
from gate.errors import JudgeUnusable

pytestmark = pytest.mark.timeout(60)
ONCE = """
first = not os.path.exists("PLACE")
open("PLACE", "a").write("x")
"""
"""Knows whether it runs for the first time."""


@pytest.fixture
def once(place):
    return ONCE.replace("PLACE", str(place.folder / "starts"))


@pytest.fixture
def starts(place):
    return lambda: len((place.folder / "starts").read_text())


def test_a_worker_is_told_the_whole_question_and_how_long_is_waited(place, question):
    body = "hello()\nfor request in requests(): say({'id': request['id'], 'json': request})"
    judge = place.judge(body)
    answer = judge.ask(question(5, params='{"seed":7}'), timeout=20).answer
    told = json.loads(answer.text)
    assert 0 < told.pop("deadline_ms") <= 20_000
    assert told == {
        "v": 1,
        "id": "1",
        "case_id": "case-5",
        "run": 1,
        "system": "Grade.",
        "prompt": "<query>",
        "schema": {"type": "object"},
        "params": {"seed": 7},
    }
    assert (answer.status, answer.model, answer.finish_reason) == ("ok", "w/1", "stop")


def test_a_worker_says_how_many_questions_it_takes_at_once(place):
    assert place.judge("hello(concurrency=7)\nserve()").concurrency == 7


def test_replies_in_any_order_find_their_questions(place):
    body = """
hello()
held = []
for request in requests():
    held.append(request)
    if len(held) == 8:
        for one in reversed(held):
            say({"id": one["id"], "text": one["case_id"]})
"""
    answers = place.ask_many(place.judge(body), 8)
    assert [answer.text for answer in answers] == [f"case-{n}" for n in range(8)]


def test_one_question_that_fails_is_no_other_ones_failure(place):
    body = """
hello()
for request in requests():
    if request["case_id"] == "case-1":
        say({"id": request["id"], "error": {"kind": "blocked", "message": "no"}})
    else:
        say({"id": request["id"], "text": "2"})
"""
    answers = place.ask_many(place.judge(body), 3)
    assert [answer.status for answer in answers] == ["ok", "blocked", "ok"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("print('Paris', flush=True)\ntime.sleep(600)", "its first line is no JSON: 'Paris'"),
        ("hello(protocol=2)\ntime.sleep(600)", 'another "protocol" than 1'),
        ("hello(concurrency=0)\ntime.sleep(600)", "concurrency"),
        ("sys.exit('no weights')", "ended with status 1; its last words: no weights"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "was ended by SIGSEGV"),
        ("os.write(1, b'{' * 5_000_000)\ntime.sleep(600)", "a line of more than 4,000,000 bytes"),
        ("os.close(1)\ntime.sleep(600)", "closed its standard output"),
    ],
)
def test_a_worker_that_does_not_say_hello_is_unusable_and_the_words_say_what_to_do(
    place, body, why
):
    with pytest.raises(JudgeUnusable) as caught:
        place.judge(body)
    assert why in str(caught.value)
    assert "judge.py" in str(caught.value)
    assert "--judge-mode oneshot" in caught.value.remedy


def test_a_long_command_is_told_by_both_its_ends(place):
    long = place.folder / ("deep" * 40)
    long.mkdir()
    with pytest.raises(JudgeUnusable) as caught:
        place.judge(command=place.script("sys.exit(3)", name=f"{long.name}/judge.py"))
    assert sys.executable[:40] in str(caught.value)
    assert "/judge.py ended with status 3" in str(caught.value)


def test_a_worker_that_waits_for_a_prompt_first_is_unusable_after_a_while(place):
    with pytest.raises(JudgeUnusable, match=r"said nothing for 0\.5 s") as caught:
        place.judge("print(len(sys.stdin.read()))", timeout=0.5)
    assert "--judge-mode oneshot" in caught.value.remedy


def test_lines_that_answer_nothing_are_overlooked_and_a_late_answer_names_them(place, question):
    body = """
hello()
for request in requests():
    print("Loading weights ...", flush=True)
    say({"id": "nobody", "text": "2"})
    say({"id": 1, "text": "2"})
    say(["2"])
    os.write(1, b"\\xff\\n\\n")
    if request["case_id"] == "case-1":
        say({"id": request["id"], "text": "first"})
        say({"id": request["id"], "text": "second"})
"""
    judge = place.judge(body)
    assert judge.ask(question(1), timeout=20).answer.text == "first"
    late = judge.ask(question(2), timeout=0.5).answer
    assert late.status == "timeout"
    assert "within 0.5 s" in late.message
    assert "7 of its lines answered no question, the last: ''" in late.message


def test_a_worker_that_writes_lines_without_end_is_killed(place, monkeypatch):
    monkeypatch.setattr(command_session, "STRAYS", 50)
    answer = place.answer("hello()\nwhile True: print('tick')")
    assert answer.status == "transport"
    assert "wrote 50 lines that answer no question" in answer.message
    assert "'tick'" in answer.message


def test_a_reply_to_a_question_that_nobody_waits_for_is_no_other_ones_reply(
    place, question, monkeypatch
):
    monkeypatch.setattr(command_session, "STRAYS", 1)
    body = """
hello()
late = None
for request in requests():
    if late is None:
        say({"id": "nobody"})
        late = request
    else:
        say({"id": late["id"], "text": "late"})
        say({"id": request["id"], "text": "in time"})
"""
    judge = place.judge(body)
    assert judge.ask(question(1), timeout=0.3).answer.status == "timeout"
    assert judge.ask(question(2), timeout=20).answer.text == "in time"


def test_a_worker_that_writes_much_before_it_reads_does_not_block(place):
    body = """
hello()
for _ in range(40):
    print("x" * 200_000, flush=True)
serve()
"""
    assert place.answer(body).text == "2"


def test_large_questions_of_many_threads_are_not_mixed(place, question):
    body = "hello()\nfor r in requests(): say({'id': r['id'], 'text': str(len(r['prompt']))})"
    judge = place.judge(body)
    found = []
    threads = [
        Thread(
            target=lambda n=n: found.append(
                (n, judge.ask(question(n, prompt="x" * (300_000 + n)), timeout=30).answer.text)
            )
        )
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(n, str(300_000 + n)) for n in range(8)]


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_worker_that_never_reads_is_killed_when_a_question_is_over(place, question, size):
    judge = place.judge("hello()\ntime.sleep(600)")
    session = judge._session
    assert judge.ask(question(prompt="x" * size), timeout=0.5).answer.status == "timeout"
    session._listener.join(20)
    assert "was ended" not in session.over
    assert ("said nothing" if size == 10 else "stopped reading") in session.over


def test_many_threads_are_not_held_up_by_a_worker_that_never_reads(place, question):
    judge = place.judge("hello()\ntime.sleep(600)")
    asked = question(prompt="x" * 200_000)
    found = []
    threads = [
        Thread(target=lambda: found.append(judge.ask(asked, timeout=0.5).answer.status))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(found) == 4
    assert set(found) <= {"timeout", "transport"}


def test_a_worker_that_still_answers_others_is_not_killed_for_a_slow_question(place, question):
    body = """
hello()
for request in requests():
    if request["case_id"] != "case-1":
        say({"id": request["id"], "text": "2"})
"""
    judge = place.judge(body)
    slow = []
    asking = Thread(target=lambda: slow.append(judge.ask(question(1), timeout=1.0).answer))
    asking.start()
    while not slow:
        assert judge.ask(question(2), timeout=20).answer.text == "2"
    asking.join()
    assert slow[0].status == "timeout"
    assert judge._session.over is None


def test_a_worker_that_dies_is_started_again_and_its_questions_may_be_asked_again(
    place, question, once, starts
):
    body = f"""{once}
hello()
if first:
    next(requests())
    sys.exit("out of memory")
serve()
"""
    judge = place.judge(body)
    died = judge.ask(question(), timeout=20).answer
    assert (died.status, died.text) == ("transport", None)
    assert died.message.endswith("ended with status 1; its last words: out of memory")
    assert judge.ask(question(), timeout=20).answer.text == "2"
    assert starts() == 2


def test_every_question_under_way_is_told_when_the_worker_dies(place, once):
    body = f"""{once}
hello(concurrency=8)
if first:
    for count, request in enumerate(requests()):
        if count == 5:
            os.kill(os.getpid(), signal.SIGKILL)
serve()
"""
    judge = place.judge(body)
    answers = place.ask_many(judge, 6)
    assert [answer.status for answer in answers] == ["transport"] * 6
    assert "was ended by SIGKILL" in answers[0].message


def test_a_worker_that_dies_in_the_middle_of_a_line_gave_no_answer(place):
    answer = place.answer('hello()\nr = next(requests())\nos.write(1, b\'{"id": "1", "text\')')
    assert answer.status == "transport"


def test_a_worker_that_closes_its_output_is_over(place):
    answer = place.answer("hello()\nnext(requests())\nos.close(1)\ntime.sleep(600)")
    assert answer.status == "transport"
    assert "closed its standard output" in answer.message


def test_a_worker_that_dies_without_any_answer_stops_the_run_in_the_end(
    place, question, once, starts
):
    judge = place.judge(f"{once}\nhello()\nnext(requests())\nsys.exit('no weights')")
    answers = [judge.ask(question(), timeout=20).answer for _ in range(RESTARTS + 3)]
    statuses = [answer.status for answer in answers]
    assert statuses == ["transport"] * (RESTARTS + 1) + ["config"] * 2
    assert "died again and again" in answers[-1].message
    assert answers[-1].message.endswith("no weights")
    assert starts() == RESTARTS + 1


def test_an_answer_in_between_lets_a_worker_die_again(place, question, once, starts):
    body = f"{once}\nhello()\nr = next(requests())\nsay({{'id': r['id'], 'text': '2'}})"
    judge = place.judge(body)
    while starts() < 2 * RESTARTS:
        assert judge.ask(question(), timeout=20).answer.status in {"ok", "transport"}


def test_a_worker_that_does_not_come_back_may_be_tried_again(place, question, once):
    body = f"{once}\nif not first: sys.exit('port in use')\nhello()\nnext(requests())"
    judge = place.judge(body)
    judge.ask(question(), timeout=20)
    again = judge.ask(question(), timeout=20).answer
    assert again.status == "transport"
    assert "when it was started again it ended with status 1" in again.message
    assert again.message.endswith("port in use")


def test_a_worker_that_hangs_at_its_next_start_costs_no_more_than_a_question(
    place, question, once
):
    body = f"{once}\nif not first: time.sleep(600)\nhello()\nnext(requests())"
    judge = place.judge(body)
    judge.ask(question(), timeout=20)
    again = judge.ask(question(), timeout=0.5).answer
    assert again.status == "transport"
    assert "said nothing for 0." in again.message


def test_a_worker_that_comes_back_as_another_one_stops_the_run(place, question, once):
    body = f"{once}\nhello(version='1' if first else '2')\nnext(requests())"
    judge = place.judge(body)
    judge.ask(question(), timeout=20)
    again = judge.ask(question(), timeout=20).answer
    assert again.status == "config"
    assert "came back as another one: w/2" in again.message


def test_a_worker_whose_program_has_gone_stops_the_run(place, question):
    judge = place.judge("hello()\nnext(requests())")
    judge.ask(question(), timeout=20)
    judge._command = ("./gone",)
    again = judge.ask(question(), timeout=20).answer
    assert again.status == "config"
    assert "died, and could not be started: No such file" in again.message


def test_a_flood_of_errors_is_drained_and_its_end_is_kept(place, question):
    body = """
hello()
for request in requests():
    os.write(2, b"x" * 3_000_000)
    if request["case_id"] == "case-2":
        os.write(2, b"\\nthe end\\n")
        sys.exit(1)
    say({"id": request["id"], "text": "2"})
"""
    judge = place.judge(body)
    assert judge.ask(question(1), timeout=20).answer.text == "2"
    assert judge.ask(question(2), timeout=20).answer.message.endswith("the end")


def test_a_worker_that_closes_its_errors_goes_on(place):
    assert place.answer("hello()\nos.close(2)\nserve()").text == "2"


def test_what_is_told_of_a_worker_is_one_bounded_line_without_commands(place):
    message = place.answer(
        "hello()\nnext(requests())\nsys.exit('\\x1b[31m ::error::x' + 'y' * 9000)"
    ).message
    assert len(message) <= 500
    assert message.isprintable()
    assert " ::" not in message


def test_a_secret_that_a_worker_was_given_is_nowhere(place, question):
    body = """
hello(name=os.environ["MY_API_KEY"])
for request in requests():
    key = os.environ["MY_API_KEY"]
    if request["case_id"] == "case-1":
        say({"id": request["id"], "json": {"said": key}})
    elif request["case_id"] == "case-2":
        say({"id": request["id"], "error": {"kind": "auth", "message": "bad key " + key}})
    else:
        sys.exit("bad key " + key)
"""
    environ = {"PATH": "/usr/bin:/bin", "MY_API_KEY": "canary-key-000000"}
    judge = place.judge(body, environ=environ, env=("MY_API_KEY",))
    found = [judge.ask(question(n), timeout=20).answer for n in (1, 2, 3)]
    assert [answer.status for answer in found] == ["ok", "auth", "transport"]
    assert "canary" not in repr(found)
    assert found[1].message == "bad key ***"


@pytest.mark.parametrize(
    "ending",
    [
        "serve()",
        "serve()\ntime.sleep(600)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nserve()\ntime.sleep(600)",
    ],
    ids=["at the end of its input", "by SIGTERM", "by SIGKILL"],
)
def test_a_worker_ends_when_it_is_closed_and_so_does_all_it_started(
    place, question, monkeypatch, ending
):
    monkeypatch.setattr(command_session, "GRACE", 0.3)
    body = f"leave({str(place.left)!r})\nhello()\n{ending}"
    judge = place.judge(body)
    assert judge.ask(question(), timeout=20).answer.text == "2"
    judge.close()
    judge.close()
    assert place.is_gone()
    assert judge.ask(question(), timeout=20).answer.status == "transport"


def test_a_worker_that_leaves_its_pipes_to_another_process_is_over(place, once):
    body = f"{once}\nleave({str(place.left)!r})\nhello()\nnext(requests())\nos._exit(3)"
    answer = place.answer(body)
    assert answer.status == "transport"
    assert "ended with status 3" in answer.message
    assert place.is_gone()


def test_a_process_that_got_away_with_the_pipes_is_not_waited_for(place, question):
    body = f"leave({str(place.left)!r}, start_new_session=True)\nhello()\nserve()"
    judge = place.judge(body)
    assert judge.ask(question(), timeout=20).answer.text == "2"
    judge.close()
    assert not judge._session._listener.is_alive()
    assert place.end_what_left()


def test_a_reply_that_was_written_before_the_worker_ended_counts(place):
    body = f"""
leave({str(place.left)!r})
hello()
request = next(requests())
say({{"id": request["id"], "text": "2"}})
os._exit(3)
"""
    assert place.answer(body).text == "2"
    place.close()
    assert place.is_gone()


def test_closing_tells_whoever_waits(place, question, until, monkeypatch):
    monkeypatch.setattr(command_session, "GRACE", 0.3)
    judge = place.judge("hello()\nsay({'id': 'x'})\nnext(requests())\ntime.sleep(600)")
    found = []
    asking = Thread(target=lambda: found.append(judge.ask(question(), timeout=30).answer))
    asking.start()
    until(lambda: judge._session._waiting)
    judge.close()
    asking.join(20)
    assert found[0].status == "transport"


def test_closing_does_not_wait_for_a_worker_that_is_being_started_again(
    place, question, once, starts, until, monkeypatch
):
    monkeypatch.setattr(command_session, "GRACE", 0.3)
    judge = place.judge(f"{once}\nif not first: time.sleep(600)\nhello()\nnext(requests())")
    judge.ask(question(), timeout=20)
    found = []
    asking = Thread(target=lambda: found.append(judge.ask(question(), timeout=50).answer))
    asking.start()
    until(lambda: starts() == 2)
    judge.close()
    asking.join(20)
    assert found[0].status == "transport"
