"""Cuts the operations that are used out of GitHub's own description of its API.

``python tests/contract_github/slice.py`` fetches the npm package of that description (29 MB,
held to its digest; needs npm), and writes ``description/`` anew: one slice for github.com, one
for GitHub Enterprise Server. Whatever validates is kept as it is; examples and prose are not.

Two things are added, each marked ``x-added-here``, because GitHub documents them elsewhere than
in the description: that any operation may answer with an error (rate limits, outages, missing
permissions), and that a file's bytes come as ``application/vnd.github.raw``.
"""

import json
import subprocess
import sys
import tarfile
import tempfile
from base64 import b64encode
from hashlib import sha512
from pathlib import Path

PACKAGE = "@octokit/openapi"
VERSION = "23.0.2"
DIGEST = "pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg=="
DOCUMENTS = ("api.github.com", "ghes-3.19")
OPERATIONS = frozenset(
    (
        "checks/create",
        "git/get-commit",
        "issues/create-comment",
        "issues/delete-comment",
        "issues/list-comments",
        "issues/update-comment",
        "pulls/get",
        "pulls/list",
        "repos/create-commit-status",
        "repos/get-content",
        "repos/list-pull-requests-associated-with-commit",
    )
)
FOLDER = Path(__file__).parent / "description"
RAW = "application/vnd.github.raw"
PROSE = frozenset(("example", "examples", "externalDocs", "tags", "x-github", "summary"))
DESCRIBED = frozenset(
    (
        "$ref",
        "allOf",
        "anyOf",
        "enum",
        "in",
        "oneOf",
        "operationId",
        "properties",
        "schema",
        "type",
    )
)
"""What has one of these needs no description; a response has none of them, and needs one."""


def bare(node, *, names=False):
    """Give a part of the document without examples and prose; ``names`` are not to be judged."""
    if isinstance(node, list):
        return [bare(item) for item in node]
    if not isinstance(node, dict):
        return node
    dropped = set() if names else PROSE | ({"description"} if DESCRIBED & set(node) else set())
    return {
        key: bare(value, names=key == "properties" and not names)
        for key, value in node.items()
        if key not in dropped
    }


def references(node):
    if isinstance(node, list):
        for item in node:
            yield from references(item)
    elif isinstance(node, dict):
        found = node.get("$ref")
        if isinstance(found, str):
            yield found
        for value in node.values():
            yield from references(value)


def cut(document, *, name):
    """Give a document of the operations alone, with all that they refer to."""
    paths = {
        path: bare({method: said for method, said in methods.items() if used(said)})
        for path, methods in document["paths"].items()
        if any(used(said) for said in methods.values())
    }
    found = {said["operationId"] for methods in paths.values() for said in methods.values()}
    if found != OPERATIONS:
        sys.exit(f"{name} does not describe {sorted(OPERATIONS - found)}")
    for methods in paths.values():
        for said in methods.values():
            complete(said)
    components, open_ones = {}, [*references(paths), "#/components/schemas/basic-error"]
    while open_ones:
        _, _, kind, key = open_ones.pop().split("/")
        if key not in components.setdefault(kind, {}):
            components[kind][key] = bare(document["components"][kind][key])
            open_ones += references(components[kind][key])
    return {
        "openapi": document["openapi"],
        "info": document["info"],
        "servers": document["servers"],
        "paths": paths,
        "components": components,
        "x-cut-from": f"{PACKAGE}@{VERSION} generated/{name}.json",
    }


def used(said):
    return isinstance(said, dict) and said.get("operationId") in OPERATIONS


def complete(said):
    error = {"schema": {"$ref": "#/components/schemas/basic-error"}}
    said["responses"]["default"] = {
        "description": "A rate limit, an outage or a missing permission",
        "content": {"application/json": error},
        "x-added-here": True,
    }
    if said["operationId"] == "repos/get-content":
        said["responses"]["200"]["content"][RAW] = {
            "schema": {"type": "string"},
            "x-added-here": True,
        }


def fetch(folder):
    """Fetch the package; whatever is not exactly what was meant ends this."""
    subprocess.run(
        ["npm", "pack", "--silent", "--ignore-scripts", f"{PACKAGE}@{VERSION}"],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (found,) = folder.glob("*.tgz")
    if b64encode(sha512(found.read_bytes()).digest()).decode() != DIGEST:
        sys.exit(f"{PACKAGE}@{VERSION} is not what it was")
    return found


def main():
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fetch(Path(folder))) as package:
        for name in DOCUMENTS:
            document = json.load(package.extractfile(f"package/generated/{name}.json"))
            text = json.dumps(cut(document, name=name), indent=1, sort_keys=True)
            (FOLDER / f"{name}.json").write_text(f"{text}\n", "utf-8", newline="\n")
        (FOLDER / "LICENSE").write_bytes(package.extractfile("package/LICENSE").read())


if __name__ == "__main__":
    main()
