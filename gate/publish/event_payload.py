"""Reads single facts out of an event's payload; whatever is not as it should be is said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gate.errors import UsageInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCE: Final = "the event's payload (GITHUB_EVENT_PATH)"
HINT: Final = "the gate reads what the runner wrote there; leave the GITHUB_* variables alone"
_SHA: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REPOSITORY: Final = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_BRANCH: Final = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]{1,1000}")
_DIGITS: Final = re.compile(r"[0-9]{1,19}")
_GREATEST: Final = 2**63 - 1
_LONGEST_REF: Final = 1000
_MOST: Final = 1000
_KINDS: Final = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


class Payload:
    """The payload of an event; every failure is a ``UsageInvalid`` that names the key.

    No value of it stands in an error: a payload may be anybody's text, and very long.
    """

    def __init__(self, payload: Mapping[str, Any] | None, *, event: str) -> None:
        """Hold the payload of ``event``. Raises ``UsageInvalid`` where there is none."""
        if not isinstance(payload, dict):
            found = _kind(payload)
            raise wrong(f"is {found}, and {event} cannot be understood without an object there")
        self._payload = payload

    def find(self, path: str) -> object:
        """Give what stands at a dotted path; ``None`` where its last key is absent or null."""
        value: object = self._payload
        done: list[str] = []
        *above, last = path.split(".")
        for key in above:
            done.append(key)
            value = value.get(key) if isinstance(value, dict) else None
            if not isinstance(value, dict):
                raise wrong(f"{'.'.join(done)} is {_kind(value)}, not an object")
        return value.get(last) if isinstance(value, dict) else None

    def sha(self, path: str) -> str:
        """Give a commit's name."""
        return _matched(self.find(path), _SHA, path, "the name of a commit")

    def repository(self, path: str) -> str:
        """Give ``owner/name``."""
        return _matched(self.find(path), _REPOSITORY, path, "a repository (owner/name)")

    def whole(self, path: str) -> int:
        """Give a whole number from 1."""
        return _whole(self.find(path), path)

    def numbers(self, path: str) -> tuple[int, ...]:
        """Give the ``number`` of each object in a list; none where it is absent or null."""
        found = self.find(path)
        if found is None:
            return ()
        if not isinstance(found, list):
            raise wrong(f"{path} is {_kind(found)}, not a list")
        if len(found) > _MOST:
            raise wrong(f"{path} lists more than {_MOST:,}")
        return tuple(
            _whole(one.get("number") if isinstance(one, dict) else None, f"{path}: a number")
            for one in found
        )

    def branch(self, path: str) -> str | None:
        """Give the name of a branch as it stands; ``None`` where it is absent or null.

        Git knows names that do not print as they are, but none with control characters.
        """
        value = self.find(path)
        return None if value is None else _matched(value, _BRANCH, path, "the name of a branch")

    def ref(self, path: str) -> str:
        """Give the name of a branch, without ``refs/heads/``."""
        value = self.find(path)
        if not isinstance(value, str):
            raise wrong(f"{path} is {_kind(value)}, not a branch")
        name = value.removeprefix("refs/heads/")
        if not 1 <= len(name) <= _LONGEST_REF or not name.isprintable():
            raise wrong(f"{path} is no name of a branch")
        return name


def wrong(said: str) -> UsageInvalid:
    """Make the error that says what is wrong in the payload."""
    return UsageInvalid(f"{SOURCE}: {said}", hint=HINT)


def number_in(environ: Mapping[str, str], name: str) -> int | None:
    """Read a variable that holds a whole number from 1; ``None`` where it is absent or empty.

    Raises ``UsageInvalid``.
    """
    text = environ.get(name)
    if not text:
        return None
    number = int(text) if _DIGITS.fullmatch(text) else 0
    if not 1 <= number <= _GREATEST:
        raise UsageInvalid(f"{name} is no whole number from 1", hint=HINT)
    return number


def sha_in(environ: Mapping[str, str], name: str) -> str | None:
    """Read a variable that holds a commit's name, likewise."""
    return _optional(environ, name, _SHA, "the name of a commit")


def repository_in(environ: Mapping[str, str], name: str) -> str | None:
    """Read a variable that holds ``owner/name``, likewise."""
    return _optional(environ, name, _REPOSITORY, "a repository (owner/name)")


def _whole(value: object, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong(f"{path} is {_kind(value)}, not a whole number")
    if not 1 <= value <= _GREATEST:
        raise wrong(f"{path} is out of range")
    return value


def _optional(
    environ: Mapping[str, str], name: str, pattern: re.Pattern[str], what: str
) -> str | None:
    text = environ.get(name)
    if not text:
        return None
    if not pattern.fullmatch(text):
        raise UsageInvalid(f"{name} is not {what}", hint=HINT)
    return text


def _matched(value: object, pattern: re.Pattern[str], path: str, what: str) -> str:
    if not isinstance(value, str):
        raise wrong(f"{path} is {_kind(value)}, not {what}")
    if not pattern.fullmatch(value):
        raise wrong(f"{path} is not {what}")
    return value


def _kind(value: object) -> str:
    return "absent" if value is None else _KINDS.get(type(value), "something else")
