"""A trust record survives its file, and one that was edited is refused."""

import json

import pytest

from gate.errors import TrustInvalid
from gate.judges.agreed import agreed
from gate.judges.trust_store import read_trust, write_trust
from gate.records.json_text import digest
from gate.records.trust import LabelAgreement, Probe, TrustRecord

CONFIG = {"model": "m\u202e", "rating_map": {"0": 0.0, "1": 0.5, "2": 1.0}}
TABLE = ((7, 1, 0), (1, 5, 2), (0, 1, 8))


def record(table=TABLE, **fields):
    given = {
        "scorer": "autorater",
        "judge_config": CONFIG,
        "judge": digest(CONFIG),
        "labels_digest": "sha256:" + "0" * 64,
        "unscored": 2,
        "not_asked": 1,
        "unknown": 3,
        "threshold": None,
        "weighting": "quadratic",
        "categories": (0.0, 1.0, 2.0),
        "confusion": table,
        "per_label": (LabelAgreement(label="qa", n_items=3, agreement=1.0, kappa=None),),
        "probes": (Probe(name="position", n=2, figure=-0.5, wanted="0", held=False, because="é"),),
    }
    made = agreed(table, (0.0, 1.0, 2.0), weighting="quadratic")._asdict()
    return TrustRecord(**(given | made | fields))


def refused(document):
    text = document if isinstance(document, str) else json.dumps(document)
    with pytest.raises(TrustInvalid) as caught:
        read_trust(text.encode(), source="t.json")
    return str(caught.value)


def document(**fields):
    return json.loads(write_trust(record())) | fields


@pytest.mark.parametrize("table", [TABLE, ((5, 0, 0), (0, 0, 0), (0, 0, 0)), ((0,) * 3,) * 3])
def test_a_record_is_read_back_as_it_was_written(table):
    text = write_trust(record(table))
    assert text.isascii()
    assert text.endswith("}\n")
    assert read_trust(text.encode(), source="t.json") == record(table)
    assert [line.split(":")[0] for line in text.splitlines()][1] == '"categories"'


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kappa": 0.9}, "`kappa`"),
        ({"kappa": None}, "`kappa`"),
        ({"unweighted_kappa": 1.0}, "`unweighted_kappa`"),
        ({"agreement": 1.0}, "`agreement`"),
        ({"n_items": 400}, "`n_items`"),
        ({"human_counts": [9, 8, 8]}, "`human_counts`"),
        ({"judge_counts": [7, 8, 10]}, "`judge_counts`"),
        ({"interval": None}, "`interval`"),
        ({"weighting": "none"}, "`kappa`"),
        ({"confusion": [[8, 0, 0], [0, 8, 0], [0, 0, 9]]}, "`kappa`"),
    ],
)
def test_a_figure_that_the_matrix_does_not_give_is_refused(change, said):
    lines = refused(document(**change)).split("\n")
    assert f"t.json: {said} is not what its confusion matrix gives" in lines


@pytest.mark.parametrize("end", ["low", "high", "lower_bound", "method"])
def test_no_end_of_the_interval_can_be_moved(end):
    moved = document()
    moved["interval"][end] = "other" if end == "method" else 0.9999
    assert refused(moved) == "t.json: `interval` is not what its confusion matrix gives"


def test_the_judge_cannot_be_exchanged():
    other = document(judge_config={**CONFIG, "model": "better"})
    assert refused(other) == "t.json: `judge` is not the digest of `judge_config`"


def test_the_last_bit_of_a_root_may_differ():
    near = document()
    near["interval"]["low"] += 1e-13
    assert read_trust(json.dumps(near).encode(), source="t.json").n_items == 25


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "t.json: a trust record is a JSON object"),
        ("{", "t.json: not JSON"),
        ('{"kind": "a", "kind": "b"}', "appears twice"),
        ('{"kind": NaN}', "NaN is not JSON"),
        ({"kind": "agent-eval-gate/result"}, "not a trust record (its kind is"),
        (document(schema_version=2), "schema_version is 2; this version reads 1"),
        (document(schema_version=True), "schema_version is true; this version reads 1"),
        (document(more=1), "unknown key 'more'"),
        (document(n_items="25"), "`n_items` expected a whole number"),
        (document(confusion=[[1, 2], [3, 4]]), "`confusion` must be a table of 3 by 3"),
        (document(confusion=[[1, 2, 3], [3, 4], [1, 2, 3]]), "must be a table of 3 by 3"),
        (document(categories=[0, 2, 1]), "`categories` must rise"),
        (document(confusion=[[-1, 0, 0], [0, 0, 0], [0, 0, 1]]), "`confusion.0.0`"),
        (document(judge="sha256:0"), "`judge`"),
    ],
)
def test_what_is_no_record_is_refused(text, said):
    assert said in refused(text)


def test_what_is_not_utf_8_is_refused():
    with pytest.raises(TrustInvalid, match="UTF-16"):
        read_trust("{}".encode("utf-16"), source="t.json")


def test_counts_beyond_all_measure_are_computed_all_the_same():
    most = 2**60
    text = write_trust(record(((most, 0, 0), (0, most, 1), (0, 0, most))))
    assert read_trust(text.encode(), source="t.json").kappa > 0.99
