import json

import pytest

from gate.judges.ledger import MAX_LINE, MAX_TEXT, ledger_line, read_ledger
from gate.records.judge_words import Usage
from gate.records.judging import Answer, Question


def question(number=0):
    return Question(
        key=f"sha256:{number:064x}",
        case_id="a",
        repeat=0,
        run=number,
        system="s",
        prompt="p",
        schema_text="{}",
    )


def answered(number=0, status="ok", text="two", **more):
    return ledger_line(question(number), Answer(status=status, text=text, **more)).encode()


def key(number=0):
    return question(number).key


def test_what_is_written_is_read_back():
    answer = Answer(
        status="ok",
        text='{"é": "\u202e\n\x1b"}',
        model="m",
        finish_reason="STOP",
        usage=Usage(input_tokens=1, thinking_tokens=3),
        message="…",
    )
    line = ledger_line(question(), answer)
    assert line.isascii()
    assert line.count("\n") == 1
    assert "\x1b" not in line
    ledger = read_ledger([line.encode()])
    assert ledger.answers == ledger.reusable == {key(): answer}
    assert (ledger.damaged, ledger.torn, ledger.unfinished, ledger.first) == ((), False, False, "")


def test_a_line_says_whose_answer_it_is_and_not_what_was_asked():
    document = json.loads(answered(7))
    assert (document["case_id"], document["repeat"], document["run"]) == ("a", 0, 7)
    assert not {"prompt", "system", "params"} & set(document)


def test_a_torn_last_line_is_forgiven_and_no_other():
    whole = answered(0) + answered(1)
    for cut in range(len(answered(0)) + 1, len(whole) - 1):
        ledger = read_ledger(whole[:cut].splitlines(keepends=True))
        assert list(ledger.answers) == [key(0)]
        assert (ledger.damaged, ledger.torn, ledger.first) == ((), True, "\n")
    torn = whole[: len(whole) - 9]
    resumed = torn + b"\n" + answered(2)
    ledger = read_ledger(resumed.splitlines(keepends=True))
    assert list(ledger.answers) == [key(0), key(2)]
    assert (ledger.damaged, ledger.torn) == ((2,), False)


def test_a_last_line_that_lacks_only_its_end_is_whole():
    ledger = read_ledger([answered(0).rstrip(b"\n")])
    assert list(ledger.answers) == [key(0)]
    assert (ledger.torn, ledger.unfinished, ledger.first) == (False, True, "\n")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: line.replace(b"two", b"2.0"),
        lambda line: line.replace(b'"ok"', b'"timeout"'),
        lambda line: line.replace(b'"v":1', b'"v":2'),
        lambda line: line.replace(b'"run":0', b'"run":1'),
        lambda _: b"{}\n",
        lambda _: b"[]\n",
        lambda _: b"null\n",
        lambda _: b"\xff\xfe\n",
        lambda _: b"{" * 1000 + b"\n",
        lambda line: line[:-1] + line,
        lambda line: b" " * MAX_LINE + line,
    ],
)
def test_a_damaged_line_is_named_by_its_number_and_never_used(spoil):
    lines = (answered(1) + spoil(answered(0)) + answered(2)).splitlines(keepends=True)
    ledger = read_ledger(lines)
    assert 2 in ledger.damaged
    assert not ledger.torn
    assert {key(1), key(2)} <= set(ledger.answers)


def test_a_sum_that_fits_does_not_excuse_what_is_no_entry():
    from gate.records.json_text import digest, spelled

    document = {**json.loads(answered()), "answer": {"status": "splendid"}}
    del document["sum"]
    line = spelled({**document, "sum": digest(document)}) + "\n"
    assert read_ledger([line.encode()]).damaged == (1,)


def test_the_latest_answer_counts_but_none_hides_a_verdict():
    lines = [
        answered(0, "timeout", None),
        answered(0, "ok", "first"),
        answered(0, "ok", "second"),
        answered(0, "server", None),
        answered(1, "timeout", None),
        answered(1, "server", None),
    ]
    ledger = read_ledger(lines)
    assert ledger.answers[key(0)].text == "second"
    assert ledger.answers[key(1)].status == "server"
    assert list(ledger.reusable) == [key(0)]


def test_blank_lines_are_nothing():
    ledger = read_ledger([b"\n", answered(0), b"  \n"])
    assert (list(ledger.answers), ledger.damaged, ledger.torn) == ([key(0)], (), False)


def test_no_reply_makes_a_line_too_long_to_be_read():
    line = answered(0, "unparseable", "\U0001f642" * (MAX_TEXT + 5), message="m" * 10_000)
    assert len(line) < MAX_LINE
    kept = read_ledger([line]).answers[key(0)]
    assert len(kept.text) == MAX_TEXT
    assert len(kept.message) == 2_000
