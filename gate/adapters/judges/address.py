"""Where a judge is asked, and the key it is asked with: checked before anything is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import JudgeUnusable, UsageInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

_LABEL: Final = 63
"""Characters between two dots of a host's name, at most."""


class Address(NamedTuple):
    """A base URL without a slash at its end; ``near`` says that it never leaves this machine."""

    url: str
    near: bool

    @property
    def secure(self) -> bool:
        """Whether it is spoken to over TLS."""
        return self.url.startswith("https:")


def checked_address(url: str, *, provider: str) -> Address:
    """Check a base URL: https, or http to this machine alone.

    Raises ``UsageInvalid`` for any other, and for one with a user, a password, a query or a
    fragment; the message does not repeat it, for it may hold a secret.

    >>> checked_address("https://judge.example/v1/", provider="openai-compatible")
    Address(url='https://judge.example/v1', near=False)
    >>> checked_address("http://[::1]:8000", provider="openai-compatible").near
    True
    """
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    where = f"{provider}: the judge's base_url"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise UsageInvalid(f"{where} is no address") from None
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise UsageInvalid(
            f"{where} holds a user or a password",
            hint="keys come from the environment: name the variable as key_env",
        )
    if "?" in url or "#" in url:
        raise UsageInvalid(f"{where} holds a query or a fragment")
    if parts.scheme not in {"http", "https"} or not host or port == 0 or not _is_plain(url):
        raise UsageInvalid(f"{where} is none of the form https://host/path")
    try:
        near = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        near = False
        if not all(0 < len(label) <= _LABEL for label in host.removesuffix(".").split(".")):
            raise UsageInvalid(f"{where} names no host that there can be") from None
    if parts.scheme == "http" and not near:
        raise UsageInvalid(
            f"{where} has to begin with https://",
            hint="over http, which everybody on the way reads, only this machine itself is asked",
        )
    return Address(url.rstrip("/"), near)


def key_of(
    environ: Mapping[str, str], *, name: str, provider: str, optional: bool = False
) -> str | None:
    """Give the key that the variable ``name`` holds; ``None`` if it is ``optional`` and unset.

    Raises ``JudgeUnusable`` where there is none, or what it holds can be no key: it goes into a
    header, where a line break would begin another one.
    """
    key = environ.get(name, "").strip()
    if not key and optional:
        return None
    hint = f"set {name} in the environment of this step to the key alone; nothing was asked"
    if not key:
        raise JudgeUnusable(f"{provider}: there is no key in {name}", hint=hint)
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise JudgeUnusable(f"{provider}: what {name} holds is no key", hint=hint)
    return key


def _is_plain(url: str) -> bool:
    return url.isascii() and url.isprintable() and " " not in url and "\\" not in url
