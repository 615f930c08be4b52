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
import json
from urllib.parse import parse_qs, urlsplit

import loopback
from github_faults import (
    FAULTS,
    echo_token,
    first,
    half,
    limited,
    link_to,
    lost,
    no_permission,
    page,
    redirect_to,
    refuses,
    secondary,
    sends,
)
from github_records import ACTIONS, BASE, HEAD, SOMEBODY, Account, Answer, Asked, Comment, Pull
from github_world import ALL, MAX_COMMENT, READ_ONLY, World
from loopback import disconnect, drip, endless, hang


class Handler(loopback.Handler):
    def handle_one(self):
        raw = self.body()
        parts = urlsplit(self.path)
        if parts.path == "/_fake":
            return self.control(raw)
        prefix = self.server.prefix
        headers = self.headers_in_lower_case()
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


class GitHubServer(loopback.Server):
    """The server; ``world`` is what it holds, ``asked`` what it was asked."""

    def __init__(self, *, port=0, prefix="", public=None):
        super().__init__(Handler, port=port)
        self.prefix = prefix
        self.world = World(public or self.url)

    @property
    def url(self):
        return f"{super().url}{self.prefix}"

    @property
    def lines(self):
        return [asked.line for asked in self.asked]

    def usual(self):
        return {"X-GitHub-Request-Id": f"F4KE:{len(self.asked):04X}"}

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
    print(server.port, flush=True)  # noqa: T201 - who started it waits for this
    server.serve_forever()


if __name__ == "__main__":
    main()
