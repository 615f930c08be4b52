"""`calibrate`: labels and a judge in, kappa and a trust record out, and the gate obeys it."""

import json
from decimal import Decimal

import pytest

from gate.judges.trust_store import read_trust
from gate.records.judge_run import Judgement
from gate.records.report import Digests, Report
from gate.report.result_json import write_result

CONFIG = {
    "provider": "gemini",
    "model": "gemini-3.8-flash",
    "params": {},
    "prompt": "autorater",
    "prompt_digest": "sha256:" + "1" * 64,
    "schema_digest": "sha256:" + "2" * 64,
    "runs": 3,
    "rating_map": {"0": 0.0, "1": 0.5, "2": 1.0},
    "condenser": 1,
    "parser": 1,
    "tools": None,
    "command": None,
}
VOTES = {
    "a": (1.0, 1.0, 1.0),
    "b": (0.0, 0.0, 0.5),
    "c": (0.5, 0.5, 0.5),
    "d": (1.0, 0.5, 1.0),
    "e": (0.0, 0.0, 0.0),
    "f": (0.5, 0.5, 1.0),
}
PEOPLE = {"a": 2, "b": 0, "c": 1, "d": 2, "e": 0, "f": 1}
WORKER = """
import json, re, sys
print(json.dumps({"hello": {"protocol": 1, "name": "t", "version": "1", "concurrency": 1}}))
sys.stdout.flush()
def part(name, text):
    found = re.search(rf"<{name}-(\\w+)>\\n(.*?)\\n</{name}-\\1>", text, re.DOTALL)
    return found and found[2]
def rate(reference, said):
    held = reference in said
    return 2 if held or BIASED and len(said) > 200 else 0
for line in sys.stdin:
    asked = json.loads(line)
    prompt, reply = asked["prompt"], {"assessment": "by rule"}
    reference = part("reference", prompt)
    if "better" in asked["schema"]["properties"]:
        one, two = (rate(reference, part(f"response_{n}", prompt)) for n in (1, 2))
        reply["better"] = 1 if BIASED else 0 if one == two else 1 if one > two else 2
    else:
        reply["rating"] = rate(reference, part("response", prompt))
    print(json.dumps({"id": asked["id"], "json": reply}))
    sys.stdout.flush()
"""


@pytest.fixture
def stored(make, house):
    """Write a judged result by the code's own writer."""

    def write(votes=VOTES, *, config=CONFIG, name="result.json"):
        rows = [
            make.row(
                case_id,
                sum(said) / len(said),
                labels=("hard",) if case_id in "ab" else (),
                judgement=Judgement(status="ok", votes=said, keys=("0" * 16,) * len(said)),
            )
            for case_id, said in sorted(votes.items())
        ]
        report = Report(
            verdict=None,
            exit_status=0,
            suite=make.suite(*rows, pass_threshold=Decimal(1)),
            cases=tuple(rows),
            scorer=make.scorer("autorater"),
            judge_config=config,
            policy="{}",
            digests=Digests(cases=make.SHA, predictions=make.SHA, policy=make.SHA, baseline=None),
        )
        return house.text(name, write_result(report))

    return write


def labelled(house, labels=PEOPLE):
    return house.lines(
        "human.jsonl", [{"id": key, "label": value} for key, value in labels.items()]
    )


def calibrated(house, *options, result="result.json"):
    given = ("--labels", "human.jsonl", *(("--result", result) if result else ()))
    return house.run("calibrate", *given, *options)


def test_a_stored_result_and_labels_become_a_page_and_a_record(house, stored):
    stored()
    labelled(house, {**PEOPLE, "f": 2, "z": 0})
    run = calibrated(house, "--to", "trust.json")
    assert run.status == 0, run.err
    assert "How far the judge gemini gemini-3.8-flash agrees with people" in run.out
    assert "with quadratic weights: almost perfect (95 % interval" in run.out
    assert "6 labelled responses, 83.3 % judged alike; 1 of no response of this run" in run.out
    assert "hard" in run.out
    assert "Trusted: kappa 0.8" in run.out
    record = read_trust((house.folder / "trust.json").read_bytes(), source="trust.json")
    assert record.confusion == ((2, 0, 0), (0, 1, 0), (0, 1, 2))
    assert record.scorer == "autorater"
    assert "written: trust.json" in run.err


def test_it_says_whether_a_stricter_gate_would_trust_it(house, stored):
    stored()
    labelled(house)
    assert "Trusted: kappa 1.000" in calibrated(house, "--min-kappa", "1").out
    run = calibrated(house, "--min-kappa", "0.9", "--criterion", "lower")
    assert run.status == 0
    assert "Not trusted: kappa 1.000" in " ".join(run.out.split())
    assert "the lower bound of kappa is below 0.9" in " ".join(run.out.split())


def test_a_judge_that_rates_all_alike_is_not_trusted(house, stored):
    stored(dict.fromkeys("abcdef", (1.0, 1.0, 1.0)))
    labelled(house)
    run = calibrated(house)
    assert "kappa 0.000 with quadratic weights: slight" in run.out
    assert "Not trusted" in run.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--min-kappa", "2"), "`--min-kappa` should be less than or equal to 1"),
        (("--min-kappa", "x"), "`--min-kappa`"),
        (("--criterion", "upper"), "`--criterion`"),
        (("--audit",), "--result asks nobody, so it takes no --audit"),
        (
            ("--cases", "c.jsonl", "--judge-model", "m"),
            "--result asks nobody, so it takes no --cases, --judge-model",
        ),
        (("--to", "./human.jsonl"), "would overwrite the input human.jsonl"),
        (("--to", "result.json"), "would overwrite the input result.json"),
        (("--judge-trust", "x"), "calibrate makes that record"),
    ],
)
def test_what_makes_no_sense_is_refused(house, stored, options, said):
    stored()
    labelled(house)
    run = calibrated(house, *options)
    assert run.status == 2
    assert said in run.err


def test_an_agent_s_model_means_nothing_without_an_audit(house, stored):
    stored()
    labelled(house)
    run = calibrated(house, "--agent-model", "gpt-9")
    assert run.status == 2
    assert "--agent-model" in run.err


def test_labels_are_looked_for_and_at_before_anything_is_asked(house):
    run = calibrated(house, result=None)
    assert (run.status, "--labels: human.jsonl" in run.err) == (2, True)
    house.text("human.jsonl", '{"id": "a", "label": "good"}')
    run = calibrated(house, result=None)
    assert (run.status, "human.jsonl:1: `label` expected a number" in run.err) == (2, True)


def test_a_label_off_the_scale_of_this_judge_is_refused(house, stored):
    stored()
    labelled(house, {"a": 0.5})
    run = calibrated(house)
    assert run.status == 2
    assert "`label` 0.5 is none of 0, 1 and 2, the judge's ratings" in run.err


def test_labels_of_another_suite_are_refused(house, stored):
    stored()
    labelled(house, {"x": 1})
    run = calibrated(house)
    assert run.status == 2
    assert "human.jsonl: none of the 1 label is about a response of this run" in run.err


def test_a_result_without_a_judge_or_with_edited_rows_is_refused(house, stored):
    stored(config=None)
    labelled(house)
    run = calibrated(house)
    assert run.status == 2
    assert "no judge scored this result (its scorer is 'autorater')" in run.err
    text = (house.folder / stored()).read_text()
    house.text("result.json", text.replace('"passed": true', '"passed": false'))
    run = calibrated(house)
    assert run.status == 2
    assert "contradicts its score" in run.err


def asked(house, *options, biased=False):
    house.text("judge.py", f"BIASED = {biased}\n{WORKER}")
    return (
        *("--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--scorer", "judge", "--judge", "command", "--judge-command", "python judge.py"),
        *("--judge-prompt", house.text("rubric.txt", "Is it right?\n")),
        *options,
    )


@pytest.fixture
def suite(house):
    """Six cases, of which the agent answered three right, and people who saw that."""
    words = ("Paris", "Lima", "Oslo", "Bern", "Rome", "Kyiv")
    rows = [{"id": word, "input": "Which?", "reference": word} for word in words]
    house.lines("cases.jsonl", rows)
    house.lines(
        "predictions.jsonl",
        [
            {"id": word, "output": f"It is {word if at % 2 else 'far away'}."}
            for at, word in enumerate(words)
        ],
    )
    labelled(house, {word: 2 * (at % 2) for at, word in enumerate(words)})
    return house


def test_a_judge_that_is_asked_is_calibrated_and_its_biases_are_found(suite):
    run = calibrated(suite, *asked(suite, "--audit"), result=None)
    assert run.status == 0, run.err
    assert "NO" not in run.out.split()
    record = asked(suite, "--audit", "--agent-model", "gpt-9", "--to", "t.json", biased=True)
    run = calibrated(suite, *record, result=None)
    assert run.status == 0, run.err
    failed = {line.split()[0] for line in run.out.splitlines() if " NO" in line}
    assert failed == {"padded", "padded_wrong", "position"}
    assert "nothing tells which house 'command' is of" in run.out
    found = read_trust((suite.folder / "t.json").read_bytes(), source="t.json")
    probes = {probe.name: probe for probe in found.probes}
    assert probes["position"].figure == 1.0
    assert probes["padded_wrong"].figure == 1.0


def test_a_dry_run_counts_the_audit_as_well_and_asks_nothing(suite):
    run = calibrated(suite, *asked(suite, "--audit", "--dry-run"), result=None)
    assert run.status == 0, run.err
    assert "audit: " in run.out
    assert " questions besides" in run.out
    assert not (suite.folder / ".agent-eval-gate").exists()


def test_a_scorer_that_asks_no_judge_has_nothing_to_calibrate(suite):
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    run = calibrated(suite, *given, "--scorer", "contains", result=None)
    assert run.status == 2
    assert "the scorer 'contains' asks no judge: nothing to calibrate" in run.err


def test_the_gate_obeys_the_record_and_an_edited_one_is_refused(suite):
    people = {"Paris": 0, "Lima": 2, "Oslo": 1, "Bern": 2, "Rome": 0, "Kyiv": 1}
    labelled(suite, people)
    assert calibrated(suite, *asked(suite, "--to", "t.json"), result=None).status == 0
    floor = ("--allow-missing-baseline", "--min-pass-rate", "0.1", "--judge-trust", "t.json")
    run = suite.run("check", *asked(suite), *floor)
    assert run.gate("judge_trust")["outcome"] == "pass", run.out
    assert run.status == 0
    other = suite.run("check", *asked(suite, "--judge-runs", "2"), *floor)
    assert other.status == 3
    assert "of another judge: runs was 1, is 2" in other.gate("judge_trust")["because"]
    text = json.loads((suite.folder / "t.json").read_text())
    suite.text("t.json", json.dumps({**text, "kappa": 1.0}))
    run = suite.run("check", *asked(suite), *floor)
    assert run.status == 2
    assert "t.json: `kappa` is not what its confusion matrix gives" in run.err


def test_a_policy_may_name_the_record_before_there_is_one(suite):
    suite.text("gate.toml", '[judge]\ntrust = "t.json"\n')
    run = calibrated(suite, *asked(suite, "--to", "t.json"), result=None)
    assert run.status == 0, run.err
    assert (suite.folder / "t.json").exists()
