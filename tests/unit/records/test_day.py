"""A day is counted as the calendar does, without a clock."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from gate.records.day import Day, day_number

DAY = TypeAdapter(Day)


@given(st.dates())
def test_days_are_counted_as_the_library_does(day):
    assert day_number(day.isoformat()) == day.toordinal()


@given(st.integers(0, 9999), st.integers(0, 14), st.integers(0, 33))
def test_a_day_is_one_where_the_library_knows_it(year, month, day):
    text = f"{year:04}-{month:02}-{day:02}"
    try:
        expected = date(year, month, day).toordinal()
    except ValueError:
        with pytest.raises(ValueError, match=f"no calendar holds the day {text}"):
            day_number(text)
    else:
        assert day_number(text) == expected


@pytest.mark.parametrize(
    "text",
    ["2026-02-29", "1900-02-29", "2026-00-10", "2026-13-01", "2026-04-31", "2026-01-00"],
)
def test_a_day_that_no_calendar_holds_is_refused(text):
    with pytest.raises(ValueError, match="no calendar holds"):
        day_number(text)


@pytest.mark.parametrize("text", ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])
def test_a_rare_day_is_a_day(text):
    assert DAY.validate_python(text) == text


def test_a_date_of_toml_is_its_text():
    assert DAY.validate_python(date(2026, 12, 31)) == "2026-12-31"


@pytest.mark.parametrize(
    "value",
    [datetime(2026, 12, 31), 20261231, True, None, "31.12.2026", "2026-1-1", "٢٠٢٦-01-01"],  # noqa: DTZ001
)
def test_what_is_no_date_is_refused(value):
    with pytest.raises(ValidationError):
        DAY.validate_python(value)
