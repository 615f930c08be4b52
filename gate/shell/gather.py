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
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gate.policy.toml import PolicyFile
    from gate.ports import Files
    from gate.records.baseline import Baseline
    from gate.records.judge_options import JudgeOptions
    from gate.records.policy import Overrides, SuiteOptions
    from gate.records.report import Report
    from gate.records.trust import TrustRecord
    from gate.shell.asking import Asking

POLICY: Final = "gate.toml"
"""The policy that is read where none is named, if it is there."""
MAX_POLICY: Final = 256 * 1024
MAX_RESULT: Final = 1024 * 1024 * 1024


def _untold(_: Iterable[str]) -> None:
    """Tell nobody."""


class Means(NamedTuple):
    """What a run is given to work with.

    ``reads`` is told once which files a run reads by its rules, before it reads any of them, and
    may refuse one. ``asking`` is what it takes to ask a judge.
    """

    files: Files
    redact: Callable[[str], str]
    watch: Callable[[Iterable[bytes]], Iterable[bytes]]
    reads: Callable[[Iterable[str]], None] = _untold
    asking: Asking | None = None


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
        return f"[suite] {key}" if getattr(self.options, key) is None else f"--{key}"

    @contextmanager
    def around(self, key: str) -> Iterator[None]:
        """Name it in what goes wrong with that file."""
        try:
            yield
        except (FileAbsent, FileUnreadable) as error:
            raise error.prefixed(self.of(key)) from None


def gather_rules(files: Files, options: Overrides, policy: str | None) -> Rules:
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
    return Rules(file, source, suite_options(file, options))


def gather_baseline(files: Files, suite: SuiteOptions, names: Names) -> Baseline | None:
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


def baseline_at(files: Files, path: str) -> Baseline:
    """Read one baseline file. Raises ``FileAbsent``, ``BaselineInvalid``."""
    return read_baseline(files.read(path, limit=MAX_BASELINE), source=path)


def gather_trust(files: Files, path: str | None) -> TrustRecord | None:
    """Read the record of a judge's trust, if one is named. Raises ``TrustInvalid``."""
    if path is None:
        return None
    from gate.judges.trust_store import MAX_BYTES, read_trust

    return read_trust(files.read(path, limit=MAX_BYTES), source=path)


def result_at(files: Files, path: str) -> Report:
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
