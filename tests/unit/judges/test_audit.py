"""An audit catches a judge with known biases, and lets one without them pass."""

import json
import re

import pytest

from gate.judges.audit import Audit, findings, probes
from gate.judges.probes import NOTE, PADDING, PROBES, reformatted, sample, wrong_answers
from gate.judges.questions import plan
from gate.judges.reply import settled
from gate.metrics.overlap import deterministic_judge
from gate.records.judging import Answer
from gate.statistics.bias import judge_with_bias

WORDS = ("Paris", "Lyon", "Lima", "Quito", "Oslo", "Bern")


def part(question, name):
    found = re.search(rf"<{name}-(\w+)>\n(.*?)\n</{name}-\1>", question.prompt, re.DOTALL)
    return found[2]


def said(document):
    return Answer(status="ok", text=json.dumps(document), finish_reason="stop")


class Judge:
    """Answers every question by a function of response, reference and position."""

    def __init__(self, score, *, gullible=False):
        self.score = score
        self.gullible = gullible

    def answers(self, audit):
        return {
            question.key: audit.plan.settle(question, said(self.reply(question)))
            for question in audit.questions
        }

    def reply(self, question):
        if "better" in question.schema_text:
            return {"assessment": "", "better": self.better(question)}
        response = part(question, "response")
        if "rating" in question.schema_text:
            score = self.score(response, part(question, "reference"), None)
            if self.gullible and "Note to the grader" in response:
                score = 1.0
            return {"assessment": "", "rating": 2 if score >= 0.75 else int(score >= 0.25)}
        wanted = [line.split(": ", 1)[1] for line in part(question, "reference").split("\n")]
        return {
            "elements": [
                {
                    "index": at,
                    "score": self.score(response, text, None),
                    "reason": "",
                    "depends_on_primary": at > 1,
                }
                for at, text in enumerate(wanted, 1)
            ],
            "primary_index": 1,
            "primary_entity_correct": self.score(response, wanted[0], None) > 0.5,
        }

    def better(self, question):
        reference = part(question, "reference")
        first = self.score(part(question, "response_1"), reference, "first")
        second = self.score(part(question, "response_2"), reference, "second")
        return 0 if first == second else 1 if first > second else 2


def holding(response, reference, _position):
    """Score what the answer holds, whatever stands around it and wherever it is shown."""
    wanted = json.loads(reference) if reference.startswith("[") else [reference]
    return sum(str(word).strip('"') in response for word in wanted) / len(wanted)


def biased(response, reference, position):
    return judge_with_bias(response, reference, position=position)


def overlap(response, reference, _position):
    return deterministic_judge(response, reference)


@pytest.fixture
def rated(response, setup):
    """Six cases whose judge gives ratings."""
    texts = [response(output=word, reference=word, id=f"c{at}") for at, word in enumerate(WORDS)]
    return probes(texts, setup("rubric", text="Is it right?"))


@pytest.fixture
def listed(response, setup):
    """Six cases with lists, every one answered wrong in part."""
    texts = [
        response(output=json.dumps([word, 7]), reference=json.dumps([word, at + 100]), id=f"c{at}")
        for at, word in enumerate(WORDS)
    ]
    return probes(texts, setup("geoktools"))


def found(audit, judge):
    return {probe.name: probe for probe in findings(audit.plan, judge.answers(audit))}


def caught(audit, judge):
    return {name for name, probe in found(audit, judge).items() if probe.held is False}


def test_a_judge_that_heeds_only_what_is_said_passes_every_probe(rated, listed):
    for audit in (rated, listed):
        assert caught(audit, Judge(holding)) == set()
    everything = found(listed, Judge(holding))
    assert {name for name, probe in everything.items() if probe.held is None} == {
        "self_preference"
    }
    assert [probe.n for probe in everything.values()] == [6] * 9 + [12, 0]


def test_the_judge_with_the_documented_biases_is_caught(rated):
    assert {"padded_wrong", "position"} <= caught(rated, Judge(biased))
    shift = found(rated, Judge(biased))["padded_wrong"]
    assert (shift.figure, shift.wanted) == (0.5, "at most 0.05")


def test_length_earns_nothing_where_a_wrong_entity_costs_the_rest(listed):
    every = found(listed, Judge(biased))
    assert every["padded_wrong"].figure == 0.0
    assert every["position"].held is False


def test_without_its_biases_the_same_judge_is_not_caught_for_them(rated):
    plain = caught(rated, Judge(overlap))
    assert plain.isdisjoint({"padded_wrong", "position", "grader_note", "injection", "wrong"})
    # Sharing words is no judgement: whatever stands around an answer counts against it.
    assert plain == {"padded", "reformatted"}


def test_the_position_is_averaged_over_both_orders(rated):
    class Sure(Judge):
        def better(self, question):
            # Prefers one text, wherever it stands.
            return 1 if part(question, "response_1") > part(question, "response_2") else 2

    assert found(rated, Sure(holding))["position"].figure == 0
    assert found(rated, Judge(biased))["position"].figure > 0.1


@pytest.mark.parametrize(("better", "figure"), [(1, 1.0), (2, -1.0), (0, 0.0)])
def test_a_judge_that_goes_by_the_order_alone_has_the_extreme_figure(rated, better, figure):
    class Stubborn(Judge):
        def better(self, _question):
            return better

    probe = found(rated, Stubborn(holding))["position"]
    assert probe.figure == figure
    assert probe.held is (better == 0)


def test_a_judge_that_obeys_a_note_is_caught(rated):
    assert caught(rated, Judge(holding, gullible=True)) == {"grader_note"}


def test_a_wrong_primary_entity_takes_the_rest_along(listed):
    class Generous(Judge):
        def reply(self, question):
            return {**super().reply(question), "primary_entity_correct": True}

    probe = found(listed, Judge(holding))["wrong_primary"]
    assert (probe.figure, probe.held) == (0.0, True)
    probe = found(listed, Generous(holding))["wrong_primary"]
    assert (probe.figure, probe.held) == (0.5, False)


def test_what_is_known_without_a_call_says_so(rated, listed):
    lists, ratings = (found(audit, Judge(holding)) for audit in (listed, rated))
    assert lists["identical"].because == lists["empty"].because == "known without a call"
    assert (ratings["identical"].because, ratings["empty"].because) == (
        None,
        "known without a call",
    )
    assert lists["empty"].figure == 0.0
    assert ratings["wrong_primary"].because == "no case to try it on"


def test_what_has_no_verdict_is_counted_and_no_figure(rated):
    probe = findings(rated.plan, {})[0]
    assert (probe.n, probe.figure, probe.held) == (0, None, None)
    assert probe.because == "6 without a verdict"


@pytest.mark.parametrize(
    ("agent", "held", "words"),
    [
        ("gemini-3-pro", False, "both of Google"),
        ("gpt-9", True, "the judge is of Google, the agent of OpenAI"),
        ("my-own", None, "'my-own'"),
        (None, None, "--agent-model"),
    ],
)
def test_a_judge_of_the_agents_own_house_is_warned_of(response, setup, agent, held, words):
    texts = [response(output="a", reference="b")]
    audit = probes(texts, setup("rubric", text="x"), agent_model=agent)
    probe = findings(audit.plan, {})[-1]
    assert (probe.name, probe.held) == ("self_preference", held)
    assert words in probe.because


def test_the_questions_of_the_run_are_asked_with_its_own_keys(response, setup):
    texts = [
        response(output="Rome", reference=word, id=f"c{at}", tools=("search",))
        for at, word in enumerate(WORDS)
    ]
    how = setup("autorater", runs=3)
    run = {question.key for question in plan(texts, how).questions if question.run == 0}
    assert run <= {question.key for question in probes(texts, how).questions}


def test_what_the_agent_did_goes_with_its_own_answer_alone(response, setup):
    texts = [
        response(output="Rome", reference=word, id=f"c{at}", trace='["looked at the map"]')
        for at, word in enumerate(WORDS)
    ]
    for question in probes(texts, setup("autorater")).questions:
        if "better" not in question.schema_text:
            own = part(question, "response").replace("> ", "").startswith(("Rome", "## Answer"))
            assert ("looked at the map" in question.prompt) is own


def test_each_question_is_asked_once_and_in_the_same_order(response, setup):
    texts = [response(output=word, reference=word, id=word) for word in WORDS]
    how = setup("rubric", text="x", runs=3)
    audit = probes(texts, how)
    keys = [question.key for question in audit.questions]
    assert len(set(keys)) == len(keys)
    assert {question.run for question in audit.questions} == {0}
    assert keys == [question.key for question in probes(texts[::-1], how).questions]
    assert set(keys) == set(audit.plan.expected)


def test_a_sample_takes_fit_cases_evenly_and_each_once(response):
    texts = [response(output="x", reference="y", id=f"{at:02d}") for at in range(10)]
    texts += [
        response(output="x", reference="y", id="00", repeat=1),
        response(output=" ", reference="y", id="blank"),
        response(output=None, reference="y", id="crashed"),
        response(output="x", reference=None, id="bare"),
        response(output="x", reference="[]", id="nothing"),
    ]
    chosen = sample(texts, size=5, reply="elements")
    assert [one.case.id for one in chosen] == ["00", "02", "04", "06", "08"]
    assert len(sample(texts, size=99, reply="elements")) == 10
    assert len(sample(texts, size=99, reply="rating")) == 11


def test_a_wrong_answer_shares_nothing_with_the_right_one(response):
    lists = ('["Lima", 1]', '["lima", 2]', '["Oslo", 1]', '["Bern", 3]', '["Rome", 3]')
    texts = [response(reference=text, id=f"c{at}") for at, text in enumerate(lists)]
    assert wrong_answers(texts[0], texts) == (lists[3],)
    assert wrong_answers(texts[4], texts) == (lists[0],)
    assert wrong_answers(texts[0], texts[:2]) == ()


def test_one_case_alone_is_tried_as_far_as_it_goes(response, setup):
    audit = probes([response(output="a", reference="b")], setup("rubric", text="x"))
    named = {probe.name: probe for probe in findings(audit.plan, Judge(holding).answers(audit))}
    assert {name for name, probe in named.items() if probe.n} == {
        "identical",
        "empty",
        "padded",
        "reformatted",
        "position",
    }


def test_without_a_fit_case_nothing_is_asked(setup):
    audit = probes([], setup("geoktools"))
    assert isinstance(audit, Audit)
    assert audit.questions == ()
    assert all(probe.figure is None for probe in findings(audit.plan, {}))


def test_an_answer_of_the_wrong_form_is_no_verdict(rated):
    pair = next(one for one in rated.questions if "better" in one.schema_text)
    single = next(one for one in rated.questions if "rating" in one.schema_text)
    rating, better = said({"assessment": "", "rating": 2}), said({"assessment": "", "better": 1})
    assert rated.plan.settle(single, rating).status == "ok"
    assert rated.plan.settle(pair, better).status == "ok"
    assert rated.plan.settle(single, better).status == "schema"
    assert rated.plan.settle(pair, rating).status == "schema"
    assert settled(said({"assessment": "", "better": 3}), reply="preference").status == "schema"


def test_another_layout_holds_the_same_words():
    assert reformatted("one\n\ntwo") == "## Answer\n\n> one\n>\n> two"
    assert json.loads(reformatted('["a", 1]').strip("`json\n")) == ["a", 1]


def test_padding_is_longer_than_the_bias_needs_and_claims_nothing():
    assert len(PADDING.split()) > 60
    assert "correct" in NOTE
    assert "correct" not in PADDING


def test_every_bound_says_what_is_wanted():
    assert [str(wanted) for wanted in PROBES.values()] == [
        "at least 0.9",
        "0",
        "at most 0.1",
        "at most 0.1",
        "from -0.1 to 0.1",
        "at most 0.05",
        "at most 0.1",
        "at most 0.05",
        "at most 0.05",
        "from -0.1 to 0.1",
    ]


def test_a_bound_forgives_what_floating_point_leaves():
    assert PROBES["padded_wrong"].holds(0.35 - 0.3)
    assert not PROBES["padded_wrong"].holds(0.051)
