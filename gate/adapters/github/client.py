"""GitHub, or a GitHub Enterprise Server: a typed client of the few operations a run needs.

It writes one thing after another, asks patiently within one total time, and knows no redirect.
Every failure is a ``HostFailed`` that says which permission is missing, if one is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gate.adapters.github.call import RAW, Call, Reply, segment
from gate.adapters.github.line import Line, Means
from gate.adapters.github.pages import MAX_PAGES, PER_PAGE, LinkRefused, next_page
from gate.adapters.github.reading import read_comment, read_pull
from gate.adapters.github.refusal import ABSENT, GONE
from gate.adapters.judges.address import checked_address
from gate.errors import HostFailed, UsageInvalid
from gate.ports import Host

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gate.records.host import HostComment, Pull

API: Final = "https://api.github.com"
MAX_DESCRIPTION: Final = 140
"""Characters of a status's description, at most."""
_ROOM: Final = 2**18
"""Bytes that an error may have, however small a file may be."""
_CONTENT: Final = "`contents: read`"
_PULLS: Final = "`pull-requests: read`"
_READ: Final = "`pull-requests: read` or `issues: read`"
_WRITE: Final = "`pull-requests: write` or `issues: write`"
_ABSENT: Final = frozenset((ABSENT,))
_HEX: Final = frozenset("0123456789abcdef")
_SHA_LENGTHS: Final = frozenset((40, 64))
_OWNER: Final = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_BRANCH: Final = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]{1,1000}")
_NAMED: Final = re.compile(r"(?!\.{1,2}/)[A-Za-z0-9_.-]{1,100}/(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}")

_T = TypeVar("_T")


def connect(
    environ: Mapping[str, str], *, token: str, repository: str, means: Means | None = None
) -> GitHub:
    """Make the client, without a call; ``GITHUB_API_URL`` says where, else it is github.com.

    A server's own certificates are named by ``SSL_CERT_FILE``, as for a judge. Raises
    ``HostFailed`` for an address that a token should not be sent to, and for what is no token.
    """
    try:
        address = checked_address(environ.get("GITHUB_API_URL") or API, provider="github")
    except UsageInvalid:
        raise HostFailed(
            "GitHub: GITHUB_API_URL is no address of the form https://host/path",
            hint="over http, which everybody on the way reads, only this machine itself is asked",
        ) from None
    secret = token.strip()
    if not (secret.isascii() and secret.isprintable()) or not secret or " " in secret:
        failed = HostFailed(
            "GitHub: there is no token, or what stands for it is none",
            hint="pass `github-token: ${{ github.token }}`",
        )
        failed.cause = "token"
        raise failed
    if not _NAMED.fullmatch(repository):
        raise HostFailed("GitHub: the repository is not named as owner/name")
    return GitHub(Line(address, token=secret, means=means or Means()), repository=repository)


class GitHub(Host):
    """One repository; ``line`` leads to its host."""

    def __init__(self, line: Line, *, repository: str) -> None:
        """Ask nothing yet."""
        self._line = line
        self._repo = "/repos/" + "/".join(map(segment, repository.split("/")))
        self._repository = repository
        self._known: set[str] = set()
        self._newest: dict[int, int] = {}

    def __repr__(self) -> str:
        """Say which repository, and where."""
        return f"GitHub({self._repository!r}, {self._line!r})"

    def pull(self, number: int) -> Pull:
        """Give a pull request as it is now."""
        call = Call("GET", f"{self._repo}/pulls/{number:d}", f"read #{number}", _PULLS)
        return self._record(call, self._line.ask(call), read_pull)

    def pulls_of(self, commit: str) -> tuple[Pull, ...]:
        """Give the pull requests that a commit belongs to, over all pages.

        Of a commit that lies only in a fork GitHub may tell none.
        """
        aim = f"find the pull requests of {commit[:12]}"
        path = f"{self._repo}/commits/{self._sha(commit, aim)}/pulls"
        found = self._listed(Call("GET", path, aim, f"{_PULLS} and {_CONTENT}"), read_pull)
        return tuple({pull.number: pull for pull in found}.values())

    def pulls_from(self, owner: str, branch: str) -> tuple[Pull, ...]:
        """Give the open pull requests from a branch of somebody's, over all pages.

        Without both names GitHub would list all there are: that is refused.
        """
        head = f"{owner}:{branch}"
        aim = f"find the pull requests from {head[:100]!r}"
        if not (_OWNER.fullmatch(owner) and _BRANCH.fullmatch(branch)):
            raise self._line.failed(aim, "that names no branch of anybody")
        query = {"state": "open", "head": head}
        call = Call("GET", f"{self._repo}/pulls", aim, _PULLS, query=query)
        found = self._listed(call, read_pull)
        return tuple({pull.number: pull for pull in found}.values())

    def comments(self, number: int) -> tuple[HostComment, ...]:
        """Give all comments of a pull request, over all pages, oldest first.

        One that two pages hold, since another was deleted in between, is given once.
        """
        path = f"{self._repo}/issues/{number:d}/comments"
        call = Call("GET", path, f"list the comments of #{number}", _READ)
        found = {comment.id: comment for comment in self._listed(call, read_comment)}
        self._newest[number] = max(found, default=0)
        return tuple(found[key] for key in sorted(found))

    def create_comment(self, number: int, body: str) -> HostComment:
        """Post a comment; before it is posted again, it is looked for in the list.

        After a try that broke, nobody knows whether the comment is there: one of the very same
        text stands for it, if it is newer than all that were listed before.
        """
        path = f"{self._repo}/issues/{number:d}/comments"
        call = Call("POST", path, f"comment on #{number}", _WRITE, {"body": body})
        there: list[HostComment] = []
        newest = self._newest.get(number, 0)

        def redo() -> Reply | None:
            wanted = _plain(body)
            there.extend(
                comment
                for comment in self.comments(number)
                if comment.id > newest and _plain(comment.body) == wanted
            )
            return Reply(200, {}, b"") if there else None

        reply = self._line.ask(call, redo=redo)
        return there[-1] if there else self._record(call, reply, read_comment)

    def update_comment(self, comment: int, body: str) -> HostComment:
        """Replace a comment's text; done twice, it is the same."""
        path = f"{self._repo}/issues/comments/{comment:d}"
        call = Call("PATCH", path, f"update comment {comment}", _WRITE, {"body": body})
        return self._record(call, self._line.ask(call), read_comment)

    def delete_comment(self, comment: int) -> None:
        """Take a comment away; that it is gone already is fine."""
        path = f"{self._repo}/issues/comments/{comment:d}"
        aim = f"delete comment {comment}"
        self._line.ask(Call("DELETE", path, aim, _WRITE, fine=_ABSENT | {GONE}))

    def file_at(self, path: str, commit: str, *, limit: int) -> bytes | None:
        """Give a file as a commit holds it; ``None`` where a readable commit has none.

        GitHub answers 404 for a file that is not there as for a repository, a commit or contents
        that the token may not see, so a 404 counts only where the commit itself can be read.
        A folder or a submodule is no file.
        """
        aim = f"read {path[:200]!r} at {commit[:12]}"
        sha = self._sha(commit, aim)
        if not all(part and part not in {".", ".."} for part in path.split("/")):
            raise self._line.failed(aim, "that is no path below the root of a repository")
        where = f"{self._repo}/contents/{segment(path)}?ref={sha}"
        room = max(limit, _ROOM)
        reply = self._found(Call("GET", where, aim, _CONTENT, accept=RAW, limit=room))
        if reply is None:
            self._commit_is_readable(sha, aim)
            return None
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        if "raw" not in kind.rpartition("/")[2].replace("+", ".").split("."):
            raise self._line.failed(aim, "it is no file, but a folder or a submodule")
        if len(reply.body) > limit:
            raise self._line.failed(aim, f"it has more than {limit:,} bytes")
        return reply.body

    def create_status(self, commit: str, *, state: str, context: str, description: str) -> None:
        """Set a commit status; done twice, the later one counts, which is the same."""
        aim = f"set the status {context!r} of {commit[:12]}"
        path = f"{self._repo}/statuses/{self._sha(commit, aim)}"
        short = description[:MAX_DESCRIPTION]
        body = {"state": state, "context": context, "description": short}
        self._line.ask(Call("POST", path, aim, "`statuses: write`", body))

    def create_check(self, commit: str, *, name: str, conclusion: str, summary: str) -> None:
        """Add a check run that is completed; of two of one name GitHub shows the later."""
        aim = f"add the check run {name!r} to {commit[:12]}"
        body = {
            "name": name,
            "head_sha": self._sha(commit, aim),
            "status": "completed",
            "conclusion": conclusion,
            "output": {"title": name, "summary": summary},
        }
        self._line.ask(Call("POST", f"{self._repo}/check-runs", aim, "`checks: write`", body))

    def close(self) -> None:
        """Close the connections."""
        self._line.close()

    def _listed(self, call: Call, read: Callable[[Any], _T]) -> list[_T]:
        """Read a list over all of its pages. Raises ``HostFailed`` for one that does not end."""
        found: list[_T] = []
        asked = call._replace(query={**(call.query or {}), "per_page": str(PER_PAGE)})
        seen: set[str] = set()
        while True:
            if asked.path in seen:
                raise self._line.failed(call.aim, "a page of the list links to an earlier one")
            if len(seen) == MAX_PAGES:
                raise self._line.failed(call.aim, f"the list has more than {MAX_PAGES} pages")
            seen.add(asked.path)
            reply = self._line.ask(asked)
            found += self._record(call, reply, lambda items: _all(items, read))
            try:
                page = next_page(reply.headers.get("link", ""), base=self._line.base)
            except LinkRefused as error:
                raise self._line.failed(call.aim, str(error)) from None
            if page is None:
                return found
            asked = call._replace(path=page, query=None)  # the link says it all

    def _found(self, call: Call) -> Reply | None:
        """Ask for what may not be there: only a clean 404 says so."""
        reply = self._line.ask(call._replace(fine=_ABSENT))
        return None if reply.status == ABSENT else reply

    def _commit_is_readable(self, sha: str, aim: str) -> None:
        """Make sure, once a commit, that a file's absence is not the token's blindness."""
        if sha in self._known:
            return
        call = Call("GET", f"{self._repo}/git/commits/{sha}", aim, _CONTENT)
        reply = self._found(call)
        if reply is None:
            failed = self._line.failed(
                aim,
                f"commit {sha[:12]} of {self._repository} is not there, or this token may not see "
                f"it, which takes {_CONTENT}",
                hint=f"give the job {_CONTENT} under `permissions:`",
            )
            failed.cause = "token"
            raise failed
        document = self._line.document(call, reply)
        if not isinstance(document, dict) or document.get("sha") != sha:
            raise self._line.failed(aim, "the host answers with another commit")
        self._known.add(sha)

    def _record(self, call: Call, reply: Reply, read: Callable[[Any], _T]) -> _T:
        document = self._line.document(call, reply)
        try:
            return read(document)
        except ValueError as error:
            said = f"the reply has not the form of one ({error})"
            raise self._line.failed(call.aim, said) from None

    def _sha(self, commit: str, aim: str) -> str:
        """Take a commit by its whole digest alone: a name could move, or lead elsewhere."""
        if len(commit) not in _SHA_LENGTHS or not set(commit) <= _HEX:
            raise self._line.failed(aim, "that is no whole commit id")
        return commit


def _all(items: Any, read: Callable[[Any], _T]) -> list[_T]:  # noqa: ANN401 - any JSON
    if not isinstance(items, list):
        raise ValueError("a list is wanted here")  # noqa: TRY004 - as pydantic reports it
    return [read(item) for item in items]


def _plain(body: str) -> str:
    """Give a comment's text without what GitHub may change in storing it."""
    return "\n".join(body.splitlines()).strip()
