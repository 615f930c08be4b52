"""The accepted result of the base commit beside that of the pull request."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from gate.baseline.store import read_baseline
from gate.pipeline.baseline_changes import FIELDS, baseline_changes
from gate.records.baseline import AcceptedSummary, Baseline, BaselineRow
from gate.records.rule_words import sentence

GOLDEN = Path(__file__).resolve().parents[3] / "baselines" / "golden.json"


@pytest.fixture(scope="module")
def base():
    return read_baseline(GOLDEN.read_bytes(), source="golden.json")


def changed(base, **parts):
    return Baseline(**{**dict(base), **parts})


def changes(base, head):
    return list(baseline_changes(base, head, path="b.json", redact=str))


def with_row(base, at, **parts):
    rows = list(base.rows)
    rows[at] = replace(rows[at], **parts)
    return changed(base, rows=tuple(rows))


OTHERS = {
    "scorer": lambda one: type(one.scorer)(name="other", version=1, params="{}"),
    "judge_config": lambda _: '{"model":"x"}',
    "metric": lambda _: "mean_score",
    "pass_threshold": lambda _: 0.5,
    "trajectory_mode": lambda _: "set",
    "repeats": lambda _: 7,
    "summary": lambda one: AcceptedSummary(**{**dict(one.summary), "pass_rate": 0.123}),
    "cases_digest": lambda _: "sha256:" + "1" * 64,
    "reason": lambda _: "because",
    "knowingly": lambda _: True,
    "waived": lambda _: ("qa-1",),
    "history": lambda one: (one.summary,),
}


def test_every_field_of_a_baseline_is_compared():
    outside = {"kind", "schema_version", "rows"}
    assert set(FIELDS) == set(Baseline.model_fields) - outside == set(OTHERS)


def test_equal_baselines_differ_in_nothing(base):
    assert changes(base, changed(base)) == []
    assert changes(None, None) == []


@pytest.mark.parametrize("name", OTHERS)
def test_one_field_that_changes_is_one_change_and_loosens(base, name):
    (found,) = changes(base, changed(base, **{name: OTHERS[name](base)}))
    assert (found.kind, found.subject, found.loosens) == (
        "baseline-changed",
        f"baseline: {name}",
        True,
    )
    assert found.before != found.after


def test_a_history_that_is_dropped_says_how_many_runs(base):
    (found,) = changes(changed(base, history=(base.summary,) * 3), base)
    assert found.before.startswith("3 earlier runs")


@pytest.mark.parametrize(
    ("there", "kind"), [(True, "baseline-removed"), (False, "baseline-added")]
)
def test_one_that_comes_or_goes_is_a_change_by_itself(base, there, kind):
    (found,) = changes(base, None) if there else changes(None, base)
    assert (found.kind, found.subject, found.loosens) == (kind, "b.json", True)


def test_an_accepted_value_that_fell_is_named_with_both(base):
    at = next(at for at, row in enumerate(base.rows) if all(row.passes))
    name = base.rows[at].id
    (found,) = changes(base, with_row(base, at, scores=(0.0,), passes=(False,)))
    assert sentence(found, show_expected=True) == (
        f"baseline: accepted lower: 1 case ({name!r}): 1 → 0"
    )


def test_many_are_counted_and_the_first_are_named(base):
    rows = tuple(replace(row, scores=(0.0,), passes=(False,)) for row in base.rows)
    (found,) = changes(base, changed(base, rows=rows))
    assert (found.number, found.before) == (len(base.rows), None)
    assert len(found.case_ids) == 5
    assert found.subject == "baseline: accepted lower"


def test_rows_that_come_and_go_are_two_changes(base):
    head = changed(base, rows=(*base.rows[1:], replace(base.rows[0], id="zz")))
    assert [(one.subject, one.case_ids) for one in changes(base, head)] == [
        ("baseline: dropped", (base.rows[0].id,)),
        ("baseline: added", ("zz",)),
    ]


def test_whatever_else_changes_in_a_row_is_told(base):
    others = {
        "labels": ("zz",),
        "digest": replace(base.rows[0].digest, whole="sha256:" + "1" * 64),
        "trajectory": 0.25,
        "declares_path": not base.rows[0].declares_path,
        "cluster": "c",
        "earlier": (0.5,),
    }
    assert set(others) == {one.name for one in fields(BaselineRow)} - {"id", "scores", "passes"}
    for name, value in others.items():
        (found,) = changes(base, with_row(base, 0, **{name: value}))
        assert found.subject == "baseline: changed otherwise", name
