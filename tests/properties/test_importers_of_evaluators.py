import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import PredictionsInvalid
from gate.inputs.importers import (
    deepeval,
    inspect_ai,
    lm_eval,
    openai_evals,
    promptfoo,
    pydantic_evals,
    ragas,
    tau_bench,
)
from gate.inputs.importers.found import Found, Gap, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.parts.opening import paths
from gate.inputs.importers.source import Source
from gate.records.json_text import canonical

DATA = Path(__file__).parents[1] / "data" / "importers"
FILES = {
    promptfoo: ("promptfoo/small.json", "promptfoo/small.jsonl", "promptfoo/variants.jsonl"),
    deepeval: ("deepeval/test_run.json", "deepeval/evaluation_result.json"),
    pydantic_evals: ("pydantic_evals/once.json", "pydantic_evals/repeated.json"),
    ragas: ("ragas/results.csv", "ragas/results.jsonl", "ragas/conversation.jsonl"),
    inspect_ai: ("inspect_ai/small.eval", "inspect_ai/small.json"),
    lm_eval: ("lm_eval/samples_mock.jsonl", "lm_eval/samples_choice.jsonl"),
    openai_evals: ("openai_evals/record.jsonl",),
    tau_bench: ("tau_bench/results.json",),
}
ID_FIELDS = {
    inspect_ai: ("metadata.qid", "messages.0"),
    lm_eval: ("doc_hash", "doc"),
    openai_evals: ("sample_id", "data"),
    tau_bench: ("info.task.user_id", "traj"),
}
CASES = [(tool, name) for tool, names in FILES.items() for name in names]
JSONS = [(tool, name) for tool, name in CASES if not name.endswith((".csv", ".eval"))]

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**19), 10**19),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["", "Row #1", "qa [1/2]", "{{q}}", "[output stripped]", "equals", "Error:"]),
)
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def holds(tool, data, id_field=None):
    """Read ``data``, and hold whatever is found to the rules of the seam."""
    source = Source("file", lambda: io.BytesIO(data))
    tool.recognises(source.opening())
    try:
        findings = list(tool.found(source, ImportOptions(id_field=id_field)))
    except PredictionsInvalid:
        return
    for one in findings:
        if not isinstance(one, Found):
            assert isinstance(one, Wrong | Gap | Remark)
            assert one.message
            continue
        assert isinstance(one.id, str)
        assert one.id
        assert (one.output is None) is not (one.error is None)
        assert one.error is None or (one.error and one.scores == ())
        assert sum(score.headline for score in one.scores) <= 1
        names = [score.name for score in one.scores]
        assert len(set(names)) == len(names)
        for score in one.scores:
            assert score.value is None or score.value - score.value == 0
        assert one.repeat is None or one.repeat >= 0
        for amount in (one.cost_usd, one.latency_ms):
            assert amount is None or amount >= 0
        if one.case is not None:
            assert json.loads(one.case.metadata) is not None
            assert isinstance(one.case.input, str)
        json.loads(one.trace or "[]")


def places(value, at=()):
    """Give the path of every value within ``value``."""
    yield at
    if isinstance(value, dict):
        for key, each in value.items():
            yield from places(each, (*at, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from places(each, (*at, index))


def changed(value, at, new):
    if not at:
        return new
    copy = value.copy()
    copy[at[0]] = changed(value[at[0]], at[1:], new)
    return copy


@pytest.mark.parametrize(("tool", "name"), CASES, ids=[name for _, name in CASES])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_mutated_bytes_raise_nothing_but_a_refusal(tool, name, data):
    raw = (DATA / name).read_bytes()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw)))
        cut = data.draw(st.integers(0, 40))
        put = data.draw(
            st.binary(max_size=6) | st.sampled_from([b"[", b'"', b"{}", b"\n", b"NaN"])
        )
        raw = raw[:at] + put + raw[at + cut :]
    holds(tool, raw)
    holds(tool, raw[: data.draw(st.integers(0, len(raw)))])


@pytest.mark.parametrize(("tool", "name"), JSONS, ids=[name for _, name in JSONS])
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_any_json_in_any_place_raises_nothing_but_a_refusal(tool, name, data):
    text = (DATA / name).read_text()
    whole = (
        [json.loads(line) for line in text.splitlines()]
        if name.endswith("l")
        else json.loads(text)
    )
    every = list(places(whole))
    for at in data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=2)):
        try:
            whole = changed(whole, at, data.draw(anything))
        except (KeyError, IndexError, TypeError, AttributeError):
            continue  # the first change took the place of the second away
    lines = whole if name.endswith("l") and isinstance(whole, list) else [whole]
    raw = "".join(json.dumps(line) + "\n" for line in lines).encode()
    usual = ("metadata.id", "vars.q")
    holds(tool, raw, data.draw(st.sampled_from([None, *ID_FIELDS.get(tool, usual)])))


@given(opening=st.binary(max_size=200))
def test_no_bytes_upset_the_look_at_an_opening(opening):
    assert isinstance(paths(opening), frozenset)


@given(value=st.dictionaries(st.text(max_size=5), anything, max_size=4), cut=st.integers(0, 60))
def test_a_cut_opening_has_no_keys_that_the_whole_has_not(value, cut):
    text = canonical_or_none(value)
    if text is not None:
        assert paths(text[:cut]) <= paths(text)


def canonical_or_none(value):
    try:
        return canonical(value).encode()
    except ValueError:
        return None


@settings(max_examples=15, deadline=None)
@given(order=st.permutations(range(12)))
def test_the_order_of_promptfoos_lines_changes_nothing_that_is_found(order):
    lines = (DATA / "promptfoo" / "variants.jsonl").read_bytes().splitlines(keepends=True)

    def found(raw):
        source = Source("file", lambda: io.BytesIO(raw))
        every = promptfoo.found(source, ImportOptions())
        return {one._replace(place="") for one in every if isinstance(one, Found)}

    assert found(b"".join(lines[at] for at in order)) == found(b"".join(lines))
