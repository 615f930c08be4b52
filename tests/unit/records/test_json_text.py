import pytest

from gate.records.json_text import (
    MAX_DEPTH,
    MAX_INTEGER_DIGITS,
    JsonRefused,
    as_object_text,
    as_text,
    canonical,
    digest,
    elements,
    loads,
)


def refusal(text, **limits):
    with pytest.raises(JsonRefused) as caught:
        loads(text, **limits)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (" null\r\n", None),
        ("-0", 0),
        ("1E3", 1000.0),
        ('"\\u00e9\\n"', "\u00e9\n"),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\\\ud800"', "\\ud800"),
        ('"\u2028\x85"', "\u2028\x85"),
        ('{"a":{"a":[]}}', {"a": {"a": []}}),
    ],
)
def test_json_is_read(text, value):
    assert loads(text) == value


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}'])
def test_what_is_no_number_is_refused(text):
    assert refusal(text).endswith("is not JSON")


@pytest.mark.parametrize("text", ["1e400", "-1e400", "[1e999999999]", "9" * 400 + ".0"])
def test_a_number_beyond_binary64_is_refused_in_few_words(text):
    assert "beyond the range" in refusal(text)
    assert len(refusal(text)) < 120


def test_a_tiny_number_is_zero():
    assert loads("1e-400") == 0.0


def test_the_digits_of_an_integer_are_limited():
    assert loads("9" * MAX_INTEGER_DIGITS) == 10**MAX_INTEGER_DIGITS - 1
    assert "1000 digits" in refusal("9" * (MAX_INTEGER_DIGITS + 1))


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 1}', '[{"b": {"a": 1, "\\u0061": 2}}]', '{"a":1,"b":2,"a":3}']
)
def test_a_key_that_appears_twice_is_refused(text):
    assert refusal(text) == "key 'a' appears twice in one object"


def test_a_long_duplicate_key_is_shown_in_bounds():
    key = "k" * 10_000
    assert len(refusal(f'{{"{key}":1,"{key}":2}}')) < 1_100


@pytest.mark.parametrize("inner", ["", "1", '"x"'])
def test_arrays_nest_to_the_limit_exactly(inner):
    assert loads("[" * MAX_DEPTH + inner + "]" * MAX_DEPTH)
    assert "nested deeper" in refusal("[" * (MAX_DEPTH + 1) + inner + "]" * (MAX_DEPTH + 1))


def test_objects_nest_to_the_limit_exactly():
    def nested(depth):
        return '{"a":' * depth + "1" + "}" * depth

    assert loads(nested(MAX_DEPTH))
    assert "nested deeper" in refusal(nested(MAX_DEPTH + 1))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 9_999 + "]" * 9_999])
def test_nesting_that_would_exhaust_the_stack_is_refused(text):
    assert refusal(text) == "nested deeper than 100 levels"


def test_many_brackets_side_by_side_or_in_texts_are_no_depth():
    assert len(loads("[" + "[]," * 1000 + "[]]")) == 1001
    assert loads('"' + "[" * 1000 + '"') == "[" * 1000


@pytest.mark.parametrize(
    "text", ['"\\ud800"', '"\\uDfff"', '{"\\uD83D": 1}', '["\\ude00\\ud83d"]']
)
def test_a_lone_surrogate_is_refused(text):
    assert "lone surrogate" in refusal(text)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[" + ",".join(["{}"] * 50) + "]", 51),
        ("[" + ",".join(["[ \n ]"] * 50) + "]", 51),
        ("[" + ",".join(["[[1]]"] * 50) + "]", 151),
        ('{"a":' * 50 + "1" + "}" * 50, 51),
        ("[" + ",".join(["1"] * 50) + "]", 51),
    ],
)
def test_values_are_limited_exactly_and_only_where_asked(text, values):
    assert loads(text) == loads(text, max_values=values)
    assert refusal(text, max_values=values - 1) == f"more than {values - 1} values"


def test_commas_and_brackets_in_texts_are_no_values():
    text = '["' + ",[{" * 100 + '\\"' + "," * 100 + '"]'
    assert loads(text, max_values=5)


@pytest.mark.parametrize("text", ['"' + '\\"' * 200_000, '"' * 200_001, '"' + "\\" * 200_001])
def test_counting_the_values_of_a_broken_text_is_quick_and_leaves_it_to_the_parser(text):
    assert "not JSON" in refusal(text, max_values=10)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ('{"a": "x', "truncated?"),
        ('{"a": 1', "truncated?"),
        ("[1,", "truncated?"),
        ("{'a': 1}", "not JSON: Expecting property name"),
        ("[1] 2", "not JSON: Extra data at column 5"),
        ('[1,\n"a" "b"]', "line 2, column 5"),
        ('"a\tb"', "Invalid control character at column 3"),
        ("True", "not JSON: Expecting value at column 1"),
        ("\ufeff1", "not JSON"),
        ("\x0c1", "not JSON"),
    ],
)
def test_what_is_no_json_is_explained(text, said):
    assert said in refusal(text)


def test_canonical_text_is_the_same_for_equal_values():
    assert canonical(loads('{ "b": 1, "a": [ 1.50, "\\u00e9" ] }')) == '{"a":[1.5,"\u00e9"],"b":1}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [-float("inf")]])
def test_what_is_no_number_is_never_written(value):
    with pytest.raises(ValueError, match="Out of range"):
        canonical(value)


def test_a_digest_is_over_content():
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": 1}) != digest({"a": "1"})
    assert digest(None).startswith("sha256:")
    assert len(digest(None)) == 71


@pytest.mark.parametrize("value", ["[1]", [1], "null", None, "1"])
def test_an_object_text_is_an_object(value):
    with pytest.raises(JsonRefused, match="a JSON object is wanted here"):
        as_object_text(value)


def test_a_text_stays_and_the_rest_becomes_text():
    assert as_text(" [1]\u2028") == " [1]\u2028"
    assert as_text({"b": None, "a": 1.0}) == '{"a":1.0,"b":null}'


def test_elements_are_split_without_being_judged():
    text = ' [ {"a": 1, "a": 2} ,NaN\n, "],[" , [[]], 99e999 ] \n'
    assert list(elements(text)) == ['{"a": 1, "a": 2}', "NaN", '"],["', "[[]]", "99e999"]


@pytest.mark.parametrize("text", ["[]", " [ ] "])
def test_an_empty_array_has_no_elements(text):
    assert list(elements(text)) == []


@pytest.mark.parametrize(
    "text", ["", "{}", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "[1] 2", "[[1]"]
)
def test_a_broken_array_is_refused(text):
    with pytest.raises(JsonRefused):
        list(elements(text))


def test_elements_before_the_break_are_given():
    found = elements("[1, 2, x]")
    assert [next(found), next(found)] == ["1", "2"]
    with pytest.raises(JsonRefused, match="Expecting value at column 8"):
        next(found)


def test_an_array_that_would_exhaust_the_stack_is_refused():
    with pytest.raises(JsonRefused, match="nested deeper"):
        list(elements("[" * 100_000))
