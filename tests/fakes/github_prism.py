"""A real proxy in front of the fake, which holds client and fake to GitHub's description.

It answers 422 to a request that the description does not know, and 500 to such a reply. Needs
node, and what ``make prism`` installs.
"""

import json
import os
import re
import signal
import socket
import subprocess
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRISM = ROOT / "build" / "contract_github" / "node_modules" / ".bin" / "prism"
READY = re.compile(r"listening on http://127\.0\.0\.1:(\d+)")
PATIENCE = 60.0
DOCUMENTS = ("api.github.com", "ghes-3.19")


class Proxy(NamedTuple):
    """Where the fake is to listen, how the proxy is reached, and what paths begin with."""

    port: int
    address: str
    prefix: str


@contextmanager
def proxy(document, name, folder):
    """Start the proxy for one description, whose ``document`` it is; it ends with the context."""
    prefix = "/api/v3" if name.startswith("ghes") else ""
    document["paths"] = {f"{prefix}{path}": said for path, said in document["paths"].items()}
    document["servers"] = [{"url": "/"}]
    described = folder / "described.json"
    described.write_text(json.dumps(document), "utf-8")
    port = free_port()
    if not PRISM.exists():
        pytest.fail(f"no proxy: there is no {PRISM.relative_to(ROOT)}; `make prism` installs it")
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [PRISM, "proxy", "--errors", "-p", "0", described, f"http://127.0.0.1:{port}"],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            start_new_session=True,
        )
    try:
        found = listening(process, folder / "log")
        yield Proxy(port, f"http://127.0.0.1:{found}{prefix}", prefix)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)


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
