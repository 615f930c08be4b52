"""``baseline``: promote a result, show a baseline, compare two."""

from __future__ import annotations

import os

import click

from gate.cli import console
from gate.cli.strict import Strict


@click.group(
    "baseline",
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=False,
)
def command() -> None:
    """Promote a result to a baseline, show one, compare two."""


@command.command("promote", cls=Strict)
@click.option("--result", metavar="FILE", required=True, help="A result.json.")
@click.option("--to", "target", metavar="FILE", required=True, help="The baseline to write.")
@click.option("--reason", metavar="TEXT", help="Why a result that did not pass is accepted.")
def promote_command(*, result: str, target: str, reason: str | None) -> int:
    """Accept a result: later runs are compared with it.

    Refuses a result that did not pass, or in which cases were not scored, unless --reason
    says why; the baseline then carries the reason, and every report shows it. What the
    baseline held before goes into its history.
    """
    from gate.adapters.files import Disk
    from gate.adapters.runner import tell_done
    from gate.baseline.comparable import best_of
    from gate.baseline.store import write_baseline
    from gate.cli.deliver import means
    from gate.pipeline.replay import unfit_refused
    from gate.shell.stored import promoted

    with unfit_refused(result):
        baseline = promoted(means(), result, target=target, reason=reason)
    Disk().write(target, [write_baseline(baseline)])
    summary = baseline.summary
    console.tell(
        f"{target}: {summary.n_cases} cases by {baseline.scorer.name}, "
        f"pass rate {summary.pass_rate:.6f}, mean score {summary.mean_score:.6f}",
        os.environ,
    )
    headline = summary.pass_rate if baseline.metric == "pass_rate" else summary.mean_score
    if not headline:
        console.tell(
            "note: nothing can fall below 0, so no drop from this baseline will ever be seen: "
            "put a floor into the policy",
            os.environ,
        )
    if baseline.history:
        last = baseline.history[-1]
        console.tell(
            f"  before: {last.n_cases} cases, pass rate {last.pass_rate:.6f}, mean score "
            f"{last.mean_score:.6f}",
            os.environ,
        )
    if best := best_of(baseline):
        console.tell(
            f"note: this is the best of the {best} on record. A best run is "
            "partly luck, and later runs of the same agent look worse beside it: promote what "
            "merges, not what scored highest",
            os.environ,
        )
    tell_done(os.environ, "promoted")
    return 0


@command.command("show", cls=Strict)
@click.argument("baseline", metavar="FILE")
def show_command(*, baseline: str) -> int:
    """Print what a baseline holds."""
    from gate.baseline.show import show
    from gate.cli.deliver import means
    from gate.shell.gather import baseline_at

    for line in show(baseline_at(means().files, baseline)):
        console.tell(line, os.environ)
    return 0


@command.command("diff", cls=Strict)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
def diff_command(*, old: str, new: str) -> int:
    """Print in what NEW differs from OLD, both baselines; nothing where they are equal."""
    from gate.baseline.diff import diff
    from gate.cli.deliver import means
    from gate.shell.gather import baseline_at

    files = means().files
    for line in diff(baseline_at(files, old), baseline_at(files, new)):
        console.tell(line, os.environ)
    return 0
