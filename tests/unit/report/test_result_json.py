import json
from dataclasses import fields, is_dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ResultInvalid
from gate.records.figures import rounded
from gate.records.json_text import canonical
from gate.records.report import Report
from gate.records.result import Accepted, CaseDigest, CaseResult, Evidence, RepeatResult
from gate.report.result_json import read_result, result_chunks, write_result


def again(report):
    return read_result(write_result(report).encode(), source="result.json")


def edited(report, **changes):
    return json.dumps(json.loads(write_result(report)) | changes).encode()


def rounded_but_threshold(value):
    if isinstance(value, dict) and "pass_threshold" in value:
        return rounded(value) | {"pass_threshold": value["pass_threshold"]}
    return rounded(value)


JUDGE = canonical(
    {
        "provider": "gemini",
        "model": "m",
        "params": {},
        "prompt": "geoktools",
        "prompt_digest": f"sha256:{'0' * 64}",
        "schema_digest": f"sha256:{'1' * 64}",
        "runs": 1,
        "rating_map": {},
        "condenser": None,
        "parser": 1,
        "tools": None,
        "command": None,
    }
)


@pytest.fixture(params=["small", "repeated", "score_only"])
def report(request, build):
    if request.param == "small":
        return build.report()
    if request.param == "repeated":
        return build.repeated()
    return build.report(
        verdict=None,
        exit_status=0,
        gates=(),
        comparison=None,
        judge_config=JUDGE,
        notes=(),
    )


def test_the_text_holds_every_field_of_the_record(report):
    written = json.loads(write_result(report))
    dumped = report.model_dump(mode="json")
    assert written["cases"] == dumped["cases"]
    assert written.keys() == dumped.keys()
    for key in written.keys() - {"suite", "comparison", "gates", "cases"}:
        assert written[key] == dumped[key]
    for key in ("suite", "comparison", "gates"):
        assert written[key] == rounded_but_threshold(dumped[key])


def test_a_row_is_written_with_all_its_fields_in_order(build):
    (line,) = (
        line for line in write_result(build.repeated()).splitlines() if '"repeat": 2' in line
    )
    row = json.loads(line.rstrip(","))
    for found, record in (
        (row, CaseResult),
        (row["accepted"], Accepted),
        (row["digest"], CaseDigest),
        (row["evidence"][0], Evidence),
        (row["repeats"][0], RepeatResult),
    ):
        assert is_dataclass(record)
        assert list(found) == sorted(field.name for field in fields(record))


def test_what_was_written_reads_back_to_the_same_text(report):
    assert write_result(again(report)) == write_result(report)


def test_rows_come_back_equal_and_aggregates_rounded(report):
    back = again(report)
    assert back.cases == report.cases
    assert back.suite.pass_rate == round(report.suite.pass_rate, 6)
    assert back.suite.interval.low == round(report.suite.interval.low, 6)
    assert back.suite.pass_threshold == report.suite.pass_threshold
    assert hash(back) == hash(again(report))


def test_aggregates_have_six_places(build):
    written = json.loads(write_result(build.report()))
    assert written["suite"]["interval"]["low"] == 0.299993
    assert written["suite"]["slices"][1]["protocol_interval"]["low"] == 0.333333
    assert written["comparison"]["drop"] == 0.333333
    assert written["gates"][0]["numbers"]["drop"] == 0.333333


def test_rows_are_exact(build):
    row = build.case("a", score=1 / 3)
    assert json.loads(write_result(build.report(cases=(row,))))["cases"][0]["score"] == 1 / 3


def test_a_threshold_is_not_rounded(build):
    rows = (build.case("a"),)
    suite = build.suite(rows, pass_threshold=Decimal("0.12345678"))
    written = json.loads(write_result(build.report(cases=rows, suite=suite)))
    assert written["suite"]["pass_threshold"] == 0.12345678


def test_the_text_is_ascii_sorted_and_ends_with_a_line_end(build):
    text = write_result(build.saying("é\u202e\x1b[31m\u2028\U000e0041"))
    assert text.isascii()
    assert text.endswith("}\n")
    assert all(char.isprintable() or char == "\n" for char in text)

    def ordered(pairs):
        keys = [key for key, _ in pairs]
        assert keys == sorted(keys)
        return dict(pairs)

    json.loads(text, object_pairs_hook=ordered)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_comes_back(build, text):
    report = build.saying(text)
    assert again(report).cases == report.cases
    assert again(report).notes == report.notes


def test_each_case_stands_on_a_line_of_its_own(build):
    report = build.report()
    lines = write_result(report).splitlines()
    assert sum(line.startswith('{"accepted"') for line in lines) == len(report.cases)


def test_many_cases_come_in_pieces(build):
    report = build.report(cases=tuple(build.case(f"c{at}") for at in range(1201)))
    chunks = list(result_chunks(report))
    assert "".join(chunks) == write_result(report)
    assert len(json.loads("".join(chunks))["cases"]) == 1201
    assert max(map(len, chunks)) < len("".join(chunks)) / 2


def test_equal_reports_give_equal_bytes(build):
    assert write_result(build.report()) == write_result(Report(**dict(build.report())))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema_version": 2}, "schema_version is 2, and only 1 is known"),
        ({"schema_version": True}, "schema_version is true"),
        ({"schema_version": None}, "schema_version is absent"),
        ({"kind": "agent-eval-gate/baseline"}, "kind"),
        ({"exit_status": 4}, "exit_status"),
        ({"advisory": "no"}, "advisory"),
        ({"surplus": 1}, "surplus"),
        ({"cases": [{"id": 1}]}, "cases.0"),
    ],
)
def test_what_is_wrong_is_named(build, change, said):
    with pytest.raises(ResultInvalid, match=r"^out/result\.json: ") as caught:
        read_result(edited(build.report(), **change), source="out/result.json")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"[]", "one JSON object"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": 1, "a": 2}', "appears twice"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 7"),
        (b"[" * 100_000, "nested deeper"),
    ],
)
def test_what_is_not_strict_json_is_refused(data, said):
    with pytest.raises(ResultInvalid) as caught:
        read_result(data, source="r")
    assert said in str(caught.value)


def test_a_score_that_is_no_number_is_refused(build):
    written = json.loads(write_result(build.report()))
    written["cases"][3]["score"] = "0.5"
    with pytest.raises(ResultInvalid, match=r"cases\.3\.score"):
        read_result(json.dumps(written).encode(), source="r")


@pytest.mark.parametrize("config", [{}, {"a": 1}, {**json.loads(JUDGE), "prompt": "mine"}])
def test_the_identity_of_a_judge_has_its_form(build, config):
    text = edited(build.report(), judge_config=config)
    with pytest.raises(ResultInvalid, match="judge_config: "):
        read_result(text, source="r.json")
