import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from gate.statistics import resampling
from gate.statistics.resampling import replicate_quantiles

TAILS = np.array([0.025, 0.975])


def sample(kind, n):
    draw = np.random.default_rng(11)
    if kind == "uniform":
        scores = draw.random(n)
    elif kind == "skewed":
        scores = draw.beta(8, 1, n)
    else:
        scores = np.where(draw.random(n) < 0.6, 1.0, draw.random(n))
    return np.sort(scores)


@pytest.mark.parametrize("kind", ["uniform", "skewed", "with an atom"])
def test_leaving_resamples_unfinished_changes_nothing(kind, monkeypatch):
    # Finish every resample beforehand, then let the method ask for those it needs.
    ordered = sample(kind, 2_000)
    blocks = resampling._cut(ordered)
    counts = resampling._block_counts(blocks.sizes, 3_000, np.random.default_rng(1))
    sums = resampling._finish(blocks, counts, np.random.default_rng(2))
    known = {column.tobytes(): s for column, s in zip(counts.T.copy(), sums, strict=True)}
    assert len(known) == sums.size
    asked = []

    def look_up(_blocks, wanted, _generator):
        asked.append(wanted.shape[1])
        return np.array([known[column.tobytes()] for column in wanted.T.copy()])

    monkeypatch.setattr(resampling, "_block_counts", lambda *_: counts)
    monkeypatch.setattr(resampling, "_finish", look_up)
    found = replicate_quantiles(ordered, TAILS, n_boot=3_000, generator=np.random.default_rng(3))
    assert found.tolist() == np.quantile(sums / ordered.size, TAILS).tolist()
    assert 0 < sum(asked) < 2_000


@pytest.mark.parametrize("n", [40, 700])
def test_its_ends_are_distributed_like_those_of_plain_index_resampling(n):
    ordered = sample("uniform", n)
    seeds = range(300)
    ours = [
        replicate_quantiles(ordered, TAILS, n_boot=200, generator=np.random.default_rng(seed))
        for seed in seeds
    ]
    plain = [
        np.quantile(
            ordered[np.random.default_rng(10_000 + s).integers(0, n, (200, n))].mean(1), TAILS
        )
        for s in seeds
    ]
    for end in (0, 1):
        test = stats.ks_2samp([pair[end] for pair in ours], [pair[end] for pair in plain])
        assert test.pvalue > 0.001


def chi_square(sums, scores):
    """Compare drawn sums with all equally likely resamples of the scores."""
    n = len(scores)
    exact = Counter(round(sum(pick), 9) for pick in itertools.product(scores, repeat=n))
    drawn = Counter(round(float(s), 9) for s in sums)
    assert drawn.keys() <= exact.keys()
    expected = [len(sums) * count / n**n for count in exact.values()]
    return stats.chisquare([drawn[s] for s in exact], expected).pvalue


@pytest.mark.parametrize("sizes", [[4], [1, 3], [2, 2], [1, 1, 1, 1]])
def test_every_cut_gives_the_enumerated_distribution(sizes):
    scores = np.array([0.0, 0.2, 0.5, 1.0])
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.intp)
    blank = np.zeros(len(sizes))
    blocks = resampling._Blocks(scores, starts, np.array(sizes), blank, blank, 1.0)
    generator = np.random.default_rng(4)
    counts = resampling._block_counts(blocks.sizes, 20_000, generator)
    assert chi_square(resampling._finish(blocks, counts, generator), scores.tolist()) > 0.001


def test_equal_scores_share_a_block_and_blocks_tile_the_sample():
    ordered = np.sort(np.repeat(np.random.default_rng(8).random(200), 5))
    blocks = resampling._cut(ordered)
    assert 5 < blocks.sizes.size < 30
    assert blocks.starts.tolist() == [0, *np.cumsum(blocks.sizes)[:-1]]
    assert blocks.sizes.sum() == 1000
    assert (blocks.sizes % 5 == 0).all()


def test_few_different_scores_have_a_block_each_and_nothing_to_finish():
    blocks = resampling._cut(np.repeat([0.1, 0.4, 0.9], 200))
    assert blocks.sizes.tolist() == [200, 200, 200]
    assert blocks.means.tolist() == [0.1, 0.4, 0.9]
    assert blocks.reach == 0


def test_small_samples_are_one_block():
    assert resampling._cut(sample("uniform", 100)).sizes.tolist() == [100]


def test_no_estimate_strays_beyond_its_slack():
    blocks = resampling._cut(sample("skewed", 1_000))
    generator = np.random.default_rng(9)
    counts = resampling._block_counts(blocks.sizes, 4_000, generator)
    estimates = (counts * blocks.means[:, np.newaxis]).sum(axis=0)
    variances = (counts * blocks.variances[:, np.newaxis]).sum(axis=0)
    strayed = np.abs(resampling._finish(blocks, counts, generator) - estimates)
    slack = resampling._bernstein(variances, blocks)
    assert (strayed < slack).all()
    assert (strayed > 0.3 * slack).any()  # nor is it idly wide


def test_counts_in_small_pieces_are_the_same_counts(monkeypatch):
    sizes = np.array([3, 2, 5])
    whole = resampling._block_counts(sizes, 50, np.random.default_rng(0))
    monkeypatch.setattr(resampling, "_COUNTS_AT_ONCE", 7)
    assert (resampling._block_counts(sizes, 50, np.random.default_rng(0)) == whole).all()


@pytest.mark.parametrize(
    ("scores", "denominator"),
    [
        ([0.0, 1.0], 1),
        ([0.0, 0.5], 2),
        ([1 / 6, 0.5, 5 / 6], 6),
        ([0.01, 0.83], 100),
        ([0.001], 1000),
        ([1 / 1009], 1),
        ([0.1234567], 1),
    ],
)
def test_the_lattice_is_the_least_denominator_up_to_a_thousand(scores, denominator):
    assert resampling._lattice(np.array(scores)) == denominator


def test_a_score_on_its_own_in_a_block_of_many_draws_is_drawn_evenly():
    ordered = np.arange(300) / 997
    blocks = resampling._Blocks(
        ordered, np.array([0]), np.array([300]), np.zeros(1), np.zeros(1), 1.0
    )
    counts = np.ones((1, 30_000), dtype=np.uint16)
    singles = resampling._finish(blocks, counts, np.random.default_rng(1))
    drawn = np.unique(singles, return_counts=True)[1]
    assert drawn.size == 300
    assert stats.chisquare(drawn).pvalue > 0.001
