"""Texts that differ are shown where they differ."""

from decimal import Decimal

import pytest

from gate.pipeline.short_text import LIMIT, pair, spelt
from gate.records.scoring import RubricCheck


def test_short_texts_stay_whole():
    assert pair("a", "b", str) == ("a", "b")
    assert pair(None, "b", str) == (None, "b")


def test_long_texts_are_cut_around_their_first_difference():
    start = "s" * 500
    found = pair(start + "old" + "e" * 500, start + "new" + "e" * 500, str)
    assert found.before.startswith("…" + "s" * 30 + "old")
    assert found.after.startswith("…" + "s" * 30 + "new")
    assert max(map(len, found)) <= LIMIT + 2


@pytest.mark.parametrize("at", [0, 1, 99, 100, 257, 998])
def test_the_difference_is_always_shown(at):
    one, other = "x" * at + "a" + "x" * (999 - at), "x" * at + "b" + "x" * (999 - at)
    found = pair(one, other, str)
    assert "a" in found.before
    assert "b" in found.after


def test_a_text_that_goes_on_differs_at_its_end():
    found = pair("x" * 200, "x" * 200 + "y", str)
    assert found.after.endswith("y")


def test_no_text_is_longer_than_a_record_holds():
    found = pair("\U0001f600" * 5000, "é" * 5000, str)
    assert max(map(len, found)) <= 400


def test_values_are_spelt_as_one_would_write_them():
    assert spelt(Decimal("1E+2")) == "100"
    assert spelt(False) == "false"  # noqa: FBT003 - a value
    assert spelt((RubricCheck(kind="contains", value="a"),)) == (
        '[{"kind":"contains","value":"a","weight":1}]'
    )
