"""scikit-learn is the oracle where it defines the value: it warns at the empty edges."""

import random

import pytest
from sklearn.metrics import precision_recall_fscore_support

from gate.metrics.trajectory import precision_recall_f1

TOOLS = ("search", "read", "calculate", "write", "ask")


@pytest.mark.parametrize("seed", range(4))
def test_the_shares_are_those_of_scikit_learn(seed):
    rng = random.Random(seed)
    for _ in range(40):
        actual = rng.sample(TOOLS, rng.randint(1, len(TOOLS)))
        expected = rng.sample(TOOLS, rng.randint(1, len(TOOLS)))
        precision, recall, f1, _ = precision_recall_fscore_support(
            [tool in expected for tool in TOOLS],
            [tool in actual for tool in TOOLS],
            average="binary",
            zero_division=0,
        )
        assert precision_recall_f1(actual, expected) == pytest.approx((precision, recall, f1))
