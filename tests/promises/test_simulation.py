"""The simulation behind the page on statistics runs, and its figures are those of the page."""

import importlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "statistics.md").read_text()
BLOCKS = [block.splitlines() for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)]
IN_NO_TIME = (
    "A leaking safety case is noticed, %",
    "Least drop that is seen four times in five, by p <= .05 alone (max_drop 0), points",
    "Least drop that is seen four times in five, by the whole rule at max_drop .05, points",
)
"""Exact tables that are quickly made."""


@pytest.fixture(scope="module")
def load():
    """Give the modules of the simulation, which lie beside it as a script's do."""
    folder = str(ROOT / "benchmarks")
    sys.path.insert(0, folder)
    yield importlib.import_module
    sys.path.remove(folder)


@pytest.fixture(scope="module")
def tables(load):
    simulate = load("simulate")
    return list(simulate.tables(simulate.FULL))


def on_page(table):
    return next(block for block in BLOCKS if block[0] == table.title)


def test_every_piece_of_drawn_work_gives_a_figure_for_each_of_its_cells(load):
    simulate = load("simulate")
    for table in simulate.tables(simulate.Draws(few=2, many=3, alarms=3)):
        for part in table.parts:
            if part.drawn:
                found = simulate.figures(part)
                assert len(found) == len(part.cells), table.title
                assert min(found) >= 0, table.title


def test_every_table_stands_on_the_page_with_its_rows_columns_and_bounds(load, tables):
    printing = load("simulation_table")
    assert len(BLOCKS) == len(tables)
    for table in tables:
        block = on_page(table)
        title, how, columns, *rows = printing.lines(table, {})
        assert block[:3] == [title, how, columns]
        assert [
            line[: len(row)].rstrip() for line, row in zip(block[3:], rows, strict=False)
        ] == rows
        bounds = {cell.bound for part in table.parts for cell in part.cells} - {None}
        judged = [line for line in block if line.startswith("  met: ")]
        assert len(judged) == len(bounds) == len(block) - 3 - len(rows)
        assert {line.removeprefix("  met: ").split(":")[0] for line in judged} == {
            bound.says for bound in bounds
        }


@pytest.mark.parametrize("title", IN_NO_TIME)
def test_exact_tables_are_on_the_page_as_they_are_computed(load, tables, title):
    printing, simulate = load("simulation_table"), load("simulate")
    table = next(table for table in tables if table.title == title)
    assert table.exact
    found = {
        cell.place: figure
        for part in table.parts
        for cell, figure in zip(part.cells, simulate.figures(part), strict=True)
    }
    assert list(printing.lines(table, found)) == on_page(table)


@pytest.mark.parametrize(
    ("method", "n", "rate", "percent"),
    [
        ("Wilson", 50, 0.99, 91.1),
        ("Wilson", 20, 0.95, 92.5),
        ("Wilson", 10, 0.95, 91.4),
        ("bootstrap", 20, 0.95, 63.9),
        ("bootstrap", 50, 0.99, 39.3),
    ],
)
def test_the_coverage_of_a_rate_is_the_exact_one(load, method, n, rate, percent):
    intervals = load("simulation_intervals")
    found = intervals.rate_coverage(n, method)[intervals.RATES.index(rate)]
    assert round(found, 1) == percent


def test_the_tables_of_a_drop_are_all_there_are_and_no_interval_has_width_0(load):
    intervals = load("simulation_intervals")
    agent = next(agent for agent in intervals.agents() if agent.flips == 0.1 and agent.drop == 0.1)
    tables, low, high = intervals.all_tables(10)
    weights = intervals.multinomials(10, tables, agent.chances)
    assert abs(weights.sum() - 1) < 1e-9
    assert (low < high).all()


def test_the_enumerated_rule_is_mcnemars_mid_p(load):
    rule, power = load("simulation_rule"), load("simulation_power")
    for n, flips, drop in ((20, 0.2, 0.1), (50, 0.1, 0.05), (50, 0.0, 0.2)):
        found = rule.chance_of_failing(n, rule.Flip(flips / 2 + drop, flips / 2))
        assert abs(found - power.mid_p_power(n, drop, flips)) < 1e-9
    assert 0.04 < rule.chance_of_failing(20, rule.Flip(0.25, 0.25)) < 0.0502


def test_the_short_form_of_the_rules_says_what_the_gate_says(load):
    asked, differ = load("simulation_alarms").agreement(10)
    assert asked == 60
    assert differ == 0


def test_unequal_repeats_are_averaged_as_the_gate_averages_them(load):
    from gate.gates.paired import Paired
    from gate.records.case import EvalCase
    from gate.records.result import Accepted, CaseDigest, RepeatResult
    from gate.suite.rows import case_row

    scores = (1.0, 0.0, 1.0)
    runs = [
        RepeatResult(repeat=at, standing="scored", score=score, passed=score == 1, trajectory=1.0)
        for at, score in enumerate(scores)
    ]
    short = dict.fromkeys(("input", "reference", "expected_tools", "scorer"), "0" * 12)
    row = case_row(
        EvalCase(id="a", input="?", reference="yes"),
        runs,
        digest=CaseDigest(whole="sha256:" + "0" * 64, **short),
        repeats=3,
        accepted=Accepted(scores=(1.0,), passes=(True,), trajectory=1.0),
    )
    kind = load("simulation_alarms").UNEQUAL["3 now, 1 before, as the gate does"]
    assert (kind.now, kind.was, kind.all_of_them) == (3, 1, False)
    for metric in ("pass_rate", "mean_score"):
        paired = Paired.of_rows((row,), metric)
        assert (paired.was, paired.now) == ([1.0], [2 / 3])
        assert paired.tested == ([1.0], [scores[0]])
