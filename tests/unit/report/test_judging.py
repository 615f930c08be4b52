"""The judge in a report: which one, what happened, how it voted, and nothing of others raw."""

import pytest
from markdown_it import MarkdownIt

from gate.records.judge_run import Judgement
from gate.records.result import RepeatResult
from gate.report.judging import happened, pins, spelled, votes
from gate.report.markdown import render_markdown
from gate.report.terminal import render_terminal
from gate.report.without_secrets import without_secrets

PAGES = pytest.mark.parametrize(
    "render",
    [render_markdown, lambda report: render_terminal(report, colour=False)],
    ids=["markdown", "terminal"],
)
THREE = Judgement(status="ok", votes=(1.0, 0.5, 1.0), keys=("0" * 16,) * 3)
LATE = Judgement(status="timeout", votes=(1.0, None), keys=("0" * 16,) * 2)


def changed(record, **fields):
    return type(record)(**{**dict(record), **fields})


@pytest.fixture(scope="session")
def held(fakes):
    """Give the records of a judged run, by the name of their class."""
    return {type(one).__name__: one for one in fakes("judged_records").judged_records()}


@pytest.fixture
def judged(build, held):
    """Make a report of a judged run; ``run`` and ``config`` are what differs."""

    def make(*, run=(), config=(), **fields):
        return build.report(
            judge_run=changed(held["JudgeRun"], **dict(run)),
            judge_config=changed(held["JudgeConfig"], **dict(config)).model_dump(mode="json"),
            **fields,
        )

    return make


def test_where_nobody_judged_nothing_is_said(build):
    report = build.report()
    assert (pins(report), happened(report), votes(report, most=9)) == ((), (), ((), 0))
    assert "judge" not in render_markdown(report)


def test_all_that_the_protocol_pins_is_named(judged):
    said = dict(pins(judged()))
    assert said["judge"] == "command, model m"
    assert said["version that answered"] == "m-001"
    assert said["sent besides the question"] == '{"temperature":0.5}'
    assert said["prompt"].startswith("autorater, sha256:0a0a")
    assert said["looks at each response"] == "3"
    assert said["the judge was told"] == "Today is 2026-07-01."
    assert said["snapshot dates"] == "2026-01-01 to 2026-02-01 (2 cases)"
    assert '"2":1.0' in said["rating map"]
    assert said["versions"] == "condenser 1, reply reader 1"
    assert "percentile bootstrap" in said["interval"]
    assert said["command"].startswith("sha256:")


def test_what_there_is_not_has_no_line(judged):
    empty = {"tools": None, "command": None, "condenser": None, "rating_map": {}, "params": {}}
    said = dict(pins(judged(config=empty, run={"date": None, "snapshots": None, "models": ()})))
    for name in ("tools it was shown", "command", "rating map", "the judge was told"):
        assert name not in said
    assert "snapshot dates" not in said
    assert said["sent besides the question"] == "nothing: the model's defaults"
    assert said["versions"] == "reply reader 1"


def test_the_name_of_the_golden_set_stands_before_its_digest(judged):
    report = judged(policy='{"suite":{"dataset":"geo 1.2"}}')
    assert dict(pins(report))["golden set"].startswith("geo 1.2, sha256:")


def test_what_happened_is_told_in_numbers(judged):
    said = dict(happened(judged()))
    assert said["responses"] == "1"
    assert said["without a call"] == (
        "2 equal to the reference, 3 empty, 4 to an empty golden list, 5 errors of the agent, "
        "6 scored by the case's own scorer"
    )
    assert said["calls"] == "7, and 8 known-bad answers"
    assert said["no verdict"] == "10 (1 timeout)"
    assert said["first timeout"] == "late"
    assert said["pass rate with those at 0 and at 1"] == "0.500 and 1.000"
    assert said["known-bad answers that scored 0"] == "0 of 1"
    assert said["looks that differ"] == (
        "in 50.0 % of responses; standard deviation within one 0.250"
    )
    assert said["tokens"] == "3 in, 2 out, 1 thinking"
    assert said["cost"] == "$0.5000 (at $1)"
    assert said["stopped"] == "the deadline is over"


def test_a_cost_that_is_not_known_says_why(judged, held):
    for fields, said in (
        ({"cost_usd": None, "price": None}, "not known: no price is known"),
        ({"cost_usd": None}, "not known: no token count"),
    ):
        spent = changed(held["JudgeRun"].spent, **fields)
        assert dict(happened(judged(run={"spent": spent})))["cost"] == said


@pytest.mark.parametrize(
    ("judgement", "said"),
    [
        (THREE, "1, 0.5, 1: mean 0.833"),
        (LATE, "1, none: no mean (timeout)"),
        (Judgement(status="unasked", votes=(None,)), "none: no mean (unasked)"),
    ],
)
def test_votes_are_spelt_with_their_mean(judgement, said):
    assert spelled(judgement) == said


def test_only_votes_of_several_looks_are_listed_and_the_rest_counted(build, judged):
    single = Judgement(status="ok", votes=(1.0,), keys=("0" * 16,))
    cases = (
        build.case("a", judgement=THREE),
        build.case("b", judgement=single),
        build.case("c", judgement=LATE),
        build.case("d"),
    )
    report = judged(cases=cases, suite=build.suite(cases))
    assert votes(report, most=1) == ((("a", "1, 0.5, 1: mean 0.833"),), 1)
    assert [name for name, _ in votes(report, most=9)[0]] == ["a", "c"]


def test_votes_of_repeats_name_the_run(build, judged):
    runs = tuple(
        RepeatResult(
            repeat=at, standing="scored", score=1.0, passed=True, trajectory=1.0, judgement=THREE
        )
        for at in range(2)
    )
    cases = (build.case("a", repeats=runs),)
    report = judged(cases=cases, suite=build.suite(cases, repeats=2))
    assert [name for name, _ in votes(report, most=9)[0]] == ["a, run 0", "a, run 1"]


@PAGES
def test_both_pages_show_judge_run_and_votes(build, judged, render):
    cases = (build.case("a", judgement=THREE),)
    page = render(judged(cases=cases, suite=build.suite(cases)))
    for text in ("m-001", "the judge was told", "known-bad", "1, 0.5, 1: mean 0.833"):
        assert text in page


HOSTILE = "</details>\n::error::x|`@everyone \x1b[31m\u202e<!-- agent-eval-gate --> # h1"


@pytest.fixture
def hostile(judged, held):
    unscored = changed(held["JudgeRun"].unscored[0], message=HOSTILE)
    run = {"models": (HOSTILE,), "unscored": (unscored,), "stopped": HOSTILE}
    return judged(run=run, config={"model": HOSTILE})


@PAGES
def test_what_a_provider_says_moves_no_cursor_and_gives_no_command(hostile, render):
    page = render(hostile)
    assert "error" in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert not any(line.lstrip().startswith("::") for line in page.splitlines())


def test_what_a_provider_says_is_no_markup_of_a_page(judged, hostile):
    def markup(page):
        tokens = MarkdownIt("commonmark").enable("table").parse(page)
        inner = [one for token in tokens for one in (token, *(token.children or ()))]
        return [
            one.content if one.type.startswith("html_") else one.tag
            for one in inner
            if one.type.startswith("html_") or one.type in {"heading_open", "link_open"}
        ]

    assert markup(render_markdown(hostile)) == markup(render_markdown(judged()))


def test_a_secret_in_what_a_provider_said_is_redacted(judged, held):
    secret = "sk-a-long-secret"  # noqa: S105 - of nobody
    unscored = changed(held["JudgeRun"].unscored[0], message=f"m {secret}")
    report = judged(run={"models": (secret,), "unscored": (unscored,), "stopped": secret})
    found = without_secrets(report, lambda text: text.replace(secret, "***"))
    assert secret not in found.model_dump_json()
    assert found.judge_run.stopped == "***"


def test_reasons_are_shown_where_expected_answers_are(build, judged):
    evidence = build.evidence(reasons=("because it is Paris",))
    cases = (build.failing("a", "x", evidence=(evidence,)),)
    report = judged(cases=cases, suite=build.suite(cases))
    assert "because it is Paris" in render_markdown(report, show_expected=True)
    assert "because it is Paris" not in render_markdown(report, show_expected=False)
