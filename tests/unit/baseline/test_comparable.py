"""A run beside its baseline: an outer join that names what moved."""

from decimal import Decimal

import pytest

from gate.baseline.comparable import Measured, accepted_case, align
from gate.baseline.diff import diff
from gate.baseline.show import show
from gate.records.baseline import AcceptedSummary, Baseline, BaselineRow

MEASURED = ("scorer", "judge_config", "pass_threshold", "trajectory_mode")


def kept(make, name, score=1.0, **fields):
    given = {
        "id": name,
        "labels": (),
        "digest": make.digest(),
        "scores": (score,),
        "passes": (score == 1.0,),
        "trajectory": 1.0,
        "declares_path": False,
    }
    return BaselineRow(**(given | fields))


def baseline_of(make, *rows, **fields):
    summary = AcceptedSummary(
        n_cases=len(rows),
        pass_rate=1.0,
        mean_score=1.0,
        trajectory_mean=1.0,
        predictions=make.SHA,
        metric="pass_rate",
        repeats=1,
    )
    given = {
        "scorer": make.scorer(),
        "pass_threshold": 1,
        "trajectory_mode": "exact",
        "repeats": 1,
        "summary": summary,
        "metric": "pass_rate",
        "cases_digest": make.SHA,
        "rows": rows,
    }
    return Baseline(**(given | fields))


def measured(make, **fields):
    given = {
        "scorer": make.scorer(),
        "judge_config": None,
        "metric": "pass_rate",
        "pass_threshold": Decimal(1),
        "trajectory_mode": "exact",
    }
    return Measured(**(given | fields))


def joined(make, rows, baseline):
    before = {row.id: row for row in baseline.rows}
    placed = [
        make.row(
            row.id,
            row.score,
            labels=row.labels,
            digest=row.digest,
            accepted=accepted_case(row.digest, before.get(row.id)),
        )
        for row in rows
    ]
    return align(placed, baseline, measured(make))


def test_every_case_of_either_side_stands_in_exactly_one_group(make):
    rows = [
        make.row("new"),
        make.row("old", digest=make.digest("1", input="1" * 12)),
        make.row("same"),
    ]
    baseline = baseline_of(make, *(kept(make, name) for name in ("z", "same", "old", "a")))
    found = joined(make, rows, baseline)
    assert [row.id for row in found.pairs] == ["same"]
    assert (found.added, found.removed) == (("new",), ("a", "z"))
    assert [(case.id, case.fields) for case in found.changed] == [("old", ("input",))]
    assert found.differences == ()


@pytest.mark.parametrize("part", ["input", "reference", "expected_tools", "scorer"])
def test_a_changed_case_names_the_part(make, part):
    row = make.row("a", digest=make.digest("1", **{part: "1" * 12}))
    found = joined(make, [row], baseline_of(make, kept(make, "a")))
    assert found.changed[0].fields == (part,)


def test_changed_labels_are_named(make):
    row = make.row("a", digest=make.digest("1"), labels=("x",))
    found = joined(make, [row], baseline_of(make, kept(make, "a")))
    assert found.changed[0].fields == ("labels",)


def test_a_change_that_no_part_shows_is_still_a_change(make):
    row = make.row("a", digest=make.digest("1"))
    found = joined(make, [row], baseline_of(make, kept(make, "a")))
    assert found.changed[0].fields == ("content",)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"pass_threshold": Decimal("0.5")}, "pass_threshold is 0.5, and was 1 in the baseline"),
        ({"trajectory_mode": "set"}, "trajectory_mode is set, and was exact in the baseline"),
        ({"judge_config": '{"model":"x"}'}, "judge_config is absent on one side"),
    ],
)
def test_a_difference_names_the_field(make, fields, said):
    found = align([], baseline_of(make, kept(make, "a")), measured(make, **fields))
    assert [text.startswith(said) for text in found.differences] == [True]


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (("jaccard", 1, "{}"), "scorer is 'jaccard', and was 'contains' in the baseline"),
        (("contains", 2, "{}"), "scorer version is 2, and was 1 in the baseline"),
        (("contains", 1, '{"a":1}'), "scorer a differs from the baseline's (1, was absent)"),
        (("contains", 1, '{"a":null}'), "scorer a differs from the baseline's (null, was absent)"),
    ],
)
def test_another_scorer_is_said(make, now, said):
    found = align([], baseline_of(make, kept(make, "a")), measured(make, scorer=make.scorer(*now)))
    assert found.differences == (said,)


def test_another_judge_is_said_by_its_field(make):
    baseline = baseline_of(make, kept(make, "a"), judge_config={"model": "x", "runs": 3})
    now = measured(make, judge_config='{"model":"y","runs":3}')
    assert align([], baseline, now).differences == (
        "the judge's model differs from the baseline's (y, was x)",
    )


def test_equal_limits_of_other_spelling_are_no_difference(make):
    baseline = baseline_of(make, kept(make, "a"), pass_threshold=Decimal("1.00"))
    assert align([], baseline, measured(make)).differences == ()


def test_a_diff_says_everything_that_differs_and_nothing_else(make):
    old = baseline_of(make, kept(make, "a"), kept(make, "b"), kept(make, "gone"))
    changed = kept(make, "b", 0.5, digest=make.digest("1", reference="1" * 12))
    new = baseline_of(make, kept(make, "a"), changed, kept(make, "new"), pass_threshold=0.5)
    assert list(diff(old, old)) == []
    assert list(diff(old, new)) == [
        "pass_threshold: 1 -> 0.5",
        "~ 'b' changed: reference",
        "  'b' pass_rate: 1 -> 0",
        "  'b' mean_score: 1 -> 0.5",
        "+ 'new' added",
        "- 'gone' removed",
    ]


def test_a_diff_says_the_reason_and_part_credit_that_moved_and_a_plain_flip_once(make):
    old = baseline_of(make, kept(make, "a", 0.5), kept(make, "b", 0.0))
    new = baseline_of(make, kept(make, "a", 0.75), kept(make, "b"), reason="accepted")
    said = [line for line in diff(old, new) if "'" in line or "reason" in line]
    assert said == [
        "reason: None -> accepted",
        "  'a' mean_score: 0.5 -> 0.75",
        "  'b' pass_rate: 0 -> 1",
    ]


def test_a_page_shows_how_what_and_which_failed(make):
    earlier = baseline_of(make, kept(make, "a")).summary
    baseline = baseline_of(
        make, kept(make, "a"), kept(make, "b", 0.5), reason="known", history=(earlier,)
    )
    page = "\n".join(show(baseline))
    for said in ("contains", "2", "with a reason: known", "1 before", "not passed      1: b"):
        assert said in page


def test_a_case_that_a_pull_request_brings_is_added_whatever_the_baseline_holds(make):
    """It went away on the base branch: a pair of it would make a drop of the others smaller."""
    rows = [make.row("a", was=1.0), make.row("back")]
    baseline = baseline_of(make, kept(make, "a"), kept(make, "back"))
    found = align(rows, baseline, measured(make), brought={"back"})
    assert [row.id for row in found.pairs] == ["a"]
    assert (found.added, found.removed, found.changed) == (("back",), ("back",), ())
