"""What a calibration found is said in figures and in words."""

import pytest

from gate.records.json_text import digest
from gate.records.trust import KappaBounds, LabelAgreement, Probe, TrustRecord
from gate.report.trust_page import in_words, trust_lines

CONFIG = {"provider": "gemini", "model": "gemini-3.8-flash", "prompt": "autorater", "runs": 3}


def record(**fields):
    given = {
        "scorer": "autorater",
        "judge_config": CONFIG,
        "judge": digest(CONFIG),
        "labels_digest": "sha256:" + "0" * 64,
        "n_items": 1500,
        "unscored": 2,
        "not_asked": 1,
        "unknown": 1234,
        "threshold": None,
        "weighting": "quadratic",
        "categories": (0.0, 1.0, 2.0),
        "confusion": ((500, 0, 0), (10, 490, 0), (0, 0, 500)),
        "human_counts": (500, 500, 500),
        "judge_counts": (510, 490, 500),
        "agreement": 0.9999,
        "kappa": 0.99996,
        "unweighted_kappa": 0.75,
        "interval": KappaBounds(method="augmented", low=-0.1, high=1.0, lower_bound=0.5),
    }
    return TrustRecord(**(given | fields))


def page(**fields):
    return list(trust_lines(record(**fields)))


def test_kappa_is_shown_with_its_interval_its_bound_and_a_word():
    lines = page()
    assert lines[0] == "How far the judge gemini gemini-3.8-flash agrees with people"
    assert (
        "  kappa 0.999 with quadratic weights: almost perfect (95 % interval −0.100 to 1.000; "
        "one-sided 95 % lower bound 0.500)"
    ) in lines
    assert "  without weights 0.750" in lines
    assert lines[2].startswith(
        "  scorer autorater, prompt autorater, 3 runs a response; judge sha"
    )


def test_what_was_compared_and_what_was_not_is_counted():
    assert (
        "  1,500 labelled responses, 99.9 % judged alike; 2 without a verdict; "
        "1 scored without asking this judge; 1,234 of no response of this run"
    ) in page()
    assert "  1,500 labelled responses, 99.9 % judged alike" in page(
        unscored=0, not_asked=0, unknown=0
    )


def test_the_table_says_who_said_what():
    lines = page()
    at = lines.index("  people \\ judge    0    1    2    all")
    assert lines[at + 1 : at + 5] == [
        "  0               500    0    0    500",
        "  1                10  490    0    500",
        "  2                 0    0  500    500",
        "  all             510  490  500  1,500",
    ]


def test_two_classes_are_called_fail_and_pass():
    lines = page(
        threshold=0.8,
        weighting="none",
        categories=(0.0, 1.0),
        confusion=((700, 50), (50, 700)),
        human_counts=(750, 750),
        judge_counts=(750, 750),
    )
    assert "  classes: fail, and pass from a score of 0.8 on, on both sides" in lines
    assert "  people \\ judge  fail  pass    all" in lines
    assert not [line for line in lines if "weights" in line]


def test_an_undefined_kappa_says_why():
    undefined = {"kappa": None, "unweighted_kappa": None, "interval": None}
    assert "  kappa is undefined: people used one class alone" in page(**undefined)
    lines = page(n_items=0, agreement=None, **undefined)
    assert "  kappa is undefined: nothing could be compared" in lines
    assert not [line for line in lines if "people \\ judge" in line]


def test_labels_have_lines_of_their_own_and_many_are_counted():
    def one(name, kappa):
        return LabelAgreement(label=name, n_items=3, agreement=2 / 3, kappa=kappa)

    lines = page(per_label=(one("qa", -0.25), one("x" * 100, None)))
    assert any(line.split() == ["qa", "3", "66.7", "%", "−0.250"] for line in lines)
    assert any("x" * 40 + "…" in line and "undefined" in line for line in lines)
    many = page(per_label=tuple(one(f"l{at:02d}", 0.0) for at in range(32)))
    assert "  and 2 labels more" in many


def test_probes_show_figure_bound_and_whether_it_held():
    probes = (
        Probe(name="padded", n=20, figure=0.25, wanted="from -0.1 to 0.1", held=False),
        Probe(name="empty", n=20, figure=0.0, wanted="0", held=True, because="free"),
        Probe(name="position", n=0, figure=None, wanted="0", held=None, because="nobody"),
    )
    lines = page(probes=probes)
    assert lines[-3:] == [
        "  padded    20   0.250  from -0.1 to 0.1    NO",
        "  empty     20   0.000                 0   yes   free",
        "  position   0       -                 0     -   nobody",
    ]


def test_a_verdict_stands_last_and_is_wrapped():
    lines = list(trust_lines(record(), verdict="Trusted: " + "word " * 40))
    assert max(map(len, lines[-3:])) <= 96
    assert lines[-4] == ""
    assert lines[-3].startswith("Trusted: word")


def test_a_judge_that_is_a_program_is_named_once():
    config = {"provider": "command", "model": "command"}
    lines = page(judge_config=config, judge=digest(config))
    assert lines[0] == "How far the judge command agrees with people"


@pytest.mark.parametrize(
    ("kappa", "word"),
    [
        (1.0, "almost perfect"),
        (0.8, "almost perfect"),
        (0.6, "substantial"),
        (0.41, "moderate"),
        (0.21, "fair"),
        (0.0, "slight"),
        (-0.01, "poor"),
        (-1.0, "poor"),
    ],
)
def test_a_kappa_has_the_word_of_landis_and_koch(kappa, word):
    assert in_words(kappa) == word
