"""The end of a fork's run: a host with its pull request, and a trusted job with its artifact."""

import json
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from forks_run import FORK, REPOSITORY, TOKEN


@pytest.fixture
def github(github):
    """The host, whose pull request 7 is a fork's."""
    github.world.pulls[7].head_repository = FORK
    return github


@pytest.fixture
def trusted(house, github, fake, monkeypatch):
    """A house that holds the result of a fork's run as `artifact.zip`, for the end of that run."""
    house.start()
    house.check(predictions=house.ONE_WRONG, cases=True)
    run = {
        "id": 41,
        "event": "pull_request",
        "run_number": 3,
        "run_attempt": 1,
        "head_sha": fake.HEAD,
        "head_repository": {"full_name": FORK},
        "head_branch": "topic",
        "pull_requests": [],
    }
    event = {"action": "completed", "workflow_run": run, "repository": {"full_name": REPOSITORY}}

    def tell(**edits):
        run.update(edits)
        house.text("event.json", json.dumps(event))

    def packs(name="artifact.zip", folder=".agent-eval-gate"):
        with ZipFile(house.folder / name, "w", ZIP_DEFLATED) as archive:
            for path in sorted((house.folder / folder).iterdir()):
                archive.write(path, path.name)

    tell()
    packs()
    for name, value in {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": "workflow_run",
        "GITHUB_EVENT_PATH": str(house.folder / "event.json"),
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_RUN_NUMBER": "9000",
        "GITHUB_SHA": "9" * 40,
        "GITHUB_API_URL": github.url,
        "GITHUB_OUTPUT": str(house.folder / "outputs"),
        "INPUT_GITHUB-TOKEN": TOKEN,
    }.items():
        monkeypatch.setenv(name, value)
    house.tell, house.packs = tell, packs
    house.publish = lambda *options: house.run("publish", "--artifact", "artifact.zip", *options)
    return house
