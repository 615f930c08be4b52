import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.metrics.answer_reader import Numeral, read_lists, read_value
from gate.metrics.quantity import read_quantity
from gate.metrics.structured import score_structured_answer as score

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["12 km", "$80,000", "69.75%", "nan", "[", '"', "1,234", "−5", "true", ""])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
LISTS = st.lists(VALUES, max_size=6)
NOISE = st.text(alphabet="[]{}\"',:\\ \n0123456789.eE+-−–abNaTrue“”`_%$km\ud800٣", max_size=60)
PIECES = st.sampled_from(
    [*"0159.,-+−–~≈$€%°NSWex×*^() ", "1,234", "10", "\u202f", "about", "million", "USD", "km", "٣"]
)
SHAPES = st.sampled_from(
    [
        "{}",
        " {}\n",
        "```json\n{}\n```",
        "```\n{}\n```",
        "The answer is {}.",
        "Let me think.\n\nAnswer: {}\n\nDone",
    ]
)
SPACE = st.text(alphabet=" \t\n\r", max_size=3)
DECIMALS = st.decimals(
    allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000, places=3
)


def plain(value):
    """Bring a reading back to what json.loads gives for the same text."""
    if isinstance(value, Numeral):
        return json.loads(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def spaced(value, draw_space):
    if isinstance(value, list):
        inner = ",".join(draw_space() + spaced(item, draw_space) + draw_space() for item in value)
        return f"[{draw_space()}{inner}{draw_space()}]"
    if isinstance(value, dict):
        inner = ",".join(
            f"{draw_space()}{json.dumps(key)}{draw_space()}:{spaced(item, draw_space)}"
            for key, item in value.items()
        )
        return f"{{{inner}{draw_space()}}}"
    return json.dumps(value)


@given(NOISE | st.text(), NOISE | st.text())
def test_no_pair_of_texts_raises_or_leaves_the_unit_interval(output, golden):
    assert 0.0 <= score(output, golden) <= 1.0


@given(LISTS, LISTS)
def test_no_pair_of_lists_leaves_the_unit_interval(answer, golden):
    assert 0.0 <= score(json.dumps(answer), json.dumps(golden)) <= 1.0


@given(LISTS, SHAPES, st.booleans())
def test_a_golden_list_equals_itself_in_any_shape(golden, shape, ascii_only):
    text = json.dumps(golden, ensure_ascii=ascii_only)
    assert score(shape.replace("{}", text), text) == 1.0


@given(st.data(), LISTS)
def test_white_space_between_elements_does_not_matter(data, golden):
    text = spaced(golden, lambda: data.draw(SPACE))
    assert score(text, json.dumps(golden)) == 1.0


@given(LISTS)
def test_json_is_read_as_the_json_module_reads_it(value):
    text = json.dumps(value)
    (reading,) = read_lists(text)
    assert (plain(reading.items), reading.closed, reading.quoted) == (value, True, True)


@given(VALUES.filter(lambda value: value != ""))
def test_a_json_value_is_read_whole(value):
    assert plain(read_value(json.dumps(value))) == value


@given(DECIMALS.filter(bool), DECIMALS, DECIMALS)
def test_the_nearer_number_never_scores_less(expected, first, second):
    golden = f"[{expected:f}]"
    near, far = sorted((first, second), key=lambda number: abs(number - expected))
    assert score(f"x [{near:f}]", golden) >= score(f"x [{far:f}]", golden)


@given(DECIMALS.filter(bool), st.decimals(min_value=0, max_value=2, places=4))
def test_a_number_scores_what_its_relative_error_leaves(expected, error):
    answer = Fraction(expected) * (1 + Fraction(error))
    text = format(Decimal(answer.numerator) / Decimal(answer.denominator), "f")
    exact = 1 if error <= Decimal("0.1") else max(0, 1 - Fraction(error))
    assert score(f"x [{text}]", f"[{expected:f}]") == float(exact)


@given(
    st.lists(st.sampled_from(["a b", "c", "7", "0", "-3.5"]), min_size=1, max_size=6), st.data()
)
def test_the_score_is_the_mean_of_its_elements(golden, data):
    answer = [data.draw(st.sampled_from(["a", "c", "8", "0", "-7"])) for _ in golden]
    single = [score(json.dumps([a]), json.dumps([g])) for a, g in zip(answer, golden, strict=True)]
    whole = score(json.dumps(answer), json.dumps(golden))
    assert whole == pytest.approx(sum(single) / len(single), abs=1e-12)


@given(st.text() | NOISE | st.lists(PIECES, max_size=8).map("".join))
def test_reading_a_quantity_never_raises_and_is_a_rational(text):
    quantity = read_quantity(text)
    assert quantity is None or isinstance(quantity.value, Fraction)


@given(DECIMALS, st.sampled_from(["{}", "{} km", "${}", "about {}", "({}).", "{}%"]))
def test_a_decimal_is_read_exactly_in_any_dress(number, dress):
    assert read_quantity(dress.format(f"{number:f}")).value == Fraction(number)
