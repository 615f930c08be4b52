import json
from io import BytesIO
from pathlib import Path

import pytest

from gate.inputs.importers import openai_evals
from gate.inputs.importers.found import Found, FoundCase, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source

FOLDER = Path(__file__).parents[3] / "data" / "importers" / "openai_evals"
RECORD = (FOLDER / "record.jsonl").read_bytes()
SPEC = b'{"spec": {"completion_fns": ["m"], "eval_name": "e.d"}}\n'
REPORT = b'{"final_report": {}}\n'


def findings(data: bytes, *, id_field: str | None = None):
    source = Source("record.jsonl", lambda: BytesIO(data))
    return list(openai_evals.found(source, ImportOptions(id_field=id_field)))


def of(kind, found):
    return [each for each in found if isinstance(each, kind)]


def record(*events: tuple) -> bytes:
    lines = [
        json.dumps({"event_id": at, "sample_id": name, "type": kind, "data": data}).encode()
        for at, (name, kind, data) in enumerate(events)
    ]
    return SPEC + b"\n".join(lines) + b"\n" + REPORT


def test_the_events_of_a_sample_are_joined():
    found = findings(RECORD)
    assert of(Found, found) == [
        Found("capitals.dev.2", "line 2", error="the agent crashed", by_place=True),
        Found(
            "capitals.dev.1",
            "line 3",
            output="Rome",
            scores=(RecordedScore("match", 0.0),),
            case=FoundCase(
                '[{"content":"Capital of Peru?","role":"user"}]', reference='["Lima","Lima."]'
            ),
            by_place=True,
        ),
        Found(
            "capitals.dev.0",
            "line 5",
            output="Paris",
            scores=(RecordedScore("match", 1.0),),
            case=FoundCase('[{"content":"Capital of France?","role":"user"}]', reference="Paris"),
            by_place=True,
        ),
    ]
    assert len(found) == 3


def test_events_of_several_samples_may_be_mixed():
    rows = of(
        Found,
        findings(
            record(
                ("e.d.0", "sampling", {"prompt": "first?", "sampled": "thinking"}),
                ("e.d.1", "sampling", {"prompt": "other?", "sampled": ["b"]}),
                ("e.d.0", "function_call", {"name": "search"}),
                ("e.d.0", "sampling", {"prompt": "so?", "sampled": "a"}),
                ("e.d.1", "match", {"correct": True, "expected": "b"}),
                ("e.d.0", "metrics", {"accuracy": 0.5, "note": "x", "ok": True, "none": None}),
            )
        ),
    )
    assert [(row.id, row.output, row.case.input, row.tools) for row in rows] == [
        ("e.d.1", "b", "other?", ()),
        ("e.d.0", "a", "first?", ("search",)),
    ]
    assert rows[1].scores == (
        RecordedScore("accuracy", 0.5),
        RecordedScore("ok", 1.0),
        RecordedScore("none", None),
    )


def test_the_answer_is_not_the_graders():
    def graded(choice):
        return findings(
            record(
                ("e.d.0", "sampling", {"prompt": "q", "sampled": "a"}),
                ("e.d.0", "sampling", {"prompt": "Is it right?", "sampled": "Y"}),
                ("e.d.0", "metrics", {"choice": choice, "score": 0.0}),
            )
        )

    row = of(Found, graded("N"))[0]
    assert (row.output, row.case.input, row.scores) == ("a", "q", (RecordedScore("score", 0.0),))
    assert of(Remark, graded("N")) == [Remark("the metric 'choice' is no number, so no score")]
    assert of(Found, graded("__invalid__"))[0].scores == (RecordedScore("score", None),)


def test_a_match_without_a_sampling_holds_the_output_itself():
    rows = of(
        Found,
        findings(
            record(
                ("e.d.0", "match", {"correct": True, "sampled": "a", "picked": "b"}),
                ("e.d.1", "match", {"correct": True, "picked": "b"}),
                ("e.d.2", "match", {"correct": True, "picked": None}),
            )
        ),
    )
    assert [row.output for row in rows] == ["a", "b", None]
    assert rows[2].error == "evals recorded no output for this sample"
    assert rows[2].scores == ()


def test_several_matches_are_their_mean():
    found = findings(
        record(
            ("e.d.0", "sampling", {"prompt": "q", "sampled": "a"}),
            ("e.d.0", "match", {"correct": True}),
            ("e.d.0", "match", {"correct": False}),
        )
    )
    assert of(Found, found)[0].scores == (RecordedScore("match", 0.5),)
    assert of(Remark, found) == [Remark("1 samples have several matches: `match` is their mean")]


def test_metrics_that_contradict_each_other_are_no_score():
    found = findings(
        record(
            ("e.d.0", "sampling", {"prompt": "q", "sampled": "a"}),
            ("e.d.0", "metrics", {"acc": 0.0, "f1": 1}),
            ("e.d.0", "metrics", {"acc": 1.0, "f1": 1.0, "late": True}),
            ("e.d.0", "metrics", {"acc": 0.0}),
        )
    )
    assert of(Found, found)[0].scores == (
        RecordedScore("acc", None),
        RecordedScore("f1", 1.0),
        RecordedScore("late", 1.0),
    )
    assert of(Remark, found) == [
        Remark("the metric 'acc' has several values in 1 samples: no score")
    ]


def test_the_rules_are_what_the_specification_says_of_the_grader():
    def rules(**graded):
        spec = {"spec": {"eval_name": "e.d", "run_config": {"eval_spec": graded}}}
        events = record(("e.d.0", "sampling", {"prompt": "q", "sampled": "a"}))
        data = json.dumps(spec).encode() + b"\n" + events.split(b"\n", 1)[1]
        return of(Found, findings(data))[0].case.rules

    here = rules(cls="evals.M", args={"spec": "fact"}, registry_path="/one")
    assert here == '{"args":{"spec":"fact"},"cls":"evals.M"}'
    assert here == rules(cls="evals.M", args={"spec": "fact"}, registry_path="/two")
    assert here != rules(cls="evals.M", args={"spec": "weak"}, registry_path="/one")


def test_who_grades_is_a_rule_and_who_is_graded_is_none():
    def rules(*asked):
        config = {"completion_fns": list(asked), "eval_spec": {"cls": "M", "args": {}}}
        spec = {"spec": {"eval_name": "e.d", "run_config": config}}
        events = record(("e.d.0", "sampling", {"prompt": "q", "sampled": "a"}))
        data = json.dumps(spec).encode() + b"\n" + events.split(b"\n", 1)[1]
        return of(Found, findings(data))[0].case.rules

    assert rules("agent", "strict") == rules("another", "strict") != rules("agent", "lenient")
    assert rules("agent") == rules("another") == '{"args":{},"cls":"M"}'


def test_an_event_of_another_run_and_a_second_end_are_refused():
    other = b'{"run_id": "x", "sample_id": "a", "type": "match", "data": {"correct": true}}\n'
    assert of(Wrong, findings(RECORD + other)) == [
        Wrong("line 8", "`run_id`: an event of another run: one run, one file")
    ]
    assert of(Wrong, findings(RECORD + REPORT)) == [
        Wrong("line 8", "a second run ends here: one run, one file")
    ]


def test_a_record_without_its_ends_is_a_gap():
    body = RECORD.split(b"\n")
    assert "no `final_report`" in of(Gap, findings(b"\n".join(body[:-2])))[0].message
    assert "no `spec`" in of(Gap, findings(b"\n".join(body[1:])))[0].message
    assert not of(Gap, findings(RECORD))


def test_two_runs_in_one_file_are_refused():
    wrong = of(Wrong, findings(RECORD + RECORD))
    assert wrong[0] == Wrong("line 8", "a second run begins here: one run, one file")


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ((None, "match", {}), "`sample_id`: expected a text or a whole number, got null"),
        (("a", "match", []), "`data`: expected an object, got a list"),
        (
            ("a", "match", {"correct": 1}),
            "`data.correct`: expected true or false, got a whole number",
        ),
        (("a", 3, {}), "`type`: expected a text, got a whole number"),
        (("a", "function_call", {}), "`data.name`: expected the name of a function, got null"),
    ],
)
def test_an_event_of_another_shape_is_refused_by_its_key(event, message):
    assert of(Wrong, findings(record(event))) == [Wrong("line 2", message)]


def test_every_bad_line_is_told():
    found = findings(RECORD + b"{\n\xff\n[]\n")
    assert [each.place for each in of(Wrong, found)] == ["line 8", "line 9", "line 10"]
    assert len(of(Found, found)) == 3


def test_there_is_no_other_id():
    assert of(Wrong, findings(RECORD, id_field="data.id"))
    assert len(of(Found, findings(RECORD, id_field="sample_id"))) == 3


def test_a_record_is_recognised_by_its_content_alone():
    assert openai_evals.recognises(RECORD)
    assert openai_evals.recognises(RECORD[:60])
    assert openai_evals.recognises(RECORD.split(b"\n", 1)[1])
    for other in (
        b"",
        b'{"id": 1, "output": "x"}',
        b'{"spec": 1}',
        b'[{"spec": {"eval_name": 1}}]',
    ):
        assert not openai_evals.recognises(other)
