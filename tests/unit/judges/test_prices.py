"""What tokens cost: the user's price, else a dated one for as long as it is known."""

from decimal import Decimal

import pytest

from gate.judges.prices import PRICES, cost, price_of, shown
from gate.policy.judge import DEFAULT_MODEL
from gate.records.judge_options import Price
from gate.records.judge_words import Usage

OWN = Price(input=Decimal(1), output=Decimal(2), dated="2026-01-01")


def test_the_users_price_beats_the_list():
    assert price_of(DEFAULT_MODEL, OWN, today="2026-10-10") == OWN
    assert price_of("anything", OWN, today="2099-01-01") == OWN


@pytest.mark.parametrize("model", PRICES)
def test_a_listed_price_is_known_until_its_last_day(model):
    listed = PRICES[model]
    assert listed.price.dated <= listed.until
    assert price_of(model, None, today=listed.until) == listed.price
    year, rest = listed.until.split("-", 1)
    assert price_of(model, None, today=f"{int(year) + 1}-{rest}") is None


def test_the_default_model_has_a_price_and_an_unknown_one_has_none():
    assert DEFAULT_MODEL in PRICES
    assert price_of("m", None, today="2026-10-10") is None


def test_thinking_is_billed_as_output():
    used = Usage(input_tokens=1_000_000, output_tokens=300_000, thinking_tokens=200_000)
    assert cost(used, OWN) == 2.0


def test_what_is_not_counted_has_no_price_which_is_not_nothing():
    assert cost(Usage(), OWN) is None
    assert cost(Usage(input_tokens=1), None) is None
    assert cost(Usage(input_tokens=0, output_tokens=0), OWN) == 0.0


def test_one_count_is_enough_for_a_part_of_the_price():
    assert cost(Usage(output_tokens=1_000_000), OWN) == 2.0


def test_a_price_is_shown_with_its_day():
    assert shown(OWN) == "$1 and $2 for a million tokens in and out, as of 2026-01-01"
