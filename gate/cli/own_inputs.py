"""The action's own inputs: those that are no option, since they are about where it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.cli.main import GATING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PREFIX: Final = "INPUT_"
COMMENTS: Final = ("update", "recreate", "off")
TOKEN: Final = "github-token"  # noqa: S105 - a name
"""Writes the comment; its value is taken out of all that is written or printed."""
NAMED: Final = ("commit-status", "check-run")
"""Name a status to set and a check to add, by the verdict."""
ANNOTATIONS: Final = "annotations"
OWN: Final = (
    *("command", "working-directory", "comment", "comment-id", TOKEN),
    *(*NAMED, ANNOTATIONS),
)
BOOLEANS: Final = {
    word: value
    for value, words in ((True, "true True TRUE"), (False, "false False FALSE"))
    for word in words.split()
}
_NO_TOKEN: Final = "needs a token: github-token: ${{ github.token }}"  # noqa: S105 - an advice


def said(environ: Mapping[str, str], name: str) -> str:
    """Give what an input says, without the white space that YAML's blocks bring; or nothing."""
    return environ.get(PREFIX + name.upper(), "").strip()


def problems(environ: Mapping[str, str], command: str) -> Iterator[str]:
    """Say what is wrong with them under ``command``: what comes after a verdict is checked here.

    A comment or a mark that somebody asks for is refused where it could not be made, and never
    passed over.
    """
    yield from _about_comments(environ)
    yield from _about_marks(environ)
    if command not in GATING:
        for name in (*NAMED, ANNOTATIONS):
            if said(environ, name) and BOOLEANS.get(said(environ, name)) is not False:
                yield f"input {name!r}: `{command}` ends in no verdict; leave it empty"


def _about_comments(environ: Mapping[str, str]) -> Iterator[str]:
    from gate.adapters.environ import from_environ

    comment = said(environ, "comment")
    if comment in COMMENTS[:2] and not said(environ, TOKEN):
        yield f"input 'comment': {comment} {_NO_TOKEN}"
    elif comment not in {"", *COMMENTS}:
        from gate.records.problems import nearest

        near = nearest(comment.lower()[:100], COMMENTS)
        yield f"input 'comment': {', '.join(COMMENTS)} are known{near}"
    if said(environ, "comment-id") and from_environ(environ).comment_id is None:
        yield "input 'comment-id': at most 100 letters, digits, '.', '_' and '-' are wanted"


def _about_marks(environ: Mapping[str, str]) -> Iterator[str]:
    from gate.adapters.environ import from_environ

    here = from_environ(environ)
    for name, found in zip(NAMED, (here.commit_status, here.check_run), strict=True):
        if said(environ, name) and not found:
            yield f"input {name!r}: a name is wanted, of at most 100 letters, digits and ' ._/()-'"
        elif found and not said(environ, TOKEN):
            yield f"input {name!r}: {_NO_TOKEN}"
    if said(environ, ANNOTATIONS) not in {"", *BOOLEANS}:
        yield f"input {ANNOTATIONS!r}: expected true or false"
