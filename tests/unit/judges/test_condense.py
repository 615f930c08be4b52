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
