"""Tables in Markdown, made of inert cells alone."""

from gate.report.bounds import USUAL
from gate.report.sanitize import Inert
from gate.report.tables import Table, gate_table, measure_table, render, slice_table


def test_a_cell_that_is_not_inert_becomes_prose():
    made = render(Table(("a", "b"), "<>", (("x|y", Inert("`z`")),)))
    assert made == "| a | b |\n|:--|--:|\n| `x\\u{7c}y` | `z` |"
    assert isinstance(made, Inert)


def test_every_row_has_a_cell_a_column(build):
    for report in (build.report(), build.report(comparison=None), build.repeated()):
        for table in (
            measure_table(report),
            gate_table(report, USUAL),
            slice_table(report, (), USUAL),
        ):
            assert {len(row) for row in (table.head, table.align, *table.rows)} == {
                len(table.head)
            }


def test_the_headline_is_bold_and_no_other_number(build):
    values = [row[1] for row in measure_table(build.report()).rows]
    assert [value.startswith("**") for value in values] == [True] + [False] * (len(values) - 1)
