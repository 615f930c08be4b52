"""Every record round-trips to an equal, hashable value, and takes nothing but its own."""

import json
import re
from dataclasses import is_dataclass
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from pydantic import TypeAdapter, ValidationError

import gate.records
from gate.adapters.files import Disk
from gate.baseline.store import read_baseline, write_baseline
from gate.errors import BaselineInvalid, ResultInvalid
from gate.pipeline.foresee import foresee, seen_in_baseline
from gate.records import base
from gate.records.base import Record
from gate.records.baseline import Baseline
from gate.records.case import AgentResult, EvalCase, Prediction
from gate.records.gating import (
    ComparableOptions,
    CompletenessOptions,
    CreepOptions,
    FloorOptions,
    RegressionOptions,
    RulesOptions,
    SafetyOptions,
    SlicesOptions,
    TrajectoryOptions,
)
from gate.records.host import HostComment, Occasion, Pull
from gate.records.json_text import loads
from gate.records.policy import Overrides, Policy, SuiteOptions
from gate.records.report import Effect, Report
from gate.records.result import PassAt, RepeatResult, RunsSummary, SuiteRun
from gate.records.rule_change import RuleChange, RulesFrom
from gate.records.scoring import (
    ContainsOptions,
    ExactMatchOptions,
    JaccardOptions,
    NumericWithinOptions,
    RecordedOptions,
    RougeLOptions,
    RubricCheck,
    RubricOptions,
    StructuredOptions,
)
from gate.records.verdict import ChangedCase
from gate.records.waiver import Waiver, WaiverUse
from gate.report.result_json import read_result, result_chunks, write_result
from gate.shell.gather import Means
from gate.shell.score import measure
from gate.shell.stored import promoted

ROOT = Path(__file__).resolve().parents[2]
EITHER = {
    *(("RubricCheck", "value"), ("JudgeOptions", "command")),
    *(("Report", "schema_version"), ("Baseline", "schema_version")),
}
"""A text or something else, by design; and two that their readers look at before the model."""
WAIVER = {
    "case": "a",
    "gate": "safety",
    "owner": "ana",
    "reason": "ticket 12",
    "expires": "2026-12-31",
}


def record_classes():
    return {
        thing
        for info in iter_modules(gate.records.__path__)
        for thing in vars(import_module(f"gate.records.{info.name}")).values()
        if isinstance(thing, type)
        and thing.__module__ == f"gate.records.{info.name}"
        and thing is not Record
        and (
            issubclass(thing, Record)
            or (is_dataclass(thing) and hasattr(thing, "__pydantic_config__"))
        )
    }


def walk(value):
    """Give every record that stands in a value, the value itself among them."""
    if isinstance(value, Record) or is_dataclass(value):
        yield value
        for name in fields(type(value)):
            yield from walk(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from walk(item)


def fields(cls):
    return list(cls.model_fields if issubclass(cls, Record) else cls.__dataclass_fields__)


@pytest.fixture(scope="session")
def samples(tmp_path_factory, fakes):
    """One value of each record, most of them from a run of the golden example."""
    means = Means(Disk(), str, lambda lines: lines)
    options = Overrides(
        cases=str(ROOT / "examples/golden/cases.jsonl"),
        predictions=str(ROOT / "examples/golden/regressed.jsonl"),
        baseline=str(ROOT / "baselines/golden.json"),
        max_drop="0.05",
        min_pass_rate="0.5",  # noqa: S106 - a rate
        trajectory="exact",
    )
    empty = tmp_path_factory.mktemp("policy") / "gate.toml"
    empty.write_text("[suite]\nseed = 0\n")
    report = measure(means, options, policy=str(empty), gated=True)
    stored = tmp_path_factory.mktemp("result") / "result.json"
    stored.write_text("".join(result_chunks(report)))
    baseline = promoted(means, str(stored), target=str(stored) + ".none", reason="a sample")
    check = RubricCheck(kind="contains", value="Paris", weight="2.5")
    gates = (
        RegressionOptions(max_drop="0.05", metric="pass_rate"),
        SafetyOptions(label="safety"),
        CompletenessOptions(max_missing=1),
        ComparableOptions(allow_changed=True),
        FloorOptions(min="0.9"),
        TrajectoryOptions(mode="set", min="0.5", max_drop="0.1"),
        SlicesOptions(max_drop="0.1", alpha="0.1"),
        CreepOptions(max_drop="0.05", last=3, pinned="0123abcd"),
    )
    scorers = (
        ExactMatchOptions(),
        ContainsOptions(),
        NumericWithinOptions(tolerance="0.5"),
        RubricOptions(checks=(check,)),
        JaccardOptions(),
        RougeLOptions(use_stemmer=True),
        StructuredOptions(),
        RecordedOptions(score="match", tool="inspect_ai"),
    )
    seen = seen_in_baseline(baseline, None)
    certified = RegressionOptions(rule="noninferior", max_drop="0.1")
    twice = seen._replace(runs=tuple((*runs, 1.0) for runs in seen.runs))
    roots = (
        report,
        baseline,
        foresee(twice, gates[0], size=None, wanted=0.05, aim=0.8),
        foresee(twice, certified, size=99, wanted=0.05, aim=0.8),
        foresee(
            twice,
            RegressionOptions(rule="noninferior", max_drop="0.1"),
            size=99,
            wanted=0.05,
            aim=0.8,
        ),
        PassAt(k=2, any_passes=1.0, all_pass=0.5),
        options,
        *gates,
        *scorers,
        Policy(suite=SuiteOptions(repeats=2), scorer=scorers[3], gates=gates),
        EvalCase(id="a", input="?", reference="b", labels=("x",), scorer=scorers[2]),
        Prediction(id="a", output="b", repeat=1, tools=("search",), cost_usd=0.5),
        AgentResult(output="b", tools=("search",)),
        ChangedCase(id="a", fields=("input",)),
        Effect(target="a", text="b"),
        RunsSummary(metric="pass_rate", values=(0.5, 1.0), mean=0.75, sd=0.35),
        RepeatResult(repeat=1, standing="scored", score=0.5, passed=False, trajectory=1.0),
        SuiteRun(suite=report.suite, case_results=report.cases),
        *fakes("judged_records").judged_records(),
        Waiver(**WAIVER, allow_safety=True),
        WaiverUse(**WAIVER, days_left=3, used=True, said="in use"),
        RulesOptions(allow_policy_changes=("label-changed",)),
        RulesFrom(source="base", commit="a" * 40, file="gate.toml", brought=("b.json",)),
        RuleChange(
            kind="case-removed", subject="a", before="b", after="c", loosens=True, case_ids=("a",)
        ),
        Occasion(kind="pull_request", number=7, head_sha="a" * 40, run=3, repository="o/r"),
        Pull(
            number=7,
            state="open",
            head_sha="a" * 40,
            base_sha="b" * 40,
            base_ref="main",
            base_repository="o/r",
            head_repository=None,
        ),
        HostComment(id=1, body="b", author="a", author_id=2, by_app=True, url="u"),
    )
    found = {}
    for root in roots:
        for value in walk(root):
            found.setdefault(type(value), value)
            if len(spoken(value)) > len(spoken(found[type(value)])):
                found[type(value)] = value
    return found


def spoken(value):
    """Give the document of a record, as it would stand in a file."""
    document = loads(json.dumps(TypeAdapter(type(value)).dump_python(value, mode="json")))
    assert isinstance(document, dict)
    return document


def records():
    return pytest.mark.parametrize(
        "cls", sorted(record_classes(), key=lambda cls: cls.__name__), ids=lambda c: c.__name__
    )


def read(cls, document):
    return TypeAdapter(cls).validate_python(document)


@records()
def test_a_record_round_trips_to_an_equal_value_of_equal_hash(samples, cls):
    value = samples[cls]
    again = read(cls, spoken(value))
    assert again == value
    assert hash(again) == hash(value)


@records()
def test_a_record_cannot_be_changed(samples, cls):
    value = samples[cls]
    for name in fields(cls):
        with pytest.raises((ValidationError, AttributeError)):
            setattr(value, name, getattr(value, name))


@records()
def test_a_record_refuses_a_field_it_does_not_know(samples, cls):
    with pytest.raises(ValidationError):
        read(cls, {**spoken(samples[cls]), "surplus": 1})


@records()
def test_a_record_takes_no_text_for_a_number_and_no_boolean_for_either(samples, cls):
    document = spoken(samples[cls])
    taken = []
    for name, value in document.items():
        if (cls.__name__, name) in EITHER:
            continue
        for wrong in _wrong(value, getattr(samples[cls], name)):
            try:
                read(cls, {**document, name: wrong})
            except ValidationError:
                continue
            taken.append((name, value, wrong))
    assert not taken


def _wrong(spoken_value, held):
    if spoken_value is None:
        return []
    if isinstance(spoken_value, bool):
        return [1, 0, "true", "yes", 1.0]
    if isinstance(spoken_value, (int, float)):
        wrong = [True, [spoken_value], float("nan"), float("inf")]
        # A limit is read from its text, on purpose: so that 0.05 is one twentieth.
        return wrong if isinstance(held, Decimal) else [*wrong, str(spoken_value)]
    if isinstance(spoken_value, str):
        return [1, True, [spoken_value], {}]
    return [1, True, "text"]


@pytest.mark.parametrize("wrong", ["true", '"1"', "2", "0", "null"])
def test_the_readers_of_both_files_refuse_another_schema_version(samples, wrong):
    for cls, write, read_file, error in (
        (Baseline, write_baseline, read_baseline, BaselineInvalid),
        (Report, write_result, read_result, ResultInvalid),
    ):
        text = write(samples[cls])
        read_file(text.encode(), source="file")
        changed = re.sub(r'"schema_version": ?1', f'"schema_version":{wrong}', text)
        assert changed != text
        with pytest.raises(error, match="schema_version"):
            read_file(changed.encode(), source="file")


def test_no_default_is_a_list_or_a_dict(samples):
    for cls, value in samples.items():
        for name in fields(cls):
            assert not isinstance(getattr(value, name), (list, dict, set)), (cls, name)


def test_records_are_closed_by_construction():
    assert base.CLOSED["extra"] == "forbid"
    assert base.CLOSED["allow_inf_nan"] is False
