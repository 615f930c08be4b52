"""A golden list, element by element: what makes no call, the reply, and the mean computed here."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.judges.shape import WrongShape, exactly, flag_at, share_at, text_at, whole_at
from gate.metrics.answer_reader import read_value
from gate.metrics.mean import mean
from gate.metrics.value_text import value_text
from gate.records.json_text import JsonRefused, canonical, loads

if TYPE_CHECKING:
    from collections.abc import Sequence


_ELEMENT: Final = ("depends_on_primary", "index", "reason", "score")
_REPLY: Final = ("elements", "primary_entity_correct", "primary_index")
ELEMENTS_SCHEMA: Final = canonical(
    {
        "type": "object",
        "properties": {
            "elements": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "depends_on_primary": {"type": "boolean"},
                        "index": {"type": "integer", "minimum": 1},
                        "reason": {"type": "string"},
                        "score": {"type": "number", "minimum": 0, "maximum": 1},
                    },
                    "required": _ELEMENT,
                    "additionalProperties": False,
                },
            },
            "primary_entity_correct": {"type": "boolean"},
            "primary_index": {"type": "integer", "minimum": 0},
        },
        "required": _REPLY,
        "additionalProperties": False,
    }
)
"""Elements are numbered from 1; a ``primary_index`` of 0 says that none is the primary one."""


class Element(NamedTuple):
    """What the judge says of one golden element."""

    number: int
    depends_on_primary: bool
    score: float
    reason: str


class ElementReply(NamedTuple):
    """What the judge says of all of them, each at most once."""

    primary_entity_correct: bool
    primary_index: int
    elements: tuple[Element, ...]


def is_exact(output: str, golden: str) -> bool:
    """Say whether an answer is the golden one: equal after stripping, or equal as JSON.

    As JSON, ``1`` equals ``1.0`` and is not ``true``; white space and the order of keys do not
    matter; what is no strict JSON equals nothing.

    >>> is_exact(' ["Paris", 105.0]', '["Paris",105]'), is_exact("[true]", "[1]")
    (True, False)
    """
    answer, wanted = output.strip(), golden.strip()
    if answer == wanted:
        return True
    try:
        return _same(loads(answer), loads(wanted))
    except JsonRefused:
        return False


def golden_elements(golden: str) -> tuple[str, ...]:
    """Split a golden list into its elements, each spelt as JSON; what is no list is one element.

    >>> golden_elements('["Paris", 2.50, null]'), golden_elements("Paris"), golden_elements("[]")
    (('"Paris"', '2.50', 'null'), ('"Paris"',), ())
    """
    value = read_value(golden.strip())
    return tuple(map(value_text, value)) if isinstance(value, list) else (value_text(value),)


def numbered(elements: Sequence[str]) -> str:
    r"""Write the elements one a line, numbered from 1.

    >>> numbered(('"Paris"', "105"))
    '1: "Paris"\n2: 105'
    """
    return "\n".join(f"{index}: {text}" for index, text in enumerate(elements, 1))


def read_elements(reply: object, *, count: int) -> ElementReply:
    """Read a reply of :data:`ELEMENTS_SCHEMA` about ``count`` golden elements.

    Raises ``WrongShape`` for any other shape, for a score outside [0, 1] and for an index that
    is unknown or comes twice. An element that is not there is no error: it earns nothing.
    """
    found = exactly(reply, _REPLY, place="the reply")
    listed = found["elements"]
    if not isinstance(listed, list):
        raise WrongShape("`elements` is no list")
    primary = whole_at(found, "primary_index")
    if not 0 <= primary <= count:
        raise WrongShape(f"`primary_index` is none of 0 to {count}")
    elements: dict[int, Element] = {}
    for position, item in enumerate(listed, 1):
        element = _element(item, count=count, place=f"item {position} of `elements`")
        if element.number in elements:
            raise WrongShape(f"element {element.number} is scored twice")
        elements[element.number] = element
    return ElementReply(
        flag_at(found, "primary_entity_correct"), primary, tuple(elements.values())
    )


def mean_credit(reply: ElementReply, *, count: int) -> float:
    """Average the scores of ``count`` golden elements, exactly, rounded once.

    With a wrong primary entity, it and every element that depends on it earn 0, whatever score
    they were given. Elements that the reply does not name earn 0. Scores count as the decimals
    they were written as; less than full credit stays below 1.0. Raises ``ValueError`` for a
    count below 1.

    >>> paris = Element(1, False, 0.5, "another place")
    >>> area = Element(2, True, 1.0, "the same number")
    >>> mean_credit(ElementReply(True, 1, (paris, area)), count=2)
    0.75
    >>> mean_credit(ElementReply(False, 1, (paris, area)), count=2)
    0.0
    """
    return mean((_earned(reply, element) for element in reply.elements), of=count)


def _element(item: object, *, count: int, place: str) -> Element:
    found = exactly(item, _ELEMENT, place=place)
    index = whole_at(found, "index")
    if not 1 <= index <= count:
        raise WrongShape(f"`index` is none of 1 to {count}")
    return Element(
        index,
        flag_at(found, "depends_on_primary"),
        share_at(found, "score"),
        text_at(found, "reason"),
    )


def _earned(reply: ElementReply, element: Element) -> Fraction:
    fallen = element.depends_on_primary or element.number == reply.primary_index
    if fallen and not reply.primary_entity_correct:
        return Fraction(0)
    return Fraction(repr(element.score))


def _same(one: object, other: object) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return one == other
