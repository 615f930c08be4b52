"""A command that takes each option once, and none that says nothing."""

from __future__ import annotations

from typing import Final

import click

_RUNS: Final = "; put all runs into one file, numbered with `repeat`"


class Strict(click.Command):
    """Refuses what click lets pass: of an option given twice it would keep the last."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Look at what was given before anything is made of it."""
        given, _, order = self.make_parser(ctx).parse_args(args=list(args))
        seen: set[str] = set()
        for parameter in order:
            name = str(parameter.name)
            called = _called(parameter)
            if name in seen and not parameter.multiple:
                more = _RUNS if name == "predictions" else ""
                raise click.UsageError(f"{called} is given twice{more}", ctx=ctx)
            seen.add(name)
            if given.get(name) == "" or (parameter.multiple and "" in given[name]):
                raise click.UsageError(f"{called} is empty (an unset variable?)", ctx=ctx)
        return super().parse_args(ctx, args)


def _called(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Argument):
        return str(parameter.human_readable_name)
    return "/".join(one for one in (*parameter.opts, *parameter.secondary_opts))
