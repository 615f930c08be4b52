import pytest

from gate.judges.prompts import prompt_of
from gate.judges.questions import Response, Setup
from gate.records.case import EvalCase, Prediction


@pytest.fixture
def response():
    """Make one response under judgement."""

    def make(output='["Lyon", 100]', reference='["Paris", 105]', **more):
        case = EvalCase(
            id=more.get("id", "geo-1"),
            input=more.get("input", "Capital and area: [__, __]"),
            reference=reference,
            expected_tools=more.get("expected_tools", ()),
        )
        error = "crashed" if output is None else None
        prediction = Prediction(
            id=case.id,
            repeat=more.get("repeat", 0),
            output=output,
            error=error,
            tools=more.get("tools"),
        )
        return Response(case, prediction, more.get("trace"))

    return make


@pytest.fixture
def setup():
    """Make the setup of a judge."""

    def make(name="geoktools", *, text=None, **more):
        more.setdefault("date", "2026-07-01" if name in {"autorater", "workflow"} else None)
        return Setup(prompt_of(name, text=text), "gemini", "gemini-3.8-flash", **more)

    return make
