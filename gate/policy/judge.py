"""The ``[judge]`` table and the options over it: who is asked, once a scorer asks anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.errors import UsageInvalid
from gate.records.judge_options import JudgeOptions

if TYPE_CHECKING:
    from gate.records.policy import Overrides
    from gate.records.scoring import ScorerOptions

OPTIONS: Final = {
    "judge": "provider",
    "judge_model": "model",
    "judge_command": "command",
    "judge_mode": "mode",
    "judge_base_url": "base_url",
    "judge_prompt": "prompt",
    "judge_runs": "runs",
    "judge_date": "date",
    "judge_trust": "trust",
    "concurrency": "concurrency",
    "max_calls": "max_calls",
    "max_cost": "max_cost",
    "ledger": "ledger",
}
"""The options about a judge, and the key of the table that each of them beats."""
DEFAULT_MODEL: Final = "gemini-3.8-flash"
"""The protocol's judge; the only provider with a model of its own here."""
_NAMED_BY_USER: Final = ("openai-compatible", "anthropic")
_OF_COMMANDS: Final = ("command", "mode")


def judge_options(
    table: JudgeOptions | None, options: Overrides, scorer: ScorerOptions | None, *, judged: bool
) -> JudgeOptions | None:
    """Merge table and options; ``None`` where the scorer asks no judge (``judged``).

    A table without such a scorer waits for one; an option without one is a mistake. Raises
    ``UsageInvalid`` for that, and for what cannot be asked: nobody named, or half of it.
    """
    said = {key: value for key in OPTIONS if (value := getattr(options, key)) not in {None, ()}}
    if not judged:
        if said and scorer is not None:
            names = ", ".join(f"--{key.replace('_', '-')}" for key in sorted(said))
            raise UsageInvalid(f"{names}: the scorer {scorer.name!r} asks no judge")
        return None
    merged: dict[str, Any] = {} if table is None else dict(table)
    found = JudgeOptions(**{**merged, **{OPTIONS[key]: value for key, value in said.items()}})
    problems = _problems(found, scorer)
    if problems:
        raise UsageInvalid("\n".join(problems))
    return found


def _problems(judge: JudgeOptions, scorer: ScorerOptions | None) -> list[str]:
    name = "this scorer" if scorer is None else f"the scorer {scorer.name!r}"
    provider = judge.provider
    if provider is None:
        known = "gemini, openai-compatible, anthropic or command"
        said = f"{name} asks a judge, and none is named: pass --judge {known}"
        return [f"{said}, or set `provider` under [judge] in the policy"]
    found = []
    if provider == "command":
        if judge.command is None:
            found.append("--judge command: which one? pass --judge-command 'program argument …'")
        if judge.base_url is not None:
            found.append("--judge-base-url means nothing to a judge that is a command")
    else:
        found += [
            f"`{key}` (--judge-{key}, or under [judge]) means nothing to the judge {provider!r}; "
            "it belongs to command"
            for key in _OF_COMMANDS
            if getattr(judge, key) is not None
        ]
    if provider in _NAMED_BY_USER and judge.model is None:
        found.append(f"--judge {provider}: which model? pass --judge-model NAME")
    if provider == "anthropic" and judge.seed is not None:
        found.append("[judge] seed: anthropic's models take none")
    return found
