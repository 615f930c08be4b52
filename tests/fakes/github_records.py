"""What a GitHub is asked and answers, and what it holds: accounts, pull requests, comments."""

import json
from dataclasses import dataclass, field
from typing import NamedTuple

REPOSITORY = "octo/agent"
HEAD = "1" * 40
BASE = "2" * 40


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
