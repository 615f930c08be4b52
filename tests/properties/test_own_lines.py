"""A case and a prediction come back from a line of ours as they were."""

from hypothesis import given
from hypothesis import strategies as st

from gate.inputs.cases import read_cases
from gate.inputs.own_lines import case_line, prediction_line
from gate.inputs.predictions import PredictionReader
from gate.records.case import EvalCase, Prediction
from gate.records.json_text import canonical
from gate.records.scoring import NumericWithinOptions, RubricCheck, RubricOptions

NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)
LISTS = st.lists(TEXTS, max_size=3).map(tuple)
SCALARS = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2)
)
SCORERS = st.none() | st.sampled_from(
    (
        NumericWithinOptions(tolerance="0.05"),
        RubricOptions(checks=(RubricCheck(kind="contains", value="é", weight="0.5"),)),
    )
)
CASES = st.builds(
    EvalCase,
    id=NAMES,
    input=TEXTS,
    reference=st.none() | TEXTS,
    expected_tools=LISTS,
    labels=st.sets(NAMES, max_size=3).map(sorted).map(tuple),
    cluster=st.none() | NAMES,
    scorer=SCORERS,
    metadata=st.dictionaries(NAMES.map("m-{}".format), VALUES, max_size=2).map(canonical),
)
AMOUNTS = st.none() | st.floats(0, 1e6)


@st.composite
def predictions(draw):
    output = draw(st.none() | TEXTS)
    return Prediction(
        id=draw(NAMES),
        repeat=draw(st.integers(0, 999)),
        output=output,
        error=None if output is not None else draw(NAMES.filter(str.strip)),
        tools=draw(st.none() | LISTS),
        cost_usd=draw(AMOUNTS),
        latency_ms=draw(AMOUNTS),
        trace=draw(st.none() | TEXTS | VALUES.filter(bool).map(canonical)),
    )


@given(CASES)
def test_a_case_comes_back(case):
    line = case_line(case)
    assert line.isascii()
    assert line.count("\n") == 1
    (found,) = read_cases(line.encode(), source="c")
    assert found == case


@given(predictions())
def test_a_prediction_comes_back(prediction):
    line = prediction_line(prediction)
    assert line.isascii()
    assert line.count("\n") == 1
    reader = PredictionReader([line.encode()], source="p", traces=True)
    (found,) = reader
    assert found == prediction
    assert reader.ignored_total == 0
