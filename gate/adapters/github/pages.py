"""Where the next page of a list is: as GitHub says it, if that is at GitHub still.

A link to another host, another port or plain http is refused and never followed. Of one that
stays only path and query are taken: the address is always the one that the token was meant for,
however the link spells it.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

MAX_PAGES: Final = 100
"""Pages of one list, at most; GitHub takes no more than 2,500 comments, which are 25 of them."""
PER_PAGE: Final = 100
_LINK: Final = re.compile(
    r'<([^<>"]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+\s*=\s*(?:"[^"]*"|[^\s",;]*))*)'
)
_REL: Final = re.compile(r';\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))', re.IGNORECASE)
_SHOWN: Final = 200
_MAX_LINK: Final = 16_384
_PORTS: Final = {"http": 80, "https": 443}


class LinkRefused(Exception):
    """A link leads where the token must not go; the message says where."""


def next_page(link: str, *, base: str) -> str | None:
    """Give the address of the next page out of a ``Link`` header; ``None`` on the last page.

    It begins with ``base``, letter by letter. Raises :class:`LinkRefused` where the link is to
    another place than that: scheme, host, port or path.

    >>> next_page('<https://a.example/1>; rel="prev", <https://a.example/3>; rel="next"',
    ...           base="https://a.example")
    'https://a.example/3'
    >>> next_page('<https://A.example:443/3?page=2#x>; rel="next"', base="https://a.example")
    'https://a.example/3?page=2'
    >>> next_page("", base="https://a.example") is None
    True
    >>> next_page('<https://evil.example/3>; rel="next"', base="https://a.example")
    Traceback (most recent call last):
        ...
    gate.adapters.github.pages.LinkRefused: the next page is elsewhere ('https://evil.example')
    """
    if len(link) > _MAX_LINK:
        raise LinkRefused("the link to the next page is too long")
    for address, parameters in _LINK.findall(link):
        said = _REL.search(parameters)
        if said is not None and "next" in (said[1] or said[2] or "").lower().split():
            return _checked(address, base)
    return None


def _checked(address: str, base: str) -> str:
    if not address.isascii() or not address.isprintable() or set(" \\") & set(address):
        raise LinkRefused("the link to the next page is no address")
    try:
        found, wanted = urlsplit(address), urlsplit(base)
        places = [
            (part.scheme, part.hostname, part.port or _PORTS.get(part.scheme))
            for part in (found, wanted)
        ]
    except ValueError:
        raise LinkRefused("the link to the next page is no address") from None
    if places[0] != places[1] or "@" in found.netloc:
        where = f"{found.scheme}://{found.netloc}"[:_SHOWN]
        raise LinkRefused(f"the next page is elsewhere ({where!r})")
    prefix = wanted.path.rstrip("/")
    if not found.path.startswith(f"{prefix}/") or ".." in found.path.split("/"):
        raise LinkRefused(f"the next page does not lie below {wanted.path!r}")
    query = f"?{found.query}" if found.query else ""
    return f"{base.rstrip('/')}{found.path[len(prefix) :]}{query}"
