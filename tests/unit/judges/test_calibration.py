"""What a judge's votes and people's labels come to, and what is left out and counted."""

from decimal import Decimal

import pytest

from gate.errors import LabelsInvalid, ResultInvalid
from gate.judges.agreed import agreed
from gate.judges.calibration import calibrate, replies_by
from gate.judges.labels import Labels
from gate.records.json_text import canonical, digest
from gate.records.judge_run import Judgement
from gate.statistics.agreement import measure_agreement
from gate.statistics.weighted import weighted_kappa

RATED = canonical({"model": "m", "prompt": "autorater"})
SCORED = canonical({"model": "m", "prompt": "geoktools"})


def voted(*votes, status="ok"):
    return Judgement(status=status, votes=votes, keys=("0" * 16,) * len(votes))


def labels(**values):
    return Labels({(name, 0): float(value) for name, value in values.items()}, "h.jsonl")


def measured(rows, found, *, config=RATED, threshold="1"):
    return calibrate(
        rows,
        found,
        judge_config=config,
        scorer="autorater",
        pass_threshold=Decimal(threshold),
    )


@pytest.fixture
def rated(make):
    """Make one row from votes."""

    def made(name, *votes, **fields):
        known = [vote for vote in votes if vote is not None]
        whole = len(known) == len(votes)
        given = {
            "judgement": voted(*votes, status="ok" if whole else "timeout"),
            "standing": "scored" if whole else "unscored",
        }
        score = sum(known) / len(known) if whole else None
        return make.row(name, score, **(given | fields))

    return made


HUMAN = (0, 0, 1, 1, 2, 2, 2, 1, 0, 2)
JUDGE = (0, 1, 1, 1, 2, 1, 2, 2, 0, 2)


def test_ratings_are_compared_as_they_are(rated):
    rows = [rated(f"c{at}", rating / 2) for at, rating in enumerate(JUDGE)]
    record = measured(rows, labels(**{f"c{at}": rating for at, rating in enumerate(HUMAN)}))
    assert record.kappa == weighted_kappa(HUMAN, JUDGE, categories=(0, 1, 2), weights="quadratic")
    assert record.unweighted_kappa == weighted_kappa(
        HUMAN, JUDGE, categories=(0, 1, 2), weights="none"
    )
    found = measure_agreement(HUMAN, JUDGE, categories=(0, 1, 2), weights="quadratic")
    assert (record.interval.low, record.interval.high) == found.interval[-2:]
    assert record.interval.lower_bound == found.lower_bound
    assert record.interval.method == "augmented"
    assert record.confusion == ((2, 1, 0), (0, 2, 1), (0, 1, 3))
    assert (record.human_counts, record.judge_counts) == ((3, 3, 4), (2, 4, 4))
    assert (record.categories, record.weighting, record.threshold) == (
        (0.0, 1.0, 2.0),
        "quadratic",
        None,
    )
    assert (record.n_items, record.agreement) == (10, 0.7)


def test_the_record_is_of_this_judge_and_these_labels(rated):
    record = measured([rated("a", 1.0)], labels(a=2))
    assert record.judge_config == RATED
    assert record.judge == digest({"model": "m", "prompt": "autorater"})
    assert record.labels_digest == labels(a=2).digest
    assert record.scorer == "autorater"


@pytest.mark.parametrize(
    ("votes", "rating"),
    [
        ((1.0, 0.0, 1.0), 2),
        ((0.0, 0.5, 1.0), 1),
        ((0.5, 1.0), 1),
        ((0.0, 1.0), 0),
        ((1.0, 1.0, 0.5, 0.5), 1),
        ((0.5,), 1),
    ],
)
def test_the_judges_rating_is_the_median_of_its_votes_and_the_lower_of_two(rated, votes, rating):
    record = measured([rated("a", *votes)], labels(a=0))
    assert record.judge_counts == tuple(int(one == rating) for one in range(3))


def test_a_vote_that_no_rating_is_worth_is_refused(rated):
    with pytest.raises(ResultInvalid, match=r"case 'a' has a vote of 0\.7"):
        measured([rated("a", 0.7)], labels(a=0))


def test_scores_become_two_classes_at_the_pass_threshold(rated):
    scores = {"a": 0.8, "b": 0.79, "c": 1.0, "d": 0.1}
    rows = [rated(name, score) for name, score in scores.items()]
    record = measured(rows, labels(a=0.8, b=0.9, c=0.5, d=0.0), config=SCORED, threshold="0.8")
    assert record.confusion == ((1, 1), (1, 1))
    assert (record.categories, record.threshold, record.weighting) == ((0.0, 1.0), 0.8, "none")
    assert record.kappa == record.unweighted_kappa == 0.0


def test_what_the_judge_was_not_asked_is_counted_and_no_agreement(make, rated):
    rows = [
        rated("asked", 1.0),
        make.row("exact", 1.0, judgement=Judgement(status="ok")),
        make.row("own", 1.0),
        make.row("crashed", None, standing="agent_error"),
    ]
    record = measured(rows, labels(asked=2, exact=2, own=2, crashed=0))
    assert (record.n_items, record.not_asked, record.unscored) == (1, 3, 0)


def test_what_has_no_verdict_is_counted_and_no_class(make, rated):
    late = Judgement(status="unasked", votes=(None,), keys=("0" * 16,))
    rows = [
        rated("a", 1.0),
        rated("b", 1.0, None, 1.0),
        make.row("c", None, standing="unscored", judgement=late),
    ]
    record = measured(rows, labels(a=2, b=2, c=0))
    assert (record.n_items, record.unscored, record.not_asked) == (1, 2, 0)
    assert sum(map(sum, record.confusion)) == 1


def test_labels_of_no_response_are_counted_and_labels_of_none_at_all_refused(rated):
    rows = [rated("a", 1.0), rated("b", 0.0)]
    assert measured(rows, labels(a=2, x=1, y=0)).unknown == 2
    with pytest.raises(LabelsInvalid) as caught:
        measured(rows, labels(x=1, y=0))
    assert str(caught.value) == (
        "h.jsonl: none of the 2 labels is about a response of this run "
        "(first ids: 'x', 'y'; the cases begin: 'a', 'b')"
    )


def test_each_repeat_is_a_response_of_its_own(make):
    from gate.records.result import RepeatResult

    runs = tuple(
        RepeatResult(
            repeat=at,
            standing="scored",
            score=vote,
            passed=vote == 1,
            trajectory=1.0,
            judgement=voted(vote),
        )
        for at, vote in enumerate((0.0, 1.0))
    )
    row = make.row("a", 0.5, passed=False, repeats=runs)
    found = Labels({("a", 0): 0.0, ("a", 1): 2.0, ("a", 2): 2.0}, "h.jsonl")
    record = measured([row], found)
    assert record.confusion == ((1, 0, 0), (0, 0, 0), (0, 0, 1))
    assert record.unknown == 1


def test_people_of_one_opinion_show_no_agreement(rated):
    rows = [rated(name, 1.0) for name in "abc"]
    record = measured(rows, labels(a=2, b=2, c=2))
    assert (record.kappa, record.unweighted_kappa, record.interval) == (None, None, None)
    assert record.agreement == 1.0


def test_a_judge_of_one_opinion_has_a_kappa_of_0(rated):
    rows = [rated(name, 1.0) for name in "abc"]
    record = measured(rows, labels(a=2, b=0, c=1))
    assert record.kappa == 0.0
    assert record.interval.low < 0 < record.interval.high


def test_without_a_verdict_there_is_nothing_to_measure(rated):
    record = measured([rated("a", None)], labels(a=2))
    assert (record.n_items, record.agreement, record.kappa) == (0, None, None)
    assert record.confusion == ((0, 0, 0),) * 3


def test_the_labels_of_cases_have_figures_of_their_own(rated):
    rows = [
        rated("a", 1.0, labels=("hard", "qa")),
        rated("b", 0.0, labels=("qa",)),
        rated("c", 0.5, labels=("hard",)),
    ]
    record = measured(rows, labels(a=2, b=0, c=2))
    assert [(one.label, one.n_items, one.agreement, one.kappa) for one in record.per_label] == [
        ("hard", 2, 0.5, None),
        ("qa", 2, 1.0, 1.0),
    ]


def test_how_a_judge_replies_stands_in_its_identity():
    assert (replies_by(RATED), replies_by(SCORED)) == ("rating", "elements")
    with pytest.raises(ResultInvalid, match="no prompt"):
        replies_by("{}")


def test_a_table_is_measured_like_the_items_it_counts():
    human, judge = "ppppffffpf", "pppfffffpp"
    found = measure_agreement(human, judge, categories="fp")
    made = agreed(found.confusion, (0, 1), weighting="none")
    assert (made.kappa, made.n_items) == (found.kappa, 10)
    assert (made.interval.low, made.interval.high) == found.interval[-2:]
