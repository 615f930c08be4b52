"""Takes secrets out of text, however they are spelt."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MASK: Final = "***"
SHORTEST: Final = 8
"""Shorter values are no secrets, and masking them would tear words apart."""
LONG: Final = 16
"""Of a secret of so many characters a beginning is hidden, too: what a cut left of it."""


def redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    r"""Give the function that replaces every secret in a text with ``***``.

    A secret is found raw, with any of its characters percent-encoded (twice, too) or escaped
    as in JSON, in hexadecimal, and in base64 of either alphabet at each of the three
    alignments (as part of a longer encoded text). White space around a secret is not part of
    it; each line of a secret of several lines is one by itself. Of one of :data:`LONG` or more
    characters a raw beginning is hidden as well, if it has :data:`LONG` characters, or 12 and
    half of them all. Secrets shorter than :data:`SHORTEST` characters are left alone; without
    any the function is the identity.

    >>> hide = redactor(["CANARY-KEY-0000"])
    >>> hide("key CANARY-KEY-0000, CANARY%2dKEY%2D0000, Q0FOQVJZLUtFWS0wMDAw")
    'key ***, ***, ***'
    """
    return _redactor(tuple(sorted(set(_parts(secrets)), key=lambda part: (-len(part), part))))


@lru_cache(maxsize=2)
def _redactor(parts: tuple[str, ...]) -> Callable[[str], str]:
    if not parts:
        return unchanged
    hidden = tuple(map(_Spellings, parts))

    def redact(text: str) -> str:
        for secret in hidden:
            text = secret.redact(text)
        return text

    return redact


class _Spellings:
    """One secret; what is searched most often is what is found fastest."""

    def __init__(self, secret: str) -> None:
        raw = secret.encode("utf-8", "surrogatepass")
        self._literal = secret
        self._beginning = secret[: _told(len(secret))]
        self._escaped = re.compile(_any_escape(secret))
        self._mixed = re.compile(_any_spelling(secret))
        self._encoded = (re.compile(_hex(raw.hex())), *_base64_patterns(raw))

    def redact(self, text: str) -> str:
        text = self._without_beginnings(text)
        if self._escaped.search(text):  # far faster than the next, which finds nothing without
            text = self._mixed.sub(MASK, text)
        for pattern in self._encoded:
            text = pattern.sub(MASK, text)
        return text

    def _without_beginnings(self, text: str) -> str:
        """Hide the secret, and what a cut left of it."""
        kept: list[str] = []
        done = 0
        while (at := text.find(self._beginning, done)) >= 0:
            end = at + len(self._beginning)
            for char in self._literal[len(self._beginning) :]:
                if text[end : end + 1] != char:
                    break
                end += 1
            kept += (text[done:at], MASK)
            done = end
        return "".join((*kept, text[done:])) if kept else text


def _told(size: int) -> int:
    """Give how many of a secret's first characters tell that a text is cut out of it.

    >>> _told(8), _told(15), _told(16), _told(28), _told(500)
    (8, 15, 12, 14, 16)
    """
    return size if size < LONG else max(12, min(LONG, size // 2))


def unchanged(text: str) -> str:
    """Give the text as it is: what the redactor does where there is no secret."""
    return text


def _parts(secrets: Iterable[str]) -> Iterator[str]:
    for secret in secrets:
        for part in (secret.strip(), *(line.strip() for line in secret.splitlines())):
            if len(part) >= SHORTEST and part.strip("*"):
                yield part


def _base64_patterns(raw: bytes) -> Iterator[re.Pattern[str]]:
    for alignment in range(3):
        for core in dict.fromkeys(_base64(raw, alignment)):
            yield re.compile(re.escape(core) + "[A-Za-z0-9+/_-]?={0,2}")


def _base64(raw: bytes, alignment: int) -> Iterator[str]:
    """Give the characters that depend on the secret alone, in both alphabets.

    The last, which the following text shares, is taken by the pattern.
    """
    shifted = bytes(alignment) + raw
    first = -(-alignment * 8 // 6)
    last = len(shifted) * 8 // 6
    core = b64encode(shifted).decode("ascii")[first:last]
    yield core
    yield core.translate(str.maketrans("+/", "-_"))


_SHORT: Final = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_AGAIN: Final = r"\\{0,3}"
"""Backslashes that JSON in JSON puts before a character; bounded, so that search is linear."""


def _any_spelling(secret: str) -> str:
    """Match a secret of which any character may be spelt in any way."""
    pieces = []
    for found in re.finditer(r"(\\+)[^\\]?|[^\\]", secret):
        if found[1]:
            pieces.append(_run(len(found[1]), rest=secret[found.end(1) :]))
        else:
            pieces.append(_spelt(found[0], before=_AGAIN if found.start() else ""))
    return "".join(pieces)


def _run(size: int, *, rest: str) -> str:
    r"""Match so many backslashes, spelt alike, and the character after them.

    Those that escape the character are read together with the run. If each took its own, one
    text could be read in more ways than there is time to try; so no two ways match one text:
    ``\u005c`` is the escape of a backslash unless the secret itself goes on like that.
    """
    char = rest[:1]
    plain, after = (_spelt(char), _spelt(char, escaped=True)) if char else ("", "")
    literal = rest[:5].lower() == "u005c"
    ways = [
        rf"\\{{{size},{4 * size + 4}}}+{'' if literal else '(?!u005[cC])'}{after}",
        f"(?:%(?:25){{0,3}}5[cC]){{{size}}}{plain}",
    ]
    if not literal:
        ways.append(rf"(?:\\{_AGAIN}u005[cC]){{{size}}}{plain}")
    return f"(?:{'|'.join(ways)})"


def _spelt(char: str, *, before: str = _AGAIN, escaped: bool = False) -> str:
    r"""Match one character raw, percent-encoded, as ``\uXXXX`` or as a short escape.

    Without ``before`` every way begins with a character of its own, which search skips to. Of
    an ``escaped`` one the backslashes are matched already.
    """
    utf8 = char.encode("utf-8", "surrogatepass")
    first, *more = _units(char)
    escape = "" if escaped else rf"\\{_AGAIN}"
    ways = [
        ("" if escaped else before) + re.escape(char),
        "".join(f"%(?:25){{0,3}}{_hex(f'{byte:02x}')}" for byte in utf8),
        f"{escape}u{_hex(first)}" + "".join(rf"\\{_AGAIN}u{_hex(unit)}" for unit in more),
    ]
    if char in _SHORT:
        ways.append(f"{escape}{_SHORT[char]}")
    if char == " ":
        ways.append(r"\+")
    return f"(?:{'|'.join(ways)})"


def _any_escape(secret: str) -> str:
    """Match where any character of the secret may stand escaped."""
    chars = sorted(set(secret))
    percent = {_hex(f"{char.encode('utf-8', 'surrogatepass')[0]:02x}") for char in chars}
    named = {f"u{_hex(_units(char)[0])}" for char in chars}
    named |= {_SHORT.get(char, re.escape(char)) for char in chars if not char.isalnum()}
    plus = r"|\+" if " " in secret else ""
    return rf"%(?:25){{0,3}}(?:{'|'.join(sorted(percent))})|\\(?:{'|'.join(sorted(named))}){plus}"


def _units(char: str) -> list[str]:
    digits = char.encode("utf-16-be", "surrogatepass").hex()
    return [digits[at : at + 4] for at in range(0, len(digits), 4)]


def _hex(digits: str) -> str:
    return "".join(f"[{d}{d.upper()}]" if d.isalpha() else d for d in digits)
