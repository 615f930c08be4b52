"""What a pull request changes in the rules that judge it, and whose rules decided."""

from typing import Annotated, Final, Literal, NamedTuple

from pydantic import Field

from gate.records.base import Flag, Name, Positive, Record, Text
from gate.records.host import Sha

ChangeKind = Literal[
    "policy-added",
    "policy-removed",
    "gate-added",
    "gate-removed",
    "gate-on",
    "gate-off",
    "limit-tightened",
    "limit-loosened",
    "rule-tightened",
    "rule-loosened",
    "threshold-raised",
    "threshold-lowered",
    "advisory-off",
    "advisory-on",
    "allowance-narrowed",
    "allowance-widened",
    "waiver-removed",
    "waiver-added",
    "waiver-changed",
    "scorer-changed",
    "judge-changed",
    "prompt-changed",
    "trust-changed",
    "file-moved",
    "case-added",
    "case-removed",
    "safety-case-removed",
    "safety-label-added",
    "safety-label-removed",
    "label-changed",
    "input-changed",
    "reference-changed",
    "expected-tools-changed",
    "cluster-changed",
    "case-scorer-changed",
    "metadata-changed",
    "baseline-added",
    "baseline-removed",
    "baseline-changed",
    "unreadable",
    "other-changed",
]
"""The kinds of change, as a policy allows them."""
OF_CASES: Final[frozenset[ChangeKind]] = frozenset(
    (
        *("case-added", "case-removed", "safety-case-removed", "safety-label-added"),
        *("safety-label-removed", "label-changed", "input-changed", "reference-changed"),
        *("expected-tools-changed", "cluster-changed", "case-scorer-changed"),
        *("metadata-changed",),
    )
)
"""The kinds of which the subject is a case's id."""
Excerpt = Annotated[Text, Field(max_length=400)]
Subject = Annotated[Text, Field(max_length=1000)]
"""As long as a name, which a gate takes a case's for; empty where others are counted."""


class RuleChange(Record):
    """One difference between the rules of the base commit and those of the pull request.

    ``subject`` is what changed: a key (``[[gates]] regression max_drop``), a gate, a case, a
    file; ``before`` and ``after`` are short texts, ``None`` where nothing was or is set.
    ``loosens`` says that a run could pass under the new rule and not under the old one, as far as
    anybody can tell: what is not known loosens. ``number`` counts the changes that stand
    together here, and ``case_ids`` are the first of the cases that those are about.
    """

    kind: ChangeKind
    subject: Subject
    before: Excerpt | None = None
    after: Excerpt | None = None
    loosens: Flag
    number: Positive = 1
    case_ids: tuple[Name, ...] = ()


class RulesFrom(Record):
    """Whose rules decided a run that belongs to a pull request.

    ``base``: those of the commit it is to be merged into; ``head``: its own, since somebody said
    so. ``commit`` is the base. ``file`` is the policy, ``None`` where there is none, so
    that options alone decided. ``brought`` names what the base lacks and was read from the change
    itself; ``first`` says that this is everything: the change brings the gate. ``added`` are the
    cases that the base's golden set lacks, by id.
    """

    source: Literal["base", "head"]
    commit: Sha | None = None
    file: Name | None = None
    brought: tuple[Name, ...] = ()
    first: Flag = False
    added: tuple[Name, ...] = ()

    @property
    def brings_policy(self) -> bool:
        """Say whether the change brings the policy, and maybe with it the whole gate."""
        return self.first or self.file in self.brought


class Origin(NamedTuple):
    """Whose rules decided, and what the pull request changes in them; nothing where none is."""

    rules_from: RulesFrom | None = None
    changes: tuple[RuleChange, ...] = ()

    @property
    def bound(self) -> bool:
        """Say whether the rules are those of a base commit, to which a change is held."""
        return self.rules_from is not None and self.rules_from.source == "base"


OWN: Final = Origin()
"""The rules at hand: there is no pull request."""
