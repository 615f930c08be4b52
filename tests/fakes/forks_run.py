"""A fork's run that is published: its artifact, which a stranger may edit, and what came of it."""

import json
import re

TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing
REPOSITORY = "octo/agent"
FORK = "mallory/agent"


def edited(house, **fields):
    """Change what the artifact's result says, as a stranger may."""
    path = house.folder / ".agent-eval-gate" / "result.json"
    found = json.loads(path.read_text())
    path.write_text(json.dumps({**found, **fields}))
    house.packs()


def told(house):
    text = (house.folder / "outputs").read_text()
    return dict(re.findall(r"^([a-z-]+)<<(?:\w+)\n(.*)\n\w+$", text, re.MULTILINE))


def writes(github):
    return [line for line in github.lines if not line.startswith("GET")]
