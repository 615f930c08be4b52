"""A baseline as a page: the paths of the cases that declare one."""

import pytest

from gate.baseline.show import show
from gate.records.baseline import AcceptedSummary, Baseline, BaselineRow


@pytest.fixture
def page(make):
    def page(*paths):
        rows = tuple(
            BaselineRow(
                id=f"c{at}",
                labels=(),
                digest=make.digest(),
                scores=(1.0,),
                passes=(True,),
                trajectory=1.0 if path is None else path,
                declares_path=path is not None,
            )
            for at, path in enumerate(paths)
        )
        summary = AcceptedSummary(
            n_cases=len(rows),
            pass_rate=1.0,
            mean_score=1.0,
            trajectory_mean=1.0,
            predictions=make.SHA,
            metric="pass_rate",
            repeats=1,
        )
        return "\n".join(
            show(
                Baseline(
                    scorer=make.scorer(),
                    metric="pass_rate",
                    pass_threshold=1,
                    trajectory_mode="exact",
                    repeats=1,
                    summary=summary,
                    cases_digest=make.SHA,
                    rows=rows,
                )
            )
        )

    return page


def test_the_mean_path_is_over_the_cases_that_declare_one(page):
    assert "trajectory mean 0.500000 over 2 cases that declare a path" in page(0.0, 1.0, None)


def test_where_no_case_declares_a_path_it_says_so(page):
    assert "no case declares a path" in page(None)
