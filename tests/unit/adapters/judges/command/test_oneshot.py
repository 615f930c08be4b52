from threading import Thread

import pytest

from gate.adapters.judges.command.oneshot import stdin_of
from gate.records.judge_words import Usage

pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def answer(place):
    """Ask a oneshot program once."""

    def make(body, *arguments, timeout=20, **options):
        command = (*place.script(body), *arguments)
        return place.answer(body, command=command, mode="oneshot", timeout=timeout, **options)

    return make


def test_a_question_is_the_system_text_the_prompt_and_the_schema(question):
    said = b'Grade.\n\n<query>\n\nThe JSON Schema of the reply: {"type":"object"}\n'
    assert stdin_of(question()) == said


def test_the_answer_is_all_that_is_written(answer, question):
    found = answer("sys.stdout.write(sys.stdin.read())")
    assert (found.status, found.finish_reason) == ("ok", "stop")
    assert found.text == stdin_of(question()).decode()
    assert (found.model, found.usage) == (None, Usage())


def test_a_program_that_reads_nothing_answers(answer):
    assert answer("print(2)").text == "2\n"


def test_a_long_question_and_a_long_answer_do_not_wait_for_each_other(place, question):
    body = "os.write(1, b'x' * 900_000)\nprint(len(sys.stdin.read()))"
    judge = place.judge(body, mode="oneshot")
    asked = question(prompt="y" * 900_000)
    found = judge.ask(asked, timeout=20).answer
    assert found.text == "x" * 900_000 + f"{len(stdin_of(asked))}\n"


def test_several_are_asked_at_once(place):
    judge = place.judge("time.sleep(0.2)\nprint(2)", mode="oneshot")
    assert judge.concurrency is None
    assert [found.text for found in place.ask_many(judge, 4)] == ["2\n"] * 4


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        ("sys.exit(1)", "server"),
        ("sys.exit(64)", "config"),
        ("sys.exit(75)", "server"),
        ("sys.exit(77)", "auth"),
        ("sys.exit(78)", "config"),
        ("sys.exit(127)", "config"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "transport"),
    ],
)
def test_a_program_that_fails_says_why_in_its_last_line_and_its_answer_is_none(
    answer, ending, status
):
    body = f"print(2, flush=True)\nos.write(2, b'loading 1 of 3\\nno weights\\n\\n')\n{ending}"
    found = answer(body)
    assert (found.status, found.text) == (status, None)
    assert "no weights" in found.message
    assert "loading 1 of 3" not in found.message


def test_a_traceback_ends_in_its_own_words(answer):
    found = answer("raise ValueError('no weights')")
    assert found.status == "server"
    assert found.message.endswith("ended with status 1: ValueError: no weights")


def test_a_program_that_takes_too_long_is_killed_with_all_it_started(answer, place):
    found = answer("leave(sys.argv[1])\ntime.sleep(600)", str(place.left), timeout=0.5)
    assert found.status == "timeout"
    assert "within 0.5 s" in found.message
    assert place.is_gone()


def test_a_program_that_takes_no_notice_of_signals_is_killed(answer):
    body = "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]\ntime.sleep(600)"
    assert answer(body, timeout=0.5).status == "timeout"


def test_a_program_that_ends_takes_with_it_what_still_holds_its_output(answer, place):
    found = answer("print(2)\nleave(sys.argv[1])", str(place.left))
    assert (found.status, found.text) == ("ok", "2\n")
    assert place.is_gone()


def test_a_process_that_got_away_with_the_output_is_not_waited_for(answer, place):
    found = answer("print(2)\nleave(sys.argv[1], start_new_session=True)", str(place.left))
    assert (found.status, found.text) == ("ok", "2\n")
    assert place.end_what_left()


def test_a_program_that_closes_its_output_and_stays_is_not_waited_for(answer):
    found = answer(
        "os.write(1, b'2')\n[os.close(n) for n in (0, 1, 2)]\ntime.sleep(600)", timeout=0.5
    )
    assert found.status == "timeout"


def test_a_program_that_never_stops_writing_is_killed(answer):
    found = answer("while True: os.write(1, b'x' * 65536)")
    assert found.status == "unparseable"
    assert "more than 1,000,000 bytes" in found.message


def test_a_flood_of_errors_is_drained_and_its_end_is_kept(answer):
    body = "os.write(2, b'x' * 3_000_000)\nos.write(2, b'\\nthe end\\n')\nsys.exit(1)"
    found = answer(body)
    assert found.message.endswith("ended with status 1: the end")


def test_an_answer_that_is_no_text_is_unparseable(answer):
    assert answer("os.write(1, b'\\xff')").status == "unparseable"


def test_what_a_terminal_or_a_runner_would_obey_is_spelt_out(answer):
    found = answer("sys.exit('\\x1b[31m ::error::x')")
    assert "\x1b" not in found.message
    assert " ::" not in found.message


def test_a_message_is_bounded(answer):
    assert len(answer("sys.exit('x' * 9000)").message) <= 500


def test_a_secret_that_it_was_given_is_in_neither_answer_nor_message(place):
    environ = {"PATH": "/usr/bin:/bin", "MY_API_KEY": "canary-key-000000"}
    said = "print(os.environ['MY_API_KEY'])\nsys.exit('key ' + os.environ['MY_API_KEY'])"
    for body in (said, said.splitlines()[0]):
        found = place.answer(body, mode="oneshot", environ=environ, env=("MY_API_KEY",))
        assert "canary" not in repr(found)
        assert "***" in repr(found)


def test_a_program_that_has_gone_since_stops_the_run(place, question):
    judge = place.judge("print(2)", mode="oneshot")
    judge._command = ("./gone",)
    found = judge.ask(question(), timeout=5).answer
    assert found.status == "config"
    assert "could not be started: No such file" in found.message


def test_a_machine_without_room_for_a_process_may_have_some_later(place, question, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    judge = place.judge("print(2)", mode="oneshot")
    monkeypatch.setattr("gate.adapters.judges.command.process.subprocess.Popen", refuse)
    assert judge.ask(question(), timeout=5).answer.status == "transport"


def test_closing_ends_what_runs_and_nothing_is_asked_afterwards(place, question, until):
    judge = place.judge("time.sleep(600)", mode="oneshot")
    found = []
    asking = Thread(target=lambda: found.append(judge.ask(question(), timeout=30)))
    asking.start()
    until(lambda: judge._running)
    judge.close()
    asking.join(20)
    assert found[0].answer.status == "transport"
    assert judge.ask(question(), timeout=30).answer.status == "transport"
