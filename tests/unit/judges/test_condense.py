import json

import pytest

from gate.judges.condense import LIMITS, NOT_RECORDED, Limits, condense, shortened


def said(trace, tools=None, **limits):
    text = trace if isinstance(trace, str) else json.dumps(trace)
    return condense(text, tools, limits=LIMITS._replace(**limits))


def test_calls_arguments_outputs_and_errors_are_told_in_order():
    trace = [
        {"type": "tool_call", "tool": "geocode", "arguments": {"q": "Lima"}, "output": [1, 2]},
        {"tool": "area", "args": "Peru", "error": "timeout"},
        {"role": "assistant", "content": "I try again"},
        {"name": "python", "code": "print(1)", "result": "1\n2"},
    ]
    assert said(trace) == (
        '1. call geocode {"q":"Lima"}\n   -> [1,2]\n'
        "2. call area Peru\n   -> error: timeout\n"
        "3. assistant: I try again\n"
        "4. call python print(1)\n   -> 1\n   2"
    )


def test_chat_messages_that_carry_calls_are_read():
    trace = {
        "messages": [
            {"role": "user", "content": "where?"},
            {
                "role": "assistant",
                "content": "let me look",
                "tool_calls": [
                    {"id": "1", "function": {"name": "geocode", "arguments": '{"q": "Lima"}'}},
                    {"id": "2", "function": {"name": "area"}},
                ],
            },
            {"role": "tool", "tool_call_id": "1", "name": "geocode", "content": "-12, -77"},
        ]
    }
    assert said(trace).splitlines() == [
        "1. user: where?",
        "2. assistant: let me look",
        '3. call geocode {"q": "Lima"}',
        "4. call area",
        "5. result of geocode -> -12, -77",
    ]


@pytest.mark.parametrize(
    ("trace", "shown"),
    [
        ([{"odd": [1, None]}], '1. {"odd":[1,null]}'),
        ([["nested"], 3, "text"], '1. ["nested"]\n2. 3\n3. text'),
        ({"steps": [{"thought": "hm", "type": "thought"}]}, "1. thought: hm"),
        ({"tool_calls": [17]}, "1. call 17"),
        ([{"tool_calls": [17]}], "1. call 17"),
        ([{"role": "tool"}], '1. result -> {"role":"tool"}'),
        ([{"role": "assistant", "content": [1]}], '1. {"content":[1],"role":"assistant"}'),
        ("plain prose, no JSON", "1. plain prose, no JSON"),
        ('[{"a": NaN}]', '1. [{"a": NaN}]'),
    ],
)
def test_what_has_no_known_form_is_shown_and_not_dropped(trace, shown):
    assert said(trace) == shown


@pytest.mark.parametrize(
    ("step", "shown"),
    [
        (
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "t", "arguments": "7"},
            },
            "1. call t 7",
        ),
        (
            {
                "role": "assistant",
                "content": "hm",
                "function_call": {"name": "t"},
                "refusal": "no",
            },
            '1. assistant: hm\n   also: {"refusal":"no"}\n2. call t',
        ),
        ({"role": "function", "name": "t", "content": "7"}, "1. result of t -> 7"),
        ({"type": "function_call_output", "call_id": "c", "output": "7"}, "1. result -> 7"),
        ({"role": "assistant", "tool": "t", "arguments": {"q": 1}}, '1. call t {"q":1}'),
        (
            {"role": "user", "name": "Ann", "content": "hi", "input": "x"},
            '1. user: hi\n   also: {"input":"x","name":"Ann"}',
        ),
        (
            {
                "function": {"name": "t", "arguments": "1", "strict": True},
                "output": 7,
                "error": "e",
            },
            '1. call t 1\n   -> 7\n   -> error: e\n   also: {"function":{"strict":true}}',
        ),
        (
            {"tool": "t", "arguments": "1", "input": "2", "content": "why"},
            '1. call t 1\n   also: {"content":"why","input":"2"}',
        ),
        (
            {"tool_calls": [{"name": "t"}], "function_call": {"name": "u"}, "thought": "so"},
            '1. {"thought":"so"}\n2. call t\n3. call u',
        ),
        (
            {"role": "tool", "name": "t", "content": "7", "output": "8", "is_error": True},
            '1. result of t -> 7\n   also: {"is_error":true,"output":"8"}',
        ),
        ({"role": "tool", "tool": "t", "error": "down"}, "1. result of t -> error: down"),
        (
            {"type": "retry", "tool": "t", "output": 7},
            '1. call t\n   -> 7\n   also: {"type":"retry"}',
        ),
        (
            {"role": "assistant", "type": "message", "content": "a", "text": "b"},
            '1. assistant: a\n   also: {"text":"b"}',
        ),
    ],
)
def test_what_a_step_holds_beside_its_usual_form_is_shown_after_it(step, shown):
    assert said([step]) == shown


def test_what_only_numbers_and_dates_is_not_shown_unless_it_says_more():
    step = {
        "id": "call_1",
        "index": 3,
        "timestamp": "2026-07-01T00:00:00Z",
        "tool": "t",
        "args": 1,
    }
    assert said([{**step, "reasoning": None}]) == "1. call t 1"
    assert said([{"tool": "t", "args": 1, "id": {"note": "x"}}]).endswith(
        'also: {"id":{"note":"x"}}'
    )
    assert "also: " in said([{"tool": "t", "args": 1, "timestamp": "x" * 81}])


def test_what_a_trace_holds_beside_its_steps_is_shown():
    trace = {
        "steps": [{"tool": "t", "args": 1}],
        "messages": [{"role": "user", "content": "hi"}],
        "error": "gave up",
        "id": "trace-1",
    }
    assert said(trace) == '1. call t 1\nmessages:\n2. user: hi\nalso: {"error":"gave up"}'
    assert said({"steps": [], "error": "gave up"}, ("t",)) == (
        "Tools called, in order: t\n(their arguments and outputs were not recorded)\n"
        'also: {"error":"gave up"}'
    )
    assert said({"steps": [], "error": "x"}) == 'also: {"error":"x"}'
    assert said({"steps": "none", "messages": [1]}) == '1. 1\nalso: {"steps":"none"}'
    assert said({"steps": [], "id": "trace-1"}) == NOT_RECORDED


def test_what_stands_beside_is_bounded_too():
    assert "characters left out" in said(
        [{"tool": "t", "args": 1, "more": "x" * 50}], arguments=20
    )
    assert "characters left out" in said({"steps": [1], "more": "x" * 50}, message=20)


def test_without_a_trace_the_tools_are_all_there_is_to_say():
    assert condense(None, None) == NOT_RECORDED
    assert condense("[]", ()) == "No tool was called."
    assert condense(None, ("a", "b")).startswith("Tools called, in order: a, b\n")
    assert condense("  ", None) == NOT_RECORDED


def test_each_limit_cuts_the_middle_and_says_how_much():
    long = "x" * 50
    call = [{"tool": "t", "arguments": long, "output": long}]
    assert "call t xxx [... 46 characters left out ...] x\n" in said(call, arguments=4)
    assert "-> xxxxxx [... 42 characters left out ...] xx" in said(call, output=8)
    assert said([{"role": "user", "content": long}], message=4).startswith("1. user: xxx [...")
    assert shortened(long, limit=50) == long


def test_too_many_steps_lose_those_in_the_middle():
    steps = [{"tool": f"t{number}", "args": ""} for number in range(1000)]
    lines = said(steps, whole=200).splitlines()
    assert lines[0] == "1. call t0 "
    assert lines[-1] == "1000. call t999 "
    kept = len(lines) - 1
    assert f"[... {1000 - kept} steps left out ...]" in lines
    assert len("\n".join(lines)) < 260


def test_one_step_beyond_the_whole_leaves_a_word():
    assert said(["x" * 100], whole=10) == "[... 1 steps left out ...]"


def test_the_limits_are_those_of_version_one():
    assert Limits() == (2_000, 4_000, 4_000, 60_000)
