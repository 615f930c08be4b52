"""A policy table replaces what an input switches on, and a head's file that would be refused."""

TABLE = '\n[[gates]]\ngate = "trajectory"\n'
WAIVER = """
[[waivers]]
case = "qa-2"
gate = "regression"
owner = "ana"
reason = "the search tool is being replaced"
expires = {}
"""


def by_paths(change):
    change.house.accept("--scorer", "contains", "--trajectory", "exact")
    change.commit("baseline.json")
    wrong = [{**one, "tools": ["rm"]} for one in change.house.GOOD]
    run = change.check("--trajectory", "exact", predictions=wrong)
    assert run.outcomes()["trajectory"] == "fail"
    change.house.lines("predictions.jsonl", change.house.GOOD)


def test_a_table_that_takes_the_limit_of_an_inputs_gate_away_fails(change):
    by_paths(change)
    for keys in ("min = 0.0\n", "enabled = false\nmin = 0.0\n"):
        change.text("gate.toml", change.POLICY + TABLE + keys)
        run = change.check("--trajectory", "exact")
        assert run.status == 1
        assert run.outcomes()["rules"] == "fail"
        assert "[[gates]] trajectory min, by the inputs of this run: 1 → 0" in run.out


def test_one_that_keeps_it_passes(change):
    by_paths(change)
    change.text("gate.toml", change.POLICY + TABLE + "min = 1.0\n")
    run = change.check("--trajectory", "exact")
    assert run.status == 0, run.out
    assert [one["kind"] for one in run.result["rule_changes"]] == ["gate-added"]


def test_two_waivers_of_one_case_and_gate_are_no_file_that_can_be_read(change, monkeypatch):
    monkeypatch.setattr("gate.adapters.clock.today", lambda: "2026-11-30")
    change.text("gate.toml", change.POLICY + WAIVER.format("2026-12-20"))
    change.commit("gate.toml")
    twice = WAIVER.format("2027-09-01") + WAIVER.format("2026-12-20")
    change.text("gate.toml", change.POLICY + twice)
    run = change.check()
    assert run.status == 1
    kinds = {one["kind"] for one in run.result["rule_changes"] if one["loosens"]}
    assert kinds == {"unreadable", "waiver-changed"}
    assert "cannot be read: 2 of it" in run.out
