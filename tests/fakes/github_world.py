"""The one repository that a GitHub of our own holds, and the routes that lead to what is in it."""

import re
from dataclasses import asdict
from urllib.parse import unquote, urlencode

from github_documents import (
    as_check,
    as_comment,
    as_commit,
    as_file,
    as_pull,
    as_status,
    error,
)
from github_records import ACTIONS, BASE, HEAD, REPOSITORY, SOMEBODY, Answer, Comment, Pull

MAX_COMMENT = 65_536
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
        return error(404, "Not Found") if found is None else Answer(200, as_pull(self.url, found))

    def _pulls_of(self, asked, who, sha):
        """Tell none of a fork's, as GitHub was seen to, unless it is to know them."""
        del who
        found = [pull for pull in self.pulls.values() if sha in {pull.head, *pull.commits}]
        if not found and sha not in self.files:
            return error(422, f"No commit found for SHA: {sha}")
        told = [one for one in found if self.knows_forks or one.head_repository == REPOSITORY]
        return self._paged(asked, [as_pull(self.url, pull) for pull in told])

    def _pulls(self, asked, who):
        """List as GitHub does: open ones, and of any head where ``head`` is not OWNER:BRANCH."""
        del who
        state, wanted = asked.query.get("state", "open"), asked.query.get("head", "")
        told = [as_pull(self.url, pull) for pull in self.pulls.values()]
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
        return self._paged(asked, [as_comment(self.url, made) for made in self.on(int(number))])

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
        made = as_comment(self.url, self.comment(int(number), body, author=who))
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
        return Answer(200, as_comment(self.url, found))

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
        return Answer(200, as_commit(self.url, sha))

    def _status(self, asked, who, sha):
        said = asked.document
        if sha not in self.files:
            return error(422, f"No commit found for SHA: {sha}")
        if said["state"] not in STATES or len(said.get("description") or "") > 140:
            return error(422, "Validation Failed", errors=[{"code": "custom", "field": "state"}])
        self.statuses.append({"sha": sha, **said})
        made = as_status(self.url, len(self.statuses), who, sha, said)
        return Answer(201, made)

    def _check(self, asked, who, *_):
        said = asked.document
        if who.app is None:
            return error(403, "You must authenticate via a GitHub App.")
        if len(said["output"]["summary"]) > 65_535:
            return error(422, "Invalid request. No subschema matched.")
        self.checks.append(said)
        return Answer(201, as_check(self.url, len(self.checks), who, said))

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
