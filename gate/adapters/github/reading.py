"""Replies of GitHub as records: what a run needs of them, held to its form."""

from __future__ import annotations

from typing import Any

from gate.records.host import HostComment, Pull


def read_pull(document: Any) -> Pull:  # noqa: ANN401 - any JSON
    """Read a pull request; a head whose repository is gone has none.

    Raises ``ValueError`` (pydantic's own among them) for what has not the form of one.
    """
    head, base = _part(document, "head"), _part(document, "base")
    return Pull(
        number=document.get("number"),
        state=document.get("state"),
        head_sha=head.get("sha"),
        base_sha=base.get("sha"),
        base_ref=base.get("ref"),
        base_repository=_part(base, "repo").get("full_name"),
        head_repository=_part(head, "repo").get("full_name") if head.get("repo") else None,
    )


def read_comment(document: Any) -> HostComment:  # noqa: ANN401 - any JSON
    """Read a comment; one whose author is gone has an empty one.

    An app's own comments say which app made them, and its account's type is ``Bot``. A server
    that does not say whether a comment is hidden hides none. Raises ``ValueError`` for what has
    not the form of a comment.
    """
    user = _part(document, "user") if _object(document).get("user") else {}
    return HostComment(
        id=document.get("id"),
        body=document.get("body") or "",
        author=user.get("login", ""),
        author_id=user.get("id", 0),
        by_app=user.get("type") == "Bot" or document.get("performed_via_github_app") is not None,
        url=document.get("html_url") or "",
        minimized=document.get("minimized") is not None,
    )


def _part(document: Any, key: str) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    return _object(_object(document).get(key))


def _object(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    if not isinstance(value, dict):
        raise ValueError("an object is wanted here")  # noqa: TRY004 - as pydantic reports it
    return value
