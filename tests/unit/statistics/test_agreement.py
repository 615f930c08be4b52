import pytest

from gate.statistics.agreement import (
    cohens_kappa,
    judge_is_trustworthy,
    measure_agreement,
    trust,
)


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


def measured(table, **options):
    options.setdefault("categories", range(len(table)))
    return measure_agreement(*labels(table), **options)


def test_the_summary_counts_classes_and_confusions():
    found = measured([[20, 5], [10, 15]])
    assert found.n == 50
    assert found.categories == (0, 1)
    assert found.confusion == ((20, 5), (10, 15))
    assert found.human_counts == (25, 25)
    assert found.judge_counts == (30, 20)
    assert found.kappa == 0.4
    assert found.interval.kappa == 0.4
    assert found.interval.low < found.lower_bound < 0.4 < found.interval.high


def test_the_order_of_the_items_does_not_matter():
    human, judge = labels([[3, 1, 0], [2, 4, 1], [0, 0, 5]])
    backwards = measure_agreement(human[::-1], judge[::-1])
    assert measure_agreement(human, judge) == backwards


def test_perfect_one_class_labels_are_undefined_and_not_1():
    found = measure_agreement(["pass"] * 30, ["pass"] * 30)
    assert (found.kappa, found.interval, found.lower_bound) == (None, None, None)
    assert trust(found) == "undefined"
    assert trust(found, criterion="lower") == "undefined"
    assert trust(found, threshold=-1) == "undefined"


def test_one_class_labels_are_undefined_on_a_known_scale_too():
    found = measured([[30, 0], [0, 0]])
    assert found.kappa is None
    assert found.unproven == (1,)
    assert trust(found) == "undefined"


@pytest.mark.parametrize("criterion", ["point", "lower"])
def test_a_class_without_a_human_label_leaves_trust_undefined(criterion):
    found = measured([[28, 2], [0, 0]])
    assert found.kappa == 0
    assert trust(found, threshold=-1, criterion=criterion) == "undefined"
    found = measured([[30, 0, 0], [0, 0, 0], [0, 0, 30]])
    assert found.kappa == 1
    assert found.unproven == (1,)
    assert trust(found, criterion=criterion) == "undefined"


def test_a_judge_who_always_says_pass_is_measured_and_not_trusted():
    found = measured([[25, 0], [5, 0]])
    assert found.judge_counts == (30, 0)
    assert trust(found) == trust(found, criterion="lower") == "not trusted"


def test_two_constant_raters_who_differ_are_undefined():
    assert trust(measured([[0, 9], [0, 0]])) == "undefined"


def test_trust_compares_the_point_exactly():
    found = measured([[4, 1], [1, 4]])
    assert trust(found) == "trusted"
    assert trust(found, threshold=0.6000000000000001) == "not trusted"
    assert trust(found, threshold=found.lower_bound, criterion="lower") == "trusted"


def test_ten_labels_that_agree_reach_the_point_but_not_the_bound():
    found = measured([[9, 0], [0, 1]])
    assert trust(found) == "trusted"
    assert trust(found, criterion="lower") == "not trusted"
    enough = measured([[90, 0], [0, 10]])
    assert trust(enough, criterion="lower") == "trusted"


def test_weights_reach_kappa_its_interval_and_trust():
    near_misses = [[20, 5, 0], [5, 10, 5], [0, 5, 20]]
    plain = measured(near_misses)
    squared = measured(near_misses, weights="quadratic")
    assert plain.kappa < 0.6 < squared.kappa
    assert plain.lower_bound < squared.lower_bound
    assert plain.interval.high < squared.interval.high
    assert trust(plain) == "not trusted"
    assert trust(squared) == "trusted"


def test_bad_arguments_of_the_summary_and_of_trust_raise():
    found = measured([[4, 1], [1, 4]])
    with pytest.raises(ValueError, match="finite"):
        trust(found, threshold=float("inf"))
    with pytest.raises(ValueError, match="point or lower"):
        trust(found, criterion="upper")
    with pytest.raises(ValueError, match="'maybe' is not on the scale"):
        measure_agreement(["pass", "fail"], ["pass", "maybe"], categories=("pass", "fail"))
    with pytest.raises(ValueError, match="linear weights need the scale"):
        measure_agreement("pf", "pp", weights="linear")
    with pytest.raises(ValueError, match="2 and 1 labels"):
        measure_agreement("pf", "p")
    with pytest.raises(ValueError, match="between 0 and 1"):
        measure_agreement("pf", "pf", level=1.0)
