"""Which run ended, and what stands above its result."""

import json
from pathlib import Path

import pytest

from gate.errors import UsageInvalid
from gate.publish.untrusted import finished, notice

EVENTS = Path(__file__).parents[2] / "data" / "events"
PAYLOAD = json.loads((EVENTS / "workflow_run.json").read_text("utf-8"))
ENVIRON = {
    "GITHUB_EVENT_NAME": "workflow_run",
    "GITHUB_REPOSITORY": PAYLOAD["repository"]["full_name"],
    "GITHUB_RUN_NUMBER": "9000",
    "GITHUB_SHA": "9" * 40,
}


def changed(**fields):
    return {**PAYLOAD, "workflow_run": {**PAYLOAD["workflow_run"], **fields}}


def test_it_is_the_run_that_ended_and_not_the_one_that_looks_at_it():
    found = finished(ENVIRON, changed(event="pull_request"))
    assert found.where.head_sha == PAYLOAD["workflow_run"]["head_sha"]
    assert found.where.run == 163
    assert found.event == "pull_request"


@pytest.mark.parametrize("event", [None, 7, ["pull_request"], {}])
def test_an_event_that_is_no_word_is_no_pull_requests(event):
    assert finished(ENVIRON, changed(event=event)).event == ""


@pytest.mark.parametrize("name", ["push", "pull_request", "workflow_dispatch", ""])
def test_on_another_event_there_is_nothing_to_trust(name):
    payload = json.loads((EVENTS / f"{name or 'push'}.json").read_text("utf-8"))
    told = {"GITHUB_REPOSITORY": payload["repository"]["full_name"]}
    with pytest.raises(UsageInvalid, match="only workflow_run") as caught:
        finished({**ENVIRON, **told, "GITHUB_EVENT_NAME": name}, payload)
    assert "default branch" in caught.value.remedy


def test_the_notice_says_whose_word_it_is_and_which_commit_it_is_about():
    first, second = notice(finished(ENVIRON, changed(event="pull_request")))
    assert "forged throughout" in first
    assert "unverified" in first
    assert PAYLOAD["workflow_run"]["head_sha"] in second
    assert "decides nothing" in second
