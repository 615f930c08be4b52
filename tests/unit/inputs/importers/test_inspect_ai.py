import json
import os
import re
import stat
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers import inspect_ai
from gate.inputs.importers.found import Found, FoundCase, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.parts import inspect_archive, inspect_log
from gate.inputs.importers.parts import members as members_module
from gate.inputs.importers.parts.inspect_archive import Archive
from gate.inputs.importers.parts.members import Members
from gate.inputs.importers.source import Source
from gate.records.json_text import JsonRefused

FOLDER = Path(__file__).parents[3] / "data" / "importers" / "inspect_ai"
EVAL = (FOLDER / "small.eval").read_bytes()
JSON = (FOLDER / "small.json").read_bytes()
REAL_DATA = Path(os.environ.get("GATE_REAL_DATA") or "absent") / "inspect_ai"


def findings(data: bytes, *, id_field: str | None = None):
    source = Source("log", lambda: BytesIO(data))
    return list(inspect_ai.found(source, ImportOptions(id_field=id_field)))


def of(kind, found):
    return [each for each in found if isinstance(each, kind)]


def members() -> dict[str, bytes]:
    archive = Archive(BytesIO(EVAL), name="log")
    return {name: bytes(archive.read(name)) for name in archive}


def packed(contents, method: int = ZIP_DEFLATED) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", method) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return file.getvalue()


def log(**changes) -> bytes:
    whole = json.loads(JSON)
    whole.update(changes)
    return json.dumps(whole).encode()


def with_sample(**changes) -> list:
    whole = json.loads(JSON)
    sample = whole["samples"][0]
    sample.update(changes)
    return findings(log(samples=[sample]))


def the_scores(value, **more):
    row = of(Found, with_sample(scores={"s": {"value": value, **more}}))[0]
    return {score.name: score.value for score in row.scores}


def test_a_log_gives_each_sample_of_each_epoch():
    rows = {(row.id, row.repeat): row for row in of(Found, findings(EVAL))}
    assert set(rows) == {(name, at) for name in ("2", "crashes", "named") for at in (0, 1)}
    assert rows["named", 1] == Found(
        id="named",
        place="samples/named_epoch_2.json",
        repeat=1,
        output="Paris",
        tools=("search",),
        scores=(
            RecordedScore("match", 1.0),
            RecordedScore("graded.style", None),
            RecordedScore("graded.safe", 1.0),
            RecordedScore("judged", 0.5),
        ),
        case=FoundCase(
            input="Capital of France?",
            reference="Paris",
            labels=("retrieval",),
            metadata='{"labels":["retrieval"],"qid":"q-1"}',
            rules='{"scorers":[{"name":"match","options":{"location":"any"}},'
            '{"name":"graded","options":{}},{"name":"judged","options":{}}]}',
            rules_by_score=tuple(
                (f"{name}{end}", f'{{"scorers":[{{"name":"{name}","options":{options}}}]}}')
                for name, options in (
                    ("match", '{"location":"any"}'),
                    ("graded", "{}"),
                    ("judged", "{}"),
                )
                for end in ("", ".")
            ),
        ),
        cost_usd=0.5,
        latency_ms=rows["named", 1].latency_ms,
        trace=rows["named", 1].trace,
    )
    assert rows["named", 1].latency_ms > 0
    assert json.loads(rows["named", 1].trace)[1] == {
        "role": "assistant",
        "content": "tool call for tool search",
        "tool_calls": [{"function": "search", "arguments": {"query": "q"}}],
    }


def test_a_crashed_sample_is_an_error_and_stays():
    rows = [row for row in of(Found, findings(EVAL)) if row.id == "crashes"]
    assert [row.error for row in rows] == ["RuntimeError('the agent crashed')"] * 2
    assert all(row.output is None and row.scores == () for row in rows)


def test_a_sample_without_an_id_stands_at_a_place_and_lists_its_alternatives():
    row = next(row for row in of(Found, findings(EVAL)) if row.id == "2")
    assert row.by_place
    assert row.output == "The answer\nis Paris."
    assert row.tools == ()
    assert row.case.reference == '["Paris","paris."]'
    assert json.loads(row.case.input) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "And now?"},
    ]
    assert json.loads(row.case.metadata)["choices"] == ["Paris", "Rome"]


def test_a_grader_that_failed_gives_no_score_and_is_remarked():
    found = findings(EVAL)
    row = next(row for row in of(Found, found) if row.id == "2")
    assert RecordedScore("judged", None) in row.scores
    assert [each.message for each in of(Remark, found)] == [
        "the score 'graded.style' has no value in 4 samples",
        "the score 'judged' has no value in 2 samples",
    ]
    assert not of(Gap, found)
    assert not of(Wrong, found)


def test_both_logs_say_the_same():
    def bare(data):
        return sorted(row._replace(place="") for row in of(Found, findings(data)))

    assert bare(EVAL) == bare(JSON)
    assert bare(packed(members(), ZIP_STORED)) == bare(packed(members())) == bare(JSON)


def test_another_field_may_hold_the_id():
    rows = of(Found, findings(EVAL, id_field="metadata.qid"))
    assert {row.id for row in rows} == {"q-1", "q-2", "q-3"}
    assert not any(row.by_place for row in rows)
    wrong = of(Wrong, findings(EVAL, id_field="metadata.absent"))
    assert {each.message for each in wrong} == {"`metadata.absent`: is missing"}
    assert len(wrong) == 6
    wrong = of(Wrong, findings(EVAL, id_field="metadata"))
    assert wrong[0].message == "`metadata`: expected a text or a whole number, got an object"


@pytest.mark.parametrize(
    ("value", "score"),
    [
        ("C", 1.0),
        ("I", 0.0),
        ("P", 0.5),
        ("N", 0.0),
        ("Yes", 1.0),
        ("false", 0.0),
        ("0.25", 0.25),
        ("c", None),
        ("excellent", None),
        ("٣", None),
        ("nan", None),
        ("1_0", None),
        (True, 1.0),
        (False, 0.0),
        (7, 7.0),
        (-0.5, -0.5),
        (None, None),
        (10**400, None),
    ],
)
def test_a_value_becomes_what_inspect_makes_of_it(value, score):
    assert the_scores(value) == {"s": score}


def test_a_value_of_several_parts_is_several_scores():
    assert the_scores({"a": "C", "b": None}) == {"s.a": 1.0, "s.b": None}
    assert the_scores([1, "I"]) == {"s.0": 1.0, "s.1": 0.0}


def test_a_text_that_is_no_score_is_remarked():
    found = with_sample(scores={"s": {"value": "excellent"}})
    assert "the score 's' is a text for which Inspect has no number" in {
        each.message for each in of(Remark, found)
    }


@pytest.mark.parametrize(
    "said", [{"reason": "grader_failed"}, {"metadata": {"unscored_reason": "scoring_failed"}}]
)
def test_a_grade_that_was_not_made_is_no_zero(said):
    assert the_scores(0, **said) == {"s": None}
    assert the_scores("I", reason="refusal") == {"s": 0.0}


def test_no_target_is_no_reference():
    assert of(Found, with_sample(target=""))[0].case.reference is None
    assert of(Found, with_sample(target=[]))[0].case.reference is None
    assert of(Found, with_sample(target=["Paris"]))[0].case.reference == "Paris"


def test_the_ids_of_messages_are_no_part_of_the_case():
    def case(name):
        message = {"id": name, "role": "user", "content": "And?", "source": "input"}
        return of(Found, with_sample(input=[message]))[0].case

    assert case("one") == case("two")
    assert case("one").input == "And?"


def test_calls_are_in_order_and_those_of_the_input_are_not_the_agents():
    def call(*names):
        return [{"id": "x", "function": name, "arguments": {}} for name in names]

    messages = [
        {"role": "assistant", "content": "", "tool_calls": call("shown"), "source": "input"},
        {"role": "assistant", "content": "", "tool_calls": call("b", "a")},
        {"role": "tool", "content": "", "function": "b"},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "tool_type": "web_search", "name": "search"}],
            "tool_calls": call("b"),
        },
    ]
    assert of(Found, with_sample(messages=messages))[0].tools == ("b", "a", "search", "b")


def test_a_sample_without_output_is_an_error_unless_it_was_scored():
    empty = {"model": "m", "choices": [], "completion": ""}
    assert of(Found, with_sample(output=empty))[0].output == ""
    found = with_sample(output=empty, scores={})
    assert of(Found, found)[0].error == "Inspect recorded no output for this sample"
    assert any("neither an output nor an error" in each.message for each in of(Remark, found))


def test_a_cost_that_is_not_known_of_each_model_is_none():
    usage = {"a": {"total_cost": 0.1}, "b": {"total_cost": 0.2}}
    assert of(Found, with_sample(model_usage=usage))[0].cost_usd == pytest.approx(0.3)
    usage["b"] = {"total_tokens": 5}
    assert of(Found, with_sample(model_usage=usage))[0].cost_usd is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": None}, "`id`: expected a text or a whole number, got null"),
        ({"id": 1.5}, "`id`: expected a text or a whole number, got a fraction"),
        ({"id": ""}, "`id`: is empty"),
        ({"epoch": 0}, "`epoch`: expected a whole number from 1"),
        ({"epoch": True}, "`epoch`: expected a whole number from 1"),
        ({"input": 3}, "`input`: expected a text or a list of messages, got a whole number"),
        ({"target": {"a": 1}}, "`target`: expected a text or a list of texts"),
        ({"messages": {}}, "`messages`: expected a list, got an object"),
        ({"messages": [3]}, "`messages[0]`: expected an object, got a whole number"),
        ({"output": []}, "`output`: expected an object, got a list"),
        (
            {"output": {"choices": ["x"]}},
            "`output.choices`: expected a list of objects with a `message`",
        ),
        ({"scores": {"s": 1}}, "`scores`: 's' has no `value`"),
        ({"metadata": "x"}, "`metadata`: expected an object, got a text"),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"id": "x"}]}]},
            "`messages[0].tool_calls`: a call without the name of its tool",
        ),
    ],
)
def test_a_sample_of_another_shape_is_refused_by_its_key(changes, message):
    found = with_sample(**changes)
    assert of(Wrong, found) == [Wrong("samples[0]", message)]
    assert not of(Found, found)


def test_every_bad_sample_is_told_and_the_others_are_read():
    whole = json.loads(JSON)
    whole["samples"][1]["epoch"] = "1"
    whole["samples"][3] = 7
    found = findings(json.dumps(whole).encode())
    assert [each.place for each in of(Wrong, found)] == ["samples[1]", "samples[3]"]
    assert len(of(Found, found)) == 4


def test_a_log_without_its_end_is_not_whole():
    contents = members()
    del contents["header.json"]
    messages = [each.message for each in of(Gap, findings(packed(contents)))]
    assert messages == ["the log has no end: the run died, or still goes on"]


@pytest.mark.parametrize("status", ["started", "cancelled", "error", 3])
def test_a_status_other_than_success_is_a_gap(status):
    assert any("status" in each.message for each in of(Gap, findings(log(status=status))))


def test_fewer_samples_than_were_to_run_is_a_gap():
    contents = members()
    del contents["samples/named_epoch_2.json"]
    found = findings(packed(contents))
    assert of(Gap, found) == [
        Gap("5 of 6 samples are in the log"),
        Gap("summaries that are of samples that are not in the log: 1"),
    ]
    assert of(Gap, findings(log(samples=None))) == [Gap("0 of 6 samples are in the log")]
    assert of(Gap, findings(log(samples=None, results=None)))[0].message.startswith("0 of 6")


def test_a_sample_that_stands_twice_does_not_stand_in_for_another():
    whole = json.loads(JSON)
    whole["samples"][1] = whole["samples"][0]
    assert of(Gap, findings(json.dumps(whole).encode())) == [Gap("5 of 6 samples are in the log")]


def test_a_log_that_says_nothing_of_its_plan_is_a_gap():
    whole = json.loads(JSON)
    del whole["results"]
    whole["eval"]["dataset"] = {}
    assert "how many" in of(Gap, findings(json.dumps(whole).encode()))[0].message


def test_an_end_that_contradicts_the_samples_is_a_gap():
    results = json.loads(JSON)["results"] | {"completed_samples": 3}
    assert of(Gap, findings(log(results=results))) == [
        Gap("the log says that 3 samples were completed, and 4 have no error")
    ]
    assert of(Gap, findings(log(error={"message": "boom"}))) == [
        Gap("the status of the run is 'success', and beside it stands an error")
    ]


def test_summaries_that_contradict_the_samples_are_a_gap():
    contents = members()
    summaries = json.loads(contents["summaries.json"])
    named = next(each for each in summaries if each["id"] == "named")

    def gaps(*all_of_them):
        contents["summaries.json"] = json.dumps(all_of_them).encode()
        return [each.message for each in of(Gap, findings(packed(contents)))]

    assert not gaps(*summaries)
    other = {**named, "scores": {"match": {"value": "I"}, "judged": {"value": "P"}}}
    assert gaps(other) == ["summaries that have other scores than their samples: 1"]
    assert gaps({**named, "error": "boom"}, {**named, "id": "other"}, 3) == [
        "summaries that say otherwise than their samples whether these failed: 1",
        "summaries that are of samples that are not in the log: 1",
        "summaries that cannot be read: 1",
    ]
    contents["summaries.json"] = b"{"
    assert any("cannot be read" in each.message for each in of(Gap, findings(packed(contents))))


def test_the_rules_are_the_scorers_with_their_options():
    def rules(*scorers, **more):
        spec = {**json.loads(JSON)["eval"], "scorers": list(scorers), **more}
        return {row.case.rules for row in of(Found, findings(log(eval=spec)))}

    strict = {"name": "judge", "options": {"template": "Be strict."}, "metrics": []}
    assert rules(strict) == {'{"scorers":[{"name":"judge","options":{"template":"Be strict."}}]}'}
    assert rules(strict) == rules(strict, model="other", created="2027-01-01")
    assert rules(strict) != rules({**strict, "options": {"template": "Be kind."}})
    one, other = ({**strict, "options": {"f": f"<function f at 0x{at}>"}} for at in ("7f", "8a"))
    assert rules(one) == rules(other)
    assert rules() == {""}


def test_members_that_share_their_bytes_are_refused():
    data = bytearray(packed(members()))
    first, second = (found.start() for found in list(re.finditer(rb"PK\x01\x02", data))[:2])
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    with pytest.raises(PredictionsInvalid, match="members of this zip archive overlap"):
        findings(bytes(data))


def test_brackets_are_bounded_over_all_parts_of_a_sample(monkeypatch):
    monkeypatch.setattr(members_module, "MAX_NESTED", 100)
    parts = ", ".join(f'"k{at}": [{"[]," * 20}[]]' for at in range(4))
    with pytest.raises(JsonRefused, match="more than 100 brackets in one object"):
        Members(f"{{{parts}}}".encode())
    monkeypatch.setattr(members_module, "MAX_MARKS", 100)
    monkeypatch.setattr(members_module, "MAX_NESTED", 1000)
    with pytest.raises(JsonRefused, match="more than 100 values"):
        Members(f"{{{parts}}}".encode()).built()


def test_samples_that_are_marked_invalid_are_a_gap():
    assert of(Gap, findings(log(invalidated=True)))
    assert of(Gap, with_sample(invalidation={"author": "x"}))


def test_a_limit_and_a_part_of_the_data_set_are_remarked():
    said = [each.message for each in of(Remark, with_sample(limit={"type": "token", "limit": 3}))]
    assert "1 samples were stopped by a limit (token)" in said
    whole = json.loads(JSON)
    whole["eval"]["dataset"]["samples"] = 100
    said = [each.message for each in of(Remark, findings(json.dumps(whole).encode()))]
    assert "3 of the 100 samples of the data set were to run" in said


def test_of_members_with_one_name_the_last_counts():
    file = BytesIO()
    contents = members()
    first = json.loads(contents["samples/named_epoch_1.json"])
    first["scores"]["match"]["value"] = "I"
    with ZipFile(file, "w") as archive:
        archive.writestr("samples/named_epoch_1.json", json.dumps(first))
        for name, content in contents.items():
            if name == "samples/named_epoch_1.json":
                with pytest.warns(UserWarning, match="Duplicate name"):
                    archive.writestr(name, content)
            else:
                archive.writestr(name, content)
    found = findings(file.getvalue())
    rows = [row for row in of(Found, found) if (row.id, row.repeat) == ("named", 0)]
    assert [row.scores[0] for row in rows] == [RecordedScore("match", 1.0)]
    assert Remark("1 members were not read: later ones replace them") in found


def test_members_that_are_no_part_of_a_log_are_not_read():
    found = findings(packed({**members(), "../../baselines/main.json": b"{}", "/abs": b"x"}))
    assert Remark("2 members that are no part of a log were not read") in found
    assert len(of(Found, found)) == 6


def test_a_link_is_not_followed():
    contents = members()
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for name, content in contents.items():
            info = ZipInfo(name)
            if name == "samples/named_epoch_1.json":
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, content)
    wrong = of(Wrong, findings(file.getvalue()))
    assert wrong == [Wrong("samples/named_epoch_1.json", "is a link; links are not followed")]


def test_an_encrypted_member_is_refused():
    data = bytearray(packed(members()))
    for found in list(re.finditer(rb"PK\x01\x02", data)):
        data[found.start() + 8] |= 1
    with pytest.raises(PredictionsInvalid, match=r"header\.json: is encrypted"):
        findings(bytes(data))


def test_another_method_is_refused():
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for name, content in members().items():
            method = ZIP_BZIP2 if name.startswith("samples/named") else ZIP_STORED
            archive.writestr(name, content, compress_type=method)
    messages = {each.message for each in of(Wrong, findings(file.getvalue()))}
    assert messages == {"is packed by method 12: stored, deflated and zstd are read"}


def test_a_cut_archive_says_so():
    for length in (10, len(EVAL) // 2, len(EVAL) - 10):
        with pytest.raises(PredictionsInvalid, match="no readable list of members"):
            findings(EVAL[:length])


@pytest.mark.parametrize("method", [None, ZIP_STORED, ZIP_DEFLATED])
def test_a_damaged_member_is_wrong_and_the_others_are_read(method):
    whole = EVAL if method is None else packed(members(), method)
    with ZipFile(BytesIO(whole)) as archive:
        info = archive.getinfo("samples/named_epoch_1.json")
    start = info.header_offset + 30 + len(info.filename)
    for at in range(start + 20, start + info.compress_size, 50):
        data = bytearray(whole)
        data[at] ^= 0xFF
        found = findings(bytes(data))
        assert [each.place for each in of(Wrong, found)] == ["samples/named_epoch_1.json"]
        assert of(Wrong, found)[0].message.startswith("damaged: ")
        assert len(of(Found, found)) == 5


def test_a_member_of_several_zstd_frames_is_read():
    zstd = pytest.importorskip("backports.zstd")
    content = members()["samples/named_epoch_1.json"]
    frames = zstd.compress(content[:700]) + zstd.compress(content[700:])
    unpacked = inspect_archive._zstandard(iter([frames[:5], frames[5:]]), len(content))
    assert bytes(unpacked) == content
    with pytest.raises(ValueError, match="more than"):
        inspect_archive._zstandard(iter([frames]), len(content) - 1)
    with pytest.raises(ValueError, match="end in the middle"):
        inspect_archive._zstandard(iter([frames[:-4]]), len(content))


def test_few_packed_bytes_do_not_grow_at_once():
    zstd = pytest.importorskip("backports.zstd")
    bomb = zstd.compress(b"[" * 50_000_000)
    assert len(bomb) < 10_000
    with pytest.raises(ValueError, match="unpacks to more than the 100 bytes"):
        inspect_archive._zstandard(iter([bomb]), 100)


def test_a_bomb_is_refused_by_a_named_limit(monkeypatch):
    contents = {**members(), "samples/b_epoch_1.json": b" " * 3_000_000}
    wrong = of(Wrong, findings(packed(contents)))
    assert "more than 1000 times its size" in wrong[0].message
    monkeypatch.setattr(inspect_archive, "MAX_MEMBER", 1_048_576)
    assert "more than 1 MiB" in of(Wrong, findings(packed(contents)))[0].message
    monkeypatch.setattr(inspect_archive, "MAX_TOTAL", 2_000_000)
    with pytest.raises(PredictionsInvalid, match="the limit of an archive"):
        findings(packed(contents))


def test_too_many_members_are_refused(monkeypatch):
    monkeypatch.setattr(inspect_archive, "MAX_MEMBERS", 10)
    with pytest.raises(PredictionsInvalid, match="11 members, more than 10"):
        findings(EVAL)
    monkeypatch.setattr(inspect_archive, "MAX_DIRECTORY", 100)
    with pytest.raises(PredictionsInvalid, match="its list of members is larger"):
        findings(EVAL)


def test_too_many_samples_are_refused(monkeypatch):
    monkeypatch.setattr(inspect_log, "MAX_SAMPLES", 4)
    found = findings(JSON)
    assert of(Wrong, found) == [Wrong("samples[4]", "more than 4 samples, the limit of a log")]
    assert len(of(Found, found)) == 4


def test_too_large_a_part_is_refused(monkeypatch):
    monkeypatch.setattr(members_module, "MAX_VALUES", 60)
    wrong = of(Wrong, with_sample(metadata={"a": [0] * 60}))
    assert wrong == [Wrong("samples[0]", "`metadata`: more than 60 values")]
    monkeypatch.setattr(members_module, "MAX_PART", 300)
    assert "the limit of a part" in of(Wrong, findings(JSON))[0].message


def test_what_is_not_read_may_be_anything():
    whole = json.loads(JSON)["samples"][0]
    del whole["store"]
    text = json.dumps(whole)[:-1] + ', "store": {"a": [NaN, 1e999, "]}\\""], "a": 1}}'
    data = log(samples=[]).replace(b'"samples": []', b'"samples": [' + text.encode() + b"]")
    assert [row.id for row in of(Found, findings(data))] == [str(whole["id"])]


def test_nesting_without_end_is_refused_where_it_is_skipped(monkeypatch):
    sample = json.dumps(json.loads(JSON)["samples"][0])[:-1]
    deep = sample + ', "events2": ' + "[" * 2_000 + "]" * 2_000 + "}"
    data = packed({**members(), "samples/2_epoch_1.json": deep.encode()})
    assert of(Wrong, findings(data)) == [
        Wrong("samples/2_epoch_1.json", "nested deeper than 1000 levels")
    ]
    monkeypatch.setattr(members_module, "MAX_NESTED", 400)
    wide = sample + ', "events2": [' + "{}," * 400 + "{}]}"
    data = packed({**members(), "samples/2_epoch_1.json": wide.encode()})
    assert of(Wrong, findings(data)) == [
        Wrong("samples/2_epoch_1.json", "more than 400 brackets in one object")
    ]


def test_an_archive_of_something_else_is_refused():
    with pytest.raises(PredictionsInvalid, match="no log of Inspect"):
        findings(packed({"predictions.jsonl": b"{}"}))
    with pytest.raises(PredictionsInvalid, match=r"`eval` is missing"):
        findings(b'{"version": 2}')
    for data in (b"", b"[]", b"\xff\xfe", b'{"eval": 1', b'{"eval": {}, "eval": {}}'):
        with pytest.raises(PredictionsInvalid):
            findings(data)


def test_a_log_is_recognised_by_its_content_alone():
    assert inspect_ai.recognises(EVAL)
    assert inspect_ai.recognises(JSON[:65536])
    assert inspect_ai.recognises(b"\xef\xbb\xbf" + JSON[:300])
    for other in (
        b"",
        b"PK\x05\x06",
        packed({"predictions.jsonl": b"{}"}),
        packed({"../../header.json": b"{}"}),
        b'{"id": "a", "output": "\\"eval\\": {\\"task\\": 1}"}',
        b'{"version": 2, "evals": {"task": 1}}',
        b'[{"eval": {"task": 1}}]',
    ):
        assert not inspect_ai.recognises(other)


@pytest.mark.skipif(not REAL_DATA.is_dir(), reason="GATE_REAL_DATA names no folder of real files")
def test_real_logs_are_read():
    found = findings((REAL_DATA / "mock_epochs2_errors_nan.eval").read_bytes())
    assert {(row.id, row.repeat) for row in of(Found, found)} == {
        (name, at) for name in ("1", "s-2", "3", "4") for at in (0, 1)
    }
    assert [row.error is None for row in of(Found, found)] == [True, True, False, True] * 2
    assert [row.scores[0].value for row in of(Found, found) if row.scores] == [1, 0, 1] * 2
    assert not of(Gap, found)
    found = findings((REAL_DATA / "all_samples_errored_status_success.json").read_bytes())
    assert [row.error for row in of(Found, found)] == ["RuntimeError('agent crashed')"]


def graded(*scorers, **spec):
    """Read the fixture's log as one of these scorers; give its first case and the remarks."""
    whole = {**json.loads(JSON)["eval"], "scorers": list(scorers), **spec}
    read = findings(log(eval=whole))
    return of(Found, read)[0].case, [each.message for each in of(Remark, read)]


def grader(model, **more):
    return {"model_roles": {"grader": {"model": model, "config": {}, **more}}}


def test_the_model_that_grades_is_a_rule_of_the_scorers_that_may_ask_it():
    asks, alone = {"name": "pkg/mine", "options": {}}, {"name": "match", "options": {}}
    strict, _ = graded(asks, alone, **grader("strict", args={"api_key": "k"}, base_url="u"))
    lenient, _ = graded(asks, alone, **grader("lenient"))
    same, _ = graded(asks, alone, **grader("strict", args={"api_key": "other"}))
    assert strict.rules == same.rules != lenient.rules
    before, after = dict(strict.rules_by_score), dict(lenient.rules_by_score)
    assert before["match"] == after["match"]
    assert before["mine"] != after["mine"]
    assert before["mine."] == before["mine"]
    role = {"name": "pkg/mine", "options": {"model_role": "critic"}}
    one, other = ({"model_roles": {"critic": {"model": name}}} for name in "ab")
    assert graded(role, **one)[0].rules != graded(role, **other)[0].rules


def swapped(*scorers, name: str, **more) -> bool:
    """Say whether another grader is another rule of a score."""
    texts = set()
    for model in ("strict", "lenient"):
        spec = {**json.loads(JSON)["eval"], "scorers": list(scorers), **grader(model)}
        (first, *_) = of(Found, findings(log(eval=spec, **more)))
        texts.add(dict(first.case.rules_by_score)[name])
    return len(texts) == 2


ASKED = {"stats": {"model_usage": {}, "role_usage": {"grader": {}}}}
NOT_ASKED = {"stats": {"model_usage": {}, "role_usage": {}}}
EXACT, JUDGE = {"name": "exact", "options": {}}, {"name": "model_graded_qa", "options": {}}


def test_a_scorer_with_the_name_of_one_of_inspects_that_asked_the_grader_has_it_as_a_rule():
    for name in ("exact", "math", "match"):
        assert swapped({"name": name, "options": {}}, name=name, **ASKED)
    assert swapped(EXACT, {"name": "f1", "options": {}}, name="exact", **ASKED)


def test_a_scorer_of_inspects_own_has_no_grader_that_it_did_not_ask():
    assert not swapped(EXACT, name="exact", **NOT_ASKED)
    assert not swapped(EXACT, JUDGE, name="exact", **ASKED), "the judge has asked it"
    assert not swapped({"name": "inspect_ai/exact", "options": {}}, name="exact", **ASKED)


def test_a_scorer_of_another_package_may_ask_whatever_its_name():
    for name in ("acme/pattern", "acme/answer"):
        assert swapped({"name": name, "options": {}}, name=name.removeprefix("acme/"), **NOT_ASKED)


@pytest.mark.parametrize(
    ("stats", "asked"),
    [
        ({"model_usage": {"strict": {}, "lenient": {}}}, True),
        ({"model_usage": {"mockllm/model": {}}}, False),
        ({}, True),
        (None, True),
    ],
)
def test_an_older_log_tells_by_its_models_whether_the_grader_was_asked(stats, asked):
    assert swapped(EXACT, name="exact", stats=stats) is asked


def test_a_grader_that_is_the_model_under_test_may_have_been_asked():
    usage = {"stats": {"model_usage": {"mockllm/model": {}}}}
    spec = {**json.loads(JSON)["eval"], "scorers": [EXACT], **grader("mockllm/model")}
    (first, *_) = of(Found, findings(log(eval=spec, **usage)))
    assert "grader" in first.case.rules


def test_every_role_is_a_rule_of_a_scorer_that_is_none_of_inspects_and_names_none():
    def told(name, model):
        roles = {"model_roles": {"critic": {"model": model, "config": {}}}}
        return graded({"name": name, "options": {}}, **roles)[0].rules

    assert told("mine", "a") != told("mine", "b")
    for name in ("match", "model_graded_qa"):
        assert told(name, "a") == told(name, "b")


def test_scorers_of_one_name_have_their_own_rules_each_by_their_order():
    strict, lenient = ({**JUDGE, "options": {"model": name}} for name in ("strict", "lenient"))
    listed, turned = (
        dict(graded(*scorers)[0].rules_by_score)
        for scorers in ((strict, lenient), (lenient, strict))
    )
    alone = dict(graded(strict)[0].rules_by_score)["model_graded_qa"]
    assert listed["model_graded_qa"] == turned["model_graded_qa1"] == alone
    assert listed["model_graded_qa1"] == turned["model_graded_qa"] != alone


def test_a_score_alone_has_the_same_rules_beside_another_scorer():
    match, more = {"name": "match", "options": {}}, {"name": "includes", "options": {}}
    alone, beside = graded(match)[0], graded(match, more)[0]
    assert dict(beside.rules_by_score)["match"] == alone.rules
    assert beside.rules != alone.rules


def test_a_model_that_graded_itself_is_told():
    said = "the scorer 'model_graded_qa' names no model: the one under test graded itself"
    judge = {"name": "model_graded_qa", "options": {}}
    assert said in graded(judge)[1]
    assert said not in graded(judge, **grader("strict"))[1]
    assert said not in graded({**judge, "options": {"model": "strict"}})[1]


def test_a_success_without_results_is_a_gap():
    (gap,) = of(Gap, findings(log(results=None)))
    assert "holds no results" in gap.message


def edited(value: object, *history: dict, **more) -> list:
    return with_sample(scores={"match": {"value": value, "history": list(history), **more}})


GIVEN = {"value": "I", "metadata": {}}
SET = {"value": "C", "provenance": {"author": "ann", "timestamp": "2026-01-01T00:00:00Z"}}


@pytest.mark.parametrize(
    ("found", "by_hand"),
    [
        (edited("I"), False),
        (edited("C", GIVEN, SET), True),
        (edited("C", SET), True),
        (edited("I", GIVEN, {**SET, "value": "UNCHANGED", "explanation": "?"}), False),
        (edited("I", GIVEN, SET, {**SET, "value": "I"}), False),
        (edited("C", {**SET, "reason": "grader_failed"}, SET), True),
        (edited({"a": 1}, {"value": {"a": 0}}, {**SET, "value": {"a": 1}}), True),
        (edited("C", "?", SET), True),
    ],
)
def test_a_score_that_somebody_set_is_marked_and_counted_in_a_remark(found, by_hand):
    (answer,) = of(Found, found)
    assert [score.by_hand for score in answer.scores] == [by_hand]
    said = "was set by hand in 1 samples (edit_score)"
    assert any(said in each.message for each in of(Remark, found)) is by_hand
