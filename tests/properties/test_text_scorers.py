"""What holds of every scorer of texts, whatever the texts are."""

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gate.metrics.numbers import first_number, numeric_within
from gate.metrics.overlap import deterministic_judge
from gate.metrics.rouge import rouge_l_f1
from gate.metrics.rubric import rubric_score
from gate.metrics.text import contains, exact_match, normalize
from gate.records.scoring import RubricCheck


def rouge(output, reference):
    return rouge_l_f1(output, reference)


def unicode_rouge(output, reference):
    return rouge_l_f1(output, reference, tokenizer="unicode")


def rubric(output, reference):
    kinds = ("contains", "excludes", "equals")
    return rubric_score(
        output, [RubricCheck(kind=k, value=reference, weight=w) for w, k in enumerate(kinds, 1)]
    )


def numeric(output, reference):
    return numeric_within(output, reference, "0.5")


SCORERS = (exact_match, contains, deterministic_judge, rouge, unicode_rouge, rubric, numeric)
SYMMETRIC = (exact_match, deterministic_judge, rouge, unicode_rouge, numeric)
SPACES = " \t\n\r\u00a0\u3000\u2028"
# Letters whose case goes there and back: ß becomes SS and ς becomes Σ, which then are others.
LETTERS = "abcXYZ019-.,%éÖжЯ北"

texts = st.text() | st.text(alphabet=LETTERS + SPACES, max_size=40)
words = st.lists(st.text(alphabet=LETTERS, min_size=1, max_size=4), min_size=1, max_size=8)
gaps = st.text(alphabet=SPACES, min_size=1, max_size=3)


@st.composite
def respelled(draw):
    """Two spellings of one text that differ in case and white space only."""
    chosen = draw(words)

    def spelling():
        said = [w.upper() if draw(st.booleans()) else w.lower() for w in chosen]
        inner = "".join(gap + word for word in said for gap in (draw(gaps),))
        return inner + draw(st.text(alphabet=SPACES, max_size=3))

    return spelling(), spelling()


@pytest.mark.parametrize("scorer", SCORERS)
@given(output=texts, reference=texts)
def test_a_score_lies_between_zero_and_one(scorer, output, reference):
    assume(normalize(reference))
    score = scorer(output, reference)
    assert isinstance(score, float)
    assert 0.0 <= score <= 1.0


@pytest.mark.parametrize("scorer", SYMMETRIC)
@given(a=texts, b=texts)
def test_a_similarity_is_symmetric(scorer, a, b):
    assert scorer(a, b) == scorer(b, a)


@pytest.mark.parametrize("scorer", SCORERS)
@given(outputs=respelled(), references=respelled())
def test_case_and_white_space_never_change_a_score(scorer, outputs, references):
    assert scorer(outputs[0], references[0]) == scorer(outputs[1], references[1])


@given(texts)
def test_a_text_equals_itself_and_overlaps_itself_wholly(text):
    assert exact_match(text, text) == 1.0
    assert deterministic_judge(text, text) == 1.0


@given(texts)
def test_a_text_that_has_tokens_scores_one_against_itself_by_rouge(text):
    has_tokens = any(c in "abcdefghijklmnopqrstuvwxyz0123456789" for c in text.lower())
    assert rouge_l_f1(text, text) == float(has_tokens)


@given(texts, texts, texts)
def test_framing_never_hides_the_nugget(before, nugget, after):
    assume(normalize(nugget))
    # Spaces around it: the lower case of a final sigma hangs on its neighbours.
    assert contains(f"{before} {nugget} {after}", nugget) == 1.0


@given(st.decimals(-1000, 1000, places=3), st.decimals(0, 1000, places=3))
def test_a_distance_equal_to_the_tolerance_is_inside_and_the_next_step_is_not(number, distance):
    there = number + distance
    assert numeric_within(f"{there:f}", f"{number:f}", distance) == 1.0
    beyond = there + Decimal("1e-12")
    assert numeric_within(f"{beyond:f}", f"{number:f}", distance) == 0.0


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_a_plain_decimal_is_read_back_exactly(number):
    assert first_number(f"it is {number:f}!") == number


@given(
    st.lists(st.sampled_from("abcd"), max_size=6),
    st.lists(st.integers(1, 9), min_size=4, max_size=4),
)
def test_satisfying_more_checks_never_lowers_a_rubric(said, weights):
    checks = [
        RubricCheck(kind="contains", value=letter, weight=weight)
        for letter, weight in zip("abcd", weights, strict=True)
    ]
    output = " ".join(said)
    expected = sum(w for letter, w in zip("abcd", weights, strict=True) if letter in said)
    assert rubric_score(output, checks) == expected / sum(weights)
    assert rubric_score(output + " a", checks) >= rubric_score(output, checks)
