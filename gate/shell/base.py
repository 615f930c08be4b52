"""The rules of a pull request: what the base commit holds, not what the pull request brings."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import BaselineAbsent, BaseUnreadable, PolicyInvalid
from gate.ports import ReadFiles
from gate.records.rule_change import OWN, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.ports import Host
    from gate.records.case import EvalCase
    from gate.records.host import Occasion
    from gate.records.policy import Overrides
    from gate.records.waiver import Waiver
    from gate.shell.gather import Rules

_FLOOR: Final = '[[gates]] gate = "floor" with a `min` above 0'
_FIRST: Final = (
    "the base commit has no baseline yet, and one that the change brings is not compared with: "
    "put allow_missing_baseline = true under [suite] and "
    f"{_FLOOR} into the policy that this change brings; the first baseline lands after it"
)
_LATER: Final = (
    "the baseline is the base commit's, and it has none: land one there; or let the policy there "
    f"say allow_missing_baseline = true under [suite], and have {_FLOOR}"
)
_MEND_IT: Final = (
    "that is the policy of the base commit {}, which judges every pull request: one that takes an "
    "ended waiver away is judged without it, and let somebody merge any other that mends it past "
    "this check"
)
_PATH: Final = 200
_DIGITS: Final = 12


class BaseFirst(ReadFiles):
    """The files of the base commit; the checkout's where the base has none of that name.

    So the pull request that introduces a file is judged by it, and ``absent`` names it. ``tree``
    are the checkout's.
    """

    def __init__(self, base: ReadFiles, tree: ReadFiles) -> None:
        """Read nothing yet."""
        self._base = base
        self.tree = tree
        self.absent: dict[str, None] = {}

    def exists(self, path: str) -> bool:
        """Say whether one of the two has a file at ``path``."""
        return self._base.exists(path) or self.tree.exists(path)

    def read(self, path: str, *, limit: int) -> bytes:
        """Give the base's bytes, else the checkout's."""
        if self._base.exists(path):
            return self._base.read(path, limit=limit)
        data = self.tree.read(path, limit=limit)
        self.absent[path] = None
        return data


class Base(NamedTuple):
    """The commit that a pull request is to be merged into, and its files.

    ``first`` gives those that the commit lacks from the checkout.
    """

    commit: str
    files: ReadFiles
    first: BaseFirst


class AgainstBase(NamedTuple):
    """Whose rules decide, and what a pull request changes in them.

    ``cases`` are those in force, ``None`` where the rules name no file of them. ``adopts`` says
    that the base has no baseline and the change brings one; ``legislates``, that the change
    brings the policy, while the base has something of the rules. ``lifted`` are waivers of the
    base that the change takes away.
    """

    origin: Origin = OWN
    cases: tuple[EvalCase, ...] | None = None
    adopts: bool = False
    legislates: bool = False
    lifted: tuple[Waiver, ...] = ()

    def limit(self, options: Overrides, rules: Rules) -> tuple[Overrides, Rules]:
        """Give both without what a change could grant itself.

        A baseline of its own is none to it, and no policy of its own says which changes of the
        rules it may make, nor that what fails lets it pass. A waiver that it takes away is gone:
        else one that has ended would stop the very change that takes it away.
        """
        from gate.policy.effective import suite_options
        from gate.records.policy import Overrides

        if self.legislates and rules.file is not None:
            file = rules.file.without("rules").without_advisory()
            rules = rules._replace(file=file, suite=suite_options(file, options))
        if self.lifted and rules.file is not None:
            rules = rules._replace(file=rules.file.without_waivers(self.lifted))
        if self.adopts:
            options = Overrides(**{**dict(options), "allow_missing_baseline": True})
            rules = rules._replace(suite=suite_options(rules.file, options))
        return options, rules

    def without_baseline(self, path: str) -> str:
        """Say which baseline was named and is not compared with, for the report."""
        shown = path[:_PATH]
        if not self.origin.bound:
            return f"baseline: nothing is at {shown}, and the policy or an option allows that"
        if self.adopts:
            return (
                f"baseline: the base commit has none at {shown}, and the one that this change "
                f"brings is not compared with; what can decide is a floor, {_FLOOR}"
            )
        return (
            f"baseline: the base commit has none at {shown}, and the policy or an option allows "
            f"that; what can decide is a floor, {_FLOOR}"
        )

    @contextmanager
    def at_the_base(self) -> Iterator[None]:
        """Say what helps where the base of a pull request has no baseline, or no good policy."""
        try:
            yield
        except PolicyInvalid as error:
            found = self.origin.rules_from
            if found is None or found.source != "base" or found.brings_policy:
                raise
            said = _MEND_IT.format((found.commit or "")[:_DIGITS])
            nearer = "" if error.remedy == PolicyInvalid.hint else f"{error.remedy}; "
            raise PolicyInvalid(str(error), hint=f"{nearer}{said}") from None
        except BaselineAbsent as error:
            found = self.origin.rules_from
            if found is None or found.source != "base":
                raise
            raise BaselineAbsent(
                f"{error} (at the base commit)", hint=_FIRST if found.brings_policy else _LATER
            ) from None


def placed(where: Occasion, host: Host) -> Occasion:
    """Ask the host for the pull request where the event does not tell.

    Raises ``HostFailed``, ``UsageInvalid``, and ``BaseUnreadable`` where there is none, or more
    than one.
    """
    from gate.publish.occasion import with_pull
    from gate.shell.lookup import looked_up

    if where.lookup == "pull" and where.number is not None:
        return with_pull(where, host.pull(where.number))
    found = looked_up(where, host)
    if isinstance(found, str):
        raise BaseUnreadable(f"the base commit: {found}")
    return found
