"""A baseline survives its file, and a file that contradicts itself is refused."""

import json
from decimal import Decimal

import pytest

from gate.baseline.store import baseline_digest, read_baseline, write_baseline
from gate.errors import BaselineInvalid
from gate.records.baseline import AcceptedSummary, Baseline, BaselineRow
from gate.records.json_text import digest


def row(make, name, *scores, **fields):
    given = {
        "id": name,
        "labels": ("l",),
        "digest": make.digest(),
        "scores": scores,
        "passes": tuple(score == 1.0 for score in scores),
        "trajectory": 1.0,
        "declares_path": False,
    }
    return BaselineRow(**(given | fields))


@pytest.fixture
def baseline(make):
    summary = AcceptedSummary(
        n_cases=3,
        pass_rate=2 / 3,
        mean_score=2.1 / 3,
        trajectory_mean=1.0,
        predictions=make.SHA,
        metric="pass_rate",
        repeats=1,
    )
    return Baseline(
        scorer=make.scorer("structured", params='{"tolerance_ratio":0.1}'),
        metric="pass_rate",
        pass_threshold=Decimal("1.0"),
        trajectory_mode="exact",
        repeats=1,
        summary=summary,
        cases_digest=make.SHA,
        reason="é\u202e\n",
        history=(summary, summary),
        rows=(row(make, "a", 1.0), row(make, "b", 1.0), row(make, "c", 0.1)),
    )


def read(text):
    return read_baseline(text.encode(), source="b.json")


def refused(document):
    with pytest.raises(BaselineInvalid) as caught:
        read(document if isinstance(document, str) else json.dumps(document))
    return str(caught.value)


def test_it_round_trips_to_an_equal_hashable_value(baseline):
    assert read(write_baseline(baseline)) == baseline
    assert hash(read(write_baseline(baseline))) == hash(baseline)


def test_the_file_has_one_line_a_case_and_is_ascii(baseline):
    text = write_baseline(baseline)
    lines = text.encode("ascii").decode().splitlines()
    assert sum(line.startswith('{"cluster"') for line in lines) == 3
    assert text.endswith("]}\n")
    assert write_baseline(read(text)) == text


def test_rates_are_kept_unrounded(baseline):
    assert read(write_baseline(baseline)).summary.pass_rate == 2 / 3


def test_rounded_rates_of_six_places_are_accepted(baseline):
    document = json.loads(write_baseline(baseline))
    document["summary"].update(pass_rate=0.666667, mean_score=0.7)
    assert read(json.dumps(document)).summary.pass_rate == 0.666667
    document["summary"].update(pass_rate=0.66667)
    assert "summary.pass_rate is 0.66667, and its rows give 0.666667" in refused(document)


def test_the_digest_does_not_depend_on_the_spelling(baseline):
    spaced = json.dumps(json.loads(write_baseline(baseline)), indent=3)
    assert baseline_digest(read(spaced)) == baseline_digest(baseline)


def test_a_byte_order_mark_is_accepted(baseline):
    assert read("\ufeff" + write_baseline(baseline)) == baseline


def test_the_digest_moves_with_a_score(baseline, make):
    rows = (*baseline.rows[:2], row(make, "c", 0.2))
    other = Baseline(**{**dict(baseline), "rows": rows})
    assert baseline_digest(other) != baseline_digest(baseline)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: rows[2].update(id="a"), "case 'a' appears twice"),
        (lambda rows: rows[0].update(passes=[False]), "'a': `passes` contradicts its score"),
        (lambda rows: rows[0].update(scores=[0.5]), "'a': `passes` contradicts its score"),
        (lambda rows: rows[0].update(scores=[None]), "'a': `passes` contradicts its score"),
        (lambda rows: rows[0].update(scores=[1.0, 1.0], passes=[True, True]), "needs 1 score"),
        (lambda rows: rows[0].update(scores=[], passes=[]), "needs 1 score"),
        (lambda rows: rows[0].update(passes=[True, True]), "needs 1 score"),
        (lambda rows: rows[0].update(scores=["1.0"]), "expected a number"),
        (lambda rows: rows[0].update(surprise=1), "unknown key 'surprise'"),
        (lambda rows: rows[0].pop("digest"), "is required"),
        (lambda rows: rows[0]["digest"].update(whole="sha256:x"), "whole"),
        (lambda rows: rows.pop(), "its rows give 2"),
        (lambda rows: rows.clear(), "has no rows"),
    ],
)
def test_a_row_that_contradicts_is_said(baseline, change, said):
    document = json.loads(write_baseline(baseline))
    change(document["rows"])
    assert said in refused(document)


def test_all_contradictions_are_said(baseline):
    document = json.loads(write_baseline(baseline))
    for found in document["rows"]:
        found["passes"] = [not found["passes"][0]]
    assert len(refused(document).splitlines()) == 3


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("", "b.json"),
        ("[]", "a JSON object"),
        ("{}", "schema_version is null"),
        ('{"schema_version": 1}', "not a baseline"),
        ('{"schema_version": 1.5}', "schema_version is 1.5"),
        ('{"schema_version": 1, "kind": "agent-eval-gate/result"}', "not a baseline"),
        ('{"schema_version": 1, "kind": "agent-eval-gate/baseline"}', "`rows` is required"),
    ],
)
def test_another_document_is_refused(document, said):
    assert said in refused(document)


def test_a_digest_is_that_of_what_decides_in_canonical_spelling(make, baseline):
    odd = row(make, 'é"\\\n', 1.0, None, passes=(True, False), earlier=(None, 1e-07))
    rows = (*baseline.rows, odd)
    head = baseline.model_dump(mode="json", exclude={"rows"})
    decisive = [
        (one.id, one.digest.whole, one.scores, one.passes, one.trajectory, one.earlier)
        for one in rows
    ]
    assert baseline_digest(baseline.model_copy(update={"rows": rows})) == digest([head, decisive])
