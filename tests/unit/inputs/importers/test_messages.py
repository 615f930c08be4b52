import json
import os
from io import BytesIO
from pathlib import Path

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers.found import Found, Remark, Wrong
from gate.inputs.importers.messages import found, recognises
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source

DATA = Path(__file__).resolve().parents[3] / "data" / "importers"
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")
TURN = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "Paris"}]


def read(data, **options):
    if not isinstance(data, bytes):
        data = json.dumps(data).encode()
    return list(found(Source("run.json", lambda: BytesIO(data)), ImportOptions(**options)))


def one(data, **options):
    (finding,) = [one for one in read(data, **options) if not isinstance(one, Remark)]
    return finding


def asked(*said, **record):
    return one([{"id": "a", "messages": [TURN[0], *said], **record}])


def call(name, arguments="{}"):
    return {"id": "", "function": {"name": name, "arguments": arguments}}


def test_a_trajectory_of_agentevals_gives_both_paths_in_the_order_of_the_calls():
    run = one((DATA / "messages" / "agentevals.json").read_bytes())
    assert (run.id, run.output, run.error) == ("sf", "80F", None)
    assert run.tools == ("locate", "weather")
    assert run.case.input == "What is the weather in SF?"
    assert run.case.reference == "It is 80 degrees."
    assert run.case.expected_tools == ("locate", "weather")
    assert json.loads(run.trace)[1]["tool_calls"][1]["function"]["name"] == "weather"


def test_conversations_of_openais_client_are_read_with_their_nulls():
    first, second = read((DATA / "messages" / "openai.jsonl").read_bytes())
    assert (first.id, first.output, first.tools) == ("1", "The capital is Paris.", ("search",))
    assert first.case.input == "Capital of France?"
    assert first.case.labels == ("geo",)
    assert (second.id, second.output, second.tools) == ("2", "I cannot help with that.", ())
    assert first.place == "line 1"


def test_one_array_of_messages_is_one_run():
    run = one([*TURN[:1], {"role": "assistant", "content": None, "tool_calls": [call("x")]},
               {"role": "tool", "content": "1"}, TURN[1]])  # fmt: skip
    assert (run.output, run.tools, run.place) == ("Paris", ("x",), "the conversation")
    assert run.id.startswith("sha256:")
    assert len(run.id) == len("sha256:") + 16


def test_an_array_of_arrays_and_arrays_one_a_line_are_runs_each():
    assert [run.output for run in read([TURN, TURN])[:2]] == ["Paris", "Paris"]
    lines = b"\n".join([json.dumps(TURN).encode()] * 3)
    assert sum(isinstance(run, Found) for run in read(lines)) == 3
    pretty = json.dumps([TURN, TURN], indent=1).encode()
    assert sum(isinstance(run, Found) for run in read(pretty)) == 2


def test_messages_one_a_line_are_one_run():
    lines = b"\n".join(json.dumps(message).encode() for message in TURN)
    assert one(lines).output == "Paris"


def test_the_same_question_is_the_same_case_whatever_the_answer():
    other = [TURN[0], {"role": "assistant", "content": "Rome"}]
    first, second, third, remark = read([TURN, other, [{"role": "user", "content": "!"}, TURN[1]]])
    assert first.id == second.id != third.id
    assert not first.by_place
    assert remark.message.endswith(": 3")


def test_the_id_field_is_where_the_id_is_or_the_record_is_wrong():
    record = {"meta": {"case": 7}, "messages": TURN}
    assert one([record], id_field="meta.case").id == "7"
    wrong = one([{"messages": TURN}], id_field="meta.case")
    assert wrong == Wrong(
        "[0]", "`meta.case`: is missing, and --id-field says that the id is there"
    )


def test_a_number_and_a_text_that_would_be_one_id_are_told():
    wrong = read([{"id": 1, "messages": TURN}, {"id": "1", "messages": TURN}])[1]
    assert wrong == Wrong("[1]", "id '1' stands there as a number and as a text")


def test_calls_at_the_end_are_the_answer():
    run = asked({"role": "assistant", "content": "", "tool_calls": [call("go", '{"to": "x"}')]})
    assert run.output == '[{"arguments":{"to":"x"},"name":"go"}]'
    assert run.tools == ("go",)


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ((), "the messages hold none of the assistant"),
        (({"role": "assistant", "content": None},), "the assistant's last message holds no text"),
        (
            ({"role": "assistant", "content": "let me see", "tool_calls": [call("x")]},
             {"role": "tool", "content": "1"}),
            "the messages end with a tool's result: the assistant did not answer",
        ),
        (
            ({"role": "assistant", "content": "let me see"},
             {"role": "user", "content": [{"type": "tool_result", "content": "1"}]}),
            "the messages end with a tool's result: the assistant did not answer",
        ),
        (
            (TURN[1], {"role": "user", "content": "and Lyon?"}),
            "the messages end with another's than the assistant's: it did not answer",
        ),
    ],
)  # fmt: skip
def test_an_answer_that_is_not_there_is_an_error(said, error):
    run = asked(*said)
    assert (run.output, run.error) == (None, error)


def test_the_error_of_a_record_is_the_error_of_its_run():
    run = asked(error="timeout")
    assert (run.output, run.error) == (None, "timeout")


@pytest.mark.parametrize(
    "message",
    [
        {"type": "ai", "content": "Paris", "tool_calls": [{"name": "x", "args": {}, "id": "1"}]},
        {"type": "ai", "data": {"content": "Paris", "tool_calls": [{"name": "x", "args": {}}]}},
        {"lc": 1, "type": "constructor",
         "kwargs": {"type": "ai", "content": "Paris", "tool_calls": [{"name": "x", "args": {}}]}},
        {"role": "assistant",
         "content": [{"type": "text", "text": "Par"}, {"type": "text", "text": "is"},
                     {"type": "tool_use", "name": "x", "input": {}}]},
        {"role": "assistant", "parts": [{"type": "text", "content": "Paris"},
                                        {"type": "tool_call", "name": "x", "arguments": {}}]},
        {"role": "assistant", "content": "Paris", "function_call": {"name": "x"}},
        {"role": "assistant", "content": "Paris",
         "tool_calls": [{"type": "custom", "custom": {"name": "x", "input": "free"}}]},
    ],
)  # fmt: skip
def test_each_dialect_says_the_same(message):
    run = asked(message)
    assert (run.output, run.tools) == ("Paris", ("x",))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": "a"}, "`messages`: is missing"),
        ({"id": "a", "messages": "hi"}, "`messages`: expected a list of messages, got a text"),
        ({"id": "a", "messages": [3]}, "`messages[0]`: expected a chat message with a `role`"),
        ({"id": "", "messages": TURN}, "`id`: is empty"),
        ({"id": "a", "repeat": -1, "messages": TURN},
         "`repeat`: expected a whole number from 0 to 1000000"),
        ({"id": "a", "messages": [{"role": "assistant", "tool_calls": [{"id": "1"}]}]},
         "`messages[0].tool_calls[0]`: names no tool"),
        ({"id": "a", "messages": [{"role": "assistant", "tool_calls": "x"}]},
         "`messages[0].tool_calls`: expected a list"),
        ({"id": "a", "messages": TURN, "reference_outputs": [1]},
         "`reference_outputs[0]`: expected a chat message with a `role`"),
        (3, "`messages`: expected a conversation, got a whole number"),
    ],
)  # fmt: skip
def test_an_odd_record_is_told_and_the_others_are_read(record, message):
    wrong, good = read([record, {"id": "b", "messages": TURN}])
    assert wrong == Wrong("[0]", message)
    assert good.output == "Paris"


def test_a_line_that_is_no_json_is_told_by_its_number():
    good = json.dumps({"id": "a", "messages": TURN}).encode()
    first, second, third = read(good + b'\n{"id": "b", "messages\n' + good.replace(b'"a"', b'"c"'))
    assert isinstance(first, Found)
    assert isinstance(second, Wrong)
    assert second.place == "line 2"
    assert third.id == "c"


def test_a_truncated_array_is_refused_as_a_whole():
    with pytest.raises(PredictionsInvalid, match="not JSON"):
        read(json.dumps([TURN, TURN]).encode()[:-10])


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(PredictionsInvalid, match="not UTF-8"):
        read(b"[\xff]")


@pytest.mark.parametrize(
    ("opening", "whether"),
    [
        (json.dumps(TURN).encode(), True),
        (json.dumps([TURN]).encode(), True),
        (json.dumps({"id": "a", "messages": TURN}).encode(), True),
        (json.dumps({"outputs": {"messages": TURN}}, indent=2).encode()[:90], True),
        (b'\xef\xbb\xbf{"outputs": [{"content": "a \\"b\\"", "role": "user"', True),
        (b'{"id": "a", "output": "x", "messages": [{"role": "user"}]}', False),
        (b'{"id": "a", "input": "?", "messages": [{"role": "user"}]}', False),
        (b'{"status": "success", "samples": [{"messages": [{"role": "user"}]}]}', False),
        (b'{"text": "\\"messages\\": [{\\"role\\": "}', False),
        (b'{"id": "a", "output": "x"}', False),
        (b"id,output\n", False),
        (b"", False),
    ],
)
def test_it_is_recognised_by_what_the_first_record_holds(opening, whether):
    assert recognises(opening) is whether


def test_the_real_trajectory_is_read():
    path = REAL / "agentevals" / "traj.json"
    if not path.is_file():
        pytest.skip(f"not at {path}: set GATE_REAL_DATA")
    run = one(path.read_bytes())
    assert (run.output, run.tools, run.case.expected_tools) == (
        "80F", ("get_weather",), ("get_weather",),
    )  # fmt: skip
    others = [one for one in REAL.rglob("*") if one.is_file() and one != path]
    assert not [one for one in others if recognises(one.read_bytes()[: 64 * 1024])]


def test_instructions_behind_the_answer_are_no_other_turn():
    assert asked(TURN[1], {"role": "system", "content": "be brief"}).output == "Paris"
