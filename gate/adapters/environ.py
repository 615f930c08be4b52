"""What the environment says: secrets to hide, and whether a runner listens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gate.records.host import CommentMode

ANYWHERE: Final = (
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PASSCODE",
    "CREDENTIAL",
    "APIKEY",
    "AUTHKEY",
    "ACCESSKEY",
    "PRIVATEKEY",
)
"""A name that holds one of these, in whatever word, is a secret's."""
WHOLE: Final = ("KEY", "KEYS", "PASS", "PAT", "PATS", "PWD", "AUTH", "CREDS")
"""A name that has one of these as a word of its own is a secret's, unless it says otherwise."""
_ENDING: Final = ("PASS", "PWD")
"""Likewise a word that ends so: ``PGPASS``."""
_WHERE_ALL_IS_OPEN: Final = frozenset(("PUBLIC", "PUB"))
_OPEN_AT_THE_END: Final = frozenset(
    (
        *("DIR", "DIRECTORY", "FILE", "FOLDER", "HOME", "HOST", "NAME", "PATH", "SOCK", "SOCKET"),
        *("METHOD", "MODE", "RATE", "SIZE", "THRESHOLD", "TIMEOUT", "TTL", "TYPE"),
        *("URI", "URL", "USER", "USERNAME"),
    )
)
"""Where a key stands, how it is used or how large it is: ``SSH_AUTH_SOCK``, ``SSH_KEY_PATH``."""
_NO_SECRETS: Final = frozenset(("PWD", "OLDPWD", "ASKPASS", "BYPASS", "COMPASS"))
_WORDS: Final = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")
_FINGERPRINT: Final = re.compile(r"[0-9A-Fa-f]{40}")
"""Of a public key: images of Python carry one in ``GPG_KEY``."""
COMMENT_ID: Final = "INPUT_COMMENT-ID"
COMMENT: Final = "INPUT_COMMENT"
COMMIT_STATUS: Final = "INPUT_COMMIT-STATUS"
CHECK_RUN: Final = "INPUT_CHECK-RUN"
ANNOTATIONS: Final = "INPUT_ANNOTATIONS"
TOKEN: Final = "INPUT_GITHUB-TOKEN"  # noqa: S105 - a name
_YES: Final = frozenset(("true", "True", "TRUE"))
_MODES: Final[dict[str, CommentMode]] = {
    "": "update",
    "update": "update",
    "recreate": "recreate",
    "off": "off",
}
_SHORT_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,100}")
_TITLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/()-]{0,99}")
_ADDRESS: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^\s/?#\"']*)@")


class Environment(NamedTuple):
    """What a run needs of the environment; nothing else of it is read.

    ``comment_id`` tells the run from others on the same page; ``None`` where it is no short name.
    ``comment`` is what is to become of the comment on the pull request: ``update`` where nobody
    says, and ``off`` for what is no mode. ``token`` writes it; empty where there is none.
    ``commit_status`` and ``check_run`` are the names of a status to set and a check to add, empty
    where nobody asked or for what is no plain name; ``annotations`` asks for those of cases.
    """

    secrets: tuple[str, ...]
    output_file: str | None
    summary_file: str | None
    verbose: bool
    on_actions: bool
    comment_id: str | None
    comment: CommentMode
    token: str
    commit_status: str
    check_run: str
    annotations: bool


def from_environ(environ: Mapping[str, str]) -> Environment:
    """Read an environment; a variable that is empty counts as absent.

    Every value whose name looks like a secret's is one, and so is the password in an address,
    whatever its variable is called: they are taken out of all that a run writes or prints.
    """
    secrets = {
        secret for name, value in environ.items() if value for secret in _secrets(name, value)
    }
    comment_id = environ.get(COMMENT_ID, "").strip()
    return Environment(
        secrets=tuple(sorted(secrets)),
        output_file=environ.get("GITHUB_OUTPUT") or None,
        summary_file=environ.get("GITHUB_STEP_SUMMARY") or None,
        verbose=environ.get("RUNNER_DEBUG") == "1",
        on_actions=environ.get("GITHUB_ACTIONS") == "true",
        comment_id=comment_id if _SHORT_NAME.fullmatch(comment_id) else None,
        comment=_MODES.get(environ.get(COMMENT, "").strip(), "off"),
        token=environ.get(TOKEN, "").strip(),
        commit_status=_title(environ, COMMIT_STATUS),
        check_run=_title(environ, CHECK_RUN),
        annotations=environ.get(ANNOTATIONS, "").strip() in _YES,
    )


def _title(environ: Mapping[str, str], name: str) -> str:
    said = environ.get(name, "").strip()
    return said if _TITLE.fullmatch(said) else ""


def names_a_secret(name: str) -> bool:
    """Say whether a variable's name looks like a secret's.

    >>> [names_a_secret(name) for name in ("MY_AGENT_KEY", "gh-pat", "PGPASS", "dbPassword")]
    [True, True, True, True]
    >>> [names_a_secret(name) for name in ("KEYBOARD", "SSH_AUTH_SOCK", "PUBLIC_KEY", "PWD")]
    [False, False, False, False]
    """
    words = [word.upper() for word in _WORDS.split(name) if word]
    if any(told in "".join(words) for told in ANYWHERE):
        return True
    if not words or "_".join(words) in _NO_SECRETS or _WHERE_ALL_IS_OPEN.intersection(words):
        return False
    bare = [word.rstrip("0123456789") for word in words]
    return words[-1] not in _OPEN_AT_THE_END and any(
        word in WHOLE or (word.endswith(_ENDING) and word not in _NO_SECRETS) for word in bare
    )


def _secrets(name: str, value: str) -> Iterator[str]:
    if names_a_secret(name) and not (name == "GPG_KEY" and _FINGERPRINT.fullmatch(value)):
        yield value
    if "@" in value:
        for scheme, user in _ADDRESS.findall(value):
            yield from _of_address(scheme, user)


def _of_address(scheme: str, user: str) -> Iterator[str]:
    """Give the password of ``user:password``; on the web a user alone is a token."""
    from urllib.parse import unquote

    first, _, secret = user.partition(":")
    if not secret and scheme.lower() in {"http", "https"}:
        secret = first
    yield from {secret, unquote(secret)} - {""}
