"""The canonical order of labels, and what a digest of a case notices."""

import random

import pytest

from gate.records.json_text import digest
from gate.suite.digests import case_digest, short_digest, suite_digest
from gate.suite.order import is_stratum, label_order

ORDERED = ["alpha", "k:1", "k:2", "k:9", "k:10", "k:100", "k:x", "kind", "safety", "zoo"]


def test_labels_stand_by_name_and_strata_by_number():
    shuffled = list(ORDERED)
    for seed in range(5):
        random.Random(seed).shuffle(shuffled)
        assert sorted(shuffled, key=label_order) == ORDERED


@pytest.mark.parametrize("label", ["k:" + "9" * 5000, "k:²", "k:٣", "k:", "k:-1", "k:1.5"])
def test_a_stratum_that_is_no_small_number_is_sorted_all_the_same(label):
    assert sorted([label, "k:2", "k:10"], key=label_order) == ["k:2", "k:10", label]


def test_different_labels_have_different_keys():
    labels = [*ORDERED, "k:01", "k:1 ", "K:1"]
    assert len({label_order(label) for label in labels}) == len(labels)


def test_only_k_labels_are_strata():
    assert [label for label in ORDERED if is_stratum(label)] == ORDERED[1:7]


@pytest.mark.parametrize(
    ("field", "value", "part"),
    [
        ("input", "??", "input"),
        ("reference", "no", "reference"),
        ("reference", None, "reference"),
        ("expected_tools", ("t",), "expected_tools"),
        ("labels", ("l",), None),
    ],
)
def test_a_digest_moves_with_a_field_and_names_it(make, field, value, part):
    before = case_digest(make.case(), scorer="s")
    after = case_digest(make.case(**{field: value}), scorer="s")
    assert before.whole != after.whole
    names = ("input", "reference", "expected_tools", "scorer")
    moved = [name for name in names if getattr(before, name) != getattr(after, name)]
    assert moved == ([part] if part else [])


def test_a_digest_moves_with_the_scorer(make):
    before, after = (case_digest(make.case(), scorer=scorer) for scorer in "st")
    assert (before.whole, before.scorer) != (after.whole, after.scorer)
    assert before.input == after.input


def test_a_digest_does_not_move_with_id_or_metadata(make):
    assert case_digest(make.case(), scorer="s") == case_digest(
        make.case("b", metadata={"snapshot_date": "x"}), scorer="s"
    )


def test_a_reference_that_says_null_is_not_an_absent_one(make):
    absent, null = (case_digest(make.case(reference=it), scorer="s") for it in (None, "null"))
    assert absent.whole != null.whole
    assert absent.reference != null.reference


def test_tools_that_run_together_are_not_the_same(make):
    one, two = (
        case_digest(make.case(expected_tools=it), scorer="") for it in (("ab",), ("a", "b"))
    )
    assert one.whole != two.whole


def test_the_suite_digest_knows_ids_and_contents(make):
    a, b = make.row("a"), make.row("b")
    assert suite_digest([a, b]) != suite_digest([a])
    assert suite_digest([a]) != suite_digest([make.row("a", digest=make.digest("1"))])
    assert suite_digest([a]) == suite_digest([make.row("a", 0.0)])


def test_the_suite_digest_is_that_of_ids_and_contents_in_canonical_spelling(make):
    rows = [make.row("a"), make.row('é"\\\n')]
    assert suite_digest(rows) == digest([[row.id, row.digest.whole] for row in rows])


def test_a_short_digest_takes_any_text():
    assert short_digest("\ud800") != short_digest("\ud801")
    assert len(short_digest("")) == 12
