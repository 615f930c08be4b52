"""The strict reading of numbers: what is written in a stated form is read back, exactly."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from gate.metrics.strict_number import strict_number, strictly_within

NUMBERS = st.decimals(
    allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12, places=3
)
FORMS = st.sampled_from(
    [
        "{:f}",
        "{:,f}",
        "${:,f}",
        "{:f}.",
        "({:f})",
        "**{:,f}**",
        "{:f} km",
        "{:f}%",
        "{:e}",
        "EUR {:f}",
    ]
)
TEXTS = st.text(alphabet="0123456789.,-+−–/:%$()eEx×^* kKM\u00a0\u2009٣²aB_\n", max_size=60)


@given(number=NUMBERS, form=FORMS)
def test_a_number_in_a_stated_form_is_read_back(number, form):
    text = form.format(number)
    assert strict_number(text) == Fraction(number)
    assert strict_number(text, numbers="whole") == Fraction(number)
    assert strict_number(text.replace("-", "\u2212")) == Fraction(number)


@given(number=NUMBERS, form=FORMS, before=st.sampled_from(["It is", "1 of 2:", "GPT-4:\n", "="]))
def test_what_stands_before_the_last_number_changes_nothing(number, form, before):
    assert strict_number(f"{before} {form.format(number)}") == Fraction(number)


@given(number=NUMBERS)
def test_percent_and_parentheses_do_what_they_are_told(number):
    assert strict_number(f"{number:f}%", percent="hundredths") == Fraction(number) / 100
    assert strict_number(f"({number:f})", parentheses="negative") == -Fraction(number)


@given(text=TEXTS | st.text(max_size=60))
def test_every_text_has_a_number_or_none_and_a_whole_one_is_the_last(text):
    last = strict_number(text)
    whole = strict_number(text, numbers="whole")
    assert last is None or isinstance(last, Fraction)
    assert whole in (None, last)


@given(one=NUMBERS, other=NUMBERS, tol=st.decimals(0, 10**6, places=2))
def test_near_enough_is_exact_and_symmetric(one, other, tol):
    near = float(abs(Fraction(one) - Fraction(other)) <= Fraction(tol))
    assert strictly_within(str(Decimal(one)), f"{other:,f}", tol) == near
    assert strictly_within(f"{other:f}", f"{one:f}", tol) == near
