"""Read ``gate.toml``: strict TOML, every error named by its key and nearest right name."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import partial
from typing import Any, Final, get_args

from pydantic import TypeAdapter, ValidationError

from gate.errors import PolicyInvalid, Problem
from gate.policy.file import PolicyFile, PolicyText
from gate.policy.waivers import read_waivers
from gate.records.gating import GateOptions
from gate.records.judge_options import JudgeOptions
from gate.records.policy import SuiteOptions
from gate.records.problems import explain, members, nearest
from gate.records.scoring import ScorerOptions

MAX_DOTS: Final = 200
MAX_GATES: Final = 100
TABLES: Final = ("suite", "scorer", "judge", "gates", "waivers")
_END: Final = " (at end of document)"
_AT: Final = re.compile(r"(.*) \(at line (\d+), column \d+\)")


def read_policy(text: str, *, source: str) -> PolicyFile:
    """Parse a policy file.

    Raises :class:`gate.errors.PolicyInvalid` listing every problem: what TOML refuses
    (duplicate keys among it), ``inf`` and ``nan``, unknown keys with the nearest known one,
    wrong types and values out of range.
    """
    document = _parse(text, source)
    placed = PolicyText(text, source)
    problems: list[Problem] = [
        _unknown(key, document[key], placed) for key in document if key not in TABLES
    ]
    suite = _suite(document.get("suite", {}), placed, problems)
    scorer = _scorer(document["scorer"], placed, problems) if "scorer" in document else None
    judge = _judge(document["judge"], placed, problems) if "judge" in document else None
    gates = _gates(document.get("gates", []), placed, problems)
    waivers = read_waivers(document.get("waivers", []), placed, problems)
    if problems:
        raise PolicyInvalid.of(sorted(problems, key=lambda problem: problem.line or 0))
    return PolicyFile(suite, scorer, gates, placed, judge=judge, waivers=waivers)


def _unknown(key: str, value: object, text: PolicyText) -> Problem:
    if isinstance(value, (dict, list)):
        said = f"unknown table {key!r}{nearest(key, TABLES)}"
        header = f"[[{key}]]" if isinstance(value, list) else f"[{key}]"
        return text.problem(header, 1, key, said)
    if key in SuiteOptions.model_fields:
        return text.problem("", 1, key, f"`{key}` belongs under [suite]")
    return text.problem("", 1, key, f"unknown key {key!r}{_home(key)}")


def _home(key: str) -> str:
    """Say in which table a key belongs that stands in a wrong one; empty where in none."""
    if key in JudgeOptions.model_fields and key not in SuiteOptions.model_fields:
        return "; it belongs under [judge]"
    for model in get_args(get_args(GateOptions)[0]):
        if key in model.model_fields and key not in {"gate", "enabled"}:
            gate = model.model_fields["gate"].default
            return f'; it belongs under [[gates]] with gate = "{gate}"'
    for model in get_args(get_args(ScorerOptions)[0]):
        if key in model.model_fields and key != "name":
            return (
                f'; it belongs under [scorer] with name = "{model.model_fields["name"].default}"'
            )
    return ""


def _parse(text: str, source: str) -> dict[str, Any]:
    import tomllib

    for number, content in enumerate(text.split("\n"), start=1):
        if content.count(".") > MAX_DOTS:  # a dotted key takes time and memory to its square
            raise PolicyInvalid(
                str(Problem(source, number, f"more than {MAX_DOTS} dots in one line"))
            )
    try:
        return tomllib.loads(text, parse_float=_finite)
    except tomllib.TOMLDecodeError as error:
        said, end = str(error).removesuffix(_END), str(error).endswith(_END)
        at = _AT.fullmatch(said)
        line = int(at[2]) if at else text.rstrip().count("\n") + 1 if end else None
        raise PolicyInvalid(
            str(Problem(source, line, f"not TOML: {at[1] if at else said}"))
        ) from None
    except RecursionError:
        raise PolicyInvalid(f"{source}: not TOML: nested too deeply") from None
    except ValueError as error:
        raise PolicyInvalid(f"{source}: {error}") from None


def _finite(text: str) -> Decimal:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(f"{text} is no number a policy can mean")
    return number


def _suite(table: object, text: PolicyText, problems: list[Problem]) -> SuiteOptions:
    if not isinstance(table, dict):
        problems.append(text.problem("", 1, "suite", "`suite` is a table: write [suite]"))
        return SuiteOptions()
    try:
        return SuiteOptions.model_validate(table)
    except ValidationError as error:
        known = tuple(SuiteOptions.model_fields)
        for key, said in explain(error, known=lambda _: known):
            home = _home(key) if said.startswith("unknown") and "did you" not in said else ""
            problems.append(text.problem("[suite]", 1, key, said + home))
        return SuiteOptions()


def _scorer(table: object, text: PolicyText, problems: list[Problem]) -> ScorerOptions | None:
    if not isinstance(table, dict):
        known = {
            model.model_fields["name"].default for model in get_args(get_args(ScorerOptions)[0])
        }
        name = table if isinstance(table, str) and table in known else "…"
        said = f'`scorer` is a table: write [scorer] and name = "{name}"'
        problems.append(text.problem("", 1, "scorer", said))
        return None
    try:
        found: ScorerOptions = TypeAdapter(ScorerOptions).validate_python(table)
    except ValidationError as error:
        for key, said in explain(error, known=partial(members, ScorerOptions)):
            problems.append(text.problem("[scorer]", 1, key, said))
        return None
    return found


def _judge(table: object, text: PolicyText, problems: list[Problem]) -> JudgeOptions | None:
    if not isinstance(table, dict):
        said = '`judge` is a table: write [judge] and provider = "…"'
        problems.append(text.problem("", 1, "judge", said))
        return None
    try:
        return JudgeOptions.model_validate(table)
    except ValidationError as error:
        for key, said in explain(error, known=lambda _: tuple(JudgeOptions.model_fields)):
            problems.append(text.problem("[judge]", 1, key, said))
        return None


def _gates(tables: object, text: PolicyText, problems: list[Problem]) -> tuple[GateOptions, ...]:
    if not isinstance(tables, list):
        said = "gates are written [[gates]], one table each"
        problems.append(text.problem("[gates]", 1, "", said))
        return ()
    if len(tables) > MAX_GATES:
        said = f"{len(tables)} gates; at most {MAX_GATES} make sense"
        problems.append(text.problem("[[gates]]", MAX_GATES + 1, "", said))
        return ()
    adapter: TypeAdapter[GateOptions] = TypeAdapter(GateOptions)
    found: list[GateOptions] = []
    for number, table in enumerate(tables, start=1):
        if isinstance(table, dict) and "gate" not in table and "name" in table:
            said = "the name of a gate is written `gate =`, not `name =`"
            problems.append(text.problem("[[gates]]", number, "name", said))
            continue
        try:
            found.append(adapter.validate_python(table))
        except ValidationError as error:
            for key, said in explain(error, known=partial(members, GateOptions)):
                problems.append(text.problem("[[gates]]", number, key, said))
    return tuple(found)
