import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers import promptfoo
from gate.inputs.importers.found import Finding, Found, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source

DATA = Path(__file__).parents[3] / "data" / "importers" / "promptfoo"
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")


def read(data: bytes | Path, *, id_field: str | None = None) -> list[Finding]:
    raw = data.read_bytes() if isinstance(data, Path) else data
    source = Source("file", lambda: io.BytesIO(raw))
    return list(promptfoo.found(source, ImportOptions(id_field=id_field)))


def of(kind: type, findings: list[Finding]) -> list[Any]:
    return [finding for finding in findings if isinstance(finding, kind)]


def answers(findings: list[Finding]) -> dict[str, Found]:
    return {one.id: one for one in of(Found, findings)}


def rows(name: str = "small.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def jsonl(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def row_of(description: str) -> dict[str, Any]:
    return next(row for row in rows() if row["testCase"].get("description") == description)


def one(change: Callable[[dict[str, Any]], object], description: str = "object") -> list[Finding]:
    """Read one row of the fixture, after a change."""
    row = row_of(description)
    row["testIdx"] = 0
    change(row)
    return read(jsonl([row]))


def test_the_answers_of_the_fixture_are_these():
    found = answers(read(DATA / "small.json"))
    assert {name: (it.output, it.error) for name, it in found.items()} == {
        "qa-1": ("said slow Paris", None),
        "sha256:5fe1b7c50ec11931": ("said unchecked", None),
        "7": (None, "Error: agent threw"),
        "tc-9": (None, "upstream 500"),
        "null": (None, "No output"),
        "object": ('{"answer":"Paris","n":[1,2]}', None),
        "calls": ("done", None),
        "judged (sha256:4d080feba1427ea4)": ("said fine", None),
        "judged (sha256:8994bcfb81ff0480)": ("said wrong", None),
        "torn": ("said torn", None),
        "judge down": ("said down", None),
        "closed": ("said down closed", None),
        "script": ("said script", None),
        "weightless": ("said weightless", None),
    }


def test_both_files_of_one_run_say_the_same():
    whole, lines = read(DATA / "small.json"), read(DATA / "small.jsonl")
    plain = [one._replace(place="") for one in of(Found, whole)]
    assert plain == [one._replace(place="") for one in of(Found, lines)]
    assert of(Wrong, whole) == of(Wrong, lines) == of(Gap, whole) == of(Gap, lines) == []


def test_a_case_has_its_variables_its_golden_value_its_labels_and_its_metadata():
    found = answers(read(DATA / "small.json"))["qa-1"]
    assert found.case is not None
    assert found.case.input == '{"expected":"Paris","q":"slow Paris"}'
    assert found.case.reference == "Paris"
    assert found.case.labels == ("retrieval", "safety")
    assert found.case.metadata == '{"owner":"x"}'
    only = answers(read(DATA / "small.json"))["object"]
    assert only.case is not None
    assert only.case.input == "object"
    assert only.cost_usd == 0.01
    assert found.cost_usd is None, "a provider that says no cost did not cost 0"


def test_the_scores_are_the_success_the_score_and_the_named_ones():
    assert answers(read(DATA / "small.json"))["qa-1"].scores == (
        RecordedScore("success", 0.0, headline=True),
        RecordedScore("score", 2 / 3),
        RecordedScore("accuracy", 1.0),
        RecordedScore("namedScores.score", 0.0),
    )


def test_tools_are_named_where_the_provider_names_its_calls():
    found = answers(read(DATA / "small.json"))
    assert found["calls"].tools == ("search", "read")
    assert found["object"].tools is None
    called = one(lambda row: row["response"].update(output=[{"function": {"name": "f"}}]))
    assert of(Found, called)[0].tools == ("f",)


def test_an_error_beside_a_failed_assertion_is_no_crash():
    row = row_of("capital")
    assert row["error"]
    assert row["failureReason"] == 1
    assert answers(read(DATA / "small.jsonl"))["qa-1"].error is None


def test_a_crash_has_no_scores():
    found = answers(read(DATA / "small.jsonl"))
    assert found["7"].scores == found["tc-9"].scores == found["null"].scores == ()


@pytest.mark.parametrize("name", ["judge down", "closed", "script"])
def test_a_grader_that_died_is_no_answer_of_0(name):
    row = row_of(name)
    assert row["success"] is False
    scores = {score.name: score for score in answers(read(DATA / "small.jsonl"))[name].scores}
    assert scores["success"] == RecordedScore("success", None, headline=True)
    assert scores["score"].value is None
    if name == "judge down":
        assert scores["rubric"].value is None
        assert scores["has"].value == 1.0, "what another assertion found still stands"


def test_a_grader_that_died_hides_no_other_assertion_that_failed():
    def change(row, **more):
        row["testCase"].update(more)
        row["gradingResult"]["componentResults"][1].update({"pass": False, "score": 0})

    failed = of(Found, one(change, "judge down"))[0]
    assert failed.scores[0] == RecordedScore("success", 0.0, headline=True)
    by_threshold = of(Found, one(lambda row: change(row, threshold=0.4), "judge down"))[0]
    assert by_threshold.scores[0] == RecordedScore("success", None, headline=True)


def test_a_wrong_answer_is_0_where_the_grader_lived():
    found = answers(read(DATA / "small.jsonl"))
    wrong = next(it for it in found.values() if it.output == "said wrong")
    assert [score.value for score in wrong.scores] == [0.0, 0.0, 0.0]


def test_promptfoo_2998_a_pass_flag_that_contradicts_the_score_is_told_beside_it():
    assert answers(read(DATA / "small.jsonl"))["torn"].scores == (
        RecordedScore("success", 0.0, headline=True),
        RecordedScore("score", 0.75),
        RecordedScore("rubric", 0.75),
    )


def test_langwatch_2709_a_score_that_is_false_is_0_and_is_not_dropped():
    def change(row):
        row.update(score=False, namedScores={"rubric": False, "other": True})

    assert of(Found, one(change, "torn"))[0].scores == (
        RecordedScore("success", 0.0, headline=True),
        RecordedScore("score", 0.0),
        RecordedScore("rubric", 0.0),
        RecordedScore("other", 1.0),
    )


def test_nan_is_no_score():
    data = jsonl([{**row_of("torn"), "testIdx": 0, "score": float("nan")}])
    assert b"NaN" in data
    assert of(Found, read(data))[0].scores[1] == RecordedScore("score", None)


def test_a_pass_of_a_row_without_an_assertion_that_weighs_is_no_score():
    findings = read(DATA / "small.jsonl")
    unchecked = next(it for it in of(Found, findings) if it.output == "said unchecked")
    assert unchecked.scores == ()
    assert answers(findings)["weightless"].scores == (RecordedScore("only", 0.0),)
    assert any(
        "2 of 14 results" in it.message and "checked nothing" in it.message
        for it in of(Remark, findings)
    )


def test_no_tests_at_all_end_as_no_score_though_promptfoo_says_1_passed():
    findings = read(DATA / "no_tests.json")
    (only,) = of(Found, findings)
    assert only.scores == ()
    assert len(of(Remark, findings)) == 1
    (gap,) = of(Gap, findings)
    assert gap.message.startswith("promptfoo had no tests")


def test_a_filter_that_matched_nothing_gives_no_answer_and_a_gap():
    findings = read(DATA / "nothing_matched.json")
    assert of(Found, findings) == []
    assert len(of(Gap, findings)) == 1


def test_each_variant_is_a_case_of_its_own():
    findings = read(DATA / "variants.jsonl")
    keys = [(it.id, it.repeat) for it in of(Found, findings)]
    assert len(set(keys)) == len(keys) == 12
    assert {name for name, _ in keys} == {
        "qa-1 [echo, short]",
        "qa-1 [echo, polite]",
        "qa-1 [agent B, short]",
        "qa-1 [agent B, polite]",
        "qa-2 [echo, short]",
        "qa-2 [echo, polite]",
    }
    assert any("4 pairs" in it.message for it in of(Remark, findings))
    assert of(Gap, findings) == [], "a test that names its providers lacks the others rightly"


def test_variants_that_are_called_the_same_are_numbered_by_their_column():
    records = rows("variants.jsonl")
    for row in records:
        row["provider"] = {"id": "openai:x", "label": ""}
    names = {it.id for it in of(Found, read(jsonl(records)))}
    assert {"qa-1 [openai:x, short]", "qa-1 [openai:x, short #2]"} <= names
    assert len(names) == 6


def test_a_long_prompt_label_is_a_digest_in_the_id():
    records = rows("variants.jsonl")
    for row in records:
        row["prompt"]["label"] = row["prompt"]["label"] * 30
    assert all(", sha256:" in it.id for it in of(Found, read(jsonl(records))))


def test_repeats_go_by_the_index_of_the_test_and_not_by_the_order_of_lines():
    forth = of(Found, read(DATA / "variants.jsonl"))
    back = of(Found, read(jsonl(rows("variants.jsonl")[::-1])))
    assert {(it.id, it.repeat, it.latency_ms) for it in forth} == {
        (it.id, it.repeat, it.latency_ms) for it in back
    }
    assert {it.repeat for it in forth} == {0, 1}
    assert all(it.counted for it in forth), "`testIdx` is a position, no number of a run"


def test_a_changed_answer_changes_no_id():
    before = [it.id for it in of(Found, read(DATA / "small.jsonl"))]
    records = rows()
    for row in records:
        row["prompt"]["raw"] = "another prompt"
        row["response"] = {"output": "another answer"}
    assert [it.id for it in of(Found, read(jsonl(records)))] == before


def test_one_declared_id_for_two_tests_is_wrong_and_a_field_tells_them_apart():
    records = rows("variants.jsonl")
    for row in records:
        row["testCase"]["metadata"] = {"id": "same"}
    findings = read(jsonl(records))
    assert len(of(Wrong, findings)) == 12
    assert "--id-field" in of(Wrong, findings)[0].message
    by_field = read(jsonl(records), id_field="vars.q")
    assert of(Wrong, by_field) == []
    assert "two [echo, short]" in answers(by_field)


def test_a_field_for_the_id_that_a_row_lacks_is_wrong():
    wrong = of(Wrong, read(DATA / "small.jsonl", id_field="metadata.owner"))
    assert len(wrong) == 13
    assert wrong[0].message == "`testCase.metadata.owner`: is missing"


def test_the_row_number_of_a_table_is_no_id():
    found = of(Found, one(lambda row: row["testCase"].update(description="Row #3")))
    assert found[0].id.startswith("sha256:")


def test_a_json_lines_file_says_that_it_has_no_end():
    assert any("where it ends" in it.message for it in of(Remark, read(DATA / "small.jsonl")))
    assert not any("where it ends" in it.message for it in of(Remark, read(DATA / "small.json")))


def test_a_missing_test_is_a_gap():
    (gap,) = of(Gap, read(jsonl(rows()[:5] + rows()[6:])))
    assert gap.message.startswith("1 of 14 tests have no result (testIdx ")


def test_a_test_without_one_of_the_columns_is_a_gap():
    (gap,) = of(Gap, read(jsonl(rows("variants.jsonl")[1:])))
    assert gap.message.startswith("1 tests lack the result of a prompt or provider")


@pytest.mark.parametrize(
    ("stats", "said"),
    [
        ({"successes": 6, "failures": 7, "errors": 2}, "counted 15 results, and 14 are there"),
        ({"successes": 6, "failures": 6, "errors": 2}, "counted 6 successes"),
        ({"successes": "5", "failures": 7, "errors": 2}, "`stats.successes`: expected"),
        (None, "are missing"),
    ],
)
def test_stats_that_do_not_count_the_rows_are_a_gap(stats, said):
    whole = json.loads((DATA / "small.json").read_text())
    whole["results"]["stats"] = stats
    (gap,) = of(Gap, read(json.dumps(whole).encode()))
    assert said in gap.message


def test_a_summary_of_the_node_package_is_read_like_the_file():
    inner = json.loads((DATA / "small.json").read_text())["results"]
    data = json.dumps({key: inner[key] for key in ("version", "timestamp", "results", "stats")})
    assert promptfoo.recognises(data.encode())
    assert len(of(Found, read(data.encode()))) == 14


def test_secrets_in_the_configuration_are_read_into_nothing():
    whole = json.loads((DATA / "small.json").read_text())
    whole["config"]["env"] = {"KEY": "s3cr3t"}
    whole["config"]["providers"] = [{"id": "x", "config": {"apiKey": "s3cr3t"}}]
    for row in whole["results"]["results"]:
        row["provider"]["config"] = {"apiKey": "s3cr3t"}
        row["testCase"]["options"] = {"provider": {"config": {"apiKey": "s3cr3t"}}}
    assert "s3cr3t" not in repr(read(json.dumps(whole).encode()))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: row.pop("testCase"), "`testCase`: is missing"),
        (lambda row: row.update(testCase=[]), "`testCase`: expected an object, got a list"),
        (lambda row: row.update(testIdx=-1), "`testIdx`: expected a whole number"),
        (lambda row: row.update(testIdx=10**30), "`testIdx`: expected a whole number"),
        (lambda row: row.update(testIdx=True), "`testIdx`: expected a whole number"),
        (lambda row: row.pop("promptIdx"), "`promptIdx`: expected a whole number"),
        (lambda row: row.update(failureReason=3), "`failureReason`: expected 0, 1 or 2"),
        (lambda row: row.update(success="true"), "`success`: expected true or false"),
        (lambda row: row.pop("success"), "`success`: is missing"),
        (lambda row: row.update(namedScores=[]), "`namedScores`: expected an object"),
        (lambda row: row.update(gradingResult=1), "`gradingResult`: expected an object"),
        (
            lambda row: row["testCase"].update(metadata={"id": 1.5}),
            "`testCase.metadata.id`: expected a text or a whole number",
        ),
        (
            lambda row: (row["testCase"].pop("vars"), row["testCase"].pop("description")),
            "`testCase.vars`: is missing",
        ),
        (
            lambda row: row["response"].update(output="[output stripped]"),
            "`response.output`: was stripped",
        ),
    ],
)
def test_a_row_of_another_shape_is_wrong(change, said):
    (wrong,) = of(Wrong, one(change))
    assert wrong.place == "line 1"
    assert wrong.message.startswith(said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: row.update(gradingResult=None), "no `gradingResult`"),
        (lambda row: row["gradingResult"].update({"pass": False}), "contradict"),
        (lambda row: row.update(failureReason=1), "contradict"),
        (lambda row: row["testCase"]["assert"].append({"type": "select-best"}), "comparison"),
    ],
)
def test_a_success_that_nothing_bears_out_is_no_score(change, said):
    findings = one(change)
    assert of(Found, findings)[0].scores[0] == RecordedScore("success", None, headline=True)
    assert any(said in it.message for it in of(Remark, findings))


def fail(row, **more):
    row["testCase"].update(more)
    for component in row["gradingResult"]["componentResults"]:
        component.update({"pass": False, "score": 0})


def declare_more(row):
    row["testCase"]["assert"].append({"type": "llm-rubric", "value": "no key is told"})


@pytest.mark.parametrize("change", [fail, declare_more])
def test_a_success_that_its_parts_do_not_bear_out_is_no_score(change):
    findings = one(change)
    assert of(Found, findings)[0].scores == (
        RecordedScore("success", None, headline=True),
        RecordedScore("score", None),
    )
    assert any("do not bear out" in it.message for it in of(Remark, findings))


RUBRIC = {"type": "llm-rubric", "value": "is right", "provider": "strict", "metric": "acc"}
EQUALS = {"type": "equals", "value": "x"}


def two_results(*told: dict[str, Any] | None, wanted=(EQUALS, RUBRIC), success=True) -> Found:
    def change(row):
        row["testCase"]["assert"] = list(wanted)
        row["gradingResult"]["componentResults"] = [
            {"pass": success, "score": 1, "reason": "r"} | ({"assertion": each} if each else {})
            for each in told
        ]
        row["gradingResult"]["pass"] = row["success"] = success
        row.update(failureReason=0 if success else 1, namedScores={"acc": 1})

    (found,) = of(Found, one(change))
    return found


@pytest.mark.parametrize(
    "told",
    [
        (RUBRIC, RUBRIC),
        (RUBRIC, EQUALS),
        (EQUALS, {**RUBRIC, "provider": "lenient"}),
        (EQUALS, {**RUBRIC, "provider": {"id": "lenient", "config": {}}}),
        (EQUALS, {"type": "llm-rubric", "value": "is right", "metric": "acc"}),
        (EQUALS, {**RUBRIC, "value": "is a text"}),
        (EQUALS, {**RUBRIC, "metric": "other"}),
        (EQUALS, {**RUBRIC, "threshold": 0.1}),
        ({**EQUALS, "weight": 0}, RUBRIC),
        (EQUALS,),
    ],
)
def test_a_result_stands_for_no_other_assertion_than_its_own(told):
    assert {score.value for score in two_results(*told).scores} == {None}
    failed = {score.name: score.value for score in two_results(*told, success=False).scores}
    assert failed == {"success": 0.0, "score": None, "acc": None}


@pytest.mark.parametrize(
    "told",
    [
        (EQUALS, RUBRIC),
        (None, None),
        (EQUALS, {**RUBRIC, "provider": {"id": "strict", "config": {"apiKey": "k"}}}),
        (EQUALS, RUBRIC, {"type": "select-best", "value": "b"}),
    ],
)
def test_a_result_stands_for_the_assertion_in_its_place(told):
    scores = {score.name: score.value for score in two_results(*told).scores}
    assert (scores["success"], scores["acc"]) == (1.0, 1.0)


def test_the_value_of_a_red_teams_result_is_its_rubric():
    wanted = {"type": "promptfoo:redteam:harmful"}
    assert two_results({**wanted, "value": "rubric"}, wanted=[wanted]).scores[0].value == 1.0
    other = {**wanted, "type": "promptfoo:redteam:pii"}
    assert two_results(other, wanted=[wanted]).scores[0].value is None


def test_the_results_of_a_set_stand_for_its_assertions():
    def passed(*told, wanted=(EQUALS, RUBRIC)):
        within = [{"pass": True, "score": 1, "reason": "r", "assertion": each} for each in told]

        def change(row):
            row["testCase"]["assert"] = [{"type": "assert-set", "assert": list(wanted)}]
            row["gradingResult"]["componentResults"] = [
                {"pass": True, "score": 1, "reason": "s", "componentResults": within},
                *within,
            ]

        return of(Found, one(change))[0].scores[0].value

    assert passed(EQUALS, RUBRIC) == 1.0
    assert passed(EQUALS, EQUALS) is passed(EQUALS) is None


def weightless(row):
    fail(row)
    row["gradingResult"]["componentResults"] += [
        {"pass": False, "score": 0, "assertion": {"type": "equals", **more}}
        for more in ({"weight": 0}, {"metricOnly": True})
    ]
    row["gradingResult"]["componentResults"][0].update({"pass": True, "score": 1})


def of_a_set(row):
    within = [{"pass": passed, "score": int(passed), "reason": "r"} for passed in (True, False)]
    kind = {"type": "contains", "value": "x"}
    several = {"type": "assert-set", "threshold": 0.5, "assert": [kind, kind]}
    row["testCase"]["assert"] = [several]
    row["gradingResult"]["componentResults"] = [
        {"pass": True, "score": 0.5, "reason": "s", "componentResults": within},
        *({**each, "assertion": kind} for each in within),
    ]


def red_team(row):
    fail(row)
    guardrails = {"type": "guardrails", "config": {"purpose": "redteam"}}
    row["testCase"]["assert"] = [guardrails]
    row["gradingResult"]["componentResults"][0]["assertion"] = guardrails


@pytest.mark.parametrize(
    "change",
    [
        lambda row: fail(row, threshold=0),
        lambda row: fail(row, assertScoringFunction="file://f.js"),
        weightless,
        of_a_set,
        red_team,
    ],
)
def test_a_success_by_promptfoos_own_rules_stands_though_an_assertion_failed(change):
    assert of(Found, one(change))[0].scores[0] == RecordedScore("success", 1.0, headline=True)


def test_a_comparison_that_was_lost_passes_by_no_threshold():
    def change(row):
        compared = {"type": "select-best", "value": "b"}
        row["testCase"]["assert"].append(compared)
        row["gradingResult"]["componentResults"].append(
            {"pass": False, "score": 0, "assertion": compared}
        )
        row["testCase"]["threshold"] = 0.1

    assert of(Found, one(change))[0].scores[0].value is None


def rules(change: Callable[[dict[str, Any]], object] = id) -> str:
    (found,) = of(Found, one(change, "judged"))
    return found.case.rules


def judged(**more):
    return lambda row: row["testCase"].update(more)


def test_the_rules_of_a_case_are_its_assertions_and_its_graders():
    assert rules() == (
        '{"assert":[{"metric":"rubric","type":"llm-rubric","value":"ok"}],'
        '"options":{"provider":"file://judge.js","rubricPrompt":"judge {{output}}"}}'
    )


@pytest.mark.parametrize(
    "change",
    [
        judged(threshold=0.1),
        judged(assertScoringFunction="file://easy.js"),
        judged(**{"assert": [{"type": "javascript", "value": "true"}]}),
        judged(options={"provider": "file://other.js", "rubricPrompt": "judge {{output}}"}),
        judged(options={"provider": "file://judge.js", "rubricPrompt": "say yes"}),
        lambda row: row["testCase"]["assert"][0].update(threshold=0.1),
        lambda row: row["testCase"]["assert"][0].update(weight=0.1),
        lambda row: row["testCase"]["assert"][0].update(provider="openai:small"),
    ],
)
def test_other_assertions_thresholds_or_graders_are_other_rules(change):
    assert rules(change) != rules()


def test_another_key_prompt_or_answer_makes_no_other_rules():
    def grader(key, heat):
        config = {"apiKey": key, "temperature": heat}
        return judged(options={"provider": {"id": "openai:x", "config": config}, "prefix": key})

    assert rules(grader("a", 0)) == rules(grader("b", 0)) != rules(grader("a", 1))
    assert "sha256:" in rules(grader("a", 0))
    assert rules(lambda row: row["response"].update(output="another")) == rules()


def test_every_repeat_and_column_of_a_test_has_the_same_rules():
    found = of(Found, read(DATA / "variants.jsonl"))
    by_test = {(it.id.split(" [")[0], it.case.rules) for it in found}
    assert len(by_test) == 2


def test_a_reference_that_would_grow_out_of_proportion_stays_a_template():
    def times(count, size):
        def change(row):
            row["testCase"]["vars"] = {"q": "x" * size}
            row["testCase"]["assert"] = [{"type": "equals", "value": "{{q}}" * count}]

        return of(Found, one(change))[0].case.reference

    assert times(2, 100_000) == "x" * 200_000
    assert times(100, 100) == "x" * 10_000
    for count, size in ((15_000, 100_000), (1_000, 1_000), (2, 600_000)):
        assert times(count, size) == "{{q}}" * count


def test_a_file_of_another_tool_is_told_what_promptfoo_writes():
    for data in (b"{}", b"[]", b'{"id": "a"}\n{"id": "b"}\n'):
        with pytest.raises(PredictionsInvalid) as caught:
            read(data)
        assert "promptfoo eval -o" in caught.value.remedy


def test_an_answer_out_of_a_cache_took_no_time_and_cost_nothing_that_is_known():
    found = of(Found, one(lambda row: row["response"].update(cached=True)))[0]
    assert (found.cost_usd, found.latency_ms) == (None, None)


def test_bad_lines_are_all_told_and_hide_no_good_one():
    good = (DATA / "small.jsonl").read_bytes()
    findings = read(good + b'{"testIdx": 1, "testIdx": 2}\n[1]\n\xff\n' + b'{"cut": ')
    assert [(it.place, it.message.split(":")[0]) for it in of(Wrong, findings)] == [
        ("line 15", "key 'testIdx' appears twice in one object"),
        ("line 16", "expected an object, got a list"),
        ("line 17", "not UTF-8"),
        ("line 18", "not JSON"),
    ]
    assert len(of(Found, findings)) == 14


@pytest.mark.parametrize("data", [b"{}", b'{"results": {}}', b'{"results": [1', b"\xff", b""])
def test_a_whole_file_of_another_shape_is_refused(data):
    with pytest.raises(PredictionsInvalid):
        read(data)


def test_promptfoo_is_recognised_by_content_also_where_it_is_cut():
    for name in ("small.json", "small.jsonl", "variants.jsonl", "nothing_matched.json"):
        data = (DATA / name).read_bytes()
        assert promptfoo.recognises(data)
        assert promptfoo.recognises(b"\xef\xbb\xbf" + data[:6000])
    assert not promptfoo.recognises(b'{"id": "a", "output": "{\\"testIdx\\": 1}"}\n')
    assert not promptfoo.recognises(b'{"id": "a", "output": {"testIdx": 1, "promptIdx": 2}}\n')
    assert not promptfoo.recognises(b"")


@pytest.mark.skipif(not REAL.is_dir(), reason="GATE_REAL_DATA names no folder of real files")
def test_real_files_are_told_apart_and_read():
    for path in REAL.rglob("*.*"):
        expected = path.parent.name == "promptfoo" and path.suffix in {".json", ".jsonl"}
        assert promptfoo.recognises(path.read_bytes()[: 64 * 1024]) is expected, path
    findings = read(REAL / "promptfoo" / "out.repeat2.json")
    assert len(of(Found, findings)) == 24
    assert sum(it.error is not None for it in of(Found, findings)) == 8
    assert of(Gap, findings) == of(Wrong, findings) == []
    (only,) = of(Found, read(REAL / "promptfoo" / "out.empty_tests_1_passed.json"))
    assert only.scores == ()
    assert of(Found, read(REAL / "promptfoo" / "out.filter_matches_nothing.json")) == []


def test_a_grader_that_the_file_does_not_tell_is_told():
    said = "1 of 1 results: the file does not say which program graded"
    hidden = of(Remark, one(judged(options={"provider": {"label": ""}}), "judged"))
    assert any(each.message.startswith(said) for each in hidden)
    assert not any(said in each.message for each in of(Remark, one(id, "judged")))
