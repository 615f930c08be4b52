"""The table of scorers: name to module, each imported when a run first needs it.

A scorer's module holds ``VERSION`` (moves only with a major release), ``GRADED`` (whether
scores between 0 and 1 occur), ``NEEDS_REFERENCE``, ``bind(options) -> Scorer`` and
``objection(options, reference) -> str | None``: why a case with this reference cannot be
scored, asked once when the cases are read. One that asks a judge has, instead of ``bind``,
``prompt(options)``: the prompt and its text, and ``RUNS``: how often a response is looked at. The
one that computes nothing has ``recorded_score(prediction)``.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.records.json_text import canonical
from gate.records.result import ScorerIdentity
from gate.records.scoring import JUDGED, RECORDED

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.records.case import EvalCase, Scorer
    from gate.records.judge_words import PromptName
    from gate.records.scoring import ScorerOptions

SCORERS: Final = {
    "exact_match": "gate.scorers.exact_match",
    "contains": "gate.scorers.contains",
    "numeric_within": "gate.scorers.numeric_within",
    "rubric": "gate.scorers.rubric",
    "jaccard": "gate.scorers.jaccard",
    "rouge_l": "gate.scorers.rouge_l",
    "structured": "gate.scorers.structured",
    "geoktools": "gate.scorers.geoktools",
    "autorater": "gate.scorers.autorater",
    "judge": "gate.scorers.judge",
    "recorded": "gate.scorers.recorded",
}


class Bound(NamedTuple):
    """A scorer with its options: what a run calls, and what a comparison must know."""

    identity: ScorerIdentity
    graded: bool
    score: Scorer


@lru_cache(maxsize=4096)
def bind(options: ScorerOptions) -> Bound:
    """Load the scorer that ``options`` name, which asks no judge, and tie it to them."""
    module = _module(options)
    return Bound(identity(options), module.GRADED, module.bind(options))


@lru_cache(maxsize=4096)
def identity(options: ScorerOptions) -> ScorerIdentity:
    """Say which arithmetic this is: name, version and every parameter."""
    params = options.model_dump(mode="json", exclude={"name"})
    return ScorerIdentity(
        name=options.name, version=_module(options).VERSION, params=canonical(params)
    )


@lru_cache(maxsize=4096)
def scorer_text(options: ScorerOptions) -> str:
    """Spell a scorer's identity canonically, for the digests of the cases it scores."""
    return canonical(identity(options).model_dump(mode="json"))


def is_graded(options: ScorerOptions) -> bool:
    """Say whether the scorer gives scores between 0 and 1."""
    graded: bool = _module(options).GRADED
    return graded


def needs_reference(options: ScorerOptions) -> bool:
    """Say whether the scorer compares with a reference."""
    needs: bool = _module(options).NEEDS_REFERENCE
    return needs


def is_recorded(options: ScorerOptions) -> bool:
    """Say whether the scores are another tool's."""
    return options.name == RECORDED


class Asked(NamedTuple):
    """How a judged scorer asks: a prompt, a text of the options for it, and how often."""

    prompt: PromptName
    text: str | None
    runs: int


def is_judged(options: ScorerOptions) -> bool:
    """Say whether the scorer asks a judge."""
    return options.name in JUDGED


def asked(options: ScorerOptions) -> Asked:
    """Say how a scorer that asks a judge does so."""
    module = _module(options)
    prompt, text = module.prompt(options)
    return Asked(prompt, text, module.RUNS)


def objection(case: EvalCase, suite: ScorerOptions) -> str | None:
    """Say why ``case`` cannot be scored, ``None`` if it can; names what is missing."""
    if case.scorer is not None and is_judged(case.scorer):
        return f"brings the scorer {case.scorer.name!r}: only a whole suite's asks a judge"
    if case.scorer is not None and is_recorded(case.scorer):
        return f"brings the scorer {case.scorer.name!r}: only a whole suite's is another tool's"
    return _objector(case.scorer or suite)(case.reference)


def objector(suite: ScorerOptions) -> Callable[[EvalCase], str | None]:
    """Tie :func:`objection` to the suite's scorer, which is looked up once for all cases."""
    usual = _objector(suite)

    def said(case: EvalCase) -> str | None:
        return usual(case.reference) if case.scorer is None else objection(case, suite)

    return said


@lru_cache(maxsize=4096)
def _objector(options: ScorerOptions) -> Callable[[str | None], str | None]:
    """Tie the question to one scorer, since it is asked of every case."""
    module = _module(options)
    ask, needs_reference = module.objection, module.NEEDS_REFERENCE

    def said(reference: str | None) -> str | None:
        if needs_reference and reference is None:
            return f"has no reference, which the scorer {options.name!r} needs"
        found: str | None = ask(options, reference)
        return found

    return said


def _module(options: ScorerOptions) -> Any:  # noqa: ANN401 - a module of the table
    return _loaded(options.name)


@cache
def _loaded(name: str) -> Any:  # noqa: ANN401 - as above
    return import_module(SCORERS[name])
