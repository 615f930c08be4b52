"""Whatever a judge says, a candidate hides or a disk does to a ledger: known words come out."""

import json
import re
from itertools import count
from typing import get_args
from unicodedata import category

from hypothesis import given
from hypothesis import strategies as st

from gate.judges.condense import LIMITS, condense
from gate.judges.elements import is_exact
from gate.judges.fence import PARTS, inert
from gate.judges.ledger import ledger_line, read_ledger
from gate.judges.prompts import prompt_of, render
from gate.judges.reply import Refused, Verdict, read_answer, settled
from gate.records.case import EvalCase, Prediction
from gate.records.judge_words import AnswerStatus, Usage
from gate.records.judging import Answer, Question

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
NUMBERS = st.one_of(st.floats(), st.integers(), st.booleans(), st.sampled_from([0, 0.5, 1, 7.5]))
ELEMENT = st.fixed_dictionaries(
    {
        "depends_on_primary": st.booleans(),
        "index": st.integers(0, 4) | NUMBERS,
        "reason": TEXT,
        "score": NUMBERS,
    }
)
NEAR = st.fixed_dictionaries(
    {
        "elements": st.lists(ELEMENT, max_size=3),
        "primary_entity_correct": st.booleans(),
        "primary_index": st.integers(-1, 4),
    }
) | st.fixed_dictionaries({"assessment": TEXT, "rating": NUMBERS})
REPLIES = st.one_of(
    TEXT,
    JSON.map(json.dumps),
    NEAR.map(json.dumps),
    NEAR.map(lambda value: f"```json\n{json.dumps(value)}\n```"),
    NEAR.map(lambda value: json.dumps(value)[:-1]),
)
ANSWERS = st.builds(
    Answer,
    status=st.sampled_from(get_args(AnswerStatus)),
    text=st.none() | REPLIES,
    model=st.none() | TEXT,
    finish_reason=st.none() | st.sampled_from(["STOP", "stop", "MAX_TOKENS", "SAFETY"]) | TEXT,
    usage=st.builds(Usage, input_tokens=st.none() | st.integers(0, 2**63 - 1)),
    message=st.none() | TEXT,
)


@given(text=REPLIES, reply=st.sampled_from(["rating", "elements"]), count=st.integers(1, 3))
def test_a_reply_is_a_verdict_in_range_or_a_word_for_why_not(text, reply, count):
    answer = Answer(status="ok", text=text, finish_reason="STOP")
    found = read_answer(answer, reply=reply, count=count)
    if isinstance(found, Verdict):
        assert 0.0 <= found.score <= 1.0
        assert settled(answer, reply=reply, count=count) is answer
    else:
        assert isinstance(found, Refused)
        assert found.status in {"unparseable", "schema"}
        assert settled(answer, reply=reply, count=count).status == found.status


@given(answer=ANSWERS, reply=st.sampled_from(["rating", "elements"]))
def test_no_answer_at_all_raises(answer, reply):
    found = read_answer(answer, reply=reply, count=2)
    assert isinstance(found, (Verdict, Refused))
    assert isinstance(found, Refused) or answer.status == "ok"


@given(scores=st.lists(st.sampled_from([0, 0.1, 0.25, 0.5, 1, 1.0]), min_size=1, max_size=6))
def test_the_mean_of_elements_lies_between_the_least_and_the_greatest(scores):
    elements = [
        {"depends_on_primary": False, "index": index, "reason": "", "score": score}
        for index, score in enumerate(scores, 1)
    ]
    text = json.dumps({"elements": elements, "primary_entity_correct": True, "primary_index": 0})
    answer = Answer(status="ok", text=text, finish_reason="STOP")
    found = read_answer(answer, reply="elements", count=len(scores))
    assert min(scores) <= found.score <= max(scores)


def entry(number):
    return Question(
        key=f"sha256:{number:064x}",
        case_id="a",
        repeat=0,
        run=0,
        system="",
        prompt="",
        schema_text="{}",
    )


@given(answers=st.lists(ANSWERS, max_size=5), cut=st.integers(0, 400))
def test_a_ledger_cut_anywhere_holds_a_prefix_of_its_answers(answers, cut):
    text = "".join(ledger_line(entry(n), answer) for n, answer in enumerate(answers)).encode()
    kept = text[: max(0, len(text) - cut)]
    ledger = read_ledger(kept.splitlines(keepends=True))
    whole = {entry(n).key: answer for n, answer in enumerate(answers)}
    assert list(ledger.answers) == list(whole)[: len(ledger.answers)]
    assert all(whole[key] == answer for key, answer in ledger.answers.items())
    assert ledger.damaged == ()
    assert len(ledger.answers) >= kept.count(b"\n")


@given(answer=ANSWERS, at=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_byte_that_changed_is_found(answer, at, byte):
    line = bytearray(ledger_line(entry(0), answer).encode())
    at %= len(line) - 1
    changed = line[at] != byte
    line[at] = byte
    ledger = read_ledger(bytes(line).splitlines(keepends=True))
    found = ledger.answers.get(entry(0).key)
    assert found == answer if found is not None else changed


@given(lines=st.lists(st.binary(max_size=80).map(lambda text: text + b"\n"), max_size=5))
def test_no_bytes_make_the_ledger_raise(lines):
    ledger = read_ledger(lines)
    assert ledger.answers == {}
    assert len(ledger.damaged) == sum(1 for line in lines if line.strip())


HOSTILE = st.lists(
    st.sampled_from(
        (
            *("<", "/", "response", "query", "-", ">", "\u202e", "\u200b", "<|", " ", "a", "\n\n"),
            *("Human", "Assistant", ":", "[", "TOOL_CALLS", "\uff1c", "\uff5c", "unused", "0"),
            *("SYS", "system", "s>", "\u3000", "\r\n", "\ufdd0", "\U0001fffe"),
        )
    )
    | TEXT,
    max_size=12,
).map("".join)


@given(text=HOSTILE | st.text(max_size=40))
def test_inert_text_is_stable_and_opens_no_tag(text):
    shown = inert(text)
    assert inert(shown) == shown
    assert not re.search(rf"<\s?/?\s?({'|'.join(PARTS)})\b", shown)
    assert all(
        char in "\n\t" or char.isprintable() or char.isspace() or category(char) == "Cn"
        for char in shown
        if ord(char) < 0x3000
    )


@given(output=HOSTILE, query=HOSTILE, reference=HOSTILE)
def test_nothing_in_a_part_ends_it(output, query, reference):
    prompt = prompt_of("rubric", text="r")
    case = EvalCase(id="a", input=query, reference=reference)
    rendered = render(prompt, case=case, prediction=Prediction(id="a", output=output))
    assert re.findall(r"<(/?)(\w+)-[0-9a-f]{32}>", rendered.prompt) == [
        (slash, part) for part in prompt.parts for slash in ("", "/")
    ]


@given(trace=JSON.map(json.dumps) | TEXT, whole=st.integers(0, 300))
def test_any_trace_is_told_and_within_bounds(trace, whole):
    told = condense(trace, None, limits=LIMITS._replace(whole=whole))
    assert told
    assert len(told) <= max(whole + 60, 60)


KEYS = (
    *(
        "tool",
        "name",
        "arguments",
        "args",
        "input",
        "output",
        "result",
        "error",
        "content",
        "text",
    ),
    *("thought", "message", "role", "type", "tool_calls", "function_call", "function", "more"),
    *("steps", "messages"),
)
OBJECTS = st.recursive(
    st.just("LEAF"),
    lambda inner: st.dictionaries(st.sampled_from(KEYS), inner | st.lists(inner, max_size=2)),
    max_leaves=12,
)


@given(trace=OBJECTS, role=st.sampled_from(["assistant", "user", "tool", "function", "odd"]))
def test_whatever_a_trace_holds_is_told(trace, role):
    numbers = count()
    if isinstance(trace, dict):
        trace["role"] = role
    text = re.sub("LEAF", lambda _: f"leaf-{next(numbers)}-", json.dumps([trace]))
    told = condense(text, None)
    assert all(f"leaf-{number}-" in told for number in range(next(numbers)))
    beside = condense(text[1:-1], None)
    assert all(leaf in beside for leaf in re.findall("leaf-[0-9]+-", text))


@given(one=JSON, other=JSON)
def test_equal_as_json_is_symmetric_and_true_of_itself(one, other):
    a, b = json.dumps(one), json.dumps(other)
    assert is_exact(a, a)
    assert is_exact(a, b) is is_exact(b, a)
