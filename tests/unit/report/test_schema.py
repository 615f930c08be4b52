import json
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest

from gate.records.baseline import AcceptedSummary, Baseline, BaselineRow
from gate.report.result_json import write_result
from gate.report.schema import BASELINE, DIALECT, RESULT, schemas

PUBLISHED = Path(__file__).parents[3] / "schemas"


def published(name):
    return json.loads((PUBLISHED / name).read_text(encoding="utf-8"))


def refusals(name, value):
    return list(jsonschema.Draft202012Validator(published(name)).iter_errors(value))


@pytest.mark.parametrize("name", [RESULT, BASELINE])
def test_the_published_schema_is_up_to_date(name):
    written = (PUBLISHED / name).read_text(encoding="utf-8")
    assert written == schemas()[name], "run schemas/generate.py"


@pytest.mark.parametrize("name", [RESULT, BASELINE])
def test_the_schema_is_one(name):
    schema = published(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == DIALECT
    assert schema["title"].startswith("agent-eval-gate ")
    assert schema["description"]


def test_a_written_result_validates(build):
    for report in (build.report(), build.repeated(), build.report(judge_config='{"model":"m"}')):
        assert refusals(RESULT, json.loads(write_result(report))) == []


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "green"},
        {"exit_status": 4},
        {"surplus": 1},
        {"policy": "{}"},
        {"judge_config": "{}"},
        {"schema_version": 2},
    ],
)
def test_another_shape_does_not(build, change):
    assert refusals(RESULT, json.loads(write_result(build.report())) | change)


def test_every_field_that_is_written_is_required(build):
    written = json.loads(write_result(build.report()))
    for key in written:
        assert refusals(RESULT, {name: written[name] for name in written if name != key})


def test_a_baseline_as_written_validates(build):
    report = build.report()
    summary = AcceptedSummary(
        n_cases=1,
        pass_rate=1.0,
        mean_score=1.0,
        trajectory_mean=1.0,
        predictions=report.digests.predictions,
        metric="pass_rate",
        repeats=1,
    )
    baseline = Baseline(
        scorer=report.scorer,
        metric="pass_rate",
        pass_threshold=Decimal(1),
        trajectory_mode="exact",
        repeats=1,
        summary=summary,
        cases_digest=report.digests.cases,
        history=(summary,),
        rows=(
            BaselineRow(
                id="a",
                labels=(),
                digest=report.cases[0].digest,
                scores=(1.0, None),
                passes=(True, False),
                trajectory=1.0,
                declares_path=False,
            ),
        ),
    )
    written = baseline.model_dump(mode="json")
    assert refusals(BASELINE, written) == []
    assert refusals(BASELINE, written | {"rows": [{}]})
