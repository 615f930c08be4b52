import pytest

from gate.inputs.fields import (
    MAX_ID_CHARACTERS,
    expected,
    kind,
    read_amount,
    read_id,
    read_object,
    read_texts,
    shown,
)
from gate.inputs.lines import Unreadable


def refused(read, *arguments):
    problems = []
    assert read(*arguments, problems) is None
    assert len(problems) == 1
    return problems[0]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "true or false"),
        (1, "a whole number"),
        (1.5, "a fraction"),
        ("", "a text"),
        ([], "a list"),
        ({}, "an object"),
    ],
)
def test_every_json_type_has_a_name(value, name):
    assert kind(value) == name
    assert expected("x", "y", value) == f"`x`: expected y, got {name}"


def test_a_shown_text_is_bounded_and_visible():
    assert shown("a\u202eb\x00") == r"'a\u202eb\x00'"
    assert len(shown("\U000e0041" * 10_000)) < 10_020


@pytest.mark.parametrize(
    ("value", "wanted"),
    [("a", "a"), (7, "7"), (-7, "-7"), (0, "0"), ("\u00e9", "\u00e9"), ("e\u0301", "e\u0301")],
)
def test_an_id_is_a_text_or_a_whole_number(value, wanted):
    assert read_id({"id": value}, []) == wanted


@pytest.mark.parametrize("value", [True, 1.0, None, [], {}])
def test_other_types_are_no_id(value):
    assert refused(read_id, {"id": value}).startswith("`id`: expected a text or a whole number")


def test_a_missing_id_is_called_missing():
    assert refused(read_id, {}) == "`id`: is missing"


def test_an_empty_id_is_refused():
    assert refused(read_id, {"id": ""}) == "`id`: is empty"


def test_the_length_of_an_id_is_limited_and_the_message_is_bounded():
    assert read_id({"id": "x" * MAX_ID_CHARACTERS}, []) == "x" * MAX_ID_CHARACTERS
    message = refused(read_id, {"id": "x" * (MAX_ID_CHARACTERS + 1)})
    assert "1001 characters, more than 1000" in message
    assert len(message) < 1_100


def test_a_list_of_texts_becomes_a_tuple():
    assert read_texts("tools", ["a", "b", "a"], []) == ("a", "b", "a")
    assert read_texts("tools", [], []) == ()


def test_a_text_is_not_a_list_of_letters():
    assert refused(read_texts, "tools", "search") == (
        "`tools`: expected a list of texts, got a text"
    )


def test_the_first_wrong_element_is_named():
    assert refused(read_texts, "tools", ["a", 1, None]) == (
        "`tools[1]`: expected a text, got a whole number"
    )


@pytest.mark.parametrize("value", [0, 0.0, 3, 2.5])
def test_an_amount_is_a_number_from_zero(value):
    assert read_amount("cost_usd", value, []) == float(value)


def test_minus_zero_is_zero():
    assert str(read_amount("cost_usd", -0.0, [])) == "0.0"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (True, "`cost_usd`: expected a number, got true or false"),
        ("1", "`cost_usd`: expected a number, got a text"),
        (-0.5, "`cost_usd`: -0.5 is below 0"),
        (10**400, "`cost_usd`: the number is beyond the range of a 64-bit float"),
    ],
)
def test_other_amounts_are_refused(value, message):
    assert refused(read_amount, "cost_usd", value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (Unreadable("a NUL byte"), "a NUL byte"),
        ("[", "not JSON"),
        ("null", "expected a JSON object, got null"),
        ("3", "expected a JSON object, got a whole number"),
    ],
)
def test_a_record_is_one_json_object(text, message):
    assert refused(read_object, text).startswith(message)


def test_a_record_may_be_limited_in_its_values():
    problems = []
    assert read_object('{"a":[1,2,3]}', problems, max_values=3) is None
    assert problems == ["more than 3 values"]
