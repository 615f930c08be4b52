"""rouge-score 0.1.2 defines ROUGE-L here: the floats must be the very same."""

import random
import string

import pytest
from rouge_score.rouge_scorer import RougeScorer

from gate.metrics.rouge import rouge_l_f1

SCORERS = {stem: RougeScorer(["rougeL"], use_stemmer=stem) for stem in (False, True)}
STEMS = (
    "nation",
    "relate",
    "hop",
    "fly",
    "generous",
    "happi",
    "argu",
    "sky",
    "sens",
    "electr",
    "y",
)
ENDINGS = ("", "s", "es", "ed", "ing", "al", "ational", "ization", "ly", "ness", "ies", "fulness")
ODD = (
    "-5",
    "10%",
    "C++",
    "北京",
    "Ünïcode",
    "İstanbul",
    "\u212a",
    "don't",
    "a1b2",
    "...",
    "\x1c",
    "x\u0301y",
)


def said(rng, most):
    words = []
    for _ in range(rng.randint(0, most)):
        kind = rng.random()
        if kind < 0.6:
            words.append(rng.choice(STEMS) + rng.choice(ENDINGS))
        elif kind < 0.8:
            words.append("".join(rng.choices(string.ascii_letters[:30], k=rng.randint(1, 4))))
        else:
            words.append(rng.choice(ODD))
    separators = (" ", "  ", "\n", ", ", "-", "\u00a0")
    return "".join(word + rng.choice(separators) for word in words)


def rewritten(rng, text):
    words = [word for word in text.split(" ") if rng.random() > 0.2]
    if len(words) > 1 and rng.random() < 0.5:
        place = rng.randrange(len(words))
        words.insert(rng.randrange(len(words)), words.pop(place))
    return " ".join(words).upper() if rng.random() < 0.2 else " ".join(words)


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_a_thousand_pairs_score_the_same_floats(seed, use_stemmer):
    rng = random.Random(seed)
    different = []
    for _ in range(500):
        reference = said(rng, 14)
        for output in (rewritten(rng, reference), said(rng, 14)):
            theirs = SCORERS[use_stemmer].score(reference, output)["rougeL"].fmeasure
            if rouge_l_f1(output, reference, use_stemmer=use_stemmer) != theirs:
                different.append((output, reference))
    assert different == []


@pytest.mark.parametrize("use_stemmer", [False, True])
def test_long_texts_score_the_same_floats(use_stemmer):
    rng = random.Random(7)
    reference = " ".join(rng.choice(STEMS) + rng.choice(ENDINGS) for _ in range(400))
    output = rewritten(rng, rewritten(rng, reference))
    theirs = SCORERS[use_stemmer].score(reference, output)["rougeL"].fmeasure
    assert 0.3 < theirs < 1.0
    assert rouge_l_f1(output, reference, use_stemmer=use_stemmer) == theirs


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize(
    "pair", [("", ""), ("", "a"), ("a", ""), ("...", "a"), ("a", "b"), ("A", "a")]
)
def test_the_edges_score_the_same_floats(pair, use_stemmer):
    output, reference = pair
    theirs = SCORERS[use_stemmer].score(reference, output)["rougeL"].fmeasure
    assert rouge_l_f1(output, reference, use_stemmer=use_stemmer) == theirs
