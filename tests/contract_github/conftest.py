"""A real proxy that holds client and fake to GitHub's description, both ways."""

import json
import os
import re
import signal
import socket
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from gate.adapters.github import connect
from gate.adapters.github_line import Means

ROOT = Path(__file__).resolve().parents[2]
PRISM = ROOT / "build" / "contract_github" / "node_modules" / ".bin" / "prism"
TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing
READY = re.compile(r"listening on http://127\.0\.0\.1:(\d+)")
PATIENCE = 60.0


class Proxied:
    """The fake, behind a proxy that answers a violation of either side with one of its own."""

    def __init__(self, server, address):
        self.server = server
        self.address = address
        self.world = server.world

    def connect(self, *, total=30.0, each=10.0):
        waits = []
        means = Means(total=total, each=each, sleep=waits.append, chance=lambda: 0.5)
        environ = {"GITHUB_API_URL": self.address}
        client = connect(environ, token=TOKEN, repository="octo/agent", means=means)
        client.waits = waits
        return client


@pytest.fixture(scope="session")
def fake(fakes):
    return fakes("github_server")


@pytest.fixture(scope="session", params=["api.github.com", "ghes-3.19"])
def prism(request, fakes, tmp_path_factory):
    """Start the proxy once for each description; give the fake's port, and the address of it."""
    folder = tmp_path_factory.mktemp("prism")
    prefix = "/api/v3" if request.param.startswith("ghes") else ""
    found = fakes("github_described").document(request.param)
    found["paths"] = {f"{prefix}{path}": said for path, said in found["paths"].items()}
    found["servers"] = [{"url": "/"}]
    described = folder / "described.json"
    described.write_text(json.dumps(found), "utf-8")
    port = free_port()
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [PRISM, "proxy", "--errors", "-p", "0", described, f"http://127.0.0.1:{port}"],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            start_new_session=True,
        )
    try:
        yield port, f"http://127.0.0.1:{listening(process, folder / 'log')}{prefix}", prefix
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)


@pytest.fixture
def proxied(prism, fake):
    port, address, prefix = prism
    server = fake.GitHubServer(port=port, prefix=prefix, public=address).start()
    yield Proxied(server, address)
    server.stop()


@pytest.fixture
def client(proxied):
    with closing(proxied.connect()) as client:
        yield client


def free_port():
    with closing(socket.create_server(("127.0.0.1", 0))) as found:
        return found.getsockname()[1]


def listening(process, log):
    """Wait for the proxy; give its port."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        said = READY.search(log.read_text("utf-8", "replace"))
        if said:
            return int(said[1])
        time.sleep(0.05)
    pytest.fail(f"the proxy did not start: {log.read_text('utf-8', 'replace')}")
