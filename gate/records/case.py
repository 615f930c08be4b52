"""What is asked and what came back: a golden case, an agent's answer, a prediction."""

from collections.abc import Callable

from gate.records.base import Count, Name, ObjectText, Real, Text, row
from gate.records.scoring import ScorerOptions

Scorer = Callable[[str, str], float]
"""``(output, reference)`` to a score in [0, 1]; a judge has the same shape."""


@row
class EvalCase:
    """One golden case.

    ``reference`` is ``None`` where the case has none; one that is not a string in the file
    is held as canonical JSON text. ``expected_tools`` empty means that no path is declared.
    ``labels`` are sorted and unique. Cases of one ``cluster`` (questions on one document, variants
    of one prompt) are no independent evidence. ``scorer`` overrides the suite's for this case.
    """

    id: Name
    input: Text
    reference: Text | None = None
    expected_tools: tuple[Text, ...] = ()
    labels: tuple[Name, ...] = ()
    cluster: Name | None = None
    scorer: ScorerOptions | None = None
    metadata: ObjectText = "{}"


@row
class AgentResult:
    """What an agent returns: the final text and the tools it called, in order."""

    output: Text
    tools: tuple[Text, ...] = ()


AgentFn = Callable[[str], AgentResult]
"""An agent is handed ``case.input``, a string, never the case: it cannot peek."""


@row
class Prediction:
    """One answer of one run: either ``output`` or ``error`` is set, never both.

    An output that is not a string in the file is held as canonical JSON text.
    ``tools`` is ``None`` where the file does not say which tools were called. ``trace`` is what
    the agent did, as JSON text; it is read only where a judge is to see it. ``recorded`` is the
    score that another tool recorded for it, where that is what counts; no prediction of our own
    format has one.
    """

    id: Name
    repeat: Count = 0
    output: Text | None = None
    error: Text | None = None
    tools: tuple[Text, ...] | None = None
    cost_usd: Real | None = None
    latency_ms: Real | None = None
    trace: Text | None = None
    recorded: Real | None = None
