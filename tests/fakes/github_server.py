"""A GitHub of our own on loopback: stateful and honest, or with the fault one asks for.

It holds one repository: pull requests, comments in pages, files at commits, statuses and check
runs. What it does next can be scripted: each request takes the next step of ``script``, and is
answered honestly once there is none. A step is a function of the handler and the request.

By itself: ``python tests/fakes/github_server.py --port 0 [--prefix /api/v3] [--read-only]``
prints its port and serves until it is ended. Who is not in its process reads all it holds at
``GET /_fake``, and scripts it by ``POST /_fake`` with ``{"script": ["limited", …], "pulls":
[{"number": 7, …}], "files": {SHA: {PATH: TEXT}}, "comments": [{…}]}``. Nothing but the standard
library is needed.
"""

import argparse
import base64
import hashlib
import json
import re
import socket
import sys
import threading
from collections import deque
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

REPOSITORY = "octo/agent"
HEAD = "1" * 40
BASE = "2" * 40
MAX_COMMENT = 65_536
PATIENCE = 20.0
EPOCH = datetime(2026, 11, 1, tzinfo=UTC)
ALL = {
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "pull_requests": "write",
    "statuses": "write",
}
READ_ONLY = dict.fromkeys(ALL, "read")
STATES = ("error", "failure", "pending", "success")
PAGING = ("page", "per_page")
VERSIONS = ("2022-11-28",)


class Asked(NamedTuple):
    """One request as it came; ``path`` is below the prefix and raw, header names in lower case."""

    method: str
    path: str
    query: dict
    headers: dict
    body: bytes

    @property
    def document(self):
        return json.loads(self.body) if self.body else None

    @property
    def line(self):
        return f"{self.method} {self.path}"


class Account(NamedTuple):
    """Who a token belongs to."""

    login: str
    id: int
    type: str = "User"
    app: str | None = None


ACTIONS = Account("github-actions[bot]", 41_898_282, "Bot", "github-actions")
SOMEBODY = Account("mallory", 666)


@dataclass
class Pull:
    number: int
    head: str = HEAD
    base: str = BASE
    base_ref: str = "main"
    state: str = "open"
    head_repository: str | None = REPOSITORY
    branch: str = "topic"
    commits: list = field(default_factory=list)


@dataclass
class Comment:
    id: int
    number: int
    body: str
    author: Account | None
    minimized: str | None = None
    edits: int = 0


class Answer(NamedTuple):
    code: int
    body: object = None
    headers: dict = {}  # noqa: RUF012 - never changed


def refuses(code, message, *, errors=None, **headers):
    """Answer with an error as GitHub spells it."""
    body = {"message": message, "documentation_url": "https://docs.github.com/rest"}
    if errors is not None:
        body["errors"] = errors
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    def step(handler, asked):
        del asked
        handler.give(Answer(code, {**body, "status": str(code)}, named))

    return step


def no_permission(accepted="issues=write; pull_requests=write"):
    return refuses(
        403, "Resource not accessible by integration", X_Accepted_GitHub_Permissions=accepted
    )


def limited(code=429, **headers):
    return refuses(code, "API rate limit exceeded for installation ID 1.", **headers)


def secondary(code=403, **headers):
    said = "You have exceeded a secondary rate limit. Please wait a few minutes."
    return refuses(code, said, **headers)


def page(code=502):
    """Answer as a proxy in front of GitHub does."""

    def step(handler, asked):
        del asked
        handler.send_whole(code, b"<html>Unicorn!</html>", {"Content-Type": "text/html"})

    return step


def lost(code=502):
    """Do what was asked, and say that it failed."""

    def step(handler, asked):
        handler.perform(asked)
        refuses(code, "Server Error")(handler, asked)

    return step


def link_to(address):
    """Answer honestly, but for where the next page is."""

    def step(handler, asked):
        answer = handler.perform(asked)
        handler.give(answer._replace(headers={"Link": f'<{address}>; rel="next"'}))

    return step


def redirect_to(address, code=301):
    def step(handler, asked):
        handler.send_whole(code, b"", {"Location": f"{address}{asked.path}"})

    return step


def first(action):
    """Let something happen at the host before the request is answered honestly."""

    def step(handler, asked):
        action(handler.server)
        handler.give(handler.perform(asked))

    return step


def sends(code, body, **headers):
    def step(handler, asked):
        del asked
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        handler.send_whole(code, body, {"Content-Type": "application/json", **named})

    return step


def hang(handler, asked):
    del asked
    handler.close_connection = True
    handler.server.over.wait(PATIENCE)


def drip(handler, asked):
    """Send the reply byte by byte: each read succeeds, and none is the last for a long time."""
    del asked
    handler.close_connection = True
    handler.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while handler.raw(b" ") and not handler.server.over.wait(0.02):
        continue


def half(handler, asked):
    """Do what was asked, and break off in the middle of saying so."""
    body = json.dumps(handler.perform(asked).body).encode()
    handler.close_connection = True
    handler.raw(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode())
    handler.raw(body[: len(body) // 2])


def disconnect(handler, asked):
    del asked
    handler.close_connection = True


def endless(handler, asked):
    del asked
    handler.close_connection = True
    handler.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while handler.raw(b"8000\r\n" + b"a" * 0x8000 + b"\r\n"):
        continue


def echo_token(handler, asked):
    """Give the token back in every place that an error has."""
    token = asked.headers["authorization"].partition(" ")[2]
    errors = [{"field": token, "code": token[:-2], "message": token}]
    refuses(403, f"no {token}", errors=errors, X_GitHub_Request_Id=token, X_Echo=token)(
        handler, asked
    )


FAULTS = {
    "disconnect": disconnect,
    "drip": drip,
    "echo_token": echo_token,
    "half": half,
    "hang": hang,
    "limited": limited(retry_after="1"),
    "lost": lost(),
    "no_permission": no_permission(),
    "page": page(),
    "secondary": secondary(),
    "server_error": refuses(500, "Server Error"),
}
"""By name, for whoever scripts from another process."""


def web(path=""):
    return f"https://github.example/{path}"


def account(who):
    base = f"https://github.example/api/users/{who.login.replace('[bot]', '-bot')}"
    named = ("followers", "organizations", "received_events", "repos", "subscriptions", "events")
    more = ("following", "gists", "starred")
    return {
        "login": who.login,
        "id": who.id,
        "node_id": "U_1",
        "avatar_url": f"{base}.png",
        "gravatar_id": "",
        "html_url": base,
        "url": base,
        "type": who.type,
        "site_admin": False,
        **{f"{name}_url": f"{base}/{name}" for name in named + more},
    }


REPOSITORY_URLS = (
    "archive assignees blobs branches collaborators comments commits compare contents "
    "contributors deployments downloads events forks git_commits git_refs git_tags hooks "
    "issue_comment issue_events issues keys labels languages merges milestones notifications "
    "pulls releases stargazers statuses subscribers subscription tags teams trees svn"
)
PULL_LINKS = "comments commits statuses html issue review_comments review_comment self"
PULL_URLS = "comments commits issue patch diff statuses review_comment review_comments"


def repository(name):
    base = f"https://github.example/api/repos/{name}"
    return {
        "id": 1,
        "node_id": "R_1",
        "name": name.partition("/")[2],
        "full_name": name,
        "owner": account(Account(name.partition("/")[0], 1)),
        "description": None,
        "fork": name != REPOSITORY,
        "html_url": web(name),
        "url": base,
        "default_branch": "main",
        "clone_url": web(f"{name}.git"),
        "git_url": web(f"{name}.git"),
        "ssh_url": f"git@github.example:{name}.git",
        **{f"{kind}_url": f"{base}/{kind}" for kind in REPOSITORY_URLS.split()},
        **dict.fromkeys(("homepage", "language", "license", "mirror_url")),
        **dict.fromkeys(("forks", "forks_count", "open_issues", "open_issues_count", "size"), 0),
        **dict.fromkeys(("stargazers_count", "watchers", "watchers_count"), 0),
        **dict.fromkeys(("private", "archived", "disabled", "has_pages", "has_wiki"), False),
        **dict.fromkeys(("has_downloads", "has_issues", "has_projects"), True),
        **dict.fromkeys(("pushed_at", "created_at", "updated_at"), when(0)),
    }


def when(count):
    return (EPOCH + timedelta(seconds=count)).strftime("%Y-%m-%dT%H:%M:%SZ")


def app(slug):
    return {
        "id": 15_368,
        "slug": slug,
        "node_id": "A_1",
        "owner": account(Account("github", 9919, "Organization")),
        "name": slug,
        "description": None,
        "external_url": "https://github.example/apps",
        "html_url": f"https://github.example/apps/{slug}",
        "created_at": when(0),
        "updated_at": when(0),
        "permissions": {},
        "events": [],
    }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # a reply leaves in one piece

    def setup(self):
        super().setup()
        self.server.live.add(self.request)

    def finish(self):
        self.server.live.discard(self.request)
        super().finish()

    def handle_one(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        if parts.path == "/_fake":
            return self.control(raw)
        prefix = self.server.prefix
        headers = {name.lower(): value for name, value in self.headers.items()}
        query = {name: found[-1] for name, found in parse_qs(parts.query).items()}
        path = parts.path.removeprefix(prefix)
        asked = Asked(self.command, path, query, headers, raw)
        step = self.server.next_step(asked)
        if not parts.path.startswith(f"{prefix}/"):
            return self.give(Answer(404, {"message": "Not Found"}))
        return self.give(self.perform(asked)) if step is None else step(self, asked)

    do_GET = do_POST = do_PATCH = do_DELETE = handle_one  # noqa: N815 - as it is declared

    def perform(self, asked):
        with self.server.lock:
            return self.server.world.answer(asked)

    def control(self, raw):
        with self.server.lock:
            if raw:
                self.server.told(json.loads(raw))
            state = self.server.world.state()
        asked = [{"method": one.method, "path": one.path} for one in self.server.asked]
        self.give(Answer(200, {**state, "asked": asked}))

    def give(self, answer):
        body, kind = answer.body, "application/json; charset=utf-8"
        if isinstance(body, bytes):
            kind = "application/vnd.github.raw; charset=utf-8"
        else:
            body = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        headers = {"Content-Type": kind, **self.server.usual(), **answer.headers}
        self.send_whole(answer.code, body, headers)

    def send_whole(self, code, body, headers):
        self.send_response(code)
        for name, value in headers.items():
            if code != 204 or name != "Content-Type":
                self.send_header(name, value)
        if code != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def raw(self, data):
        try:
            self.wfile.write(data)
            self.wfile.flush()
        except OSError:
            return False  # nobody listens any more
        return True

    def log_message(self, *arguments):
        del arguments


class World:
    """The repository, and what a token may do in it."""

    def __init__(self, url):
        self.url = url
        self.pulls = {7: Pull(7)}
        self.comments = {}
        self.files = {HEAD: {}, BASE: {}}
        self.statuses = []
        self.checks = []
        self.gone = set()
        self.locked = set()
        self.may = dict(ALL)
        self.visible = True
        self.tokens = {}
        self.most = 100
        self.knows_forks = False
        self._last = 1000

    def comment(self, number, body, *, author=SOMEBODY, minimized=None):
        self._last += 1
        made = Comment(self._last, number, body, author, minimized)
        self.comments[made.id] = made
        return made

    def on(self, number):
        return [made for made in self.comments.values() if made.number == number]

    def bodies(self, number=7):
        return [made.body for made in self.on(number)]

    def state(self):
        return {
            "pulls": [asdict(pull) for pull in self.pulls.values()],
            "comments": [
                {**asdict(made), "author": made.author and made.author.login}
                for made in self.comments.values()
            ],
            "statuses": self.statuses,
            "checks": self.checks,
        }

    def answer(self, asked):
        problem = misspoken(asked.headers)
        if problem:
            return problem
        token = asked.headers.get("authorization", "").removeprefix("Bearer ")
        if not token or (self.tokens and token not in self.tokens):
            return error(401, "Bad credentials")
        who = self.tokens.get(token, ACTIONS)
        for method, pattern, needs, serve in ROUTES:
            found = re.fullmatch(pattern, asked.path)
            if method == asked.method and found:
                if not (self.visible and unquote(found["repo"]) in NAMES):
                    break
                if not self.allowed(needs):
                    return self.refused(needs, method)
                return serve(self, asked, who, *map(unquote, found.groups()[1:]))
        return error(404, "Not Found")

    def allowed(self, needs):
        return any(
            self.may.get(name) == "write" or self.may.get(name) == level for name, level in needs
        )

    def refused(self, needs, method):
        if method == "GET":
            return error(404, "Not Found")  # what one may not see is not there
        accepted = "; ".join(f"{name}={level}" for name, level in needs)
        refusal = error(403, "Resource not accessible by integration")
        return refusal._replace(headers={"X-Accepted-GitHub-Permissions": accepted})

    def _pull(self, asked, who, number):
        del asked, who
        found = self.pulls.get(int(number))
        return error(404, "Not Found") if found is None else Answer(200, self._as_pull(found))

    def _pulls_of(self, asked, who, sha):
        """Tell none of a fork's, as GitHub was seen to, unless it is to know them."""
        del who
        found = [pull for pull in self.pulls.values() if sha in {pull.head, *pull.commits}]
        if not found and sha not in self.files:
            return error(422, f"No commit found for SHA: {sha}")
        told = [one for one in found if self.knows_forks or one.head_repository == REPOSITORY]
        return self._paged(asked, [self._as_pull(pull) for pull in told])

    def _pulls(self, asked, who):
        """List as GitHub does: open ones, and of any head where ``head`` is not OWNER:BRANCH."""
        del who
        state, wanted = asked.query.get("state", "open"), asked.query.get("head", "")
        told = [self._as_pull(pull) for pull in self.pulls.values()]
        return self._paged(
            asked,
            [
                one
                for one in reversed(told)
                if state in {"all", one["state"]}
                and (":" not in wanted or wanted == one["head"]["label"])
            ],
        )

    def _comments(self, asked, who, number):
        del who
        if int(number) in self.gone:
            return error(410, "This issue was deleted")
        if int(number) not in self.pulls:
            return error(404, "Not Found")
        return self._paged(asked, [self._as_comment(made) for made in self.on(int(number))])

    def _create(self, asked, who, number):
        if int(number) in self.gone:
            return error(410, "This issue was deleted")
        if int(number) not in self.pulls:
            return error(404, "Not Found")
        if int(number) in self.locked:
            return error(403, "Unable to create comment because issue is locked.")
        body = asked.document["body"]
        problem = unfit(body)
        if problem:
            return problem
        made = self._as_comment(self.comment(int(number), body, author=who))
        return Answer(201, made, {"Location": made["url"]})

    def _update(self, asked, who, identity):
        found = self.comments.get(int(identity))
        if found is None:
            return error(404, "Not Found")
        if who.type == "Bot" and found.author != who:
            return self.refused((("issues", "write"), ("pull_requests", "write")), "PATCH")
        problem = unfit(asked.document["body"])
        if problem:
            return problem
        found.body = asked.document["body"]
        found.edits += 1
        return Answer(200, self._as_comment(found))

    def _delete(self, asked, who, identity):
        del asked, who
        found = self.comments.pop(int(identity), None)
        return error(404, "Not Found") if found is None else Answer(204)

    def _contents(self, asked, who, path):
        del who
        sha = asked.query.get("ref", HEAD)
        if sha not in self.files:
            return error(404, f"No commit found for the ref {sha}")
        held = self.files[sha]
        if path in held:
            if "raw" in asked.headers.get("accept", ""):
                return Answer(200, held[path])
            return Answer(200, as_file(path, held[path]))
        inside = [as_file(name, held[name]) for name in held if name.startswith(f"{path}/")]
        if inside:
            for entry in inside:
                del entry["content"], entry["encoding"]
            return Answer(200, inside)
        return error(404, "Not Found")

    def _commit(self, asked, who, sha):
        del asked, who
        if sha not in self.files:
            return error(404, "Not Found")
        person = {"name": "A", "email": "a@github.example", "date": when(0)}
        unsigned = dict.fromkeys(("signature", "payload", "verified_at"))
        return Answer(
            200,
            {
                "sha": sha,
                "node_id": "C_1",
                "url": f"{self.url}/repos/{REPOSITORY}/git/commits/{sha}",
                "html_url": web(f"{REPOSITORY}/commit/{sha}"),
                "author": person,
                "committer": person,
                "tree": {"sha": "3" * 40, "url": f"{self.url}/repos/{REPOSITORY}/git/trees/3"},
                "message": "m",
                "parents": [],
                "verification": {"verified": False, "reason": "unsigned", **unsigned},
            },
        )

    def _status(self, asked, who, sha):
        said = asked.document
        if sha not in self.files:
            return error(422, f"No commit found for SHA: {sha}")
        if said["state"] not in STATES or len(said.get("description") or "") > 140:
            return error(422, "Validation Failed", errors=[{"code": "custom", "field": "state"}])
        self.statuses.append({"sha": sha, **said})
        count = len(self.statuses)
        return Answer(
            201,
            {
                "url": f"{self.url}/repos/{REPOSITORY}/statuses/{sha}",
                "avatar_url": None,
                "id": count,
                "node_id": "S_1",
                "state": said["state"],
                "description": said.get("description"),
                "target_url": said.get("target_url"),
                "context": said.get("context", "default"),
                "created_at": when(count),
                "updated_at": when(count),
                "creator": account(who),
            },
        )

    def _check(self, asked, who, *_):
        said = asked.document
        if who.app is None:
            return error(403, "You must authenticate via a GitHub App.")
        if len(said["output"]["summary"]) > 65_535:
            return error(422, "Invalid request. No subschema matched.")
        self.checks.append(said)
        count = len(self.checks)
        address = f"{self.url}/repos/{REPOSITORY}/check-runs/{count}"
        nothing = {"text": None, "annotations_count": 0, "annotations_url": address}
        return Answer(
            201,
            {
                "id": count,
                "node_id": "CR_1",
                "head_sha": said["head_sha"],
                "name": said["name"],
                "url": address,
                "html_url": None,
                "details_url": None,
                "status": said["status"],
                "conclusion": said["conclusion"],
                "started_at": when(count),
                "completed_at": when(count),
                "external_id": None,
                "check_suite": {"id": 1},
                "output": {**said["output"], **nothing},
                "app": app(who.app),
                "pull_requests": [],
            },
        )

    def _paged(self, asked, items):
        size = min(int(asked.query.get("per_page", 30)), self.most)
        number = int(asked.query.get("page", 1))
        last = max(1, -(-len(items) // size))
        # As GitHub does: by the repository's id, which is no prefix of what was asked.
        path = asked.path.replace(f"/repos/{REPOSITORY}/", "/repositories/1/")
        rest = urlencode({key: said for key, said in asked.query.items() if key not in PAGING})

        def link(to, rel):
            query = f"{rest}&" if rest else ""
            return f'<{self.url}{path}?{query}per_page={size}&page={to}>; rel="{rel}"'

        before = [link(number - 1, "prev"), link(1, "first")] if number > 1 else []
        after = [link(number + 1, "next"), link(last, "last")] if number < last else []
        headers = {"Link": ", ".join(before + after)} if before + after else {}
        return Answer(200, items[(number - 1) * size : number * size], headers)

    def _as_comment(self, made):
        base = f"{self.url}/repos/{REPOSITORY}/issues"
        bot = made.author is not None and made.author.app
        return {
            "id": made.id,
            "node_id": f"IC_{made.id}",
            "url": f"{base}/comments/{made.id}",
            "html_url": web(f"{REPOSITORY}/pull/{made.number}#issuecomment-{made.id}"),
            "issue_url": f"{base}/{made.number}",
            "body": made.body,
            "user": None if made.author is None else account(made.author),
            "created_at": when(made.id),
            "updated_at": when(made.id + made.edits),
            "author_association": "NONE",
            "performed_via_github_app": app(made.author.app) if bot else None,
            **({"minimized": {"reason": made.minimized}} if made.minimized else {}),
        }

    def _as_pull(self, pull):
        base = f"{self.url}/repos/{REPOSITORY}/pulls/{pull.number}"
        owner = (pull.head_repository or "ghost/x").partition("/")[0]
        nothing = ("assignee", "auto_merge", "body", "closed_at", "merge_commit_sha", "merged_at")
        counts = ("additions", "changed_files", "comments", "deletions", "review_comments")

        def side(sha, ref, name, login):
            who = account(Account(login, 1))
            repo = None if name is None else repository(name)
            return {"label": f"{login}:{ref}", "ref": ref, "sha": sha, "repo": repo, "user": who}

        return {
            "id": pull.number,
            "node_id": f"PR_{pull.number}",
            "number": pull.number,
            "state": pull.state,
            "title": "t",
            "locked": False,
            "labels": [],
            "url": base,
            "html_url": web(f"{REPOSITORY}/pull/{pull.number}"),
            "user": account(Account(owner, 1)),
            "author_association": "NONE",
            "created_at": when(0),
            "updated_at": when(0),
            "commits": 1,
            "mergeable": True,
            "mergeable_state": "clean",
            "merged": False,
            "merged_by": None,
            "milestone": None,
            "maintainer_can_modify": False,
            "head": side(pull.head, pull.branch, pull.head_repository, owner),
            "base": side(pull.base, pull.base_ref, REPOSITORY, "octo"),
            "_links": {name: {"href": f"{base}/{name}"} for name in PULL_LINKS.split()},
            **{f"{name}_url": f"{base}/{name}" for name in PULL_URLS.split()},
            **dict.fromkeys(nothing),
            **dict.fromkeys(counts, 0),
        }


def error(code, message, *, errors=None):
    body = {"message": message, "documentation_url": "https://docs.github.com/rest"}
    if errors is not None:
        body["errors"] = errors
    return Answer(code, {**body, "status": str(code)})


def misspoken(headers):
    if "user-agent" not in headers:
        return error(403, "Request forbidden by administrative rules.")
    if headers.get("x-github-api-version", VERSIONS[0]) not in VERSIONS:
        return error(400, "The API version is not supported.")
    return None


def unfit(body):
    if not body.strip():
        said = "Body cannot be blank"
    elif len(body.encode()) > MAX_COMMENT:
        said = f"body is too long (maximum is {MAX_COMMENT} characters)"
    else:
        return None
    wrong = {"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": said}
    return error(422, "Validation Failed", errors=[wrong])


def as_file(path, content):
    address = f"https://github.example/{path}"
    links = {"git": address, "html": address, "self": address}
    return {
        "type": "file",
        "name": path.rpartition("/")[2],
        "path": path,
        "sha": hashlib.sha1(content, usedforsecurity=False).hexdigest(),
        "size": len(content),
        "url": address,
        "git_url": address,
        "html_url": address,
        "download_url": address,
        "_links": links,
        "content": base64.b64encode(content).decode(),
        "encoding": "base64",
    }


REPO = r"/(?P<repo>repos/[^/]+/[^/]+|repositories/1)"
NAMES = (f"repos/{REPOSITORY}", "repositories/1")
"""It answers to its id, too: links to further pages use that."""
READS = (("pull_requests", "read"), ("issues", "read"))
WRITES = (("issues", "write"), ("pull_requests", "write"))
CONTENT = (("contents", "read"),)
ROUTES = (
    ("GET", rf"{REPO}/pulls/(\d+)", READS[:1], World._pull),
    ("GET", rf"{REPO}/pulls", READS[:1], World._pulls),
    ("GET", rf"{REPO}/commits/([^/]+)/pulls", READS[:1], World._pulls_of),
    ("GET", rf"{REPO}/issues/(\d+)/comments", READS, World._comments),
    ("POST", rf"{REPO}/issues/(\d+)/comments", WRITES, World._create),
    ("PATCH", rf"{REPO}/issues/comments/(\d+)", WRITES, World._update),
    ("DELETE", rf"{REPO}/issues/comments/(\d+)", WRITES, World._delete),
    ("GET", rf"{REPO}/contents/(.+)", CONTENT, World._contents),
    ("GET", rf"{REPO}/git/commits/([^/]+)", CONTENT, World._commit),
    ("POST", rf"{REPO}/statuses/([^/]+)", (("statuses", "write"),), World._status),
    ("POST", rf"{REPO}/check-runs", (("checks", "write"),), World._check),
)


class GitHubServer(ThreadingHTTPServer):
    """The server; ``world`` is what it holds, ``asked`` what it was asked."""

    request_queue_size = 256
    daemon_threads = False

    def __init__(self, *, port=0, prefix="", public=None):
        super().__init__(("127.0.0.1", port), Handler)
        self.prefix = prefix
        self.world = World(public or self.url)
        self.script = deque()
        self.asked = []
        self.live = set()
        self.over = threading.Event()
        self.lock = threading.RLock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}{self.prefix}"

    @property
    def lines(self):
        return [asked.line for asked in self.asked]

    def usual(self):
        return {"X-GitHub-Request-Id": f"F4KE:{len(self.asked):04X}"}

    def next_step(self, asked):
        with self.lock:
            self.asked.append(asked)
            return self.script.popleft() if self.script else None

    def told(self, said):
        """Do as another process says."""
        world = self.world
        for pull in said.get("pulls", []):
            world.pulls[pull["number"]] = Pull(**pull)
        for sha, files in said.get("files", {}).items():
            held = world.files.setdefault(sha, {})
            held.update({path: text.encode() for path, text in files.items()})
        for comment in said.get("comments", []):
            world.comment(comment["number"], comment["body"])
        world.url = said.get("public", world.url)
        world.may = said.get("may", world.may)
        self.script.extend(FAULTS[name] for name in said.get("script", []))

    def handle_error(self, request, client_address):
        """Take no notice of clients that hang up, which is what is tested; show all else."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def start(self):
        self._thread.start()
        return self

    def stop(self):
        """End every request and every connection, and wait for their threads."""
        self.over.set()
        self.shutdown()
        for connection in tuple(self.live):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it was closed already
        self.server_close()
        self._thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--prefix", default="", help="/api/v3, as an Enterprise Server has")
    parser.add_argument("--public", help="what links begin with, if not with its own address")
    parser.add_argument("--read-only", action="store_true", help="the token of a fork's run")
    parser.add_argument("--page", type=int, default=100, help="items of a page, at most")
    given = parser.parse_args()
    server = GitHubServer(port=given.port, prefix=given.prefix, public=given.public)
    server.world.most = given.page
    if given.read_only:
        server.world.may = dict(READ_ONLY)
    print(server.server_address[1], flush=True)  # noqa: T201 - who started it waits for this
    server.serve_forever()


if __name__ == "__main__":
    main()
