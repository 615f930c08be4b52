"""How a token of Google Cloud is fetched: straight, over https, and from where it was asked.

Google's library would go through any proxy that a variable names, follow redirects, and sign in
over plain http where a file of credentials says so.
"""

from __future__ import annotations

import os
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import google.auth
import requests
from google.auth.credentials import Credentials
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import Request

if TYPE_CHECKING:
    from collections.abc import Sequence


def default_credentials(scopes: Sequence[str]) -> Credentials:
    """Find the Application Default Credentials. Raises ``GoogleAuthError``."""
    with _session() as session:
        found, _ = google.auth.default(scopes=scopes, request=_Straight(session))
    return _Direct(found)


class _Direct(Credentials):
    """Credentials whose token is fetched by a request of ours, whoever asks for it."""

    def __init__(self, found: Credentials) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._found = found
        self._quota_project_id = found.quota_project_id
        self._universe_domain = found.universe_domain

    def refresh(self, request: object) -> None:
        """Fetch a token, and not by ``request``."""
        del request
        with _session() as session:
            self._found.refresh(_Straight(session))  # type: ignore[no-untyped-call]
        self.token, self.expiry = self._found.token, self._found.expiry


class _Straight(Request):
    """A request that nothing leads elsewhere."""

    def __call__(self, url: str, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the library's
        """Ask ``url`` and no other address. Raises ``GoogleAuthError``."""
        if not _may_be_asked(url):
            said = f"a token is not asked for at {url[:80]!r}: it is not https"
            raise RefreshError(said)  # type: ignore[no-untyped-call]
        kwargs["allow_redirects"] = False
        return super().__call__(url, *args, **kwargs)  # type: ignore[no-untyped-call]


def _session() -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    session.verify = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR") or True
    return session


def _may_be_asked(url: str) -> bool:
    """Say whether ``url`` is https, on this machine, or the metadata server next to it."""
    place = urlsplit(url)
    host = place.hostname or ""
    if place.scheme == "https":
        return True
    if host in {"localhost", "metadata.google.internal"}:
        return place.scheme == "http"
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return place.scheme == "http" and (address.is_loopback or address.is_link_local)
