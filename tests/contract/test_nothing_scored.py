"""A run in which every agent crashed is never green, whatever the policy allows."""

import pytest

ALLOWING = """
[[gates]]
gate = "completeness"
enabled = {enabled}
max_errors = 99
max_missing = 99
[[gates]]
gate = "regression"
max_drop = 1
[[gates]]
gate = "safety"
enabled = false
"""


@pytest.mark.parametrize("enabled", ["true", "false"])
@pytest.mark.parametrize("repeats", [1, 2])
def test_a_policy_that_allows_every_error_does_not_make_nothing_pass(house, enabled, repeats):
    house.start()
    house.text("gate.toml", ALLOWING.format(enabled=enabled))
    crashed = [
        {"id": line["id"], "error": "503", "repeat": at}
        for line in house.GOOD
        for at in range(repeats)
    ]
    run = house.check(predictions=crashed, drop=False)
    assert run.status == 3
    assert run.result["verdict"] == "undecided"


def test_one_scored_case_is_enough_for_a_policy_that_allows_the_rest(house):
    house.start()
    house.text("gate.toml", ALLOWING.format(enabled="true"))
    crashed = [{"id": line["id"], "error": "503"} for line in house.GOOD[1:]]
    assert house.check(predictions=[house.GOOD[0], *crashed], drop=False).status == 0
