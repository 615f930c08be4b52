"""The whole answer as one value; ``result.json`` is its spelling."""

from typing import Annotated, Literal

from pydantic import Field, Strict

from gate.records.base import Digest, Flag, Name, ObjectText, Record, Text
from gate.records.day import Day
from gate.records.judge_run import JudgeRun
from gate.records.result import CaseResult, Effort, ScorerIdentity, SuiteResult
from gate.records.rule_change import RuleChange, RulesFrom
from gate.records.trust import TrustRecord
from gate.records.verdict import Comparison, GateVerdict, Verdict
from gate.records.waiver import WaiverUse


class Digests(Record):
    """Digests of canonical content: the order of lines and keys changes none of them."""

    cases: Digest
    predictions: Digest
    policy: Digest
    baseline: Digest | None


class Report(Record):
    """Everything ``check`` found. ``verdict`` is ``None`` where nothing was gated (``score``).

    ``exit_status`` is the process's: under ``advisory`` it is 0 whatever the verdict.
    ``policy`` is the effective one: defaults, file and options together. ``pinned`` is false
    where nothing but the predictions said which cases there are. ``conditions`` say under
    which rules it was decided, ``notes`` what else was seen in cases and predictions;
    ``warnings`` are those of them that may make the verdict mean less than it seems to.
    ``judge_config`` is which judge it was, ``judge_run`` what happened when it was asked, and
    ``judge_trust`` what a calibration said of it. ``effort`` is what the answers took, where the
    predictions say so. ``gaps`` say why the predictions may not hold all that was run: then no
    verdict is a pass. ``waivers`` are all of the policy, used or not, as of the day
    ``waived_on``, which is there where there are any: a result without them has no date.
    ``rules_from`` is whose rules decided a run that belongs to a pull request, and
    ``rule_changes`` what that changes in them.
    """

    kind: Literal["agent-eval-gate/result"] = "agent-eval-gate/result"
    schema_version: Literal[1] = 1
    verdict: Verdict | None
    exit_status: Annotated[int, Strict(), Field(ge=0, le=3)]
    advisory: Flag = False
    pinned: Flag = True
    suite: SuiteResult
    cases: tuple[CaseResult, ...]
    gates: tuple[GateVerdict, ...] = ()
    waivers: tuple[WaiverUse, ...] = ()
    waived_on: Day | None = None
    rules_from: RulesFrom | None = None
    rule_changes: tuple[RuleChange, ...] = ()
    comparison: Comparison | None = None
    scorer: ScorerIdentity
    gaps: tuple[Text, ...] = ()
    judge_config: ObjectText | None = None
    judge_run: JudgeRun | None = None
    judge_trust: TrustRecord | None = None
    effort: Effort | None = None
    policy: ObjectText
    digests: Digests
    conditions: tuple[Text, ...] = ()
    notes: tuple[Text, ...] = ()
    warnings: tuple[Text, ...] = ()


class Effect(Record):
    """One thing to do to the world after the verdict: write ``text`` to ``target`` whole.

    ``append`` adds to what is there (the runner's command files).
    """

    target: Name
    text: Text
    append: Flag = False
