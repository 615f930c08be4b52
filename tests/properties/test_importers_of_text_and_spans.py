"""No bytes and no JSON break the importers of messages, spans, JUnit XML and plain rows."""

import json
from importlib import import_module
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import PredictionsInvalid
from gate.inputs.importers.found import Found, Gap, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source

DATA = Path(__file__).resolve().parents[1] / "data" / "importers"
FIXTURES = {
    "messages": ("messages/agentevals.json", "messages/openai.jsonl"),
    "otel": ("otel/otlp_base64.json", "otel/otlp_hex.jsonl", "otel/spans.json"),
    "openinference": ("openinference/spans.jsonl",),
    "junit": ("junit/pytest.xml",),
    "plain": ("plain/excel.csv", "plain/semicolons.csv", "plain/rows.jsonl", "plain/rows.json"),
}
KEYS = st.sampled_from(
    [
        *("id", "repeat", "messages", "outputs", "reference_outputs", "role", "type", "content"),
        *(
            "parts",
            "tool_calls",
            "function",
            "name",
            "arguments",
            "data",
            "text",
            "error",
            "output",
        ),
        *(
            "resourceSpans",
            "scopeSpans",
            "spans",
            "traceId",
            "spanId",
            "parentSpanId",
            "attributes",
        ),
        *("key", "value", "stringValue", "intValue", "arrayValue", "values", "status", "code"),
        *("startTimeUnixNano", "context", "trace_id", "span_id", "parent_id", "start_time"),
        *("events", "resource", "labels", "metadata", "tools", "input", "expected", "cost_usd"),
        *("gen_ai.operation.name", "gen_ai.output.messages", "gen_ai.tool.name", "case.id"),
        *("openinference.span.kind", "input.value", "output.value", "tag.tags", "flags"),
    ]
)
WORDS = st.sampled_from(
    [
        *(
            "user",
            "assistant",
            "tool",
            "ai",
            "text",
            "chat",
            "invoke_agent",
            "execute_tool",
            "LLM",
        ),
        *("0" * 32, "1" * 16, "2026-01-01T00:00:00Z", "[1]", "{", '{"case": 1}', "ERROR", "1", ""),
        '[{"role": "assistant", "parts": [{"type": "tool_call"}]}]',
        '[{"role": "user", "content": "?"}]',
    ]
)
SCALARS = st.none() | st.booleans() | st.integers(-1, 2**70) | st.floats() | WORDS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | WORDS, inner, max_size=6),
    max_leaves=40,
)
OPTIONS = st.sampled_from(
    [
        ImportOptions(),
        ImportOptions(id_field="case.id"),
        ImportOptions(id_field="metadata.case"),
        ImportOptions(map=(("output", "output.text"), ("score", "metadata.0"))),
    ]
)


def check(name, data, options):
    module = import_module(f"gate.inputs.importers.{name}")
    assert isinstance(module.recognises(data[: 64 * 1024]), bool)
    try:
        findings = list(module.found(Source("file", lambda: BytesIO(data)), options))
    except PredictionsInvalid as error:
        assert str(error).startswith(("file", "--map", "`"))  # noqa: PT017 - nothing is raised too
        return
    for one in findings:
        assert isinstance(one, (Found, Wrong, Gap, Remark))
        if isinstance(one, Found):
            assert (one.output is None) is not (one.error is None)
            assert one.id
            assert one.error is None or one.error.strip()


@pytest.mark.parametrize("name", FIXTURES)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_fixture_with_bytes_changed_is_read_or_refused(name, data):
    original = (DATA / data.draw(st.sampled_from(FIXTURES[name]))).read_bytes()
    changed = bytearray(original)
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at] = data.draw(st.sampled_from(list(b'\x00\xff"{}[],:<>&;\n\r0a\\')))
    end = data.draw(st.integers(0, len(changed)) | st.just(len(changed)))
    check(name, bytes(changed[:end]), data.draw(OPTIONS))


def places(value, found, holder=None, key=None):
    """List every place in a JSON value, as the container and the key at which it stands."""
    if holder is not None:
        found.append((holder, key))
    if isinstance(value, (dict, list)):
        for at in value if isinstance(value, dict) else range(len(value)):
            places(value[at], found, value, at)
    return found


@pytest.mark.parametrize("name", ["messages", "otel", "openinference", "plain"])
@settings(max_examples=50, deadline=None)
@given(
    data=st.data(),
    news=st.lists(VALUES, min_size=1, max_size=8),
    random=st.randoms(use_true_random=False),
    options=OPTIONS,
)
def test_a_fixture_with_values_replaced_is_read_or_refused(name, data, news, random, options):
    known = [one for one in FIXTURES[name] if not one.endswith(".csv")]
    original = (DATA / data.draw(st.sampled_from(known))).read_text("utf-8").strip()
    try:
        values = [json.loads(original)]
    except json.JSONDecodeError:
        values = [json.loads(line) for line in original.split("\n")]
    everywhere = places(values, [])
    for new in news:
        holder, key = random.choice(everywhere)
        holder[key] = new
    check(name, "\n".join(map(json.dumps, values)).encode(), options)


@pytest.mark.parametrize("name", ["messages", "otel", "openinference", "plain"])
@settings(max_examples=50, deadline=None)
@given(values=st.lists(VALUES, max_size=4), options=OPTIONS, lines=st.booleans())
def test_any_json_of_the_tools_words_is_read_or_refused(name, values, options, lines):
    text = "\n".join(map(json.dumps, values)) if lines else json.dumps(values)
    check(name, text.encode(), options)


@pytest.mark.parametrize("name", FIXTURES)
@settings(max_examples=30, deadline=None)
@given(raw=st.binary(max_size=200), options=OPTIONS)
def test_any_bytes_are_read_or_refused(name, raw, options):
    check(name, raw, options)


@settings(max_examples=50, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), min_size=1),
            st.text(st.characters(codec="utf-8", exclude_characters="\x00\r")),
        ),
        min_size=1, max_size=5,
    ),
    between=st.sampled_from(",;\t|"),
)  # fmt: skip
def test_whatever_the_csv_module_writes_is_read_back(rows, between):
    import csv
    from io import StringIO

    file = StringIO(newline="")
    writer = csv.writer(file, delimiter=between, quoting=csv.QUOTE_ALL)
    writer.writerows([("id", "output"), *rows])
    module = import_module("gate.inputs.importers.plain")
    source = Source("file", lambda: BytesIO(file.getvalue().encode()))
    runs = [one for one in module.found(source, ImportOptions()) if isinstance(one, Found)]
    assert [(run.id, run.output) for run in runs] == rows
