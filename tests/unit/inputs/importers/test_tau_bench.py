import json
from io import BytesIO
from pathlib import Path

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers import tau_bench
from gate.inputs.importers.found import Found, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source

FOLDER = Path(__file__).parents[3] / "data" / "importers" / "tau_bench"
RESULTS = (FOLDER / "results.json").read_bytes()


def findings(data: bytes, *, id_field: str | None = None):
    source = Source("results.json", lambda: BytesIO(data))
    return list(tau_bench.found(source, ImportOptions(id_field=id_field)))


def of(kind, found):
    return [each for each in found if isinstance(each, kind)]


def changed(at: int = 0, **changes) -> bytes:
    results = json.loads(RESULTS)
    results[at].update(changes)
    return json.dumps(results).encode()


def test_each_task_of_each_trial_is_a_row():
    found = findings(RESULTS)
    rows = of(Found, found)
    assert [(row.id, row.repeat, row.output, row.tools) for row in rows] == [
        ("0", 0, "Booked for $327.", ("get_user_details", "book_reservation")),
        ("1", 0, "That is not possible.", ()),
        ("0", 1, None, None),
        ("1", 1, "That is not possible.", ()),
    ]
    assert [row.scores for row in rows] == [
        (RecordedScore("reward", 1.0),),
        (RecordedScore("reward", 0.0),),
        (),
        (RecordedScore("reward", 1.0),),
    ]
    assert rows[0].case.input == "You want to fly to Seattle."
    assert json.loads(rows[0].case.reference)["outputs"] == ["327"]
    assert rows[0].case.expected_tools == ()
    assert len(json.loads(rows[0].trace)) == 8
    assert not of(Gap, found)


def test_a_run_that_raised_is_an_error_even_without_a_message():
    assert of(Found, findings(RESULTS))[2].error == "litellm.RateLimitError: 429"
    row = of(Found, findings(changed(2, info={"error": ""})))[2]
    assert (row.error, row.output, row.scores) == ("the run of the task raised", None, ())


def test_no_answer_is_an_error():
    row = of(Found, findings(changed(traj=[{"role": "user", "content": "Hi"}])))[0]
    assert (row.output, row.error) == (None, "tau-bench recorded no answer")


def test_calls_that_are_written_as_text_are_not_known():
    traj = [
        {"role": "user", "content": "API output: {}"},
        {"role": "assistant", "content": "Thought:"},
    ]
    found = findings(changed(traj=traj))
    assert of(Found, found)[0].tools is None
    assert Remark("2 results do not say which tools were called") in found


def test_trials_that_do_not_hold_the_same_tasks_are_a_gap():
    cut = json.dumps(json.loads(RESULTS)[:3]).encode()
    assert of(Gap, findings(cut)) == [Gap("trial 1 holds 1 of 2 tasks")]
    later = json.dumps([each for each in json.loads(RESULTS) if each["trial"]]).encode()
    assert of(Gap, findings(later)) == [Gap("1 of at least 2 trials are in the file")]


def test_a_reward_that_is_no_number_is_no_score():
    assert of(Found, findings(changed(reward=None)))[0].scores == (RecordedScore("reward", None),)


def test_a_reward_that_its_own_account_contradicts_is_refused():
    info = json.loads(RESULTS)[0]["info"] | {"reward_info": {"reward": 0.0, "info": {}}}
    assert of(Wrong, findings(changed(info=info))) == [
        Wrong("[0]", "`reward`: differs from `info.reward_info.reward`")
    ]
    assert not of(Wrong, findings(changed(info=info, reward=0)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"task_id": None}, "`task_id`: expected a text or a whole number, got null"),
        ({"trial": -1}, "`trial`: expected a whole number from 0"),
        ({"trial": "0"}, "`trial`: expected a whole number from 0"),
        ({"info": []}, "`info`: expected an object, got a list"),
        ({"info": {"task": 1}}, "`info.task`: expected an object, got a whole number"),
        (
            {"info": {"task": {"instruction": 1}}},
            "`info.task.instruction`: expected a text, got a whole number",
        ),
        ({"traj": {}}, "`traj`: expected a list of messages, got an object"),
        (
            {"traj": [{"role": "assistant", "tool_calls": [{}]}]},
            "`traj[].tool_calls`: a call without the name of its tool",
        ),
    ],
)
def test_a_result_of_another_shape_is_refused_by_its_key(changes, message):
    found = findings(changed(**changes))
    assert of(Wrong, found) == [Wrong("[0]", message)]
    assert len(of(Found, found)) == 3


def test_another_field_may_hold_the_id():
    found = findings(RESULTS, id_field="info.task.user_id")
    assert of(Found, found)[0].id == "mia_li_3668"
    assert of(Wrong, found) == [Wrong("[2]", "`info.task.user_id`: is missing")]


def test_what_is_no_list_of_results_is_refused():
    for data in (b"{}", b"", b"[", RESULTS[:-20], b'[{"task_id": 0, "task_id": 1}]'):
        with pytest.raises(PredictionsInvalid):
            findings(data)
    assert of(Wrong, findings(b"[3]")) == [Wrong("[0]", "expected an object, got a whole number")]
    assert findings(b"[]") == []


def test_results_are_recognised_by_their_content_alone():
    assert tau_bench.recognises(RESULTS)
    assert tau_bench.recognises(RESULTS[:100])
    for other in (
        b"",
        b"[]",
        b'[{"id": 0, "reward": 1.0}]',
        b'{"task_id": 0, "reward": 1, "info": {',
    ):
        assert not tau_bench.recognises(other)
