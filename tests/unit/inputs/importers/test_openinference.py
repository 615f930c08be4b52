import json
import os
from io import BytesIO
from pathlib import Path

import pytest

from gate.inputs.importers.found import Found, Gap, Remark
from gate.inputs.importers.openinference import found, recognises
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.otel import recognises as is_otel
from gate.inputs.importers.source import Source

DATA = Path(__file__).resolve().parents[3] / "data" / "importers" / "openinference"
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")
SPANS = (DATA / "spans.jsonl").read_bytes()
CALLED = "llm.output_messages.0.message.tool_calls"


def read(data, **options):
    if not isinstance(data, bytes):
        data = json.dumps(data).encode()
    return list(found(Source("spans.json", lambda: BytesIO(data)), ImportOptions(**options)))


def span(number, kind, *, parent=None, **attributes):
    return {
        "name": "step",
        "context": {"trace_id": "0" * 31 + "1", "span_id": f"{number:016x}"},
        "parent_id": None if parent is None else f"{parent:016x}",
        "start_time": number,
        "end_time": number + 1,
        "status": {"status_code": "OK"},
        "attributes": {"openinference.span.kind": kind} | attributes.pop("also", {}) | attributes,
    }


def root(output, **more):
    return span(1, "CHAIN", also={"output.value": output, "input.value": "?"} | more)


def test_a_run_of_langchain_gives_what_it_says_and_the_tools_in_the_order_of_the_calls():
    first, second = read(SPANS, id_field="metadata.case")
    assert (first.id, first.output, first.error) == ("geo-1", "392 km", None)
    assert first.tools == ("search", "search", "calc")
    assert (first.case.input, first.case.labels) == ("How far is Paris from Lyon?", ("geo",))
    assert json.loads(first.trace)[0] == {"tool": "search", "arguments": "q0", "output": "result"}
    assert (second.id, second.output, second.tools) == ("geo-2", None, ("search",))
    assert second.error == "RuntimeError('the model is gone')"


def test_the_later_spans_repeat_earlier_calls_and_nothing_is_counted_twice():
    spans = [json.loads(line) for line in SPANS.splitlines()]
    kept = [one for one in spans if one["attributes"].get("openinference.span.kind") != "TOOL"]
    assert len(kept) < len(spans)
    assert read(kept)[0].tools == ("search", "search", "calc")


def test_without_an_id_field_the_trace_id_is_the_place():
    findings = read(SPANS)
    assert all(run.by_place for run in findings[:2])
    assert isinstance(findings[2], Remark)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("Paris", "Paris"),
        ('{"output": "Paris", "log": "x"}', "Paris"),
        ('{"messages": [{"role": "user", "content": "?"}, {"type": "ai", "content": "Paris"}]}',
         "Paris"),
        ('[{"role": "assistant", "content": "Paris"}]', "Paris"),
        ('{"b": 1, "a": [2]}', '{"a":[2],"b":1}'),
        ('"Paris"', "Paris"),
        ("1.50", "1.50"),
        (3, "3"),
    ],
)  # fmt: skip
def test_a_state_is_read_for_what_it_says(value, said):
    assert read([root(value)])[0].output == said


def test_the_last_model_is_asked_where_the_root_says_nothing():
    message = {"llm.output_messages.0.message.role": "assistant",
               "llm.output_messages.0.message.content": "Paris",
               "llm.input_messages.0.message.role": "user",
               "llm.input_messages.0.message.content": "?"}  # fmt: skip
    run = read([span(2, "LLM", parent=1, also=message), span(1, "AGENT")])[0]
    assert (run.output, run.tools, run.case.input) == ("Paris", (), "?")


def test_calls_in_the_models_messages_stand_in_their_order():
    calls = {f"{CALLED}.{at}.tool_call.function.name": f"t{at}" for at in (10, 2, 0)}
    run = read([span(2, "LLM", parent=1, also=calls), root("x")])[0]
    assert run.tools == ("t0", "t2", "t10")


def test_a_run_without_its_root_is_a_gap():
    lines = [line for line in SPANS.splitlines() if b'"parent_id": null' not in line]
    gaps = [one for one in read(b"\n".join(lines)) if isinstance(one, Gap)]
    assert len(gaps) == 1


def test_labels_come_from_tags_and_metadata():
    more = {"tag.tags": '["a", "b"]', "metadata": '{"labels": ["c"], "tags": "d"}'}
    assert read([root("x", **more)])[0].case.labels == ("a", "b", "c", "d")


def test_spans_of_others_are_left_out_and_counted():
    web = span(5, "CHAIN")
    web["attributes"] = {"http.route": "/"}
    findings = read([web])
    assert not [one for one in findings if isinstance(one, Found)]
    assert findings == [Remark("traces without a span of OpenInference, and so no runs: 1")]


def test_it_is_recognised_by_its_own_attribute():
    assert recognises(SPANS[: 64 * 1024])
    assert not is_otel(SPANS[: 64 * 1024])
    for one in REAL.rglob("*"):
        assert not (one.is_file() and recognises(one.read_bytes()[: 64 * 1024])), one
