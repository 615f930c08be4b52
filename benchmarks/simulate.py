"""Measure what the statistics promise, through the product's own functions.

    python benchmarks/simulate.py [--quick] [--only WORDS] [--write docs/statistics.md]

Prints the tables of docs/statistics.md, holds them to their bounds and ends in 1 if one is not
met. Where all outcomes can be enumerated the figures are exact; else they are drawn with fixed
seeds. ``--quick`` draws so few that only exact figures are held to bounds; ``--only`` makes the
tables whose title holds these words; ``--write`` puts the tables in place of those of the same
title in a page.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import simulation_alarms
import simulation_habits
import simulation_intervals
import simulation_power
from simulation_table import judged, lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from simulation_table import Part, Table


class Draws(NamedTuple):
    """How many draws make a figure: of long runs, of short ones, of false alarms."""

    few: int
    many: int
    alarms: int


FULL: Final = Draws(few=4_000, many=10_000, alarms=40_000)
QUICK: Final = Draws(few=4, many=8, alarms=8)


def tables(draws: Draws) -> Iterator[Table]:
    """Give every table, in the order of the document."""
    yield from simulation_intervals.tables(few=draws.few, many=draws.many)
    yield from simulation_alarms.tables(draws=draws.alarms)
    yield from simulation_power.tables(draws=draws.many)
    yield from simulation_habits.tables(few=draws.few, many=draws.many, most=draws.alarms)


def figures(part: Part) -> Sequence[float]:
    """Do the work of one part; this is what another process runs."""
    return part.work()


def written(page: str, block: Sequence[str]) -> str:
    """Put a table in place of the one with the same title. Raises ``ValueError`` without one."""
    text = "\n".join(("```text", *block, "```"))
    found, count = re.subn(
        rf"```text\n{re.escape(block[0])}\n.*?```", lambda _: text, page, flags=re.DOTALL
    )
    if count != 1:
        raise ValueError(f"the page has {count} tables titled {block[0]!r}, not one")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every table as soon as it is known, and say whether all bounds are met."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="draw too few to judge by")
    parser.add_argument("--only", default="", metavar="WORDS", help="of these tables")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into it")
    given = parser.parse_args(arguments)
    quick = given.quick
    began, missed = time.perf_counter(), 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        planned = [
            (table, [(part, pool.submit(figures, part)) for part in table.parts])
            for table in tables(QUICK if quick else FULL)
            if given.only in table.title
        ]
        for table, parts in planned:
            found = {
                cell.place: figure
                for part, answer in parts
                for cell, figure in zip(part.cells, answer.result(), strict=True)
            }
            block = list(lines(table, found))
            for one in judged(table, found, drawn_too=not quick):
                block.append(f"  {'met' if one.met else 'NOT met'}: {one.said}")
                missed += not one.met
            print(*block, "", sep="\n", flush=True)
            if given.write:
                page = written(given.write.read_text("utf-8"), block)
                given.write.write_text(page, "utf-8")
    seconds = time.perf_counter() - began
    print(f"{missed} bounds not met; {seconds:.0f} s in {os.cpu_count()} processes")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
