"""A judge that answers by a function, and a run of the shell that asks it, all in memory."""

import json
from contextlib import contextmanager

from gate.errors import FileAbsent
from gate.ports import Asker
from gate.records.json_text import digest
from gate.records.judge_words import Usage
from gate.records.judging import Answer
from gate.records.policy import Overrides
from gate.report.result_json import write_result
from gate.shell.asking import Asking
from gate.shell.gather import Means
from gate.shell.score import foreseen, measure
from gate.shell.stored import promoted, redecide

USAGE = Usage(input_tokens=100, output_tokens=10, thinking_tokens=5)
BAD = ('["unknown"', "I could not find this out.")
"""What a known-bad answer of the gate's own looks like."""


def said(document, **fields):
    """Give a whole reply, as a provider gives it; ``fields`` are what is otherwise."""
    text = document if isinstance(document, str) else json.dumps(document)
    given = {
        "status": "ok",
        "text": text,
        "model": "m-001",
        "finish_reason": "STOP",
        "usage": USAGE,
    }
    return Answer(**{**given, **fields})


def failed(status, message="it says so", **fields):
    """Give an answer without a reply."""
    return Answer(status=status, message=message, **fields)


def elements(*scores, primary=True):
    """Give a reply that scores elements, the first of which is the primary one."""
    listed = [
        {"index": at, "depends_on_primary": at > 1, "score": score, "reason": f"because {score}"}
        for at, score in enumerate(scores, 1)
    ]
    return {"primary_entity_correct": primary, "primary_index": 1, "elements": listed}


def rating(number, assessment="as it seems"):
    """Give a reply that rates."""
    return {"assessment": assessment, "rating": number}


def is_canary(question):
    return any(words in question.prompt for words in BAD)


def by_case(found, *, canary=None, usual=None):
    """Answer by the id of the case; a known-bad answer gets ``canary``, 0 where none is given.

    Whatever ``found`` holds for a case may be an answer, or a function of the question.
    """

    def answer(question):
        if is_canary(question):
            rated = "rating" in question.schema_text
            worthless = said(rating(0) if rated else elements(0.0, 0.0))
            return worthless if canary is None else canary
        given = found.get(question.case_id, usual)
        return given(question) if callable(given) else given

    return answer


class FakeAsker(Asker):
    """Answers by a function, in the order of the questions, and keeps what it was asked.

    After ``interrupted`` answers somebody presses Ctrl-C; after ``stops`` it stops by itself.
    """

    def __init__(self, answer, *, interrupted=None, stops=None):
        self.answer = answer
        self.asked = []
        self._interrupted = interrupted
        self._stops = stops

    def ask(self, questions, *, settle, go_on):
        self.stopped = None
        for question in questions:
            if not go_on():
                self.stopped = "told to ask no more"
                return
            if len(self.asked) == self._interrupted:
                raise KeyboardInterrupt
            if len(self.asked) == self._stops:
                self.stopped = "the deadline is over"
                return
            self.asked.append(question)
            yield question, settle(question, self.answer(question))


class Court:
    """Cases, predictions and a judge; each run is the shell's own, on files in memory."""

    CASES = "cases.jsonl"
    PREDICTIONS = "predictions.jsonl"
    LEDGER = "out/ledger.jsonl"
    RESULT = "out/result.json"

    def __init__(self, memory, *, scorer="geoktools"):
        self.files = memory({})
        self.scorer = scorer
        self.told = []
        self.seen = []
        self.redact = str
        self.reuse = True
        self.today = "2026-07-01"
        self.asker = FakeAsker(by_case({}))
        self.connected = []
        self.base = None

    def rows(self, name, rows):
        self.files.held[name] = "".join(json.dumps(row) + "\n" for row in rows).encode()

    def text(self, name, text):
        self.files.held[name] = text.encode()

    def answers(self, answer, **how):
        """Let another judge be asked from now on; give it."""
        self.asker = FakeAsker(answer, **how)
        return self.asker

    @property
    def asked(self):
        """What was asked about the agent's answers, by case."""
        return [one.case_id for one in self.asker.asked if not is_canary(one)]

    @contextmanager
    def _connect(self, options, model, params):
        self.connected.append((options.provider, model, params))
        yield self.asker

    @property
    def means(self):
        asking = Asking(
            address=lambda options: options.base_url,
            connect=self._connect,
            command_digest=lambda command: digest(list(command)),
            names_a_file=lambda _: True,
            day=lambda: self.today,
            ledger=self.LEDGER,
            reuse=self.reuse,
            in_checkout=lambda path: not path.startswith("/"),
            progress=self.seen.append,
            tell=self.told.append,
        )
        return Means(self.files, self.redact, lambda lines: lines, asking=asking, base=self.base)

    def options(self, **more):
        given = {"cases": self.CASES, "predictions": self.PREDICTIONS, "judge": "gemini"}
        if self.scorer is not None:
            given["scorer"] = self.scorer
        given |= more
        return Overrides(**{key: value for key, value in given.items() if value is not None})

    def score(self, *, policy=None, **more):
        return measure(self.means, self.options(**more), policy=policy, gated=False)

    def check(self, *, policy=None, **more):
        return measure(self.means, self.options(**more), policy=policy, gated=True)

    def floor(self, least, **more):
        """Check without a baseline: ``least`` is the pass rate that must be reached."""
        return self.check(allow_missing_baseline=True, min_pass_rate=least, **more)

    def foresee(self, **more):
        return foreseen(self.means, self.options(**more), policy=None, gated=False)

    def accept(self, name="baseline.json", **more):
        """Score with the judge of now, and make that the baseline."""
        from gate.baseline.store import write_baseline

        report = self.score(**more)
        self.store(report)
        baseline = promoted(self.means, self.RESULT, target=name, reason="a sample")
        self.text(name, write_baseline(baseline))
        self.files.held.pop(self.LEDGER, None)
        return report

    def store(self, report):
        self.text(self.RESULT, write_result(report))

    def decide(self, **more):
        return redecide(self.means, self.RESULT, Overrides(), policy=None, embedded=True, **more)

    def stored(self):
        """Give the stored result, to be edited and put back with :meth:`edited`."""
        return json.loads(self.files.held[self.RESULT])

    def edited(self, document):
        self.text(self.RESULT, json.dumps(document))

    @property
    def ledger(self):
        """The lines of the ledger."""
        try:
            return self.files.held[self.LEDGER].splitlines(keepends=True)
        except KeyError:
            raise FileAbsent(self.LEDGER) from None


def gate(report, name):
    return next(one for one in report.gates if one.gate == name)
