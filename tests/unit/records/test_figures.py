from hypothesis import given
from hypothesis import strategies as st

from gate.records import figures

SHARES = st.floats(0.0, 1.0)


@given(SHARES)
def test_only_all_reads_as_100_percent_and_only_none_as_0(share):
    assert (figures.percent(share) == "100 %") == (share == 1.0)
    assert (figures.percent(share) == "0 %") == (share == 0.0)
    assert "100.0" not in figures.percent(share)
    assert figures.percent(share) != "0.0 %"


@given(SHARES)
def test_only_one_reads_as_a_full_score_and_only_zero_as_none(share):
    assert (figures.score(share) == "1.000") == (share == 1.0)
    assert (figures.score(share) == "0.000") == (share == 0.0)


@given(st.floats(-1.0, 1.0))
def test_a_change_never_reads_as_none_and_keeps_its_sign(change):
    shown = figures.points(change)
    assert (shown == "0 points") == (change == 0)
    assert shown.startswith(figures.MINUS) == (change < 0)
    assert shown.startswith("+") == (change > 0)


@given(SHARES)
def test_percent_is_within_a_tenth_of_a_point(share):
    assert abs(float(figures.percent(share).removesuffix(" %")) - share * 100) <= 0.1


@given(SHARES)
def test_a_p_value_is_never_spelt_as_impossible(share):
    shown = figures.p_value(share)
    assert shown not in {"= 0.0000", "= 0.000"}
    assert (shown == "= 1.000") == (share == 1.0)


def test_aggregates_have_six_places_wherever_they_stand():
    value = {"a": [1 / 3, {"b": 2 / 3}], "c": (0.1 + 0.2, True, 3, "0.123456789", None)}
    assert figures.rounded(value) == {
        "a": [0.333333, {"b": 0.666667}],
        "c": [0.3, True, 3, "0.123456789", None],
    }


def test_a_rounded_zero_has_no_sign():
    assert str(figures.rounded(-1e-9)) == "0.0"
