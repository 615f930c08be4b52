"""A judge in the container: a program of the workspace, and a provider that cannot be reached."""

GEO = {
    "cases": "examples/geo/cases.jsonl",
    "predictions": "examples/geo/good.jsonl",
    "baseline": "baselines/geo-judged.json",
    "scorer": "geoktools",
    "judge": "command",
    "judge_command": "python examples/judges/worker.py",
}
KEY = "AIza-CANARY-0123456789abcdef"


def test_a_judge_of_the_workspace_gates_the_bundled_suite(runner):
    run = runner.run(**GEO)
    assert run.status == 0, run.log
    assert "33 by the judge, 7 without a call" in run.out
    assert ".agent-eval-gate/ledger.jsonl" in runner.made()
    worse = runner.run(**GEO | {"predictions": "examples/geo/regressed.jsonl"})
    assert worse.status == 1, worse.log
    assert "0 answered by the ledger" in worse.err


def test_a_provider_that_cannot_be_reached_leaves_it_undecided(runner):
    policy = runner.write("gate.toml", "[judge]\ndeadline = 3\n")
    said = GEO | {"judge": "gemini", "judge_command": "", "policy": policy}
    said |= {"judge_base_url": "http://127.0.0.1:9", "baseline": "baselines/geo.json"}
    run = runner.run(**said, environ={"GEMINI_API_KEY": KEY})
    assert run.status == 3, run.log
    assert run.outputs["verdict"] == "undecided"
    assert "Traceback" not in run.log
    texts = [path.read_text("utf-8") for path in (runner.workspace / ".agent-eval-gate").iterdir()]
    assert all(KEY not in text for text in (run.log, run.summary.decode(), *texts))


def test_without_a_key_nothing_is_decided(runner):
    run = runner.run(**GEO | {"judge": "gemini", "judge_command": ""})
    assert run.status == 3, run.log
    assert "there is no key in" in run.err
    assert run.outputs["verdict"] == "undecided"
