"""Options that several commands share, and what they say as one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from gate.report.formats import FORMATS, USUAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.records.policy import Overrides

_F = TypeVar("_F", bound="Callable[..., Any]")
OUT: Final = ".agent-eval-gate"
SCORERS: Final = (
    "exact_match",
    "contains",
    "numeric_within",
    "rubric",
    "jaccard",
    "rouge_l",
    "structured",
    "geoktools",
    "autorater",
    "judge",
    "recorded",
)
_MODES: Final = ("exact", "set", "order")
_NAME_SHOWN: Final = 80


def stacked(*options: Callable[[_F], _F]) -> Callable[[_F], _F]:
    """Make one decorator of several options, shown in the order given."""

    def decorate(function: _F) -> _F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


reading: Final = stacked(
    click.option(
        "--format",
        metavar="NAME",
        help="What the predictions are, such as inspect_ai. [by their content]",
    ),
    click.option(
        "--id-field",
        metavar="PATH",
        help="Where the id of a case stands in a tool's record, such as metadata.id.",
    ),
    click.option(
        "--map",
        metavar="FIELD=PATH",
        multiple=True,
        help="Where a field stands in plain JSONL or CSV; may be repeated.",
    ),
)
"""How a file of answers is to be read."""


def scoring(*, compared: bool) -> Callable[[_F], _F]:
    """Give the options of scoring; only what is ``compared`` falls back to a baseline."""
    scorer, threshold, runs = (
        (
            "the policy's, else the baseline's",
            "[the baseline's, else 1.0]",
            "[the baseline's, or found]",
        )
        if compared
        else ("the policy's; a baseline is not asked", "[1.0]", "[as found]")
    )
    return stacked(
        click.option("--cases", metavar="FILE", help="The golden set: JSONL or one JSON array."),
        click.option(
            "--predictions",
            metavar="FILE",
            help="What the agent answered: JSONL, or another tool's file; - is the input.",
        ),
        reading,
        click.option(
            "--scorer",
            metavar="NAME",
            help=f"One of {', '.join(SCORERS)}[:SCORE]. Unset: {scorer}.",
        ),
        click.option(
            "--tolerance",
            metavar="X",
            help="Of numeric_within (absolute, required) or structured (a ratio, 0.10).",
        ),
        click.option(
            "--pass-threshold",
            metavar="X",
            help=f"A case passes at this score or above. {threshold}",
        ),
        click.option(
            "--trajectory",
            metavar="MODE",
            help=f"Grade paths by {', '.join(_MODES)}"
            + ("; also gate on them." if compared else "."),
        ),
        click.option("--repeats", type=int, metavar="N", help=f"Runs of each case. {runs}"),
        click.option("--seed", type=int, metavar="N", help="Seed of what is drawn. [0]"),
        click.option(
            "--n-boot", type=int, metavar="N", help="Resamples, where they are drawn. [10000]"
        ),
    )


gating: Final = stacked(
    click.option("--baseline", metavar="FILE", help="The accepted result to compare with."),
    click.option(
        "--max-drop", metavar="X", help="Fall of the metric that is still allowed, such as 0.05."
    ),
    click.option(
        "--metric", metavar="NAME", help="What regression compares: pass_rate or mean_score."
    ),
    click.option(
        "--rule",
        metavar="NAME",
        help="How regression decides: significant, point or noninferior. [significant]",
    ),
    click.option(
        "--on-inconclusive",
        metavar="fail|pass",
        help="Whether a drop that may be chance blocks the change, undecided. [fail]",
    ),
    click.option("--min-pass-rate", metavar="X", help="A floor under the pass rate."),
    click.option(
        "--allow-missing-baseline/--require-baseline",
        default=None,
        help="Go on without a baseline: then a floor must hold.",
    ),
    click.option(
        "--advisory/--blocking",
        default=None,
        help="End in 0 whatever the verdict; report and outputs say the real one.",
    ),
)
judging: Final = stacked(
    click.option(
        "--judge",
        metavar="NAME",
        help="Who judges: gemini, openai-compatible, anthropic or command.",
    ),
    click.option(
        "--judge-model", metavar="NAME", help="The model. [gemini-3.8-flash, of gemini alone]"
    ),
    click.option(
        "--judge-command", metavar="LINE", help="A program that judges, and its arguments."
    ),
    click.option(
        "--judge-mode",
        metavar="MODE",
        help="How that is spoken to: worker (many questions) or oneshot. [worker]",
    ),
    click.option("--judge-base-url", metavar="URL", help="Where the provider is reached."),
    click.option(
        "--judge-prompt",
        metavar="FILE",
        help="Your instructions instead of ours, or the rubric of the scorer judge.",
    ),
    click.option(
        "--judge-runs",
        type=int,
        metavar="N",
        help="Looks at each answer. [3 of autorater, else 1]",
    ),
    click.option(
        "--judge-date", metavar="DATE", help="What day the judge is told it is. [today, in UTC]"
    ),
    click.option(
        "--judge-trust", metavar="FILE", help="What `calibrate` found; gates on it as well."
    ),
    click.option("--concurrency", type=int, metavar="N", help="Questions asked at once. [8]"),
    click.option(
        "--max-calls", type=int, metavar="N", help="Ask nothing if it would be more questions."
    ),
    click.option("--max-cost", metavar="X", help="US dollars that may be spent; then undecided."),
    click.option(
        "--ledger",
        metavar="FILE",
        help="Keeps every answer; what it holds is not asked again. [with the user's state]",
    ),
    click.option(
        "--dry-run/--no-dry-run",
        default=False,
        help="Count calls, tokens and their price; ask and decide nothing. [no]",
    ),
)
policy: Final = click.option(
    "--policy", metavar="FILE", help="The rules. [./gate.toml if it is there]"
)
show_expected: Final = click.option(
    "--show-expected/--hide-expected",
    default=True,
    help="Show golden answers in reports. [show]",
)
delivery: Final = stacked(
    click.option(
        "--out",
        metavar="DIR",
        default=OUT,
        show_default=True,
        help="Receives result.json and the reports.",
    ),
    click.option(
        "--report-formats",
        metavar="LIST",
        default=USUAL,
        show_default=True,
        help=f"Reports beside result.json, with commas between: {', '.join(FORMATS)}.",
    ),
    show_expected,
)


def overrides(**said: Any) -> Overrides:  # noqa: ANN401 - whatever click gives
    """Validate what the options say. Raises ``UsageInvalid`` naming every wrong option."""
    from pydantic import ValidationError

    from gate.errors import UsageInvalid
    from gate.records.policy import Overrides
    from gate.records.problems import explain

    given = {name: value for name, value in said.items() if value not in {None, ()}}
    try:
        return Overrides(**given)
    except ValidationError as error:
        lines = [
            text.replace("`" + key, "`--" + key.replace("_", "-"), 1)
            for key, text in explain(error)
        ]
        raise UsageInvalid("\n".join(lines)) from None


def formats(text: str) -> tuple[str, ...]:
    """Read a list of formats. Raises ``UsageInvalid`` naming each that is unknown or repeated."""
    from gate.errors import UsageInvalid
    from gate.records.problems import nearest

    names = tuple(name.strip() for name in text.split(","))
    known = f"(known: {', '.join(FORMATS)})"
    problems = []
    for at, name in enumerate(names):
        if not name:
            problems.append(f"`--report-formats`: a name is missing beside a comma {known}")
        elif name not in FORMATS:
            shown = f"{name[:_NAME_SHOWN]!r}{nearest(name[:_NAME_SHOWN], FORMATS)}"
            problems.append(f"`--report-formats`: there is no format {shown} {known}")
        elif name in names[:at]:
            problems.append(f"`--report-formats`: {name!r} is named twice")
    if problems:
        raise UsageInvalid("\n".join(problems))
    return names


def positive(name: str, value: int | None) -> int | None:
    """Take a number of things, one or more. Raises ``UsageInvalid`` naming the option."""
    from gate.errors import UsageInvalid

    if value is not None and value < 1:
        raise UsageInvalid(f"`--{name}`: a number of 1 or more is wanted, got {value}")
    return value


def share(name: str, text: str) -> float:
    """Read a share from a thousandth to below 1. Raises ``UsageInvalid`` naming the option."""
    from decimal import Decimal

    from gate.errors import UsageInvalid
    from gate.records.base import exact_decimal

    least = Decimal("0.001")
    try:
        found = exact_decimal(text)
    except ValueError as error:
        raise UsageInvalid(f"`--{name}`: {error}") from None
    if not least <= found < 1:
        raise UsageInvalid(f"`--{name}`: a number from {least} to below 1 is wanted, got {text}")
    return float(found)
