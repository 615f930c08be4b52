"""JUnit files of many tools: no word that nobody knows is a pass."""

from io import BytesIO

import pytest

from gate.inputs.importers.found import Found, Gap, Remark
from gate.inputs.importers.junit import found
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source


def read(text):
    source = Source("junit.xml", lambda: BytesIO(text.encode()))
    return list(found(source, ImportOptions()))


def run(test):
    findings = read(f'<testsuites><testsuite name="s">{test}</testsuite></testsuites>')
    return next(one for one in findings if isinstance(one, Found)), findings


def scores(one):
    return {score.name: score.value for score in one.scores}


@pytest.mark.parametrize("key", ["status", "result"])
@pytest.mark.parametrize(
    "word",
    [
        *("timeout", "aborted", "cancelled", "broken", "pending", "inconclusive", "undefined"),
        *("untested", "notExecuted", "ko", "false", "unknown", "errored", "interrupted"),
    ],
)
def test_a_word_that_is_not_known_for_a_pass_is_an_error(key, word):
    one, _ = run(f'<testcase name="t" {key}="{word}"/>')
    assert one.output is None
    assert one.error == f"{key}={word.lower()!r}"


@pytest.mark.parametrize("word", ["", "run", "passed", "Success", "completed", "ok"])
def test_a_word_that_is_known_for_one_is_one(word):
    one, _ = run(f'<testcase name="t" status="{word}" result="{word}"/>')
    assert (one.error, scores(one)) == (None, {"passed": 1.0})


@pytest.mark.parametrize("tag", ["timeout", "failed", "aborted", "broken", "rerunFailure"])
def test_an_outcome_that_is_none_of_junits_is_an_error(tag):
    one, _ = run(f'<testcase name="t"><{tag}>x</{tag}></testcase>')
    assert one.error == f"<{tag.lower()}>"
    inner, _ = run(f'<testcase name="t"><system-out><{tag}/></system-out></testcase>')
    assert inner.error is None


SCORED = '<properties><property name="score" value="1.0"/></properties>'


@pytest.mark.parametrize(
    ("outcome", "score", "remarked"),
    [("<skipped/>", None, 0), ("<failure/>", 1.0, 1), ("", 1.0, 0)],
)
def test_a_score_of_a_skipped_test_is_none(outcome, score, remarked):
    one, findings = run(f'<testcase name="t">{SCORED}{outcome}</testcase>')
    assert scores(one)["score"] == score
    said = [finding.message for finding in findings if isinstance(finding, Remark)]
    assert sum("tests that failed and have a score" in text for text in said) == remarked


@pytest.mark.parametrize("name", ["/w/a.test.js", "C:\\w\\a.test.mts"])
def test_a_file_of_nodes_that_failed_by_itself_is_a_gap(name):
    """An error after its tests ended: none of them failed by it."""
    failed = f'<testcase name="{name}"><failure message="test failed"/></testcase>'
    _, findings = run(f'<testcase name="t"/>{failed}')
    (gap,) = [finding.message for finding in findings if isinstance(finding, Gap)]
    assert gap.startswith("the test file ")
    _, findings = run(f'<testcase name="{name}"/>')
    assert not [finding for finding in findings if isinstance(finding, Gap)]
