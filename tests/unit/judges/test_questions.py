import pytest

from gate.errors import UsageInvalid
from gate.judges.questions import (
    AGENT_ERROR,
    EMPTY,
    EXACT,
    MAX_RUNS,
    NOTHING_ASKED,
    judge_config,
    plan,
)
from gate.records.json_text import loads


def test_only_what_cannot_be_known_is_asked(response, setup):
    planned = plan(
        [
            response(' ["Paris", 105.0]', id="exact"),
            response("  ", id="empty"),
            response(None, id="error"),
            response(id="asked"),
            response("something", "[]", id="nothing"),
            response("[ ]", "[]", id="both nothing"),
            response("", "", id="both empty"),
        ],
        setup(),
    )
    assert [(entry.score, entry.because, entry.elements) for entry in planned.entries] == [
        (1.0, EXACT, 0),
        (0.0, EMPTY, 0),
        (None, AGENT_ERROR, 0),
        (None, None, 2),
        (0.0, NOTHING_ASKED, 0),
        (1.0, EXACT, 0),
        (1.0, EXACT, 0),
    ]
    (question,) = planned.questions
    assert planned.entries[3].keys == (question.key,)
    assert question.case_id == "asked"
    counts = planned.counts
    assert (counts.responses, counts.exact, counts.empty, counts.errors, counts.calls) == (
        (7, 3, 1, 1, 1)
    )
    assert counts.output_tokens == 300
    total = len(question.system) + len(question.prompt) + len(question.schema_text)
    assert counts.input_tokens == -(-total // 4)


def test_a_rated_response_is_asked_about_even_if_it_equals_the_reference(response, setup):
    planned = plan([response("Paris", "Paris")], setup("autorater", runs=3))
    assert [question.run for question in planned.questions] == [0, 1, 2]
    assert len({question.key for question in planned.questions}) == 3
    assert len({question.prompt for question in planned.questions}) == 1


def test_an_empty_response_is_not_rated(response, setup):
    (entry,) = plan([response("\n")], setup("autorater")).entries
    assert (entry.score, entry.because, entry.keys) == (0.0, EMPTY, ())


def test_the_trajectory_is_shown_to_those_who_rate_the_work(response, setup):
    worked = response(trace='[{"tool": "geocode", "args": "Lima", "output": "x"}]')
    assert "call geocode Lima" in plan([worked], setup("autorater")).questions[0].prompt
    assert "geocode" not in plan([worked], setup("rubric", text="r")).questions[0].prompt
    listed = plan([worked], setup("workflow", tools="geocode(q)")).questions[0].prompt
    assert "geocode(q)" in listed


def test_the_same_question_has_the_same_key_and_is_asked_once(response, setup):
    planned = plan([response(repeat=0), response(repeat=1)], setup(runs=2))
    assert planned.counts.calls == len(planned.questions) == 2
    assert planned.entries[0].keys == planned.entries[1].keys
    again = plan([response()], setup(runs=1))
    assert again.entries[0].keys == planned.entries[0].keys[:1]


def test_everything_an_answer_could_depend_on_is_in_the_key(response, setup):
    base = setup("autorater")
    usual = plan([response()], base).questions[0].key
    others = [
        plan([asked], changed).questions[0].key
        for asked, changed in (
            (response(output="[]"), base),
            (response(reference="other"), base),
            (response(input="other"), base),
            (response(id="other"), base),
            (response(tools=("a",)), base),
            (response(trace="[1]"), base),
            (response(), base._replace(provider="anthropic")),
            (response(), base._replace(base_url="https://example.org")),
            (response(), base._replace(model="other")),
            (response(), base._replace(params='{"temperature":0}')),
            (response(), base._replace(date="2026-07-02")),
            (response(), base._replace(tools="a")),
            (response(), base._replace(command="sha256:" + "0" * 64)),
            (response(), setup("workflow")),
            (response(), setup("autorater", text="own words")),
        )
    ]
    assert len({usual, *others}) == len(others) + 1


def test_another_way_to_read_replies_is_another_key(response, setup, monkeypatch):
    before = plan([response()], setup()).questions[0].key
    monkeypatch.setattr("gate.judges.reply.VERSION", 99)
    assert plan([response()], setup()).questions[0].key != before
    assert judge_config(setup()).parser == 99


@pytest.mark.parametrize("runs", [0, -1, MAX_RUNS + 1])
def test_a_number_of_runs_out_of_bounds_is_refused(response, setup, runs):
    with pytest.raises(UsageInvalid, match=str(runs)):
        plan([response()], setup(runs=runs))


@pytest.mark.parametrize("date", ["today", "2026-7-1", "2026-13-01", "2026-07-01\n", "2026-01-32"])
def test_a_date_of_another_form_is_refused(response, setup, date):
    with pytest.raises(UsageInvalid, match="YYYY-MM-DD"):
        plan([response()], setup(date=date))


def test_a_prompt_that_tells_the_date_needs_one(response, setup):
    with pytest.raises(UsageInvalid, match="autorater"):
        plan([response()], setup("autorater", date=None))
    (question,) = plan([response()], setup("geoktools", date="2026-07-01")).questions
    assert question.system.startswith("Today is 2026-07-01.")


def test_elements_without_a_reference_cannot_be_asked_for(response, setup):
    with pytest.raises(UsageInvalid, match="geo-1"):
        plan([response(reference=None)], setup())


def test_the_identity_says_which_judge_it_was(setup):
    rated = judge_config(setup("autorater", runs=3, tools="geocode"))
    assert loads(rated.rating_map) == {"0": 0.0, "1": 0.5, "2": 1.0}
    assert (rated.prompt, rated.runs, rated.condenser, rated.parser) == ("autorater", 3, 1, 1)
    assert rated.tools is not None
    scored = judge_config(setup(tools="geocode"))
    assert (scored.rating_map, scored.condenser, scored.tools) == ("{}", None, None)
    assert scored.prompt_digest != rated.prompt_digest
    assert scored.schema_digest != rated.schema_digest


def test_the_date_is_no_part_of_the_identity(setup):
    assert judge_config(setup("autorater", date="2026-07-01")) == judge_config(
        setup("autorater", date="2026-07-02")
    )


def test_the_key_of_a_question_is_the_one_it_always_had(response, setup):
    # Another key makes every recorded answer useless: change what it is made of on purpose only.
    (question,) = plan([response()], setup()).questions
    assert question.key[7:19] == "cccd45b9b56b"
