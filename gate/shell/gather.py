"""Gather what a run needs: rules, a baseline, a stored result, each with a name for errors."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.baseline.store import MAX_BYTES as MAX_BASELINE
from gate.baseline.store import read_baseline
from gate.errors import (
    BaselineAbsent,
    FileAbsent,
    FileUnreadable,
    PolicyInvalid,
    ResultInvalid,
)
from gate.policy.effective import suite_options
from gate.policy.toml import read_policy
from gate.records.byte_order import undecoded
from gate.records.json_text import loads
from gate.records.rule_change import OWN
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gate.policy.file import PolicyFile
    from gate.ports import Files, ReadFiles
    from gate.records.baseline import Baseline
    from gate.records.case import EvalCase
    from gate.records.judge_options import JudgeOptions
    from gate.records.policy import Overrides, SuiteOptions
    from gate.records.report import Report
    from gate.records.rule_change import Origin
    from gate.records.trust import TrustRecord
    from gate.shell.asking import Asking
    from gate.shell.base import Base

POLICY: Final = "gate.toml"
"""The policy that is read where none is named, if it is there."""
_OF_FILES: Final = frozenset(
    (
        *("cases", "predictions", "baseline", "format", "id_field", "map", "ledger"),
        *("seed", "n_boot", "concurrency"),  # decide nothing
    )
)
MAX_POLICY: Final = 256 * 1024
MAX_RESULT: Final = 1024 * 1024 * 1024
MAX_CASES: Final = 256 * 1024 * 1024


def _untold(_: Iterable[str]) -> None:
    """Tell nobody."""


def _no_clock() -> str:
    raise RuntimeError("this run was given no clock")


class Means(NamedTuple):
    """What a run is given to work with.

    ``reads`` is told once which files a run reads by its rules, before it reads any of them, and
    may refuse one. ``asking`` is what it takes to ask a judge. ``base`` is the commit whose rules
    judge, where these are not those at hand. ``day`` gives today (UTC), written
    ``YYYY-MM-DD``, and is asked only where something ends.
    """

    files: Files
    redact: Callable[[str], str]
    watch: Callable[[Iterable[bytes]], Iterable[bytes]]
    reads: Callable[[Iterable[str]], None] = _untold
    asking: Asking | None = None
    base: Base | None = None
    origin: Origin = OWN
    day: Callable[[], str] = _no_clock

    @property
    def rules(self) -> ReadFiles:
        """What rules are read from: policy, golden set, prompts and the record of trust."""
        return self.files if self.base is None else self.base.first

    @property
    def accepted(self) -> ReadFiles:
        """What a baseline is read from: never what a pull request brings, if its base judges."""
        return self.files if self.base is None else self.base.files


class Rules(NamedTuple):
    """The policy file, if there is one, and what it and the options say of the suite."""

    file: PolicyFile | None
    source: str | None
    suite: SuiteOptions

    @property
    def judge(self) -> JudgeOptions | None:
        """What the policy file says of a judge."""
        return None if self.file is None else self.file.judge

    @property
    def files(self) -> tuple[str, ...]:
        """Name every file that is read by these rules, their own among them."""
        suite = self.suite
        judge = () if self.judge is None else (self.judge.ledger, self.judge.trust)
        named = (self.source, suite.cases, suite.predictions, suite.baseline, *judge)
        return tuple(path for path in named if path is not None)

    @contextmanager
    def placing(self) -> Iterator[None]:
        """Place what is found wrong with the rules in the file that says them."""
        try:
            yield
        except PolicyInvalid as error:
            if self.file is None:
                raise
            raise self.file.placed(error) from None


class Names(NamedTuple):
    """What the options say, to name in an error the one that named a file."""

    options: Overrides

    def of(self, key: str) -> str:
        """Name the option of a file, or the key of the policy if that named it."""
        if getattr(self.options, key) is None:
            return f"[suite] {key}"
        return f"--{key.replace('_', '-')}"

    @contextmanager
    def around(self, key: str) -> Iterator[None]:
        """Name it in what goes wrong with that file."""
        try:
            yield
        except (FileAbsent, FileUnreadable) as error:
            raise error.prefixed(self.of(key)) from None


def gather_rules(files: ReadFiles, options: Overrides, policy: str | None) -> Rules:
    """Read the policy that is named, else ``./gate.toml`` if it is there, else none.

    Raises ``PolicyInvalid``, also for a file that says nothing.
    """
    source = policy or (POLICY if files.exists(POLICY) else None)
    if source is None:
        return Rules(None, None, suite_options(None, options))
    try:
        data = files.read(source, limit=MAX_POLICY)
    except FileAbsent:
        raise PolicyInvalid(f"{visible(source)}: no such policy file") from None
    file = policy_of(data, source=source)
    return Rules(file, source, suite_options(file, options))


def policy_of(data: bytes, *, source: str) -> PolicyFile:
    """Read the bytes of a policy. Raises ``PolicyInvalid``, also for one that says nothing."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PolicyInvalid(f"{source}: {undecoded(data, error)}") from None
    file = read_policy(text, source=source)
    if file.says_nothing:
        raise PolicyInvalid(
            f"{visible(source)}: says nothing: no key of [suite], no [scorer], no [[gates]]",
            hint="write its rules, or take it away; it may have lost its limits",
        )
    return file


def cases_of(data: bytes, *, source: str) -> tuple[EvalCase, ...]:
    """Read the bytes of a golden set, compressed or not. Raises ``CasesInvalid``."""
    from gate.inputs.cases import read_cases

    return read_cases(unpacked_cases(data, source=source), source=source)


def unpacked_cases(data: bytes, *, source: str) -> bytes:
    """Unpack a golden set that is compressed; any other is given as it is."""
    from gate.inputs.packed import unpacked

    return unpacked(data, source=visible(source), limit=MAX_CASES)


def gather_baseline(files: ReadFiles, suite: SuiteOptions, names: Names) -> Baseline | None:
    """Read the baseline that is named; only an allowed absence is ``None``."""
    if suite.baseline is None:
        return None
    if not files.exists(suite.baseline):
        if suite.allow_missing_baseline:
            return None
        shown = visible(suite.baseline)
        raise BaselineAbsent(f"{names.of('baseline')}: {shown}: no such baseline")
    with names.around("baseline"):
        return baseline_at(files, suite.baseline)


def baseline_at(files: ReadFiles, path: str) -> Baseline:
    """Read one baseline file. Raises ``FileAbsent``, ``BaselineInvalid``."""
    return read_baseline(files.read(path, limit=MAX_BASELINE), source=path)


def tightens(options: Overrides) -> bool:
    """Say whether an option says more than where a file lies, or how it is read."""
    return any(value is not None for name, value in options if name not in _OF_FILES)


def scorer_of(baseline: Baseline | None) -> dict[str, object] | None:
    """Give the scorer that a baseline was made with, as options."""
    if baseline is None:
        return None
    return {**loads(baseline.scorer.params), "name": baseline.scorer.name}


def gather_trust(files: ReadFiles, path: str | None) -> TrustRecord | None:
    """Read the record of a judge's trust, if one is named. Raises ``TrustInvalid``."""
    if path is None:
        return None
    from gate.judges.trust_store import MAX_BYTES, read_trust

    return read_trust(files.read(path, limit=MAX_BYTES), source=path)


def result_at(files: ReadFiles, path: str) -> Report:
    """Read one stored result. Raises ``FileAbsent``, ``ResultInvalid``."""
    from gate.report.result_json import read_result

    data = files.read(path, limit=MAX_RESULT)
    try:
        return read_result(data, source=path)
    except ResultInvalid:
        kind = _kind(data)
        if kind == "baseline":
            raise ResultInvalid(
                f"{path}: is a baseline, not a result",
                hint="`check` and `score` write a result.json into the folder --out names",
            ) from None
        raise


def _kind(data: bytes) -> str | None:
    """Give what a file of this product says it is."""
    try:
        found = loads(data.decode("utf-8-sig"))
    except ValueError:
        return None
    kind = found.get("kind") if isinstance(found, dict) else None
    return kind.removeprefix("agent-eval-gate/") if isinstance(kind, str) else None
