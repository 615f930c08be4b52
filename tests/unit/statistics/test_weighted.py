import pytest

from gate.statistics.agreement import cohens_kappa
from gate.statistics.weighted import confusion_table, disagreement, distances, weighted_kappa

FIRST, SECOND = "0011222102", "0111212202"


@pytest.mark.parametrize(
    ("weights", "kappa"), [("none", 0.545455), ("linear", 0.651163), ("quadratic", 0.761905)]
)
def test_weighted_kappa_of_the_known_ratings(weights, kappa):
    found = weighted_kappa(FIRST, SECOND, categories="012", weights=weights)
    assert found == pytest.approx(kappa, abs=5e-7)


def test_without_weights_it_is_cohens_kappa_to_the_bit():
    assert weighted_kappa(FIRST, SECOND, categories="012", weights="none") == cohens_kappa(
        FIRST, SECOND
    )


def test_an_unused_category_is_a_step_all_the_same():
    a, b = [1, 1, 5, 5], [1, 4, 5, 5]
    whole = weighted_kappa(a, b, categories=(1, 2, 3, 4, 5), weights="linear")
    holed = weighted_kappa(a, b, categories=(1, 4, 5), weights="linear")
    assert whole < holed


def test_the_order_of_the_scale_is_the_one_given():
    a, b = ["low", "high", "middle"], ["low", "middle", "middle"]
    right = weighted_kappa(a, b, categories=("low", "middle", "high"))
    wrong = weighted_kappa(a, b, categories=("high", "low", "middle"))
    assert right > wrong


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_one_category_throughout_is_1_by_convention(weights):
    assert weighted_kappa("22", "22", categories="012", weights=weights) == 1.0
    assert weighted_kappa("22", "22", categories="2", weights=weights) == 1.0


def test_labels_outside_the_scale_and_repeated_categories_raise():
    with pytest.raises(ValueError, match="'3' is not on the scale"):
        weighted_kappa("013", "012", categories="012")
    with pytest.raises(ValueError, match="each category once"):
        weighted_kappa("01", "01", categories="011")


def test_unpaired_or_absent_labels_raise():
    with pytest.raises(ValueError, match="2 and 1 labels"):
        weighted_kappa("01", "0", categories="01")
    with pytest.raises(ValueError, match="at least one"):
        weighted_kappa("", "", categories="01")


def test_unknown_weights_raise():
    with pytest.raises(ValueError, match="not 'cubic'"):
        distances(3, weights="cubic")


def test_labels_in_no_order_stand_by_their_texts():
    table = confusion_table([1, "1", None], [1, None, None])
    assert table.categories == ("1", 1, None)
    assert table.counts == ((0, 0, 1), (0, 1, 0), (0, 0, 1))


def test_disagreement_by_luck_is_0_for_one_category_alone():
    assert disagreement([[7, 0], [0, 0]], weights="linear").by_luck == 0
    assert disagreement([[0, 7], [0, 0]], weights="linear").by_luck > 0
