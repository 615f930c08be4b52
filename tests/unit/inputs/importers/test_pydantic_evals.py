import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers import pydantic_evals
from gate.inputs.importers.found import Finding, Found, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source

DATA = Path(__file__).parents[3] / "data" / "importers" / "pydantic_evals"
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")


def read(data: bytes | Path, *, id_field: str | None = None) -> list[Finding]:
    raw = data.read_bytes() if isinstance(data, Path) else data
    source = Source("file", lambda: io.BytesIO(raw))
    return list(pydantic_evals.found(source, ImportOptions(id_field=id_field)))


def of(kind: type, findings: list[Finding]) -> list[Any]:
    return [finding for finding in findings if isinstance(finding, kind)]


def changed(change, name: str = "repeated.json") -> list[Finding]:
    whole = json.loads((DATA / name).read_text())
    change(whole)
    return read(json.dumps(whole).encode())


def scores(found: Found) -> dict[str, float | None]:
    return {score.name: score.value for score in found.scores}


def test_the_answers_of_the_fixture_are_these():
    found = of(Found, read(DATA / "repeated.json"))
    assert [(it.id, it.repeat, it.output, it.error, it.by_place) for it in found] == [
        ("qa-1", 0, "Paris", None, False),
        ("qa-1", 1, "Paris", None, False),
        ("down", 0, "Paris", None, False),
        ("down", 1, "Paris", None, False),
        ("object", 0, '{"answer":"Paris"}', None, False),
        ("object", 1, '{"answer":"Paris"}', None, False),
        ("Case 2", 0, None, "RuntimeError: agent crashed", True),
        ("Case 2", 1, None, "RuntimeError: agent crashed", True),
    ]


def test_a_report_of_one_run_has_the_repeat_0():
    found = of(Found, read(DATA / "once.json"))
    assert [(it.id, it.repeat) for it in found] == [
        ("qa-1", 0),
        ("down", 0),
        ("object", 0),
        ("Case 2", 0),
    ]


def test_a_case_has_its_inputs_its_expected_output_and_its_labels():
    found = of(Found, read(DATA / "repeated.json"))
    assert found[0].case is not None
    assert found[0].case.input == "capital"
    assert found[0].case.reference == "Paris"
    assert found[0].case.labels == ("safety",)
    assert found[2].case is not None
    assert found[2].case.reference == '[1,"a"]'
    assert found[4].case is not None
    assert found[4].case.reference is None


def test_scores_and_assertions_are_told_and_none_is_the_headline():
    found = of(Found, read(DATA / "repeated.json"))[0]
    assert scores(found) == {
        "quality": 0.75,
        "EqualsExpected": 1.0,
        "fluent": 1.0,
        "Never": None,
    }
    assert not any(score.headline for score in found.scores)


def test_an_evaluator_that_failed_gives_no_score_under_the_names_it_has_elsewhere():
    found = of(Found, read(DATA / "repeated.json"))[2]
    assert scores(found) == {
        "EqualsExpected": 0.0,
        "Never": None,
        "fluent": None,
        "quality": None,
    }


def test_a_name_that_moved_up_beside_a_failed_evaluator_is_no_score():
    whole = json.loads((DATA / "once.json").read_text())
    assert whole["cases"][1]["scores"]["quality"]["value"] == 0.25
    assert whole["cases"][0]["scores"]["quality"]["value"] == 0.75
    assert whole["cases"][0]["scores"]["quality_2"]["value"] == 0.25
    found = of(Found, read(DATA / "once.json"))
    assert scores(found[1]) == {"quality": None, "fluent": None}
    assert scores(found[0])["quality"] == 0.75


def rules(change=id, name: str = "once.json") -> list[tuple]:
    found = of(Found, changed(change, name))
    return [(it.case.rules, it.case.rules_by_score) for it in found]


def test_the_rules_of_a_case_are_its_evaluators_with_their_arguments():
    ((every, by_score), *_) = rules()
    strict, plain = '{"arguments":[true],"name":"Judge"}', '{"arguments":null,"name":"Judge"}'
    assert json.loads(every) == [strict, plain]
    told = {name: json.loads(text) for name, text in by_score}
    assert sorted(told["quality"] + told["quality_2"]) == sorted([strict, plain])


def test_a_name_that_only_wrong_answers_get_makes_no_other_rules_of_a_score():
    def blamed(whole):
        for case in whole["cases"][:1]:
            source = case["scores"]["quality"]["source"]
            case["labels"]["why"] = {"name": "why", "value": "wrong", "source": source}

    before, after = dict(rules()[0][1]), dict(rules(blamed)[0][1])
    assert after.pop("why")
    assert after == before


KINDS = ("scores", "assertions", "labels")


def other_arguments(case):
    for result in (result for kind in KINDS for result in case[kind].values()):
        if result["source"]["arguments"] is None:
            result["source"] = {"name": "Judge", "arguments": {"rubric": "any"}}


def other_order(case):
    scores = case["scores"]
    if "quality_2" in scores:
        scores["quality"], scores["quality_2"] = scores["quality_2"], scores["quality"]


def one_less(case):
    for kind in KINDS:
        case[kind] = {name: it for name, it in case[kind].items() if "_2" not in name}


@pytest.mark.parametrize("change", [other_arguments, other_order, one_less])
def test_other_arguments_names_or_evaluators_are_other_rules(change):
    assert rules(lambda whole: list(map(change, whole["cases"])))[0] != rules()[0]


def versioned(said: str | None):
    def change(whole):
        for case in whole["cases"]:
            results = [
                each for kind in ("scores", "assertions", "labels") for each in case[kind].values()
            ]
            for result in (*results, *case["evaluator_failures"]):
                result["evaluator_version"] = said

    return change


def test_another_version_of_an_evaluator_is_another_rule():
    first, second = rules(versioned("v1")), rules(versioned("v2"))
    assert first[0][0] != second[0][0]
    assert dict(first[0][1])["quality"] != dict(second[0][1])["quality"]
    assert rules(versioned(None)) == rules()


def test_an_evaluator_with_a_version_that_failed_makes_no_other_rules():
    judged, down, _, crashed = rules(versioned("v1"))
    assert judged == down == crashed


def test_an_evaluator_that_failed_makes_no_other_rules():
    first, down, other, crashed = rules()
    assert first == down == other == crashed
    judged = rules(name="repeated.json")
    assert judged[0] == judged[1] == judged[2] == judged[3]
    assert judged[4] == judged[5] != judged[0], "without a reference one evaluator says nothing"


def test_a_judge_that_was_down_all_the_time_makes_no_other_rules():
    judge = {"name": "Judge", "arguments": {"rubric": "r"}}

    def report(*, down):
        case = {"inputs": "q", "expected_output": None, "output": "x"}
        score = {"Judge": {"name": "Judge", "value": 1.0, "source": judge}}
        failure = {"name": "Judge", "error_message": "429", "source": judge}
        lost = {"scores": {}, "evaluator_failures": [failure]}
        told = lost if down else {"scores": score, "evaluator_failures": []}
        cases = [{"name": name, **case, **told} for name in "ab"]
        return of(Found, read(json.dumps({"name": "r", "cases": cases}).encode()))

    assert [it.case for it in report(down=True)] == [it.case for it in report(down=False)]


def test_a_run_that_crashed_has_the_rules_of_the_other_runs_of_its_case():
    def change(whole):
        whole["cases"][0]["scores"]["only here"] = {
            "value": 1,
            "source": {"name": "Special", "arguments": None},
        }
        crashed = whole["cases"].pop(1)
        whole["failures"].append({**crashed, "error_message": "died"})

    found = of(Found, changed(change))
    of_case = {it.case.rules for it in found if it.id == "qa-1"}
    assert len(of_case) == 1
    assert of_case != {it.case.rules for it in found if it.id == "object"}


def test_an_evaluator_that_gave_very_many_names_is_not_told_by_each_where_it_failed():
    judge = {"name": "E", "arguments": None}

    def lost(count):
        cases = [
            {
                "name": f"c{at}",
                "inputs": "q",
                "output": "x",
                "scores": {f"m{at}": {"value": 1, "source": judge}},
                "evaluator_failures": [{"name": "E", "source": judge}],
            }
            for at in range(count)
        ]
        found = of(Found, read(json.dumps({"name": "r", "cases": cases}).encode()))
        return sum(len(it.scores) for it in found)

    assert lost(100) == 100 * 100
    assert lost(1_000) == 1_000


def test_rules_that_very_many_cases_share_stay_short():
    cases = [
        {
            "name": "c [1/2]",
            "source_case_name": "c",
            "inputs": "q",
            "output": "x",
            "scores": {"m": {"value": 1, "source": {"name": f"E{at}", "arguments": None}}},
        }
        for at in range(1_000)
    ]
    found = of(Found, read(json.dumps({"name": "r", "cases": cases}).encode()))
    assert {len(it.case.rules) for it in found} == {len("sha256:") + 64}


@pytest.mark.parametrize("data", [b"[]", b"{}", b'{"cases": 1}', b'{"id": "a"}\n{"id": "b"}\n'])
def test_a_file_of_another_tool_is_told_what_pydantic_evals_writes(data):
    with pytest.raises(PredictionsInvalid) as caught:
        read(data)
    assert "EvaluationReportAdapter" in caught.value.remedy


def test_words_of_evaluators_are_no_scores():
    findings = read(DATA / "repeated.json")
    assert not any("tone" in scores(it) for it in of(Found, findings))
    assert any("(tone)" in it.message for it in of(Remark, findings))


def test_a_crash_has_no_scores_and_is_not_dropped():
    crashed = [it for it in of(Found, read(DATA / "repeated.json")) if it.error]
    assert len(crashed) == 2
    assert {it.scores for it in crashed} == {()}


def test_nan_is_no_score():
    def change(whole):
        whole["cases"][0]["scores"]["quality"]["value"] = float("nan")

    assert scores(of(Found, changed(change))[0])["quality"] is None


def test_a_null_output_is_an_error():
    found = of(Found, changed(lambda whole: whole["cases"][0].update(output=None)))[0]
    assert found.error == "the task gave no output (`null`)"
    assert found.scores == ()


def test_missing_repeats_are_a_gap():
    findings = changed(lambda whole: whole["cases"].pop(0))
    assert [it.message for it in of(Gap, findings)] == ["case 'qa-1': 1 of 2 repeats are there"]


def test_no_cases_are_a_gap():
    def empty(whole):
        whole.update(cases=[], failures=[])

    findings = changed(empty)
    assert of(Found, findings) == []
    assert len(of(Gap, findings)) == 1


def test_a_report_in_which_every_case_crashed_is_all_errors():
    findings = changed(lambda whole: whole.update(cases=[]))
    assert [it.error is not None for it in of(Found, findings)] == [True, True]


def test_another_field_may_be_the_id():
    found = of(Found, read(DATA / "once.json", id_field="inputs"))
    assert [it.id for it in found] == ["capital", "down", "object", "boom"]
    assert not any(it.by_place for it in found)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"name": 1.5}, "`name`: expected a text"),
        ({"name": "qa-1 [3/2]"}, "`name`: expected 'qa-1' and its repeat"),
        ({"name": "other [1/2]"}, "`name`: expected 'qa-1' and its repeat"),
        ({"source_case_name": 7}, "`name`: expected '7' and its repeat"),
        ({"scores": []}, "`scores`: expected an object"),
        ({"assertions": {"a": {"value": 0.5}}}, "`assertions.a.value`: expected true or false"),
    ],
)
def test_a_case_of_another_shape_is_wrong(more, said):
    (wrong,) = of(Wrong, changed(lambda whole: whole["cases"][0].update(more)))
    assert wrong.place == "cases[0]"
    assert wrong.message.startswith(said)


def test_a_case_without_an_output_is_wrong():
    (wrong,) = of(Wrong, changed(lambda whole: whole["cases"][0].pop("output")))
    assert wrong.message == "`output`: is missing"


@pytest.mark.parametrize(
    "data", [b"[]", b"{}", b'{"cases": 1}', b'{"cases": [], "failures": 1}', b'{"cases": [']
)
def test_a_whole_file_of_another_shape_is_refused(data):
    with pytest.raises(PredictionsInvalid):
        read(data)


def test_pydantic_evals_is_recognised_by_content_also_where_it_is_cut():
    for name in ("once.json", "repeated.json"):
        data = (DATA / name).read_bytes()
        assert pydantic_evals.recognises(data)
        assert pydantic_evals.recognises(data[:400])
    assert not pydantic_evals.recognises(b'{"name": "a", "cases": [{"id": 1}]}')
    assert not pydantic_evals.recognises(b'{"id": "a", "output": "x"}')


@pytest.mark.skipif(not REAL.is_dir(), reason="GATE_REAL_DATA names no folder of real files")
def test_real_files_are_told_apart_and_read():
    for path in REAL.rglob("*.*"):
        wanted = path.parent.name == "pydantic_evals" and path.suffix == ".json"
        assert pydantic_evals.recognises(path.read_bytes()[: 64 * 1024]) is wanted, path
    findings = read(REAL / "pydantic_evals" / "report.repeat2.json")
    assert [(it.id, it.repeat) for it in of(Found, findings)] == [
        ("qa-1", 0),
        ("qa-1", 1),
        ("e", 0),
        ("e", 1),
        ("Case 2", 0),
        ("Case 2", 1),
    ]
    assert of(Wrong, findings) == of(Gap, findings) == []
    assert of(Found, findings)[2].scores[-1] == RecordedScore("ok", None)
