"""What a GitHub holds, as the JSON documents in which it tells of it."""

import base64
import hashlib
from datetime import UTC, datetime, timedelta

from github_records import REPOSITORY, Account, Answer

EPOCH = datetime(2026, 11, 1, tzinfo=UTC)


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


def as_pull(url, pull):
    base = f"{url}/repos/{REPOSITORY}/pulls/{pull.number}"
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


def as_comment(url, made):
    base = f"{url}/repos/{REPOSITORY}/issues"
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


def as_commit(url, sha):
    person = {"name": "A", "email": "a@github.example", "date": when(0)}
    unsigned = dict.fromkeys(("signature", "payload", "verified_at"))
    return {
        "sha": sha,
        "node_id": "C_1",
        "url": f"{url}/repos/{REPOSITORY}/git/commits/{sha}",
        "html_url": web(f"{REPOSITORY}/commit/{sha}"),
        "author": person,
        "committer": person,
        "tree": {"sha": "3" * 40, "url": f"{url}/repos/{REPOSITORY}/git/trees/3"},
        "message": "m",
        "parents": [],
        "verification": {"verified": False, "reason": "unsigned", **unsigned},
    }


def as_status(url, count, who, sha, said):
    return {
        "url": f"{url}/repos/{REPOSITORY}/statuses/{sha}",
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
    }


def as_check(url, count, who, said):
    address = f"{url}/repos/{REPOSITORY}/check-runs/{count}"
    nothing = {"text": None, "annotations_count": 0, "annotations_url": address}
    return {
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
    }


def error(code, message, *, errors=None):
    body = {"message": message, "documentation_url": "https://docs.github.com/rest"}
    if errors is not None:
        body["errors"] = errors
    return Answer(code, {**body, "status": str(code)})
