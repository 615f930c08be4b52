import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.pairing import Pairing
from gate.records.case import EvalCase, Prediction

CASES = tuple(EvalCase(id=name, input="?") for name in ("a", "b", "c", "d"))


def answer(name, repeat=0):
    return Prediction(id=name, repeat=repeat, output="x")


def paired(*predictions):
    pairing = Pairing(CASES)
    return pairing, list(pairing.pair(iter(predictions)))


def test_each_prediction_meets_its_case_in_the_order_they_come():
    _, pairs = paired(answer("c"), answer("a", 1), answer("a"))
    assert [(case.id, prediction.repeat) for case, prediction in pairs] == [
        ("c", 0),
        ("a", 1),
        ("a", 0),
    ]
    assert pairs[0][0] is CASES[2]


def test_pairing_streams():
    def endless():
        while True:
            yield answer("a")

    assert next(Pairing(CASES).pair(endless()))[0].id == "a"


def test_a_case_without_a_prediction_is_missing():
    pairing, _ = paired(answer("c"))
    assert pairing.missing == ("a", "b", "d")


def test_an_agent_error_is_a_prediction():
    pairing, pairs = paired(Prediction(id="a", error="crashed"))
    assert len(pairs) == 1
    assert "a" not in pairing.missing


def test_repeats_are_counted_for_every_case():
    pairing, _ = paired(answer("a"), answer("a", 4), answer("b"))
    assert pairing.repeats == {"a": 2, "b": 1, "c": 0, "d": 0}
    assert pairing.runs == 5


def test_without_predictions_there_are_no_runs():
    pairing, _ = paired()
    assert pairing.runs == 0


def test_an_unknown_id_is_counted_and_listed_and_never_paired():
    pairing, pairs = paired(answer("z"), answer("pad"), answer("z", 9), answer("a"))
    assert [case.id for case, _ in pairs] == ["a"]
    assert pairing.unknown_ids == ("pad", "z")
    assert pairing.unknown_predictions == 3
    assert pairing.runs == 1


def test_ids_match_by_exact_code_points():
    pairing, pairs = paired(answer("A"), answer("a "), answer("\uff41"))
    assert pairs == []
    assert pairing.unknown_predictions == 3


def test_of_many_unknown_ids_the_first_hundred_are_listed():
    pairing, _ = paired(*(answer(f"u{index:05}") for index in reversed(range(5000))))
    assert pairing.unknown_ids == tuple(f"u{index:05}" for index in range(100))
    assert pairing.unknown_predictions == 5000


def test_no_prediction_at_all_is_refused():
    pairing, _ = paired()
    with pytest.raises(PredictionsInvalid, match=r"^p\.jsonl: 0 predictions for 4 cases$"):
        pairing.require_any(source="p.jsonl")


def test_predictions_for_no_case_are_refused_with_ids_of_both_sides():
    pairing, _ = paired(*(answer(f"u{index}\n") for index in range(8)))
    with pytest.raises(PredictionsInvalid) as caught:
        pairing.require_any(source="p.jsonl")
    message = str(caught.value)
    assert message.startswith(
        "p.jsonl: none of the 8 predictions answers any of the 4 cases (first ids: 'u0\\n', "
    )
    assert "'a', 'b', 'c', 'd'" in message
    assert "u5" not in message


def test_one_of_each_is_spelt_in_the_singular():
    pairing = Pairing(CASES[:1])
    assert list(pairing.pair([answer("z")])) == []
    with pytest.raises(PredictionsInvalid, match="1 prediction answers any of the 1 case "):
        pairing.require_any(source="p")


def test_one_answer_is_enough():
    pairing, _ = paired(answer("a"), answer("z"))
    pairing.require_any(source="p.jsonl")


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([], "the file of junit holds no answer"),
        (
            [answer("z")],
            "bring the --cases that the file of junit answers, or name with --id-field",
        ),
    ],
)
def test_of_another_tools_file_no_description_of_our_own_is_given(answers, said):
    pairing, _ = paired(*answers)
    with pytest.raises(PredictionsInvalid) as caught:
        pairing.require_any(source="p.xml", tool="junit")
    assert caught.value.remedy.startswith(said)
    with pytest.raises(PredictionsInvalid) as caught:
        pairing.require_any(source="p.jsonl")
    assert caught.value.remedy == PredictionsInvalid.hint
