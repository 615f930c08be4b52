"""Merge defaults, file and options into the one policy in force: option > file > default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

from gate.errors import PolicyInvalid, UsageInvalid
from gate.policy.file import PolicyFile
from gate.policy.judge import judge_options
from gate.records.gating import (
    ZERO,
    ComparableOptions,
    CompletenessOptions,
    FloorOptions,
    JudgedOptions,
    JudgeTrustOptions,
    RegressionOptions,
    RulesOptions,
    SafetyOptions,
    TrajectoryOptions,
)
from gate.records.policy import Policy, SuiteOptions
from gate.records.problems import explain, members
from gate.records.scoring import JUDGED, RECORDED, ScorerOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.records.gating import GateOptions
    from gate.records.policy import Overrides

DEFAULT_GATES: Final = ("regression", "safety", "completeness", "comparable")
"""On unless the policy switches them off; in the order of the report."""
JUDGED_GATE: Final = "judged"
"""On as well where a judge is asked."""
BOUND_GATE: Final = "rules"
"""On as well where the rules are those of a base commit."""
BY_INPUTS: Final = ("floor", "trajectory", "judge_trust")
"""On, besides, because an option says so."""
SAFETY: Final = "safety"
"""The label that a safety gate looks for where it names none."""
_TOLERANCE: Final = {"numeric_within": "tolerance", "structured": "tolerance_ratio"}


def effective_policy(
    file: PolicyFile | None,
    options: Overrides,
    *,
    baseline_scorer: dict[str, Any] | None = None,
    judged: bool | None = None,
    gated: bool = True,
    bound: bool = False,
) -> Policy:
    """Merge; ``file`` is ``None`` where there is none, ``gated`` is false for ``score``.

    ``baseline_scorer`` is the scorer (name and parameters) that the baseline was made with:
    it serves where neither option nor file names one. ``judged`` says whether a judge was asked
    already, where a stored result is decided; else the scorer does. ``bound`` says that the file
    is a base commit's, to which a pull request is held. Raises ``UsageInvalid`` and
    ``PolicyInvalid``.
    """
    read = file or PolicyFile(SuiteOptions(), None, ())
    scorer = _scorer(read.scorer, options, baseline_scorer)
    asks = scorer is not None and scorer.name in JUDGED
    if judged is None:
        judge = judge_options(read.judge, options, scorer, judged=asks)
    else:  # nobody is asked any more: it says who should have been
        judge = read.judge if judged else None
    trusted = read.judge.trust if judge is None and read.judge else judge and judge.trust
    return Policy(
        suite=suite_options(file, options),
        scorer=scorer,
        judge=judge,
        gates=_gates(
            read.gates,
            options,
            judged=asks if judged is None else judged,
            trust=bool(trusted),
            bound=bound,
        )
        if gated
        else (),
        waivers=read.waivers if gated else (),
    )


def suite_options(file: PolicyFile | None, options: Overrides) -> SuiteOptions:
    """Merge the ``[suite]`` table alone: it says which files to read for the rest."""
    table = SuiteOptions() if file is None else file.suite
    said = {
        key: value
        for key in SuiteOptions.model_fields
        if (value := getattr(options, key, None)) is not None
    }
    return SuiteOptions(**{**dict(table), **said})


def _scorer(
    file: ScorerOptions | None, options: Overrides, baseline: dict[str, Any] | None
) -> ScorerOptions | None:
    if options.scorer is not None:
        said = _named(options.scorer)
        name = said["name"]
        kept = dict(file) if file is not None and file.name == name else {}
        if not kept and baseline is not None and baseline["name"] == name:
            kept = baseline
        raw: dict[str, Any] = {**kept, **said}
    elif file is not None:
        raw = dict(file)
    elif baseline is not None:
        raw = baseline
    else:
        return None
    if options.tolerance is not None:
        key = _TOLERANCE.get(raw["name"])
        if key is None:
            known = " and ".join(sorted(_TOLERANCE))
            raise UsageInvalid(
                f"--tolerance means nothing to the scorer {raw['name']!r}; it belongs to {known}"
            )
        raw = {**raw, key: options.tolerance}
    return _validated(raw)


def _named(text: str) -> dict[str, str]:
    """Read the name of a scorer; a recorded one may say which: ``recorded:match``."""
    name, colon, score = text.partition(":")
    if name != RECORDED or not colon:
        return {"name": text}
    if not score:
        raise UsageInvalid(f"--scorer {text}: the name of a recorded score stands after the colon")
    return {"name": name, "score": score}


def _validated(raw: dict[str, Any]) -> ScorerOptions:
    from pydantic import TypeAdapter, ValidationError

    if raw["name"] == "numeric_within" and "tolerance" not in raw:
        raise UsageInvalid(
            "the scorer numeric_within needs a tolerance: pass --tolerance, or set "
            "`tolerance` under [scorer]; there is no silent default"
        )
    models = {
        one.model_fields["name"].default: one for one in get_args(get_args(ScorerOptions)[0])
    }
    model = models.get(raw["name"])
    try:  # one model of its own is made faster than the union of all
        if model is not None:
            found: ScorerOptions = model.model_validate(raw)
            return found
        return TypeAdapter(ScorerOptions).validate_python(raw)
    except ValidationError as error:
        said = explain(error, known=lambda loc: members(ScorerOptions, loc))
        raise UsageInvalid("scorer: " + "; ".join(text for _, text in said)) from None


def _gates(
    file: tuple[GateOptions, ...],
    options: Overrides,
    *,
    judged: bool,
    trust: bool,
    bound: bool,
) -> tuple[GateOptions, ...]:
    usual = with_usual(file, judged=judged, bound=bound)
    gates = with_inputs(
        [_held(gate, options) if isinstance(gate, RegressionOptions) else gate for gate in usual],
        options,
        trust=judged and trust,
    )
    if not any(gate.enabled for gate in gates):
        raise PolicyInvalid("every gate is switched off: such a policy decides nothing")
    return gates


def with_inputs(
    gates: Sequence[GateOptions], options: Overrides, *, trust: bool
) -> tuple[GateOptions, ...]:
    """Give the gates as options switch them on and set them: those of :data:`BY_INPUTS`.

    A gate that has no table of its own is added; ``trust`` says that a trust record is named.
    """
    found = [_switched_on(gate, options) for gate in gates]
    named = {gate.gate for gate in gates}
    if options.min_pass_rate is not None and not any(_is_pass_floor(gate) for gate in found):
        found.append(FloorOptions(min=options.min_pass_rate, metric="pass_rate"))
    if options.trajectory is not None and "trajectory" not in named:
        found.append(TrajectoryOptions(mode=options.trajectory))
    if trust and "judge_trust" not in named:
        found.append(JudgeTrustOptions())
    return tuple(found)


def with_usual(
    gates: Sequence[GateOptions], *, judged: bool, bound: bool
) -> tuple[GateOptions, ...]:
    """Add the default gates that are :func:`lacking`."""
    usual: dict[str, GateOptions] = {
        "regression": RegressionOptions(),
        "safety": SafetyOptions(),
        "completeness": CompletenessOptions(),
        "comparable": ComparableOptions(),
        "judged": JudgedOptions(),
        "rules": RulesOptions(),
    }
    return (*gates, *(usual[name] for name in lacking(gates, judged=judged, bound=bound)))


def lacking(gates: Sequence[GateOptions], *, judged: bool, bound: bool = False) -> tuple[str, ...]:
    """Name the default gates that ``gates`` neither hold nor switch off.

    A run that was ``judged`` has one more, and so has one that is ``bound`` to a base commit.

    A safety gate of another label stands beside the one of ``safety``, and does not replace it.

    >>> others = [RegressionOptions(), SafetyOptions(label="privacy"), CompletenessOptions()]
    >>> lacking(others, judged=False)
    ('safety', 'comparable')
    """
    named = {gate.gate for gate in gates if not _is_of_another_label(gate)}
    more = ((JUDGED_GATE, judged), (BOUND_GATE, bound))
    usual = (*DEFAULT_GATES, *(name for name, on in more if on))
    return tuple(name for name in usual if name not in named)


def _is_of_another_label(gate: GateOptions) -> bool:
    return isinstance(gate, SafetyOptions) and gate.label not in {None, SAFETY}


def _is_pass_floor(gate: GateOptions) -> bool:
    return isinstance(gate, FloorOptions) and gate.metric == "pass_rate"


def _held(gate: RegressionOptions, options: Overrides) -> RegressionOptions:
    """Give the regression gate with the limits that options set."""
    said = {
        key: value
        for key in ("max_drop", "metric", "rule", "on_inconclusive")
        if (value := getattr(options, key)) is not None
    }
    if said and not gate.enabled:
        raise PolicyInvalid(
            "the policy switches the regression gate off, and an option sets its "
            f"{', '.join(sorted(said))}: drop one of the two"
        )
    merged = {**dict(gate), **said}
    if merged["rule"] == "significant" and merged["max_drop"] is None:
        merged["max_drop"] = ZERO
    return RegressionOptions(**merged)


def _switched_on(gate: GateOptions, options: Overrides) -> GateOptions:
    if options.min_pass_rate is not None and _is_pass_floor(gate):
        return FloorOptions(enabled=True, min=options.min_pass_rate, metric="pass_rate")
    if isinstance(gate, TrajectoryOptions) and options.trajectory is not None:
        return TrajectoryOptions(**{**dict(gate), "enabled": True, "mode": options.trajectory})
    return gate
