import json
import os
from io import BytesIO
from pathlib import Path

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers.found import Found, Gap, Remark, Wrong
from gate.inputs.importers.openinference import recognises as is_openinference
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.otel import found, recognises
from gate.inputs.importers.source import Source

DATA = Path(__file__).resolve().parents[3] / "data" / "importers" / "otel"
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent") / "otel_genai"
FILES = ["otlp_base64.json", "otlp_hex.jsonl", "spans.json"]
TRACE = "0" * 31 + "1"
USER = {"role": "user", "parts": [{"type": "text", "content": "?"}]}


def read(data, **options):
    if not isinstance(data, bytes):
        data = json.dumps(data).encode()
    return list(found(Source("spans.json", lambda: BytesIO(data)), ImportOptions(**options)))


def runs(data, **options):
    return [one for one in read(data, **options) if isinstance(one, Found)]


def told(data, kind, **options):
    return [one.message for one in read(data, **options) if isinstance(one, kind)]


def span(number, operation=None, *, parent=None, start=None, trace=TRACE, error=None, **more):
    attributes = {f"gen_ai.{key}": said for key, said in more.items()}
    attributes |= attributes.pop("gen_ai.extra", {})
    if operation:
        attributes["gen_ai.operation.name"] = operation
    status = {"status_code": "ERROR", "description": error} if error else {"status_code": "UNSET"}
    at = number if start is None else start
    return {
        "name": operation or "work",
        "context": {"trace_id": f"0x{trace}", "span_id": f"0x{number:016x}"},
        "parent_id": None if parent is None else f"0x{parent:016x}",
        "start_time": f"2026-01-01T00:00:{at:02}.000000Z",
        "end_time": f"2026-01-01T00:00:{at + 1:02}.000000Z",
        "status": status,
        "attributes": attributes,
    }


def tool(number, name, **more):
    return span(number, "execute_tool", **{"tool.name": name}, **more)


def said(*parts):
    return json.dumps([{"role": "assistant", "parts": list(parts)}])


def text(content):
    return {"type": "text", "content": content}


def agent(number=1, answer="Paris", **more):
    messages = {"output.messages": said(text(answer)), "input.messages": json.dumps([USER])}
    return span(number, "invoke_agent", **messages, **more)


@pytest.mark.parametrize("name", FILES)
def test_each_kind_of_file_gives_the_runs_with_their_tools_in_the_order_of_the_calls(name):
    first, second, third = read((DATA / name).read_bytes(), id_field="case.id")
    assert [run.id for run in (first, second, third)] == ["geo-1", "geo-2", "geo-3"]
    assert first.tools == ("search", "search", "calc")
    assert (first.output, first.case.input) == ("392 km", "How far is Paris from Lyon?")
    assert (second.output, second.error, second.tools) == ("392 km", None, ("calc",))
    assert (third.output, third.error) == (None, "RuntimeError: the model is gone")
    assert third.tools == ("search",)
    assert json.loads(first.trace)[0] == {
        "tool": "search", "arguments": {"query": "q0"}, "output": "result",
    }  # fmt: skip
    assert first.latency_ms > 0
    assert not first.by_place


def test_ids_in_hexadecimal_and_in_base64_are_the_same_ids():
    places = [[run.place for run in runs((DATA / name).read_bytes())] for name in FILES]
    assert places[0] == places[1] == places[2]


def test_what_the_console_exporter_prints_is_read_span_by_span():
    data = (DATA / "console.txt").read_bytes()
    assert recognises(data[: 64 * 1024])
    first, second = runs(data)
    assert first.tools == ("search", "search", "calc")
    assert second.tools == ("calc",)
    assert len(told(data, Gap)) == 1  # the second agent's span is not in it


def test_without_an_id_field_the_trace_id_is_the_place_and_a_remedy_is_named():
    findings = read((DATA / "spans.json").read_bytes())
    assert all(run.by_place and len(run.id) == 32 for run in findings[:3])
    assert [type(one) for one in findings[3:]] == [Remark]
    assert "--id-field case.id" in findings[3].message


def test_spans_are_sorted_by_their_start_though_they_come_as_they_ended():
    spans = [tool(4, "c", parent=1), tool(2, "a", parent=1), tool(3, "b", parent=1), agent()]
    assert runs(spans)[0].tools == ("a", "b", "c")


def test_calls_of_one_moment_stand_as_the_model_asked_for_them():
    asked = said(
        {"type": "tool_call", "id": "1", "name": "a"},
        {"type": "tool_call", "id": "2", "name": "b"},
    )
    spans = [
        tool(4, "b", parent=1, start=3, **{"tool.call.id": "2"}),
        tool(3, "a", parent=1, start=3, **{"tool.call.id": "1"}),
        span(2, "chat", parent=1, **{"output.messages": asked}),
        agent(),
    ]
    assert runs(spans)[0].tools == ("a", "b")


def test_a_tool_that_failed_is_not_the_failure_of_the_run():
    run = runs([tool(2, "a", parent=1, error="boom"), agent()])[0]
    assert (run.output, run.error) == ("Paris", None)


def test_the_error_of_the_agent_or_of_the_root_is_the_runs():
    inside = agent(2, parent=1, error="ValueError: no")
    assert runs([inside, span(1)])[0].error == "ValueError: no"
    assert runs([agent(2, parent=1), span(1, error="dead")])[0].error == "dead"


def test_an_agent_that_another_called_may_fail_and_its_tools_count():
    inner = [agent(3, "no", parent=2, error="lost"), tool(4, "deep", parent=3)]
    run = runs([*inner, tool(2, "ask", parent=1), agent()])[0]
    assert (run.output, run.error, run.tools) == ("Paris", None, ("ask", "deep"))


def test_without_tool_spans_the_calls_of_the_models_count_once():
    calls = said({"type": "tool_call", "id": "1", "name": "a"})
    history = json.dumps([USER, json.loads(calls)[0]])
    spans = [
        span(1, "chat", **{"output.messages": calls, "input.messages": json.dumps([USER])}),
        span(2, "chat", parent=1,
             **{"input.messages": history, "output.messages": said(text("Paris"))}),
    ]  # fmt: skip
    run = runs(spans)[0]
    assert (run.tools, run.output, run.case.input) == (("a",), "Paris", "?")


def test_a_run_that_records_no_answer_is_an_error_that_names_the_remedy():
    run = runs([span(1, "invoke_agent")])[0]
    assert run.output is None
    assert "CAPTURE_MESSAGE_CONTENT" in run.error
    assert run.tools is None
    lost = runs([span(2, "chat", parent=1, error="429"), span(1, "invoke_agent")])[0]
    assert lost.error.endswith("the last error in them: 429")


def test_a_run_without_its_outer_span_is_a_gap_unless_its_parent_is_another_processs():
    chat = span(2, "chat", parent=9, **{"output.messages": said(text("x"))})
    assert told([chat], Gap)[0].startswith("runs without the span around them")
    assert not told([chat | {"flags": 0x300}], Gap)
    assert not told([agent(2, parent=9)], Gap)
    assert told([agent(2, parent=9) | {"flags": 0x100}], Gap)
    assert not told([agent(2, parent=9) | {"flags": 0x300}], Gap)


def test_an_agent_that_was_called_does_not_stand_in_for_the_one_that_died():
    inner = [tool(2, "ask", parent=1), agent(3, "fact: Paris", parent=2)]
    assert not told([agent(1, "Paris"), *inner], Gap)
    assert told(inner, Gap)[0].startswith("runs without the span around them")


def test_of_several_agents_the_last_answers_whichever_began_first():
    first, last = agent(1, "right", start=1), agent(5, "wrong", start=5)
    assert [run.output for run in runs([first, last])] == ["wrong"]
    assert [run.output for run in runs([last, first])] == ["wrong"]
    away = {"parent_id": f"0x{9:016x}", "flags": 0x300}
    assert [run.output for run in runs([first | away, last | away])] == ["wrong"]


@pytest.mark.parametrize(
    "code", ["2", 2, 2.0, "error", "Error", "STATUS_CODE_ERROR", 99, True, []]
)
def test_a_status_that_is_not_known_to_be_fine_is_an_error(code):
    (run,) = runs([agent() | {"status": {"status_code": code}}])
    assert run.output is None
    assert run.error == "the span's status is ERROR"


@pytest.mark.parametrize("code", [None, "", "OK", "unset", "StatusCode.OK", 0, 1, "1"])
def test_a_status_that_is_fine_is_none(code):
    assert runs([agent() | {"status": {"status_code": code}}])[0].error is None


def test_traces_without_an_agent_are_left_out_and_counted():
    web = span(5, trace="f" * 32, extra={"http.route": "/"})
    findings = read([web, agent()])
    assert len([one for one in findings if isinstance(one, Found)]) == 1
    assert told([web, agent()], Remark)[0] == ("traces without a span of GenAI, and so no runs: 1")


def test_a_case_that_never_came_to_its_agent_is_there_all_the_same():
    dead = span(5, trace="f" * 32, error="no network", extra={"case.id": "b"})
    found_runs = runs([dead, agent(extra={"case.id": "a"})], id_field="case.id")
    assert {run.id: run.error for run in found_runs} == {"a": None, "b": "no network"}


def test_a_trace_around_a_whole_evaluation_is_split_at_the_cases():
    spans = [span(1, error="")]
    for at, case in ((2, "a"), (5, "b")):
        spans += [
            span(at, parent=1, extra={"case.id": case}),
            agent(at + 1, f"answer {case}", parent=at),
            tool(at + 2, f"tool {case}", parent=at + 1),
        ]
    first, second = runs(spans, id_field="case.id")
    assert (first.id, first.output, first.tools) == ("a", "answer a", ("tool a",))
    assert (second.id, second.output, second.tools) == ("b", "answer b", ("tool b",))


def test_an_id_that_every_span_bears_is_one_run():
    mark = {"extra": {"case.id": "a"}}
    spans = [span(1), agent(2, parent=1, **mark), tool(3, "t", parent=1, **mark)]
    (run,) = runs(spans, id_field="case.id")
    assert (run.id, run.tools) == ("a", ("t",))


def test_spans_beside_each_other_of_one_case_among_several_are_not_guessed_at():
    spans = [span(1)]
    spans += [agent(at, parent=1, extra={"case.id": case}) for at, case in ((2, "a"), (3, "b"))]
    stray = tool(4, "t", parent=1, extra={"case.id": "a"})
    assert [run.id for run in runs(spans, id_field="case.id")] == ["a", "b"]
    assert told([*spans, stray], Wrong, id_field="case.id") == [
        "several spans beside each other are of the case 'a': which of them is a run?"
    ]
    again = agent(4, parent=1, extra={"case.id": "a"})
    assert [run.id for run in runs([*spans, again], id_field="case.id")] == ["a", "a", "b"]


def test_a_trace_without_the_id_field_is_wrong():
    assert told([agent()], Wrong, id_field="case.id") == [
        "`case.id`: no span has it, and --id-field says that the id is there"
    ]


def test_the_id_may_be_inside_an_attribute_or_of_the_resource():
    inside = agent(extra={"metadata": '{"case": 7}'})
    assert runs([inside], id_field="metadata.case")[0].id == "7"
    shared = agent() | {"resource": {"attributes": {"case.id": "r"}}}
    assert runs([shared], id_field="case.id")[0].id == "r"


def test_latency_is_the_agents():
    spans = [span(1) | {"end_time": "2026-01-01T00:00:59Z"}, agent(2, parent=1)]
    assert runs(spans)[0].latency_ms == 1000.0


def test_otlp_values_of_every_kind_are_read():
    values = {
        "s": {"stringValue": "x"}, "i": {"intValue": "7"}, "j": {"intValue": 7},
        "b": {"boolValue": True}, "d": {"doubleValue": 0.5}, "n": {},
        "l": {"arrayValue": {"values": [{"stringValue": "x"}]}},
        "m": {"kvlistValue": {"values": [{"key": "case", "value": {"intValue": "9"}}]}},
    }  # fmt: skip
    attributes = [{"key": key, "value": value} for key, value in values.items()]
    attributes.append({"key": "gen_ai.operation.name", "value": {"stringValue": "invoke_agent"}})
    one = {"traceId": TRACE, "spanId": "1" * 16, "name": "a", "startTimeUnixNano": "1",
           "endTimeUnixNano": "2", "attributes": attributes, "status": {"code": 2}}  # fmt: skip
    data = {"resourceSpans": [{"scopeSpans": [{"spans": [one]}]}]}
    for field, name in (("s", "x"), ("i", "7"), ("j", "7"), ("m.case", "9"), ("l.0", "x")):
        assert runs(data, id_field=field)[0].id == name
    assert runs(data, id_field="s")[0].error == "the span's status is ERROR"
    assert told(data, Wrong, id_field="b") == [
        "`b`: expected a text or a whole number, got true or false"
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"context": {"trace_id": "0x12", "span_id": "0x" + "1" * 16}},
         "the trace id: expected 32 hexadecimal digits, or their bytes in base64"),
        ({"context": {"trace_id": TRACE}},
         "the span id: expected 16 hexadecimal digits, or their bytes in base64"),
        ({"parent_id": []},
         "the parent's id: expected 16 hexadecimal digits, or their bytes in base64"),
        ({"start_time": "noon"},
         "the start time: expected nanoseconds, or a time of UTC like 2026-01-31T12:00:00.5Z"),
        ({"start_time": "2026-13-01T00:00:00Z"},
         "the start time: expected nanoseconds, or a time of UTC like 2026-01-31T12:00:00.5Z"),
    ],
)  # fmt: skip
def test_an_odd_span_is_told_and_the_others_are_read(change, message):
    data = [agent(), tool(2, "t", parent=1) | change]
    assert told(data, Wrong) == [message]
    assert runs(data)[0].output == "Paris"


def test_spans_whose_parents_run_in_a_circle_end():
    spans = [agent(1, parent=2), agent(2, parent=1)]
    assert len(runs(spans)) == 1
    spans[0]["attributes"]["case.id"] = "a"
    spans[1]["attributes"]["case.id"] = "b"
    assert runs(spans, id_field="case.id")


@pytest.mark.parametrize("name", FILES)
def test_a_truncated_file_is_refused_or_told(name):
    data = (DATA / name).read_bytes()[:-100]
    try:
        findings = read(data)
    except PredictionsInvalid:
        return
    assert [type(one) for one in findings if not isinstance(one, Found)] == [Wrong]


def test_odd_carriers_are_told():
    for data in ({"resourceSpans": 3}, {"resourceSpans": [3]},
                 {"resourceSpans": [{"scopeSpans": [{"spans": [None]}]}]}, [3]):  # fmt: skip
        assert len(told(data, Wrong)) == 1


def test_it_is_recognised_by_its_keys():
    for name in FILES:
        opening = (DATA / name).read_bytes()[: 64 * 1024]
        assert recognises(opening)
        assert not is_openinference(opening)
    assert not recognises(b'{"id": "a", "output": "{\\"trace_id\\": 1}"}')


@pytest.mark.parametrize(
    "name", ["otlp_json_hexids.json", "otlp_protobuf_json_base64ids.json", "spans.json"]
)
def test_the_real_run_gives_its_tools_in_order_and_its_error(name):
    if not (REAL / name).is_file():
        pytest.skip(f"not at {REAL / name}: set GATE_REAL_DATA")
    data = (REAL / name).read_bytes()
    run = runs(data)[0]
    assert (run.id, run.tools) == ("0b78f4a1a5a9c629d4ac17dfac150d79", ("search", "calc"))
    assert (run.output, run.error) == (None, "ValueError: bad expr")
    others = [one for one in REAL.parent.rglob("*") if one.is_file() and one.parent != REAL]
    assert not [one for one in others if recognises(one.read_bytes()[: 64 * 1024])]


def test_a_span_that_was_delivered_twice_is_read_once():
    spans = [agent(), tool(2, "search", parent=1), tool(3, "calc", parent=1)]
    (run,) = runs([*spans, spans[1], spans[0]])
    assert run.tools == ("search", "calc")
    assert told([*spans, spans[1], spans[0]], Remark)[0].endswith("are read once: 2")
    other = tool(2, "delete", parent=1)
    assert "stands twice" in told([*spans, other], Wrong)[0]
