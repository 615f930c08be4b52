"""What the exit status says, and which wins when several hold: 4, then 2, then 1, then 3."""

import json

import pytest


def test_every_gate_passed_is_0(house):
    house.start()
    run = house.check()
    assert (run.status, run.result["verdict"], run.result["exit_status"]) == (0, "pass", 0)


def test_a_failed_gate_is_1(house):
    house.start()
    run = house.check(predictions=house.ONE_WRONG)
    assert (run.status, run.result["verdict"], run.result["exit_status"]) == (1, "fail", 1)


def test_advisory_is_0_and_says_the_real_verdict_loudly(house):
    house.start()
    run = house.check("--advisory", predictions=house.ONE_WRONG)
    assert (run.status, run.result["verdict"], run.result["advisory"]) == (0, "fail", True)
    assert "Advisory run: the verdict is FAIL" in run.report
    assert "Advisory run: the verdict is FAIL" in " ".join(run.out.split())


def test_advisory_does_not_excuse_invalid_input(house):
    house.start()
    house.text("predictions.jsonl", "not json\n")
    assert house.check("--advisory").status == 2


def test_undecided_is_3(house):
    house.start()
    run = house.check("--pass-threshold", "0.5")
    assert (run.status, run.result["verdict"], run.result["exit_status"]) == (3, "undecided", 3)


def test_invalid_input_is_2_and_no_result_is_written(house):
    house.start()
    house.text("predictions.jsonl", "{}\n")
    run = house.check()
    assert (run.status, run.result, run.report) == (2, None, None)


def test_a_defect_is_4_and_no_result_is_written(house, monkeypatch):
    house.start()

    def broken(*_args, **_kwargs):
        raise ZeroDivisionError("as if")

    monkeypatch.setattr("gate.shell.score.measure", broken)
    run = house.check()
    assert (run.status, run.result, run.report) == (4, None, None)
    assert "a defect of agent-eval-gate: ZeroDivisionError: as if" in run.err
    assert "Traceback" not in run.err


def test_verbose_shows_the_traceback_of_a_defect(house, monkeypatch):
    house.start()

    def broken(*_args, **_kwargs):
        raise ZeroDivisionError("as if")

    monkeypatch.setattr("gate.shell.score.measure", broken)
    monkeypatch.setenv("RUNNER_DEBUG", "1")
    assert "Traceback" in house.check().err


def test_a_defect_wins_over_everything(house, monkeypatch):
    house.start()

    def broken(*_args, **_kwargs):
        raise RuntimeError("while failing")

    monkeypatch.setattr("gate.report.markdown.render_markdown", broken)
    assert house.check("--advisory", predictions=house.LEAK).status == 4


def test_invalid_wins_over_a_failed_gate(house):
    house.start()
    house.text("gate.toml", '[[gates]]\ngate = "safety"\nlabel = "saftey"\n')
    run = house.check(predictions=house.LEAK)
    assert run.status == 2
    assert "did you mean 'safety'?" in run.err


def test_a_failed_gate_wins_over_an_undecided_one(house):
    house.start()
    run = house.check("--pass-threshold", "0.5", predictions=house.LEAK)
    assert run.outcomes()["comparable"] == "undecided"
    assert run.outcomes()["safety"] == "fail"
    assert run.status == 1


@pytest.mark.parametrize(
    ("text", "status", "verdict"),
    [("{}\n", "2", "invalid"), (None, "4", "defect")],
)
def test_outputs_and_summary_say_invalid_or_defect_and_why(
    house, monkeypatch, text, status, verdict
):
    house.start()
    monkeypatch.setenv("GITHUB_OUTPUT", "outputs")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary")
    if text is None:
        monkeypatch.setattr("gate.shell.gather.read_baseline", None)
    else:
        house.text("predictions.jsonl", text)
    run = house.check()
    assert str(run.status) == status
    assert f"\n{verdict}\n" in (house.folder / "outputs").read_text()
    assert f"\n{status}\n" in (house.folder / "outputs").read_text()
    summary = (house.folder / "summary").read_text()
    assert verdict in summary
    assert ("predictions.jsonl:1" if text else "TypeError") in summary


def test_score_gates_nothing_and_has_no_verdict(house):
    house.start()
    run = house.run(
        *("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--scorer", "contains"),
    )
    assert (run.status, run.result["verdict"], run.result["gates"]) == (0, None, [])
    assert run.result["comparison"] is None


def test_compare_has_the_same_statuses(house):
    house.start()
    for predictions, status in ((house.GOOD, 0), (house.ONE_WRONG, 1)):
        house.lines("predictions.jsonl", predictions)
        house.run(
            *("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
            *("--scorer", "contains", "--out", "now"),
        )
        given = ("compare", "now/result.json", "--baseline", "baseline.json")
        assert house.run(*given, "--rule", "point", "--max-drop", "0").status == status
    assert house.run("compare", "now/result.json", "--baseline", "baseline.json").status == 3
    assert house.run("compare", "now/result.json", "--max-drop", "0").status == 2


def test_decide_replays_a_result_by_the_policy_it_holds_to_the_same_bytes(house):
    house.start()
    for predictions, status in ((house.GOOD, 0), (house.LEAK, 1)):
        assert house.check("--out", "first", predictions=predictions).status == status
        assert house.run("decide", "first/result.json", "--out", "again").status == status
        for name in house.NAMES:
            first, again = (house.folder / out / name for out in ("first", "again"))
            assert first.read_bytes() == again.read_bytes()


def test_decide_by_another_policy_answers_by_that_one(house):
    house.start()
    house.check("--out", "first", predictions=house.ONE_WRONG)
    house.text("lax.toml", '[[gates]]\ngate = "regression"\nmax_drop = 0.25\n')
    run = house.run("decide", "first/result.json", "--policy", "lax.toml")
    assert run.status == 0
    assert any("lax.toml" in said for said in run.result["conditions"])


def test_the_demo_needs_no_files_and_ends_in_0(house):
    run = house.run("demo")
    assert run.status == 0
    assert "status 1" in run.out
    assert list(house.folder.iterdir()) == []


def test_baseline_show_and_diff_print_and_end_in_0(house):
    house.start()
    house.lines("predictions.jsonl", house.ONE_WRONG)
    house.accept("--scorer", "contains", to="new.json")
    shown = house.run("baseline", "show", "new.json")
    assert shown.status == 0
    assert "qa-2" in shown.out
    assert house.run("baseline", "diff", "new.json", "new.json").out == ""
    differing = house.run("baseline", "diff", "baseline.json", "new.json")
    assert differing.status == 0
    assert "'qa-2' pass_rate: 1 -> 0" in differing.out
    assert json.loads((house.folder / "new.json").read_text())["kind"]
