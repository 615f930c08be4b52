"""The numbers of a report, and those of its slices."""

from gate.records.result import Accepted
from gate.records.verdict import GateVerdict
from gate.report.measures import measures
from gate.report.slices import slice_rows


def by_name(report):
    return {row.name: row for row in measures(report)}


def test_a_path_counts_only_where_one_is_declared(build):
    rows = (build.case("a", declares_path=True, trajectory=0.5), build.case("b"))
    row = by_name(build.report(cases=rows))["trajectory (order, 1 case)"]
    assert (row.value, row.baseline, row.change) == ("0.500", "1.000", "−0.500")
    assert not any("trajectory" in name for name in by_name(build.report(cases=rows[1:])))


def test_both_metrics_stand_beside_their_baseline(build):
    rows = (build.case("a"), build.failing("b", "no", score=0.5))
    found = by_name(build.report(cases=rows, suite=build.suite(rows, mean_score=0.75)))
    assert found["pass rate"][-2:] == ("100 %", "−50.0 points")
    assert found["mean score"][-2:] == ("1.000", "−0.250")


def test_where_some_cases_are_compared_they_have_a_row_of_their_own(build):
    found = by_name(build.report())
    assert found["pass rate"][-2:] == ("", "")
    assert found["pass rate, 6 compared"][1] == "50.0 %"
    assert found["pass rate, 6 compared"][-2:] == ("83.3 %", "−33.3 points")


def test_no_change_is_shown_where_measurements_differ_unless_that_is_not_checked(build):
    differing = build.report().comparison.model_copy(update={"differences": ("threshold",)})
    report = build.report(comparison=differing)
    assert by_name(report)["pass rate, 6 compared"][-2:] == ("83.3 %", "")
    assert {row.change for row in slice_rows(report)} == {""}
    off = GateVerdict(gate="comparable", outcome="off", because="switched off by the policy")
    unchecked = build.report(comparison=differing, gates=(off,))
    assert by_name(unchecked)["pass rate, 6 compared"].change == "−33.3 points"


def test_sums_that_differ_by_dust_are_the_same(build):
    before = Accepted(scores=(0.1 + 0.2,), passes=(False,), trajectory=1.0)
    rows = (build.failing("a", "no", score=0.3, accepted=before),)
    report = build.report(cases=rows, suite=build.suite(rows, mean_score=0.3))
    assert by_name(report)["mean score"].change == "0.000"


def test_a_slice_is_notable_where_it_moved_or_failed(build):
    found = {row.label: row for row in slice_rows(build.report())}
    assert found["retrieval"].change == "−50.0 points"
    assert {name for name, row in found.items() if row.notable} == {"k:2", "retrieval", "safety"}


def test_every_slice_is_notable_where_nothing_is_compared(build):
    found = slice_rows(build.report(comparison=None))
    assert {row.notable for row in found} == {True}
    assert {row.baseline for row in found} == {""}
