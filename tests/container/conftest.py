"""The image, and a runner that runs it the way GitHub's runner runs a container action.

These tests need a container engine: without one they fail. ``GATE_IMAGE`` names an image to
test; without it the image is built from this tree. ``GATE_DOCKER`` names the client.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
WORKSPACE = "/github/workspace"
RUNNER = (1001, 127) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
"""Whom command files and workspace belong to; on a hosted runner that is 1001:127."""
SECONDS = 120


class Engine:
    """A container engine, asked through its client."""

    def __init__(self, client):
        self._client = client

    def ask(self, *words, seconds=SECONDS, environ=None):
        """Give what the client says; its failure is a failure."""
        done = self._call(words, seconds, environ)
        assert done.returncode == 0, f"{words[0]}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def run(self, image, *arguments, options=(), environ=None, network="none"):
        """Run a container to its end, its root read-only; ``environ`` goes in by name only."""
        given = {} if environ is None else environ
        names = [word for name in given for word in ("-e", name)]
        words = ["run", "--rm", "--network", network, "--read-only", *names, *options]
        return self._call([*words, image, *arguments], SECONDS, given)

    def _call(self, words, seconds, environ):
        return subprocess.run(
            [self._client, *words],
            env={**os.environ, **(environ or {})},
            capture_output=True,
            check=False,
            timeout=seconds,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
            stdin=subprocess.DEVNULL,
        )


class Run(NamedTuple):
    """How a container ended, and what it left for the runner."""

    status: int
    out: str
    err: str
    outputs: dict[str, str]
    summary: bytes

    @property
    def log(self):
        return self.out + self.err


class Runner:
    """A workspace, the runner's folders, and the way it starts a container."""

    def __init__(self, engine, image, folder):
        self._engine = engine
        self.image = image
        self._folder = folder
        self.workspace = folder / "workspace"
        for name in ("workspace", "file_commands", "workflow", "home"):
            (folder / name).mkdir()
        for name in ("examples", "baselines"):
            shutil.copytree(ROOT / name, self.workspace / name)
        (folder / "workflow" / "event.json").write_text("{}")

    def write(self, name, data):
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return name

    def made(self):
        """List what stands in the workspace and was not put there, with who owns it."""
        return {
            str(path.relative_to(self.workspace)): (path.lstat().st_uid, path.lstat().st_gid)
            for path in self.workspace.rglob("*")
            if path not in self._before
        }

    def happens(self, payload):
        """Let this be the payload of the run's event."""
        (self._folder / "workflow" / "event.json").write_text(json.dumps(payload))

    def run(self, *, workdir=WORKSPACE, environ=None, options=(), network="none", **said):
        """Run the action with inputs; those that are not said have their declared defaults.

        The event is a push unless ``environ`` says otherwise; ``network="host"`` lets it reach
        what listens on this machine's loopback.
        """
        named = {name.replace("_", "-"): value for name, value in said.items()}
        assert named.keys() <= ACTION["inputs"].keys()
        inputs = {
            f"INPUT_{name.upper()}": named.get(name, given.get("default", ""))
            for name, given in ACTION["inputs"].items()
        }
        token = uuid4()
        output, page = f"set_output_{token}", f"step_summary_{token}"
        for name in (output, page):
            (self._folder / "file_commands" / name).touch()
        self._belongs_to_the_runner()
        # What it finds is told by name, the values going through the client's environment.
        given = {
            **inputs,
            "HOME": "/github/home",
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION": "gate",
            "GITHUB_API_URL": "https://api.github.invalid",
            "GITHUB_EVENT_NAME": "push",
            "GITHUB_EVENT_PATH": "/github/workflow/event.json",
            "GITHUB_OUTPUT": f"/github/file_commands/{output}",
            "GITHUB_REPOSITORY": "some/repository",
            "GITHUB_SHA": "0" * 40,
            "GITHUB_STEP_SUMMARY": f"/github/file_commands/{page}",
            "GITHUB_WORKSPACE": WORKSPACE,
            "RUNNER_OS": "Linux",
            "RUNNER_TEMP": "/home/runner/temp",
            **(environ or {}),
        }
        mounts = [
            word
            for name in ("home", "workflow", "file_commands", "workspace")
            for word in ("-v", f"{self._folder / name}:/github/{name}")
        ]
        done = self._engine.run(
            self.image,
            options=("--workdir", workdir, *mounts, *options),
            environ=given,
            network=network,
        )
        return Run(
            done.returncode,
            done.stdout,
            done.stderr,
            read_command_file((self._folder / "file_commands" / output).read_bytes()),
            (self._folder / "file_commands" / page).read_bytes(),
        )

    def locally(self, *arguments, options=()):
        """Run the image by hand on the workspace: no variable of a runner, no command file."""
        self._belongs_to_the_runner()
        mounted = ("-v", f"{self.workspace}:{WORKSPACE}", *options)
        return self._engine.run(self.image, *arguments, options=mounted)

    def _belongs_to_the_runner(self):
        self._before = set(self.workspace.rglob("*"))
        for path in (self._folder, *self._folder.rglob("*")):
            os.chown(path, *RUNNER, follow_symlinks=False)


def read_command_file(data):
    """Read outputs as the runner does; what it would refuse is refused here too."""
    lines = iter(re.split("\r\n|\n", data.decode("utf-8-sig")))
    values = {}
    for line in lines:
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if heredoc >= 0 and (equals < 0 or heredoc < equals):
            name, delimiter = line.split("<<", 1)
            assert name, "a name is empty"
            assert delimiter, "a delimiter is empty"
            value = []
            for inner in lines:
                if inner == delimiter:
                    break
                value.append(inner)
            else:
                pytest.fail(f"no end of {name!r}")
            text = "\n".join(value)
        else:
            assert equals > 0, f"neither name=value nor name<<delimiter: {line!r}"
            name, text = line.split("=", 1)
        # The later one counts: what is known only after the verdict was empty until then.
        assert not values.get(name), f"{name!r} is said twice"
        values[name] = text
    return values


def read_commands(log):
    """Give the lines that a runner would take for commands: both of its syntaxes."""
    lines = re.split("\r\n|\r|\n", log)
    return [line for line in lines if line.lstrip().startswith("::") or "##[" in line]


@pytest.fixture(scope="session")
def engine():
    """A container engine that answers; there is no skipping without one."""
    client = os.environ.get("GATE_DOCKER", "docker")
    if shutil.which(client) is None:
        pytest.fail(f"no container engine: there is no {client!r}; GATE_DOCKER names a client")
    found = Engine(client)
    found.ask("version")
    return found


@pytest.fixture(scope="session")
def image(engine):
    """The image under test: the one that is named, else one built of this tree."""
    named = os.environ.get("GATE_IMAGE")
    if named:
        engine.ask("image", "inspect", named)
        return named
    tag = "agent-eval-gate:under-test"
    labels = (
        "--build-arg",
        "VERSION=0.0.0-test",
        "--build-arg",
        "SOURCE=https://example.org/gate",
    )
    engine.ask("build", "--network", "host", *labels, "-t", tag, str(ROOT), seconds=900)
    return tag


@pytest.fixture
def runner(engine, image, tmp_path):
    """A runner with the examples and their baselines in its workspace."""
    return Runner(engine, image, tmp_path)


@pytest.fixture
def commands():
    """The reader of workflow commands, which must find none."""
    return read_commands


@pytest.fixture
def owner():
    """Whom everything in the workspace belongs to before a run."""
    return RUNNER
