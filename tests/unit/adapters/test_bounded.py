"""A transport that ends: at its deadline, at its cap, and never at a second host."""

import socket
import ssl
from contextlib import closing
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import httpcore2
import httpx2
import pytest

from gate.adapters.bounded import BodyTooLarge, Bounded, bounded_client, broken


@pytest.fixture
def fake(fakes):
    server = fakes("gemini_server").FakeGemini().start()
    yield server
    server.stop()


@pytest.fixture
def line():
    with closing(Bounded(secure=False, limit=1000)) as made:
        yield made


@pytest.fixture
def certificate(tmp_path):
    """A certificate of 127.0.0.1 that signs itself, and its key, in one file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    here = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(here, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = tmp_path / "both.pem"
    path.write_bytes(pem)
    return path


def asked(fake, **more):
    return httpx2.Request("POST", f"{fake.url}/x", content=b"{}", **more)


def test_outside_of_a_deadline_nothing_is_sent(fake, line):
    with line.within(30):
        pass
    with pytest.raises(httpcore2.ConnectTimeout, match="no time is left"):
        line.handle_request(asked(fake))
    assert fake.requests == []


def test_a_deadline_in_the_past_sends_nothing_over_an_open_connection_either(fake, line):
    fake.always = "500"
    with line.within(30):
        line.handle_request(asked(fake))
    with pytest.raises(httpcore2.WriteTimeout), line.within(-1):
        line.handle_request(asked(fake))
    assert len(fake.requests) == 1


def test_a_body_of_more_bytes_than_allowed_is_not_read_to_its_end(fake, line):
    fake.always = "endless"
    with pytest.raises(BodyTooLarge, match="more than 1,000 bytes"), line.within(30):
        line.handle_request(asked(fake))


def test_the_next_address_is_tried_where_one_does_not_answer(fake, line, monkeypatch):
    fake.always = "500"
    stream = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    found = [(*stream, (host, fake.port)) for host in ("127.0.0.9", "127.0.0.1")]
    resolve = socket.getaddrinfo

    def two_for_one(host, *arguments, **named):
        return found if host == "judge.example" else resolve(host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", two_for_one)
    with line.within(30):
        reply = line.handle_request(
            httpx2.Request("POST", f"http://judge.example:{fake.port}/x", content=b"{}")
        )
    assert reply.status_code == 500


def test_a_name_without_an_address_is_no_connection(line, monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(httpcore2.ConnectError, match="not known"), line.within(30):
        line.handle_request(httpx2.Request("POST", "http://judge.example/x"))


def test_a_client_over_it_follows_no_redirect_and_asks_for_nothing_compressed(fake, line):
    fake.always = "307"
    fake.elsewhere = "http://127.0.0.1:9"
    with bounded_client(line) as client, line.within(30):
        reply = client.post(f"{fake.url}/x", content=b"{}")
    assert reply.status_code == 307
    assert fake.requests[0].headers["accept-encoding"] == "identity"


def test_a_certificate_that_is_not_trusted_is_no_matter_of_time():
    said = "[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate"
    assert broken(httpcore2.ConnectError(said))[0] == "config"
    assert "SSL_CERT_FILE" in broken(httpcore2.ConnectError(said))[1]
    assert broken(httpcore2.ReadError("reset"))[0] == "transport"


class TestOverTls:
    @pytest.fixture
    def secured(self, fakes, certificate):
        server = fakes("gemini_server").FakeGemini()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.start()
        yield server
        server.stop()

    def request(self, server):
        return httpx2.Request("POST", server.url.replace("http:", "https:"), content=b"{}")

    def test_a_reply_comes_and_a_drip_ends(self, secured, certificate, monkeypatch):
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        secured.plan.extend(["500", "drip-headers"])
        with closing(Bounded(secure=True)) as line:
            with line.within(30):
                assert line.handle_request(self.request(secured)).status_code == 500
            with pytest.raises(httpcore2.ReadTimeout), line.within(0.4):
                line.handle_request(self.request(secured))

    def test_a_certificate_that_nobody_trusts_is_refused(self, secured):
        with closing(Bounded(secure=True)) as line:
            with pytest.raises(httpcore2.ConnectError) as caught, line.within(30):
                line.handle_request(self.request(secured))
            assert broken(caught.value)[0] == "config"
        assert secured.requests == []
