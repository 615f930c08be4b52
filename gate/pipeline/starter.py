"""A first suite for what lies in a folder: which files it takes, and what to run next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.inputs.own_lines import case_line
from gate.pipeline.starter_texts import ASK, EXAMPLE_CASES, NODE, POLICY, PYTHON, WORKFLOW
from gate.records.figures import count
from gate.records.json_text import spelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.case import EvalCase

POLICY_FILE: Final = "gate.toml"
WORKFLOW_FILE: Final = ".github/workflows/agent-eval.yml"
CASES_FILE: Final = "evals/cases.jsonl"
ASK_FILE: Final = "evals/ask.py"
BASELINE_FILE: Final = "baselines/suite.json"
PREDICTIONS_FILE: Final = "predictions.jsonl"
_ACCEPTED: Final = ".agent-eval-gate/accepted"
"""Apart from what `check` writes, which takes away what lies in its own folder."""
_ASK: Final = f'python {ASK_FILE} {{cases}} "$RESULTS"'
_SCRIPT: Final = (
    'python evals/run.py "$RESULTS" # yours: runs the evaluation, and writes this file'
)
_RUNS: Final = {
    "inspect_ai": (
        'inspect eval evals/task.py --log-dir "$RUNNER_TEMP/logs" --log-format "${RESULTS##*.}"',
        'cp "$RUNNER_TEMP"/logs/* "$RESULTS"',
    ),
    "promptfoo": (
        'npx promptfoo eval --no-cache --output "$RESULTS" || [ "$?" -eq 100 ] # a test failed',
    ),
    "junit": ('python -m pytest --junitxml "$RESULTS" evals || [ "$?" -eq 1 ] # a test failed',),
    "lm_eval": (
        'lm_eval run --tasks mine --log_samples --output_path "$RUNNER_TEMP/out"',
        'cp "$RUNNER_TEMP"/out/*/samples_*.jsonl "$RESULTS"',
    ),
    "openai_evals": ('oaieval my-agent my-eval --record_path "$RESULTS"',),
}
"""What a workflow runs so that a tool writes its file; others are run by a script."""
_PROMPTFOO: Final = "promptfoo"
_WHAT: Final = {
    "recorded": "the score that the tool recorded",
    "contains": "the reference stands in the answer",
    "rubric": "predicates on the answer; put yours here",
}
_OTHERS: Final = 5
_WIDE: Final = 0x10000
"""From here on characters take two escapes in JSON, and one in TOML."""


class Scored(NamedTuple):
    """How the answers are scored: by a scorer of ours, or by ``score``, which ``tool`` recorded.

    ``others`` are the names of its other scores.
    """

    name: str
    score: str | None = None
    tool: str | None = None
    others: tuple[str, ...] = ()


class Suite(NamedTuple):
    """What is known of the suite to be.

    ``predictions`` is the file of the answers, ``tool`` whose it is (``None``: ours), ``is_there``
    whether it is. ``cases`` are to be written; else ``cases_file`` is there, or there are none
    yet. ``n_without`` of the ``n_answers`` have no score; where the file is not ``is_whole``
    answers may be missing. ``asks`` says that the answers come from a script of ours.
    """

    predictions: str
    scored: Scored
    tool: str | None = None
    cases_file: str | None = None
    cases: tuple[EvalCase, ...] = ()
    n_answers: int = 0
    n_without: int = 0
    asks: bool = False
    is_example: bool = False
    is_there: bool = True
    is_whole: bool = True


class Starter(NamedTuple):
    """Files to write, by their paths, and the commands to run next."""

    files: dict[str, str]
    steps: tuple[str, ...]


def starter(suite: Suite) -> Starter:
    """Compose the files and the next steps of a suite."""
    files: dict[str, str] = {}
    if suite.is_example:
        files[CASES_FILE] = EXAMPLE_CASES
    elif suite.cases:
        files[CASES_FILE] = "".join(map(case_line, suite.cases))
    if suite.asks:
        files[ASK_FILE] = ASK
    files[POLICY_FILE] = _policy(suite, _cases_at(suite))
    files[WORKFLOW_FILE] = _workflow(suite, _cases_at(suite))
    return Starter(files, tuple(_steps(suite)))


def _cases_at(suite: Suite) -> str | None:
    return CASES_FILE if suite.cases or suite.is_example else suite.cases_file


def _policy(suite: Suite, cases: str | None) -> str:
    whose = "what the agent answered" if suite.tool is None else f"a file of {suite.tool}"
    counted = f"cases = {_toml(cases)}  # what is counted, and what is expected\n" if cases else ""
    answers = f"predictions = {_toml(suite.predictions)}  # {whose}; each run writes it"
    accepted = (
        f"baseline = {_toml(BASELINE_FILE)}  # what was accepted; `baseline promote` writes it"
    )
    scorer = "\n".join(_scorer(suite.scored))
    return POLICY.format(cases=counted, predictions=answers, baseline=accepted, scorer=scorer)


def _scorer(scored: Scored) -> Iterator[str]:
    yield f"name = {_toml(scored.name)}  # {_WHAT[scored.name]}"
    if scored.name == "rubric":
        yield 'checks = [{ kind = "min_words", value = 1 }]'
    if scored.score is not None:
        others = ", ".join(map(_toml, scored.others[:_OTHERS]))
        yield f"score = {_toml(scored.score)}" + (f"  # or {others}" if others else "")
    if scored.tool is not None:
        yield f"tool = {_toml(scored.tool)}  # a file of another tool is refused"


def _toml(text: str) -> str:
    r"""Spell a text as TOML does, in ASCII.

    >>> print(_toml('say "\u00e9"'), _toml("\U0001f600"))
    "say \"\u00e9\"" "\U0001f600"
    """
    plain = spelled(text)
    if text.isascii():
        return plain.replace("\x7f", "\\u007f")
    return (
        '"'
        + "".join(spelled(one)[1:-1] if ord(one) < _WIDE else f"\\U{ord(one):08x}" for one in text)
        + '"'
    )


def _workflow(suite: Suite, cases: str | None) -> str:
    usual = (_SCRIPT,) if suite.tool is not None else (_ASK.format(cases=cases),)
    run = _RUNS.get(suite.tool or "", usual)
    if "/" in suite.predictions:
        run = ('mkdir -p -- "${RESULTS%/*}"', *run)
    return WORKFLOW.format(
        setup=(NODE if suite.tool == _PROMPTFOO else PYTHON).rstrip("\n"),
        results=spelled(suite.predictions),
        run="\n".join(f"          {line}" for line in run),
    )


def _steps(suite: Suite) -> Iterator[str]:
    if suite.asks:
        yield f"python {ASK_FILE} {_cases_at(suite)} {suite.predictions}"
    elif not suite.is_there:
        yield f"npx promptfoo eval --output {suite.predictions}"
    yield f"agent-eval-gate score --out {_ACCEPTED}"
    without = f"{suite.n_without:,} of {count(suite.n_answers, 'answer')} have no score"
    said = without if suite.n_without else "" if suite.is_whole else "answers may be missing"
    because = f' --reason "a beginning: {said}"' if said else ""
    result = f"{_ACCEPTED}/result.json"
    yield f"agent-eval-gate baseline promote --result {result} --to {BASELINE_FILE}{because}"
    yield "agent-eval-gate check"
