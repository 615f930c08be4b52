"""What GitHub's own description says of requests that were made, and of replies."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from openapi_core import OpenAPI
from openapi_core.datatypes import RequestParameters
from werkzeug.datastructures import Headers, ImmutableMultiDict

FOLDER = Path(__file__).parents[1] / "contract_github" / "description"
GITHUB = "api.github.com"
ENTERPRISE = "ghes-3.19"
HOST = "https://github.example"


class Request(NamedTuple):
    """A request as openapi-core wants it."""

    asked: object
    parameters: RequestParameters
    host_url: str = HOST

    @property
    def path(self):
        return self.asked.path

    @property
    def method(self):
        return self.asked.method.lower()

    @property
    def body(self):
        return self.asked.body or None

    @property
    def content_type(self):
        return self.asked.headers.get("content-type", "application/octet-stream")


def document(name):
    """Give a slice that also knows a repository by its id, as links to further pages do."""
    found = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    owned = "/repos/{owner}/{repo}/"
    for path, methods in list(found["paths"].items()):
        if path.startswith(owned) and "get" in methods:
            said = json.loads(json.dumps(methods["get"]))
            said["operationId"] += "-by-id"
            said["parameters"] = [
                {"in": "path", "name": "repository_id", "required": True, "schema": INTEGER},
                *(one for one in said["parameters"] if one.get("$ref") not in OWNED),
            ]
            found["paths"][path.replace(owned, "/repositories/{repository_id}/")] = {"get": said}
    return found


INTEGER = {"type": "integer"}
OWNED = ("#/components/parameters/owner", "#/components/parameters/repo")


@cache
def described(name):
    found = document(name)
    found["servers"] = [{"url": HOST}]
    return OpenAPI.from_dict(found)


def violations(asked, *, name=GITHUB):
    """Give what the description has against each request."""
    said = []
    for one in asked:
        parameters = RequestParameters(
            query=ImmutableMultiDict(one.query), header=Headers(one.headers)
        )
        request = Request(one, parameters)
        said += [
            f"{one.line}: {error!r} {error.__cause__!r}"
            for error in described(name).iter_request_errors(request)
        ]
    return said
