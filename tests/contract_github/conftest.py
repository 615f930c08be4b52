"""A real proxy that holds client and fake to GitHub's description, both ways."""

from contextlib import closing

import pytest

from gate.adapters.github.client import connect
from gate.adapters.github.line import Means

TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing


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
    """Start the proxy once for each description."""
    described = fakes("github_described").document(request.param)
    folder = tmp_path_factory.mktemp("prism")
    with fakes("github_prism").proxy(described, request.param, folder) as started:
        yield started


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
