"""Results of tau-bench: one JSON array, one element for each task and trial."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gate.errors import PredictionsInvalid
from gate.inputs.fields import expected, kind, read_name
from gate.inputs.importers.found import Found, FoundCase, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.source import number
from gate.records.json_text import as_text, canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

NAME: Final = "tau_bench"
TITLE: Final = "tau-bench (`results/*.json`)"
DOC: Final = """\
The array of results that tau-bench writes to its log folder.

| what | from where |
|---|---|
| id | `task_id`, as its digits |
| repeat | `trial` |
| input | `info.task.instruction`, what the simulated user wants |
| output | the last message of the agent in `traj` that has a text |
| reference | `info.task` as JSON: its `actions` and `outputs` |
| tools | `traj[].tool_calls[].function.name`, in order; unknown for agents that write their \
actions as text (`act`, `react`) |
| scores | `reward`; one that `info.reward_info.reward` contradicts is refused |
| error | `info.error`: the run of the task raised, and the reward of 0 beside it is not read |
| cost | none: `info.user_cost` is that of the simulated user |

`info.task.actions` say which state of the database is wanted, not which path leads there, so they
are no expected tools.

The file has no end of its own and grows while the run goes on. Where trials do not hold the same
tasks, the run is not whole, and never green. Ids of tool calls come more than once and are not
read.
"""
_SCORE: Final = "reward"
_OPENING: Final = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"task_id"\s*:\s*-?\d+\s*,\s*"reward"\s*:\s*[-0-9.eE+NaIify]+'
    rb'\s*,\s*"info"\s*:\s*\{'
)
_TEXT_ACTION: Final = "API output:"
"""How tau-bench answers an agent that writes its actions as text."""


class _Refused(ValueError):
    """A result is not as tau-bench writes one; the message names the key."""


def recognises(opening: bytes) -> bool:
    """Say whether a file that begins so holds results of tau-bench."""
    return _OPENING.match(opening) is not None


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give the results in the order of the file. Raises ``PredictionsInvalid``."""
    results = source.json()
    if not isinstance(results, list):
        raise PredictionsInvalid(
            f"{source.name}: expected a list of results, got {kind(results)}",
            hint="name the tool that wrote it with --format",
        )
    trials: dict[int, set[str]] = {}
    unseen = 0
    for at, result in enumerate(results):
        place = f"[{at}]"
        try:
            row = _row(result, place, options.id_field)
        except _Refused as error:
            yield Wrong(place, str(error))
            continue
        trials.setdefault(row.repeat or 0, set()).add(row.id)
        unseen += row.tools is None
        yield row
    every = set().union(*trials.values())
    for trial, here in sorted(trials.items()):
        if len(here) < len(every):
            yield Gap(f"trial {trial} holds {len(here)} of {len(every)} tasks")
    if trials and max(trials) >= len(trials):
        yield Gap(f"{len(trials)} of at least {max(trials) + 1} trials are in the file")
    if unseen:
        yield Remark(f"{unseen} results do not say which tools were called")


def _row(result: object, place: str, id_field: str | None) -> Found:
    if not isinstance(result, dict):
        raise _Refused(f"expected an object, got {kind(result)}")
    trial = result.get("trial", 0)
    if type(trial) is not int or trial < 0:
        raise _Refused("`trial`: expected a whole number from 0")
    info = _object(result, "info")
    traj = result.get("traj")
    if traj is not None and not isinstance(traj, list):
        raise _Refused(expected("traj", "a list of messages", traj))
    messages = [message for message in traj or () if isinstance(message, dict)]
    error = info.get("error")
    if error is not None:
        error = as_text(error) or "the run of the task raised"
    output = None
    if error is None:
        output = _output(messages)
        error = "tau-bench recorded no answer" if output is None else None
    scores: tuple[RecordedScore, ...] = ()
    if error is None:
        scores = (RecordedScore(_SCORE, _reward(result, info)),)
    return Found(
        id=_id(result, "task_id" if id_field is None else id_field),
        place=place,
        repeat=trial,
        output=output,
        error=error,
        tools=_tools(messages),
        scores=scores,
        case=_case(info),
        trace=canonical(traj or []),
    )


def _reward(result: dict[str, Any], info: dict[str, Any]) -> float | None:
    reward = number(result.get("reward"))
    said = number(_object(info, "reward_info", within="info.").get("reward"))
    if None not in (reward, said) and reward != said:
        raise _Refused("`reward`: differs from `info.reward_info.reward`")
    return reward


def _object(record: dict[str, Any], name: str, *, within: str = "") -> dict[str, Any]:
    found = record.get(name)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise _Refused(expected(within + name, "an object", found))
    return found


def _id(result: dict[str, Any], path: str) -> str:
    try:
        value = dotted(result, path)
    except KeyError:
        raise _Refused(f"`{path}`: is missing") from None
    problems: list[str] = []
    name = read_name(path, value, problems)
    if name is None:
        raise _Refused(problems[0])
    return name


def _case(info: dict[str, Any]) -> FoundCase | None:
    task = _object(info, "task", within="info.")
    if "instruction" not in task:  # a run that raised has none
        return None
    instruction = task["instruction"]
    if not isinstance(instruction, str):
        raise _Refused(expected("info.task.instruction", "a text", instruction))
    wanted = {key: task[key] for key in ("actions", "outputs") if key in task}
    return FoundCase(input=instruction, reference=canonical(wanted) if wanted else None)


def _output(messages: list[dict[str, Any]]) -> str | None:
    for message in reversed(messages):
        content = message.get("content")
        if message.get("role") == "assistant" and isinstance(content, str) and content:
            return content
    return None


def _tools(messages: list[dict[str, Any]]) -> tuple[str, ...] | None:
    called: list[str] = []
    for message in messages:
        content = message.get("content")
        if (
            message.get("role") == "user"
            and isinstance(content, str)
            and content.startswith(_TEXT_ACTION)
        ):
            return None
        calls = message.get("tool_calls")
        if calls is not None and not isinstance(calls, list):
            raise _Refused(expected("traj[].tool_calls", "a list", calls))
        for call in calls or ():
            match call:
                case {"function": {"name": str(name)}}:
                    called.append(name)
                case _:
                    raise _Refused("`traj[].tool_calls`: a call without the name of its tool")
    return tuple(called) if messages else None
