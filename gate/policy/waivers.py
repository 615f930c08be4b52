"""Read ``[[waivers]]``: each by itself; whether it holds is known with the cases and the day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from pydantic import ValidationError

from gate.records.gating import GateOptions
from gate.records.problems import explain
from gate.records.waiver import WAIVABLE, Waiver

if TYPE_CHECKING:
    from gate.errors import Problem
    from gate.policy.file import PolicyText

HEADER: Final = "[[waivers]]"
MAX_WAIVERS: Final = 100


def read_waivers(tables: object, text: PolicyText, problems: list[Problem]) -> tuple[Waiver, ...]:
    """Give the waivers of a policy file, and add what is wrong with them to ``problems``."""
    if not isinstance(tables, list):
        said = "waivers are written [[waivers]], one table each"
        problems.append(text.problem("[waivers]", 1, "", said))
        return ()
    if len(tables) > MAX_WAIVERS:
        said = f"{len(tables)} waivers; with more than {MAX_WAIVERS} the rules are other rules"
        problems.append(text.problem(HEADER, MAX_WAIVERS + 1, "", said))
        return ()
    found: list[Waiver] = []
    for number, table in enumerate(tables, start=1):
        gate = table.get("gate") if isinstance(table, dict) else None
        if isinstance(gate, str) and gate in _names() and gate not in WAIVABLE:
            said = (
                f"the gate {gate!r} holds no single case against a run, so no case of it can be "
                f"waived (of these one can: {', '.join(WAIVABLE)})"
            )
            problems.append(text.problem(HEADER, number, "gate", said))
            continue
        try:
            found.append(Waiver.model_validate(table))
        except ValidationError as error:
            for key, said in explain(error, known=lambda _: tuple(Waiver.model_fields)):
                problems.append(text.problem(HEADER, number, key, said))
    return tuple(found)


def _names() -> frozenset[str]:
    models = get_args(get_args(GateOptions)[0])
    return frozenset(model.model_fields["gate"].default for model in models)
