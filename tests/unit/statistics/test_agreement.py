import pytest

from gate.statistics.agreement import cohens_kappa, judge_is_trustworthy


def labels(table):
    """Spell a confusion matrix out as two lists of labels."""
    cells = [
        (i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in "x" * count
    ]
    return [i for i, _ in cells], [j for _, j in cells]


def test_kappa_of_the_known_table_is_two_fifths():
    assert cohens_kappa(*labels([[20, 5], [10, 15]])) == 0.4


def test_kappa_of_three_unordered_labels():
    a, b = "0011222102", "0111212202"
    assert cohens_kappa(a, b) == pytest.approx(0.545455, abs=5e-7)


def test_agreement_by_luck_alone_is_zero():
    a, b = labels([[81, 9], [9, 1]])
    assert cohens_kappa(a, b) == 0.0
    assert not judge_is_trustworthy(a, b)


def test_one_class_data_is_1_by_convention():
    assert cohens_kappa(["pass"] * 5, ["pass"] * 5) == 1.0
    assert judge_is_trustworthy(["pass"] * 5, ["pass"] * 5)


def test_two_constant_raters_who_differ_agree_no_more_than_chance():
    assert cohens_kappa(["pass"] * 5, ["fail"] * 5) == 0.0


def test_labels_may_be_of_any_kind():
    assert cohens_kappa([("a", 1), None, 2], [("a", 1), None, 2]) == 1.0


@pytest.mark.parametrize("function", [cohens_kappa, judge_is_trustworthy])
def test_unpaired_or_absent_labels_raise(function):
    with pytest.raises(ValueError, match="2 and 1 labels"):
        function("ab", "a")
    with pytest.raises(ValueError, match="at least one"):
        function("", "")


def test_the_threshold_is_inclusive_and_exact():
    a, b = labels([[10, 3], [1, 6]])
    assert cohens_kappa(a, b) < 0.6
    a, b = labels([[4, 1], [1, 4]])
    assert cohens_kappa(a, b) == 0.6
    assert judge_is_trustworthy(a, b)
    assert not judge_is_trustworthy(a, b, 0.6000000000000001)
    a, b = labels([[9, 0], [1, 0]])
    assert judge_is_trustworthy(a, b, 0.0)


def test_a_threshold_that_is_no_number_raises():
    with pytest.raises(ValueError, match="finite"):
        judge_is_trustworthy("ab", "ab", float("nan"))
