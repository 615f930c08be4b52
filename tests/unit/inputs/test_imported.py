"""What a tool's file says of answers, cases and scores, held to the rules of every file."""

import pytest

from gate.errors import Defect, PredictionsInvalid
from gate.inputs.admitted import LISTED, SAID, Admitted
from gate.inputs.held import HeldPredictions
from gate.inputs.imported import ImportedFile, ImportedReader
from gate.inputs.importers.found import Found, FoundCase, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source
from gate.inputs.importers.table import IMPORTERS
from gate.inputs.recorded_names import Scores
from gate.inputs.survey import survey

CASE = FoundCase(input="?", reference="yes")


def found(name="a", place="line 1", **fields):
    answer = {} if "error" in fields else {"output": "x"}
    return Found(**{"id": name, "place": place, **answer, **fields})


def admitted(*findings):
    return Admitted(findings, source="log")


def problems(*findings):
    with pytest.raises(PredictionsInvalid) as caught:
        list(admitted(*findings))
    return str(caught.value).split("\n")


@pytest.fixture
def file(monkeypatch, fakes):
    """Make a file in which is found what a test wants."""

    def made(*findings):
        module = fakes("invented_tool")
        monkeypatch.setitem(IMPORTERS, "invented", module.__name__)
        monkeypatch.setattr(module, "found", lambda *_: iter(findings))
        return ImportedFile(Source("log", None), "invented", ImportOptions())

    return made


def test_runs_are_numbered_as_they_say_or_as_they_come():
    rows = [found(repeat=2), found(repeat=None), found("b"), found("b"), found("c", repeat=1)]
    assert [repeat for _, repeat in admitted(*rows)] == [2, 1, 0, 1, 1]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (found(""), "log:1: the id is empty"),
        (found("x" * 1001), "has 1001 characters, more than 1000"),
        (found(repeat=-1), "repeat -1 is not between"),
        (found(repeat=1_000_001), "is not between 0 and 1000000"),
        (found(error="e", output="x"), "neither an output nor an error, or both"),
        (Found("a", "results[3]"), "log: results[3]: there is neither"),
        (found(cost_usd=-1.0), "cost_usd: -1.0 is no number"),
        (found(latency_ms=float("nan")), "latency_ms: nan is no number"),
        (Wrong("line 7", "`id`: is missing"), "log:7: `id`: is missing"),
        (Wrong("x" * 900, "y" * 9000), "log: " + "x" * 200 + ": " + "y" * 2000),
    ],
)
def test_what_is_wrong_is_said_with_its_place(row, said):
    assert said in problems(row)[0]


def test_all_that_is_wrong_is_told_and_counted():
    rows = problems(*(Wrong(f"line {at}", "bad") for at in range(1, 5_001)))
    assert len(rows) == 21
    assert rows[-1] == "... and 4980 more"


def test_gaps_and_remarks_are_kept_once_in_bounds():
    rows = admitted(*(kind(f"said {at % 30}" + "x" * 999) for at in range(60) for kind in (Gap,)))
    assert list(rows) == []
    assert len(rows.gaps) == LISTED + 1
    assert rows.gaps[-1] == "and 20 more like these"
    assert max(map(len, rows.gaps)) == SAID
    rows = admitted(Remark("two\n lines"), Remark("two lines"))
    assert list(rows) == []
    assert rows.remarks == ("two lines",)


def test_a_reader_has_what_every_reader_has(file):
    rows = (found(scores=(RecordedScore("m", 0.5),), trace="[]", tools=("t",)), Gap("cut"))
    reader = ImportedReader(file(*rows), score="m")
    with pytest.raises(Defect, match="not read to their end"):
        _ = reader.digest
    (one,) = reader
    assert (one.recorded, one.trace, one.tools) == (0.5, None, ("t",))
    assert (reader.count, reader.gaps, reader.ignored_fields) == (1, ("cut",), ())
    held = HeldPredictions(ImportedReader(file(*rows), score="m", traces=True))
    assert next(iter(held)).trace == "[]"
    assert (held.gaps, held.tool) == (("cut",), "invented")


def test_no_score_is_taken_where_none_is_asked_for(file):
    row = found(scores=(RecordedScore("m", 7.0),))
    assert next(iter(ImportedReader(file(row), score=None))).recorded is None


def test_a_run_of_which_the_tool_kept_no_output_has_its_own_score_or_none(file):
    row = found(output="", unanswered=True, scores=(RecordedScore("m", 1.0),))
    assert next(iter(ImportedReader(file(row), score="m"))).recorded == 1.0
    for score, own in ((None, ""), ("m", "a")):
        with pytest.raises(PredictionsInvalid, match="case 'a': the tool kept no output"):
            list(ImportedReader(file(row), score=score, by_output=frozenset(own)))


def test_the_digest_does_not_depend_on_the_order(file):
    rows = [found(name, repeat=0) for name in "abc"]
    readers = [ImportedReader(file(*order), score=None) for order in (rows, rows[::-1])]
    assert len({(len(list(reader)), reader.digest) for reader in readers}) == 1


def test_an_error_without_words_is_one_all_the_same(file):
    (one,) = ImportedReader(file(found(error=" ")), score=None)
    assert one.error == "(no message)"


def test_a_score_that_comes_twice_in_one_answer_is_refused(file):
    row = found(scores=(RecordedScore("m", 1.0), RecordedScore("m", 0.0)))
    with pytest.raises(PredictionsInvalid, match="two scores are 'm'"):
        list(ImportedReader(file(row), score="m"))


def test_a_survey_gives_each_case_once_and_says_which_are_silent(file):
    rows = (found(case=None), found(case=CASE), found("b"), found("c", error="boom"))
    seen = survey(file(*rows), cases=True)
    assert seen.cases["a"].reference == "yes"
    assert seen.silent == {"c"}
    assert (seen.n_answers, seen.n_outputs) == (4, 3)
    assert set(survey(file(*rows), cases=False).grounds(None)) == {"a", "c"}


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (("",), "a label has 1 to 200 characters, '' has 0"),
        (("x" * 201,), "has 201"),
        (tuple(map(str, range(51))), "51 labels, more than 50"),
    ],
)
def test_labels_have_the_limits_of_a_case_file(file, labels, said):
    with pytest.raises(PredictionsInvalid) as caught:
        survey(file(found(case=CASE._replace(labels=labels))), cases=True)
    assert said in str(caught.value)


def test_too_many_different_labels_are_refused(file):
    rows = [found(str(at), case=CASE._replace(labels=(f"l{at}",))) for at in range(1_001)]
    with pytest.raises(PredictionsInvalid, match="1,001 different labels, more than 1,000"):
        survey(file(*rows), cases=True)


def test_nothing_at_all_is_refused_with_what_the_file_says_of_it(file):
    with pytest.raises(PredictionsInvalid, match="log: 0 answers: cut; no rows"):
        survey(file(Gap("cut"), Remark("no rows")), cases=True)


def test_two_verdicts_of_one_tool_need_a_name():
    scores = Scores()
    for name in ("a", "b", "c"):
        scores.add(RecordedScore(name, 1.0, headline=name != "c"))
    with pytest.raises(PredictionsInvalid, match="several"):
        scores.chosen(None, source="log")
    assert scores.chosen("c", source="log") == "c"


def test_a_file_of_very_many_names_is_held_in_bounds():
    scores = Scores()
    for at in range(5_000):
        scores.add(RecordedScore(f"{at:05}", 1.0))
    with pytest.raises(PredictionsInvalid) as caught:
        scores.chosen("x" * 900, source="log")
    assert len(str(caught.value)) < 400


def test_a_tools_file_that_cannot_be_read_is_not_described_as_one_of_ours(
    file, fakes, monkeypatch
):
    def refused(*_):
        raise PredictionsInvalid("log: not JSON")
        yield

    broken = file()
    monkeypatch.setattr(fakes("invented_tool"), "found", refused)
    with pytest.raises(PredictionsInvalid, match="not JSON") as caught:
        survey(broken, cases=True)
    assert "read as a file of" in caught.value.remedy
    assert "--format" in caught.value.remedy


def test_a_hint_of_the_importers_own_stands(file, fakes, monkeypatch):
    def refused(*_):
        raise PredictionsInvalid("log: cut", hint="write it again")
        yield

    broken = file()
    monkeypatch.setattr(fakes("invented_tool"), "found", refused)
    with pytest.raises(PredictionsInvalid) as caught:
        survey(broken, cases=True)
    assert caught.value.remedy == "write it again"


@pytest.mark.parametrize(("score", "gaps"), [("s", 1), ("t", 0), (None, 0)])
def test_a_score_set_by_hand_is_a_gap_where_it_is_the_one_gated_on(file, score, gaps):
    scores = (RecordedScore("s", 1.0, by_hand=True), RecordedScore("t", 1.0))
    reader = ImportedReader(file(found(scores=scores), found("b")), score=score)
    list(reader)
    assert len(reader.gaps) == gaps
    assert all(gap == "the score 's' was set by hand in 1 answers" for gap in reader.gaps)


@pytest.mark.parametrize(("counted", "gaps"), [(True, 1), (False, 0)])
def test_runs_that_the_tool_did_not_number_are_a_gap_where_the_baseline_has_fewer(
    file, counted, gaps
):
    runs = [found(repeat=at, counted=counted) for at in (1, 0)]
    reader = ImportedReader(file(*runs), score=None, expected=1)
    assert [each.repeat for each in reader] == [1, 0]
    assert len(reader.gaps) == gaps
    enough = ImportedReader(file(*runs), score=None, expected=2)
    list(enough)
    assert not enough.gaps
