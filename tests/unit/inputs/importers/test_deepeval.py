import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers import deepeval
from gate.inputs.importers.found import Finding, Found, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source

DATA = Path(__file__).parents[3] / "data" / "importers" / "deepeval"
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")
FILES = ("test_run.json", "latest_test_run.json", "evaluation_result.json")


def read(data: bytes | Path, *, id_field: str | None = None) -> list[Finding]:
    raw = data.read_bytes() if isinstance(data, Path) else data
    source = Source("file", lambda: io.BytesIO(raw))
    return list(deepeval.found(source, ImportOptions(id_field=id_field)))


def of(kind: type, findings: list[Finding]) -> list[Any]:
    return [finding for finding in findings if isinstance(finding, kind)]


def changed(change, name: str = "test_run.json") -> list[Finding]:
    whole = json.loads((DATA / name).read_text())
    change(whole)
    return read(json.dumps(whole).encode())


def a_case(**more) -> bytes:
    case = {
        "name": "a",
        "input": "?",
        "actualOutput": "x",
        "success": True,
        "metricsData": [{"name": "m", "score": 1.0, "threshold": 0.5, "success": True}],
    }
    whole = {"testCases": [{**case, **more}], "testPassed": 1, "testFailed": 0}
    return json.dumps(whole).encode()


def scores(findings: list[Finding]) -> dict[str, float | None]:
    (only,) = of(Found, findings)
    return {score.name: score.value for score in only.scores}


@pytest.mark.parametrize("name", FILES)
def test_the_answers_of_the_fixture_are_these(name):
    found = of(Found, read(DATA / name))
    assert [(it.id, it.repeat, it.output, it.error, it.by_place) for it in found] == [
        ("qa-1", 0, "Paris", None, False),
        ("test_case_1", 0, "", None, True),
        ("nan", 0, "x", None, False),
        ("judge down", 0, "x", None, False),
        ("wrong", 0, "y", None, False),
        ("qa-1", 1, "Lyon", None, False),
    ]


def test_a_test_run_tells_the_case_the_tools_the_cost_and_the_time():
    found = of(Found, read(DATA / "test_run.json"))[0]
    assert found.tools == ("search", "read")
    assert found.case is not None
    assert found.case.input == "capital"
    assert found.case.reference == "Paris"
    assert found.case.expected_tools == ("search",)
    assert found.case.labels == ("safety", "tagged")
    assert (found.cost_usd, found.latency_ms) == (0.02, 1500.0)


def test_an_evaluation_result_does_not_say_which_tools_were_called():
    assert {it.tools for it in of(Found, read(DATA / "evaluation_result.json"))} == {None}


@pytest.mark.parametrize("name", FILES)
def test_the_scores_are_the_success_and_each_metric_with_its_own(name):
    assert of(Found, read(DATA / name))[0].scores == (
        RecordedScore("success", 1.0, headline=True),
        RecordedScore("Judged", 0.9),
        RecordedScore("Judged.success", 1.0),
        RecordedScore("Exact Match", 1.0),
        RecordedScore("Exact Match.success", 1.0),
        RecordedScore("Bias", None),
        RecordedScore("Bias.success", 1.0),
    )


@pytest.mark.parametrize("name", FILES)
def test_a_judge_that_is_down_is_told_from_a_wrong_answer(name):
    found = {it.id: it for it in of(Found, read(DATA / name))}
    down, wrong = found["judge down"], found["wrong"]
    assert down.scores[0] == RecordedScore("success", None, headline=True)
    assert wrong.scores[0] == RecordedScore("success", 0.0, headline=True)
    assert down.scores[1] == wrong.scores[1] == RecordedScore("Judged", None)


@pytest.mark.parametrize("name", FILES)
def test_deepeval_3234_one_nan_is_one_score_less_and_poisons_no_other(name):
    found = {it.id: it for it in of(Found, read(DATA / name))}["nan"]
    assert found.scores[:4] == (
        RecordedScore("success", None, headline=True),
        RecordedScore("Judged", None),
        RecordedScore("Judged.success", None),
        RecordedScore("Exact Match", 1.0),
    )


def test_a_success_beside_a_metric_that_failed_to_measure_is_not_trusted():
    broken = {"name": "j", "score": None, "threshold": 0.5, "success": True, "error": "429"}
    assert scores(read(a_case(metricsData=[broken])))["success"] is None
    assert scores(read(a_case(metricsData=[{**broken, "error": None}])))["success"] is None


def test_a_metric_where_lower_is_better_is_not_read_upside_down():
    findings = read(DATA / "test_run.json")
    assert {it.scores[5] for it in of(Found, findings)} == {RecordedScore("Bias", None)}
    assert {it.scores[6].value for it in of(Found, findings)} == {0.0, 1.0}
    assert any("'Bias.success'" in it.message for it in of(Remark, findings))


@pytest.mark.parametrize(
    ("score", "success"), [(1.0, False), (0.5, False), (0.4, True), (0.5, True), (0.4, False)]
)
def test_a_metric_whose_verdict_is_not_that_of_its_score_has_neither(score, success):
    upright = {"name": "m", "score": 1.0, "threshold": 0.5, "success": True}
    findings = read(a_case(metricsData=[upright, {**upright, "score": score, "success": success}]))
    found, holds = scores(findings), (score >= 0.5) is success
    assert found["m"] == 1.0
    assert (found["m #2"] == score) is (found["m #2.success"] == success) is holds
    assert (found["m #2"] is None) is (found["m #2.success"] is None) is not holds
    assert any("its score and its threshold" in it.message for it in of(Remark, findings)) != holds


def test_a_pass_below_a_threshold_that_all_reach_is_no_sign_of_lower_is_better():
    exact = {"name": "m", "score": 1.0, "threshold": 1.0, "success": True}
    found = scores(read(a_case(metricsData=[exact, {**exact, "score": 0.0}])))
    assert (found["m"], found["m #2"], found["m #2.success"], found["success"]) == (1, *[None] * 3)


def test_a_case_fails_by_no_metric_that_contradicts_itself_and_passes_by_none():
    failed = {"name": "m", "score": 0.5, "threshold": 0.5, "success": False}
    other = {"name": "n", "score": 0.1, "threshold": 0.5, "success": False}
    for success in (True, False):
        found = read(a_case(metricsData=[failed], success=success))
        assert scores(found)["success"] is None
    found = read(a_case(metricsData=[failed, other], success=False))
    assert scores(found)["success"] == 0.0


def test_a_case_without_a_metric_that_decides_has_no_success():
    flaky = {"name": "m", "score": 1.0, "threshold": 0.5, "success": True, "flaky": True}
    for metrics in ([], None, [flaky]):
        findings = read(a_case(metricsData=metrics))
        assert "success" not in scores(findings)
        assert any("nothing was checked" in it.message for it in of(Remark, findings))


def test_a_success_though_a_metric_failed_is_no_success():
    failed = {"name": "m", "score": 0.1, "threshold": 0.5, "success": False}
    assert scores(read(a_case(metricsData=[failed])))["success"] is None


def test_two_metrics_of_one_name_are_both_told():
    metric = {"name": "m", "score": 1.0, "threshold": 0.5, "success": True}
    found = scores(read(a_case(metricsData=[metric, {**metric, "score": 0.75}])))
    assert (found["m"], found["m #2"]) == (1.0, 0.75)


def test_a_score_that_is_false_is_0():
    metric = {"name": "m", "score": False, "threshold": 0.5, "success": False}
    assert scores(read(a_case(metricsData=[metric], success=False)))["m"] == 0.0


def test_no_output_is_an_error_without_scores():
    (found,) = of(Found, read(a_case(actualOutput=None)))
    assert found.error == "DeepEval recorded no output for this test case"
    assert found.scores == ()


def test_a_conversation_is_its_turns():
    turns = [
        {"role": "user", "content": "hi", "order": 0},
        {"role": "assistant", "content": "yo", "order": 1, "toolsCalled": [{"name": "t"}]},
    ]
    case = {
        "name": "c",
        "scenario": "greets",
        "expectedOutcome": "ok",
        "success": True,
        "turns": turns,
        "metricsData": [{"name": "m", "score": 1, "threshold": 0.5, "success": True}],
    }
    whole = {"testCases": [], "conversationalTestCases": [case]}
    (found,) = of(Found, read(json.dumps(whole).encode()))
    assert found.output == ('[{"content":"hi","role":"user"},{"content":"yo","role":"assistant"}]')
    assert found.tools == ("t",)
    assert found.case is not None
    assert (found.case.input, found.case.reference) == ("greets", "ok")
    assert found.place == "conversationalTestCases[0]"


def test_repeats_go_by_the_order_that_the_file_says():
    def turn(whole):
        whole["testCases"].reverse()

    found = of(Found, changed(turn))
    assert {(it.id, it.repeat, it.output) for it in found if it.id == "qa-1"} == {
        ("qa-1", 0, "Paris"),
        ("qa-1", 1, "Lyon"),
    }


def test_one_name_for_different_questions_is_wrong():
    findings = changed(lambda whole: whole["testCases"][5].update(input="another"))
    assert [it.place for it in of(Wrong, findings)] == ["testCases[0]", "testCases[5]"]
    assert "--id-field" in of(Wrong, findings)[0].message


def test_another_field_may_be_the_id():
    found = of(Found, read(DATA / "test_run.json", id_field="metadata.id"))
    assert [it.id for it in found] == ["m-1", "m-2", "m-3", "m-4", "m-5", "m-6"]
    assert not any(it.by_place for it in found)
    wrong = of(Wrong, read(DATA / "test_run.json", id_field="metadata.labels.0"))
    assert len(wrong) == 5


def test_other_counts_than_rows_are_a_gap():
    def drop(whole):
        whole["testCases"].pop()

    assert [it.message for it in of(Gap, changed(drop))] == [
        "DeepEval counted 6 test cases, and 5 are there"
    ]


def test_a_count_of_passes_that_the_cases_contradict_is_a_gap():
    findings = changed(lambda whole: whole.update(testPassed=2, testFailed=4))
    assert [it.message for it in of(Gap, findings)] == [
        "DeepEval counted 2 passed test cases; the cases say 1"
    ]


@pytest.mark.parametrize("key", ["testCases", "conversationalTestCases"])
def test_two_lists_of_test_cases_in_one_file_are_a_gap(key):
    findings = changed(lambda whole: whole.update({key: []}), "evaluation_result.json")
    assert len(of(Found, findings)) == 6
    (gap,) = of(Gap, findings)
    assert "nothing says which run is meant" in gap.message


METRIC = {"name": "m", "score": 1.0, "threshold": 0.5, "success": True}


def rules(*metrics: dict[str, Any], **more) -> str:
    (found,) = of(Found, read(a_case(metricsData=list(metrics), **more)))
    return found.case.rules


def test_the_rules_of_a_case_are_its_metrics_in_either_spelling():
    other = {"name": "a", "score": 0, "success": False, "strictMode": True, "evaluationModel": "j"}
    snake = {"name": "a", "success": False, "strict_mode": True, "evaluation_model": "j"}
    expected = json.dumps(
        {"metrics": ['{"model":"j","name":"a","strict":true}', '{"name":"m","threshold":0.5}']},
        separators=(",", ":"),
    )
    assert rules(METRIC, other) == rules(snake, METRIC) == expected


@pytest.mark.parametrize(
    "metrics",
    [
        [],
        [METRIC, METRIC],
        [{**METRIC, "threshold": 0.1}],
        [{**METRIC, "name": "n"}],
        [{**METRIC, "flaky": True}],
        [{**METRIC, "strictMode": True}],
        [{**METRIC, "evaluationModel": "small"}],
        [{**METRIC, "criteria": "anything"}],
    ],
)
def test_other_metrics_or_thresholds_are_other_rules(metrics):
    assert rules(*metrics) != rules(METRIC)


def test_a_case_that_is_flaky_as_a_whole_has_other_rules():
    assert rules(METRIC, flaky=True) != rules(METRIC, flaky=False) == rules(METRIC)


def test_another_score_or_a_judge_that_is_down_makes_no_other_rules():
    down = {**METRIC, "score": None, "success": False, "error": "429", "threshold": 0.5}
    assert rules(down, success=False) == rules({**METRIC, "reason": "r"}) == rules(METRIC)


def test_a_case_that_crashed_before_its_metrics_has_the_rules_of_its_other_runs():
    def crash(at):
        def change(whole):
            whole["testCases"][at].update(actualOutput=None, metricsData=None, success=False)
            whole["testCases"][1]["metricsData"].pop()

        return [it.case.rules for it in of(Found, changed(change))]

    before = crash(2)
    assert before[5] == before[0] != before[1]
    assert before[2] == before[0], "it has no other run: all metrics of the file"
    assert crash(5)[5] == before[0]


def test_the_cases_of_one_name_are_not_gone_through_again_for_each():
    passes = []

    class Several(list):
        def __iter__(self):
            passes.append(len(self))
            return super().__iter__()

    answers = [Found("a", f"testCases[{at}]", output="x") for at in range(50)]
    named = {"a": Several((at, at, "asked") for at in range(50))}
    found = list(deepeval._numbered([(one, "a") for one in answers], named))
    assert [it.repeat for it in found] == list(range(50))
    assert len(passes) < 5


@pytest.mark.parametrize(
    "data", [b"[]", b"{}", b'{"testCases": 1}', b'{"id": "a"}\n{"id": "b"}\n']
)
def test_a_file_of_another_tool_is_told_what_deepeval_writes(data):
    with pytest.raises(PredictionsInvalid) as caught:
        read(data)
    assert "model_dump_json" in caught.value.remedy


def test_no_test_cases_are_a_gap():
    for data in (b'{"testCases": [], "conversationalTestCases": []}', b'{"test_results": []}'):
        findings = read(data)
        assert of(Found, findings) == []
        assert len(of(Gap, findings)) == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"name": None}, "`name`: expected a text"),
        ({"name": ""}, "`name`: is empty"),
        ({"success": "true"}, "`success`: expected true or false"),
        ({"metricsData": {}}, "`metricsData`: expected a list"),
        ({"metricsData": [{"score": 1}]}, "`metricsData`: a metric without a name"),
        ({"toolsCalled": "search"}, "`toolsCalled`: expected a list"),
        ({"expectedTools": [{}]}, "`expectedTools`: a call without the name"),
    ],
)
def test_a_case_of_another_shape_is_wrong(more, said):
    (wrong,) = of(Wrong, read(a_case(**more)))
    assert wrong.place == "testCases[0]"
    assert wrong.message.startswith(said)


def test_an_element_that_is_no_object_is_wrong_and_hides_no_other():
    findings = changed(lambda whole: whole["testCases"].append(3))
    assert len(of(Found, findings)) == 6
    assert of(Wrong, findings)[0].message == "expected an object, got a whole number"


@pytest.mark.parametrize(
    "data", [b"[]", b"{}", b'{"testCases": 1}', b'{"testCases": [', b'{"a": 1, "a": 2}']
)
def test_a_whole_file_of_another_shape_is_refused(data):
    with pytest.raises(PredictionsInvalid):
        read(data)


def test_hyperparameters_are_read_into_nothing():
    def secret(whole):
        whole["hyperparameters"] = {"key": "s3cr3t"}
        whole["testCases"][0]["trace"] = {"key": "s3cr3t"}

    assert "s3cr3t" not in repr(changed(secret))


def test_deepeval_is_recognised_by_content_also_where_it_is_cut():
    for name in FILES:
        data = (DATA / name).read_bytes()
        assert deepeval.recognises(data)
        assert deepeval.recognises(data[:700])
    assert not deepeval.recognises(b'{"id": "a", "output": "testCases"}')
    assert not deepeval.recognises(b'{"testCases": []}')


@pytest.mark.skipif(not REAL.is_dir(), reason="GATE_REAL_DATA names no folder of real files")
def test_real_files_are_told_apart_and_read():
    for path in REAL.rglob("*.*"):
        wanted = path.parent.name == "deepeval" and path.suffix == ".json"
        assert deepeval.recognises(path.read_bytes()[: 64 * 1024]) is wanted, path
    for path in (REAL / "deepeval").glob("*.json"):
        findings = read(path)
        headline = [it.scores[0].value for it in of(Found, findings)]
        assert headline == [1.0, 0.0, 0.0, 0.0]
        assert of(Wrong, findings) == of(Gap, findings) == []


def test_a_metric_alone_has_the_same_rules_beside_another():
    def by_score(*metrics, **more):
        (found,) = of(Found, read(a_case(metricsData=list(metrics), **more)))
        return dict(found.case.rules_by_score)

    other = {"name": "a", "score": 0, "success": False}
    assert by_score(METRIC, other)["m"] == by_score(METRIC)["m"] == rules(METRIC)
    assert by_score({**METRIC, "threshold": 0.1}, other)["m"] != rules(METRIC)
    assert by_score(METRIC, flaky=True)["m"] != rules(METRIC)


def by_score(*metrics: dict[str, Any]) -> dict[str, str]:
    (found,) = of(Found, read(a_case(metricsData=list(metrics))))
    return dict(found.case.rules_by_score)


def test_the_rules_of_one_of_two_metrics_of_one_name_are_its_own_and_move_with_it():
    strong, weak = ({**METRIC, "evaluationModel": model} for model in ("strong", "weak"))
    listed, turned = by_score(strong, weak), by_score(weak, strong)
    for end in ("", ".success"):
        assert listed[f"m{end}"] == turned[f"m #2{end}"] == by_score(strong)[f"m{end}"]
        assert listed[f"m #2{end}"] == turned[f"m{end}"] == by_score(weak)[f"m{end}"]
        assert listed[f"m{end}"] != turned[f"m{end}"]


def test_a_metric_alone_has_its_rules_whether_its_score_or_its_verdict_is_read():
    other = {**METRIC, "name": "n"}
    assert by_score(METRIC, other)["m.success"] == by_score(METRIC)["m"]


def test_the_order_of_cases_is_no_number_of_a_run():
    assert all(it.counted for it in of(Found, read(DATA / "test_run.json")))
