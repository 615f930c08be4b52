import json
from fractions import Fraction

import pytest

from gate.judges.elements import (
    ELEMENTS_SCHEMA,
    Element,
    ElementReply,
    golden_elements,
    is_exact,
    mean_credit,
    read_elements,
)
from gate.judges.shape import WrongShape
from gate.metrics.mean import mean


def element(index=1, **more):
    return {"depends_on_primary": False, "index": index, "reason": "r", "score": 1.0, **more}


def reply(*elements, **more):
    return {
        "elements": list(elements),
        "primary_entity_correct": True,
        "primary_index": 1,
        **more,
    }


@pytest.mark.parametrize(
    ("output", "golden", "exact"),
    [
        (" Paris\n", "Paris", True),
        ('["a", {"x": 1, "y": 2}]', '["a",{"y":2.0,"x":1}]', True),
        ("[1]", "[true]", False),
        ("[0]", "[false]", False),
        ("[1, 2]", "[2, 1]", False),
        ("[1]", "[1, 1]", False),
        ('{"a": 1}', '{"a": 1, "b": 1}', False),
        ("[9007199254740993]", "[9007199254740992.0]", False),
        ("[NaN]", "[NaN ]", False),
        ('{"a": 1, "a": 1}', '{"a": 1}', False),
        ("paris", "Paris", False),
        ("null", "[null]", False),
        ("", "", True),
    ],
)
def test_exact_is_equal_as_text_or_as_strict_json(output, golden, exact):
    assert is_exact(output, golden) is exact
    assert is_exact(golden, output) is exact


@pytest.mark.parametrize(
    ("golden", "elements"),
    [
        ('["a", [1, {"k": 2.50}], true]', ('"a"', '[1, {"k": 2.50}]', "true")),
        ("[]", ()),
        ("12 km", ('"12 km"',)),
        ("['Lima', 3]", ('"Lima"', "3")),
        ("42", ("42",)),
    ],
)
def test_a_golden_answer_is_split_into_its_elements(golden, elements):
    assert golden_elements(golden) == elements


def scored(number, score, *, depends=False):
    return Element(number=number, depends_on_primary=depends, score=score, reason="")


def replied(*elements, primary=0, correct=True):
    return ElementReply(primary_entity_correct=correct, primary_index=primary, elements=elements)


def test_a_wrong_primary_entity_takes_what_depends_on_it_and_itself_along():
    elements = (scored(1, 0.4), scored(2, 1.0, depends=True), scored(3, 0.5))
    assert mean_credit(replied(*elements, primary=1), count=4) == 0.475
    assert mean_credit(replied(*elements, primary=1, correct=False), count=4) == 0.125
    assert mean_credit(replied(*elements, correct=False), count=3) == 0.3


def test_scores_are_averaged_as_the_decimals_they_were_written_as():
    assert mean_credit(replied(*(scored(n, 0.1) for n in (1, 2, 3))), count=3) == 0.1
    assert sum([0.1] * 3) / 3 != 0.1


def test_less_than_full_credit_never_reads_as_full():
    assert mean_credit(replied(scored(1, 1.0), scored(2, 1.0 - 2**-53)), count=2) < 1.0
    assert mean([Fraction(1)] * 3, of=3) == 1.0


def test_a_mean_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        mean_credit(replied(), count=0)


def test_an_element_that_is_not_there_earns_nothing():
    found = read_elements(reply(element(2)), count=2)
    assert mean_credit(found, count=2) == 0.5
    assert mean_credit(read_elements(reply(), count=2), count=2) == 0.0


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (reply(element(1), element(1)), "scored twice"),
        (reply(element(3)), "none of 1 to 2"),
        (reply(element(0)), "none of 1 to 2"),
        (reply(element(index=True)), "no whole number"),
        (reply(element(1.0)), "no whole number"),
        (reply(element(1, score=7.5)), "between 0 and 1"),
        (reply(element(1, score=-0.1)), "between 0 and 1"),
        (reply(element(1, score=float("nan"))), "between 0 and 1"),
        (reply(element(1, score=10**400)), "between 0 and 1"),
        (reply(element(1, score=True)), "no number"),
        (reply(element(1, score="1")), "no number"),
        (reply(element(1, score=None)), "no number"),
        (reply(element(1, depends_on_primary=0)), "neither true nor false"),
        (reply(element(1, reason=None)), "no text"),
        (reply(element(1, more=1)), "nobody asked for"),
        (reply({"index": 1}), "lacks"),
        (reply(7), "item 1 of `elements` is no object"),
        (reply(primary_index=3), "none of 0 to 2"),
        (reply(primary_index=-1), "none of 0 to 2"),
        (reply(primary_index=None), "no whole number"),
        (reply(primary_entity_correct="yes"), "neither true nor false"),
        (reply(mean=1.0), "nobody asked for"),
        ({**reply(), "elements": {}}, "no list"),
        ([reply()], "no object"),
        ({}, "lacks"),
    ],
)
def test_a_reply_of_any_other_shape_is_refused(value, said):
    with pytest.raises(WrongShape, match=said):
        read_elements(value, count=2)


def test_the_schema_asks_for_what_is_read():
    from jsonschema import Draft202012Validator

    schema = json.loads(ELEMENTS_SCHEMA)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert validator.is_valid(reply(element(1), element(2, score=0)))
    for wrong in (reply(element(0)), reply(element(1, score=2)), reply(mean=1), {}):
        assert not validator.is_valid(wrong)
