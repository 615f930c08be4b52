"""The page of a dry run: calls are exact, tokens and dollars are estimates."""

from gate.records.judge_run import Forecast
from gate.report.forecast_page import forecast_lines


def page(**fields):
    given = {
        "judge": "gemini m",
        "runs": 3,
        "responses": 1200,
        "exact": 1,
        "empty": 2,
        "errors": 3,
        "own": 4,
        "calls": 3003,
        "canaries": 3,
        "known": 5,
        "input_tokens": 1_000_000,
        "output_tokens": 2_000,
        "cost": 0.75,
        "price": "$1 and $2",
    }
    found = tuple(forecast_lines(Forecast(**{**given, **fields})))
    return found, dict(line.strip().split("  ", 1) for line in found[2:])


def test_it_says_who_would_be_asked_and_how_often():
    lines, said = page()
    assert lines[0] == "What the judge (gemini m) would be asked"
    found = {name: value.strip() for name, value in said.items()}
    assert found["responses"] == "1,200"
    assert found["calls"] == "3,003 (3 of them known-bad answers)"
    assert found["different ones to be judged"] == "1,000 (3 looks at each)"
    assert found["answered by the ledger already"] == "5"
    assert found["tokens in and out, estimated"] == "1,000,000 and 2,000"
    assert found["cost, estimated"] == "$0.7500 (at $1 and $2)"


def test_figures_stand_below_each_other():
    lines, _ = page()
    starts = {line.rindex("  ") for line in lines[2:]}
    assert len(starts) == 1


def test_without_a_price_it_says_what_to_set():
    for missing in ({"cost": None}, {"price": None}):
        assert "set `price` under [judge]" in page(**missing)[1]["cost, estimated"]
