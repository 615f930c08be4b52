"""What a judge would be asked, for people: calls, tokens and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.records.figures import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.judge_run import Forecast


def forecast_lines(found: Forecast) -> Iterator[str]:
    """Give the lines of the page. Calls are exact; tokens and dollars are estimates."""
    yield f"What the judge ({found.judge}) would be asked"
    yield ""
    looks = f"{count(found.runs, 'look')} at each"
    about = (found.calls - found.canaries) // max(1, found.runs)
    rows = [
        ("responses", f"{found.responses:,}"),
        ("  equal to the reference: no call", f"{found.exact:,}"),
        ("  empty: no call", f"{found.empty:,}"),
        ("  errors of the agent: no call", f"{found.errors:,}"),
        ("  scored by the case's own scorer: no call", f"{found.own:,}"),
        ("  different ones to be judged", f"{about:,} ({looks})"),
        ("calls", f"{found.calls:,} ({found.canaries:,} of them known-bad answers)"),
        ("  answered by the ledger already", f"{found.known:,}"),
        ("tokens in and out, estimated", f"{found.input_tokens:,} and {found.output_tokens:,}"),
        ("cost, estimated", _cost(found)),
    ]
    width = max(len(name) for name, _ in rows)
    yield from (f"  {name:<{width}}  {value}" for name, value in rows)


def _cost(found: Forecast) -> str:
    if found.cost is None or found.price is None:
        return "no price is known: set `price` under [judge]"
    return f"${found.cost:.4f} (at {found.price})"
