r"""Backslash escapes in quoted texts: JSON's, and whatever else an agent puts there."""

from __future__ import annotations

import json
import re
from typing import Final


def unescape_json(token: str) -> str:
    r"""Give the text of a double-quoted string, quotes included, line breaks allowed.

    An escape that JSON does not know stands for the character itself.

    >>> unescape_json(r'"caf\u00e9 \"x\""'), unescape_json(r'"\d"')
    ('café "x"', 'd')
    """
    if "\\" not in token:
        return token[1:-1]
    try:
        return str(_JSON.decode(token))
    except json.JSONDecodeError:
        return unescape(token[1:-1])


def unescape(body: str) -> str:
    r"""Give the text that stands between two quotes, of any kind.

    >>> unescape(r"Xi\'an"), unescape(r"\ud83d\ude00"), unescape("plain")
    ("Xi'an", '😀', 'plain')
    """
    if "\\" not in body:
        return body
    plain = _ESCAPE.sub(_character, body)
    # Two halves of one character, each escaped, become that character.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _character(escape: re.Match[str]) -> str:
    name = escape[1]
    return chr(int(name[1:], 16)) if len(name) > 1 else _CONTROL.get(name, name)


_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_JSON: Final = json.JSONDecoder(strict=False)
