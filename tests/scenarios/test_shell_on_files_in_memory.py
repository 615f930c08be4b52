"""The shell asks its port for files, and for nothing that it does not need."""

import json

import pytest

from gate.errors import BaselineAbsent, PolicyInvalid, ResultInvalid, UsageInvalid
from gate.records.policy import Overrides
from gate.report.result_json import write_result
from gate.shell.gather import Means, Names, gather_baseline, gather_rules
from gate.shell.score import measure
from gate.shell.stored import promoted, redecide

CASES = [{"id": name, "input": "?", "reference": "yes"} for name in "abcd"]
GOOD = [{"id": name, "output": "yes"} for name in "abcd"]
NAMES = Names(Overrides())
GIVEN = {"cases": "c.jsonl", "predictions": "p.jsonl", "scorer": "contains"}


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture
def means(memory):
    files = memory({"c.jsonl": lines(CASES), "p.jsonl": lines(GOOD)})
    return Means(files, str, lambda found: found)


def accept(means):
    from gate.baseline.store import write_baseline

    report = measure(means, Overrides(**GIVEN), policy=None, gated=False)
    means.files.held["r.json"] = write_result(report).encode()
    baseline = promoted(means, "r.json", target="b.json", reason=None)
    means.files.held["b.json"] = write_baseline(baseline).encode()
    return baseline


def test_score_check_and_decide_need_no_disk(means):
    accept(means)
    options = Overrides(**GIVEN, baseline="b.json", max_drop="0")
    report = measure(means, options, policy=None, gated=True)
    assert (report.verdict, report.exit_status) == ("pass", 0)
    means.files.held["r.json"] = write_result(report).encode()
    again = redecide(means, "r.json", Overrides(), policy=None, embedded=True)
    assert write_result(again) == write_result(report)


def test_predictions_are_streamed_through_the_watch_and_read_once(means):
    seen = []

    def watch(found):
        for line in found:
            seen.append(line)
            yield line

    measure(means._replace(watch=watch), Overrides(**GIVEN), policy=None, gated=False)
    assert len(seen) == 4
    assert means.files.asked.count("p.jsonl") == 2  # their beginning, to recognise them


def test_nothing_is_written_by_the_core(means):
    before = dict(means.files.held)
    measure(means, Overrides(**GIVEN), policy=None, gated=False)
    assert means.files.held == before


def test_gate_toml_is_looked_for_only_where_no_policy_is_named(means):
    gather_rules(means.files, Overrides(), None)
    assert means.files.asked == ["gate.toml"]
    means.files.held["x.toml"] = b"[suite]\nseed = 3\n"
    means.files.asked.clear()
    assert gather_rules(means.files, Overrides(), "x.toml").source == "x.toml"
    assert means.files.asked == ["x.toml"]


@pytest.mark.parametrize("text", [b"", b" \n", b"# floor of 0.9\n", b"[suite]\n"])
@pytest.mark.parametrize("named", [None, "gate.toml"])
def test_a_policy_that_says_nothing_is_refused_since_it_may_have_lost_its_limits(
    means, text, named
):
    means.files.held["gate.toml"] = text
    with pytest.raises(PolicyInvalid, match="says nothing"):
        gather_rules(means.files, Overrides(), named)


def test_the_shell_tells_once_what_the_rules_read_before_it_reads_any_of_it(means):
    means.files.held["gate.toml"] = (
        b'[suite]\ncases = "c.jsonl"\npredictions = "p.jsonl"\n[scorer]\nname = "contains"\n'
    )
    told = []

    def reads(paths):
        told.append((*paths, *means.files.asked))

    measure(means._replace(reads=reads), Overrides(), policy=None, gated=False)
    assert told == [("gate.toml", "c.jsonl", "p.jsonl", "gate.toml", "gate.toml")]


def test_a_policy_in_another_encoding_is_told_how_to_convert(means):
    for encoding in ("utf-16", "utf-32"):
        means.files.held["gate.toml"] = "[suite]".encode(encoding)
        with pytest.raises(PolicyInvalid, match=f"iconv -f {encoding.upper()} "):
            gather_rules(means.files, Overrides(), None)


def test_a_policy_that_is_no_text_is_refused_with_its_byte(means):
    means.files.held["gate.toml"] = b"a = '\xff'"
    with pytest.raises(PolicyInvalid, match="not UTF-8 at byte 5"):
        gather_rules(means.files, Overrides(), None)


def test_a_policy_may_begin_with_a_byte_order_mark(means):
    means.files.held["gate.toml"] = b"\xef\xbb\xbf[suite]\nseed = 3\n"
    assert gather_rules(means.files, Overrides(), None).suite.seed == 3


def test_only_an_allowed_absence_of_a_baseline_is_none(means):
    allowed = gather_rules(
        means.files, Overrides(baseline="b.json", allow_missing_baseline=True), None
    )
    assert gather_baseline(means.files, allowed.suite, NAMES) is None
    wanted = gather_rules(means.files, Overrides(baseline="b.json"), None)
    with pytest.raises(BaselineAbsent):
        gather_baseline(means.files, wanted.suite, NAMES)
    unnamed = gather_rules(means.files, Overrides(), None)
    assert gather_baseline(means.files, unnamed.suite, NAMES) is None


def test_score_reads_no_baseline_where_cases_are_named(means):
    measure(means, Overrides(**GIVEN, baseline="gone.json"), policy=None, gated=False)
    assert "gone.json" not in means.files.asked


def test_no_predictions_named_is_usage(means):
    with pytest.raises(UsageInvalid, match="no predictions"):
        measure(means, Overrides(cases="c.jsonl", scorer="contains"), policy=None, gated=False)


def test_a_scored_result_holds_no_policy_to_replay(means):
    accept(means)
    with pytest.raises(ResultInvalid, match="never gated"):
        redecide(means, "r.json", Overrides(), policy=None, embedded=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[scorer]\nname = "jaccard"\n', "not the one that made this result"),
        ("[suite]\npass_threshold = 0.5\n", "counted at 1"),
        ('[suite]\ntrajectory = "set"\n', "graded exact"),
        ("[suite]\nrepeats = 3\n", "has 1 run"),
    ],
)
def test_what_needs_rescoring_is_refused_when_a_result_is_gated_again(means, text, said):
    accept(means)
    means.files.held["gate.toml"] = text.encode()
    options = Overrides(baseline="b.json", max_drop="0")
    with pytest.raises(PolicyInvalid, match=said):
        redecide(means, "r.json", options, policy=None, embedded=False)


def test_a_result_is_compared_with_another_baseline_case_by_case(means):
    accept(means)
    means.files.held["c.jsonl"] = lines([*CASES[:3], {**CASES[3], "reference": "no"}])
    means.files.held["p.jsonl"] = lines([*GOOD[:3], {"id": "d", "output": "no"}])
    report = measure(means, Overrides(**GIVEN), policy=None, gated=False)
    means.files.held["r.json"] = write_result(report).encode()
    options = Overrides(baseline="b.json", max_drop="0")
    found = redecide(means, "r.json", options, policy=None, embedded=False)
    assert found.verdict == "undecided"
    assert [case.fields for case in found.comparison.changed] == [("reference",)]
    assert found.comparison.n_compared == 3
