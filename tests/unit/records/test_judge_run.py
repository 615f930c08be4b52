"""What a judge said of one response, and what happened when it was asked."""

import pytest
from pydantic import TypeAdapter, ValidationError

from gate.records.judge_run import Judgement, JudgeRun, Snapshots, short_key


def judgement(**fields):
    return TypeAdapter(Judgement).validate_python({"status": "ok", **fields})


def test_a_key_is_shortened_to_what_finds_its_answer():
    assert short_key("sha256:" + "0123456789abcdef" * 4) == "0123456789abcdef"


@pytest.mark.parametrize(
    "fields",
    [
        {"votes": (1.5,)},
        {"votes": (-0.1,)},
        {"votes": (float("nan"),)},
        {"votes": (True,)},
        {"keys": ("0" * 15,)},
        {"keys": ("G" * 16,)},
        {"status": "late"},
        {"elements": -1},
    ],
    ids=str,
)
def test_a_vote_is_a_share_and_a_key_is_a_digest(fields):
    with pytest.raises(ValidationError):
        judgement(**fields)


def test_a_vote_that_is_not_there_is_null_and_no_zero():
    assert judgement(status="timeout", votes=(None, 0.0)).votes == (None, 0.0)


def test_a_record_of_a_run_has_no_field_for_the_clock():
    names = {*JudgeRun.model_fields, *Snapshots.model_fields}
    assert not {name for name in names if "time" in name or "second" in name or "host" in name}
