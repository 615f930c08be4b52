import pytest

from gate.metrics.answer_reader import Numeral, read_list_at, read_lists, read_value
from gate.metrics.escapes import unescape, unescape_json
from gate.records.json_text import MAX_DEPTH


def only(text):
    (reading,) = read_lists(text)
    return reading


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("[]", []),
        ("[true, false, null]", [True, False, None]),
        ("[True, False, None]", [True, False, None]),
        ("[NaN, Infinity, -Infinity]", ["NaN", "Infinity", "-Infinity"]),
        ('[{"a": [1]}, {}]', [{"a": ["1"]}, {}]),
        ("[{'a': 1, 2: 'b', c: d}]", [{"a": "1", "2": "b", "c": "d"}]),
        ('[{"a": 1, "a": 2}]', [{"a": "2"}]),
        ('["a\\"b", "\\u00e9"]', ['a"b', "é"]),
        ('["line\nbreak", "\\d"]', ["line\nbreak", "d"]),
        ("['Côte d'Ivoire', 'Xi\\'an']", ["Côte d'Ivoire", "Xi'an"]),
        ("[Côte d'Ivoire, −5, 12 km]", ["Côte d'Ivoire", "−5", "12 km"]),
        ("[10:30, https://example.org]", ["10:30", "https://example.org"]),
        ('["Lima", , 3]', ["Lima", None, "3"]),
        ('["[", "]", "},"]', ["[", "]", "},"]),
        ("[1e5, -0.50]", ["1e5", "-0.50"]),
    ],
)
def test_json_and_its_near_misses_are_read(text, items):
    assert only(text).items == items
    assert only(text).closed


def test_an_unquoted_number_is_told_from_a_text():
    number, text, word = only('[5, "5", +5]').items
    assert isinstance(number, Numeral)
    assert not isinstance(text, Numeral)
    assert not isinstance(word, Numeral)


def test_a_reading_says_where_it_stands_and_how_it_is_written():
    first, second = read_lists("see [1] or [Lima]")
    assert (first.start, first.end, first.quoted) == (4, 7, True)
    assert (second.start, second.end, second.quoted) == (11, 17, False)
    assert not only("[[Lima]]").quoted


@pytest.mark.parametrize(
    "text", ["[1}", "[{]", "[1 2: ", '["a" "b"]', "[{1}]", '[{"a" 1}]', "[{,}]", "[:]"]
)
def test_a_broken_list_is_none(text):
    assert read_lists(text) == ()


def test_nesting_is_bounded_without_touching_the_stack():
    assert only("[" * MAX_DEPTH + "]" * MAX_DEPTH).closed
    assert read_value("[" * 100_000 + "]" * 100_000).startswith("[[")
    assert read_lists("[" * 100_000) == ()
    assert read_lists('[{"a":' * 1000 + "1,") != ()


@pytest.mark.parametrize("unit", ["[", ' ["', " ['a", " [“", '["\\"', "[1,", "[1,234 ", "['"])
def test_a_hostile_repetition_is_read_in_one_pass(unit):
    # Quadratic reading would run into the time limit of the suite.
    for reading in read_lists(unit * 50_000):
        assert reading.start >= 0


def test_a_list_elsewhere_is_not_the_list_that_starts_here():
    assert read_list_at("[oops [1]", 0) is None
    assert read_list_at("[oops [1]", 6).items == ["1"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", ""),
        ("Paris", "Paris"),
        ('"Paris"', "Paris"),
        ("42", "42"),
        ("1, 2", "1, 2"),
        ("[", "["),
        ("]", "]"),
        ("null", None),
        ('{"a": 1}', {"a": "1"}),
        ("[1] and more", "[1] and more"),
        ("42] [", "42] ["),
    ],
)
def test_a_whole_text_is_one_value_or_itself(text, value):
    assert read_value(text) == value


def test_escapes_are_decoded_and_strange_ones_stand_for_themselves():
    assert unescape_json('"a\\tb"') == "a\tb"
    assert unescape_json('"\\x"') == "x"
    assert unescape("\\n\\q\\u0041") == "\nqA"
    assert unescape("\\ud800") == "\ud800"
