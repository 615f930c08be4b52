"""What every hostile input is held to, and a pull request on a runner."""

import base64
import json
import re
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

CANARY = "CANARY-JUDGE-KEY-0000"
NAMES = {
    *("verdict", "exit-status", "pass-rate", "ci-low", "ci-high", "drop", "p-value"),
    *("newly-failing", "result-path", "report-path", "comment-url"),
}
MARKDOWN = MarkdownIt("commonmark").enable("table")
RAW = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


def command_file(text):
    """Read a runner's command file as the runner does."""
    found = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        name, delimiter = line.split("<<", 1)
        value = []
        for part in lines:
            if part == delimiter:
                break
            value.append(part)
        else:
            raise AssertionError(f"{name} never ends")
        found[name] = "\n".join(value)
    return found


def headings(markdown):
    tokens = MARKDOWN.parse(markdown)
    return [
        (token.tag, tokens[at + 1].content)
        for at, token in enumerate(tokens)
        if token.type == "heading_open"
    ]


def comments(markdown):
    """Give the HTML comments that a renderer would see, not those shown as code."""
    tokens = [
        inner for token in MARKDOWN.parse(markdown) for inner in (token, *(token.children or ()))
    ]
    return [
        token.content
        for token in tokens
        if token.type.startswith("html_") and "<!--" in token.content
    ]


def spellings(secret):
    raw = secret.encode()
    yield from (secret, secret.lower(), raw.hex(), quote(secret, safe=""))
    yield from ("".join(f"%{byte:02X}" for byte in raw), secret.replace("-", "%2D"))
    for pad in range(3):
        yield base64.b64encode(b"." * pad + raw).decode()[pad + (pad > 0) : -4]


class Trial:
    """Runs `check` twice on hostile files and holds each run to what is always true."""

    def __init__(self, house, monkeypatch):
        self.house = house
        self._monkeypatch = monkeypatch

    def __call__(self, *options):
        first = self._once("one", options)
        second = self._once("two", options)
        assert first.status == second.status
        assert first.result == second.result
        if first.result is not None:
            one, two = (self.house.folder / out / "result.json" for out in ("one", "two"))
            assert one.read_bytes() == two.read_bytes()
        return first

    def _once(self, out, options):
        folder = self.house.folder
        for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
            (folder / f"{out}.{name}").unlink(missing_ok=True)
            self._monkeypatch.setenv(name, f"{out}.{name}")
        self._monkeypatch.setenv("GEMINI_API_KEY", CANARY)
        run = self.house.check(*options, "--out", out, "--report-formats", "markdown,junit")
        outputs, summary = (
            (folder / f"{out}.{name}").read_text("utf-8")
            for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")
        )
        written = [path.read_text("utf-8") for path in sorted((folder / out).glob("*"))]
        assert run.status in {0, 1, 2, 3}, run.err
        assert (run.result is None) == (run.report is None) == (run.status == 2)
        assert "Traceback" not in run.err
        assert RAW.findall(run.out + run.err) == []
        for line in (run.out + run.err).splitlines():
            assert not line.lstrip().startswith("::")
            assert "##[" not in line
        self._holds_strict_json(out)
        self._has_a_test_for_each_case(out, run)
        told = command_file(outputs)
        assert told.keys() == NAMES
        assert told["exit-status"] == str(run.status)
        assert isinstance(json.loads(told["newly-failing"]), list)
        self._has_one_verdict(summary)
        for text in (run.out, run.err, outputs, summary, *written):
            assert RAW.findall(text) == []
            assert [found for found in spellings(CANARY) if found in text] == []
        return run

    def _holds_strict_json(self, out):
        path = self.house.folder / out / "result.json"
        if path.exists():
            text = path.read_text("ascii")
            json.loads(text, parse_constant=pytest.fail)

    def _has_a_test_for_each_case(self, out, run):
        path = self.house.folder / out / "junit.xml"
        assert path.exists() == (run.result is not None)
        if path.exists():
            cases, gates = ET.parse(path).getroot()  # noqa: S314 - ours
            assert len(cases) == len(run.result["cases"])
            assert len(gates.findall("testcase")) == len(run.result["gates"])

    def _has_one_verdict(self, markdown):
        found = headings(markdown)
        verdicts = [text for _, text in found if "agent-eval-gate" in text]
        assert len(verdicts) == 1
        assert found[0][0] == "h2"
        assert all(tag != "h1" for tag, _ in found)
        assert len(comments(markdown)) == markdown.startswith("<!-- agent-eval-gate -->")


@pytest.fixture
def trial(house, monkeypatch):
    """Run `check` on the files of `house`, twice, under everything that always holds."""
    return Trial(house, monkeypatch)


TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing
REPOSITORY = "octo/agent"


@pytest.fixture
def fake(fakes):
    return fakes("github_server")


@pytest.fixture
def github(fake, fakes):
    """A host with the pull request 7; what it was asked is held to its description."""
    server = fake.GitHubServer().start()
    yield server
    server.stop()
    described = fakes("github_described")
    assert described.violations(server.asked, name=described.GITHUB) == []


def runner(house, github):
    """Give what a runner says of its job, for a pull request; the event lies in `event.json`."""
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(house.folder / "event.json"),
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_RUN_ID": "41",
        "GITHUB_RUN_NUMBER": "3",
        "GITHUB_RUN_ATTEMPT": "1",
        "GITHUB_SHA": "9" * 40,
        "GITHUB_API_URL": github.url,
        "GITHUB_OUTPUT": str(house.folder / "outputs"),
        "INPUT_GITHUB-TOKEN": TOKEN,
    }


def pull_request(fake):
    """Give the pull request 7 as an event tells of it."""
    repository = {"full_name": REPOSITORY}
    return {
        "number": 7,
        "state": "open",
        "head": {"ref": "topic", "sha": fake.HEAD, "repo": repository},
        "base": {"ref": "main", "sha": fake.BASE, "repo": repository},
    }


@pytest.fixture
def on_pull(house, github, fake, monkeypatch):
    """A house on a runner, for a pull request, judged by the rules at hand."""
    house.start()
    pull = pull_request(fake)
    event = {"action": "opened", "number": 7, "pull_request": pull}

    def tell(**edits):
        pull.update(edits)
        house.text("event.json", json.dumps({**event, "repository": {"full_name": REPOSITORY}}))

    tell()
    for name, value in runner(house, github).items():
        monkeypatch.setenv(name, value)
    plain = house.check
    house.check = lambda *options, **how: plain("--policy-from", "head", *options, **how)
    house.tell = tell
    house.fork = lambda: tell(
        head={"ref": "x", "sha": fake.HEAD, "repo": {"full_name": "evil/agent"}}
    )
    return house


class Change:
    """A pull request on a runner: the checkout is its own, the base commit the host's."""

    TOKEN = TOKEN
    POLICY = """
[suite]
cases = "cases.jsonl"
baseline = "baseline.json"
predictions = "predictions.jsonl"

[scorer]
name = "contains"

[[gates]]
gate = "regression"
rule = "point"
max_drop = 0.0
"""
    RULES = ("gate.toml", "cases.jsonl", "baseline.json")

    def __init__(self, house, github, fake, monkeypatch):
        self.house, self.github, self.fake = house, github, fake
        self.folder = house.folder
        self.base = github.world.files.setdefault(fake.BASE, {})
        self._set = monkeypatch.setenv
        self._repository = {"full_name": REPOSITORY}
        self._pull = pull_request(fake)

    def happens(self, event="pull_request", **payload):
        """Let this be the run's event; without more it is that of the pull request."""
        told = payload or {"action": "opened", "number": 7, "pull_request": self._pull}
        self.house.text("event.json", json.dumps({**told, "repository": self._repository}))
        self._set("GITHUB_EVENT_NAME", event)

    def edit_pull(self, **edits):
        """Let the event say something else of the pull request."""
        self._pull.update(edits)
        self.happens()

    def commit(self, *names):
        """Let the base commit hold these files as they lie in the checkout now."""
        for name in names:
            self.base[name] = (self.folder / name).read_bytes()

    def text(self, name, text):
        self.house.text(name, text)

    def edit(self, name, old, new):
        text = (self.folder / name).read_text("utf-8")
        assert old in text
        self.house.text(name, text.replace(old, new))

    def check(self, *options, predictions=None):
        if predictions is not None:
            self.house.lines("predictions.jsonl", predictions)
        return self.house.run("check", *options)

    def result_bytes(self):
        return (self.folder / ".agent-eval-gate" / "result.json").read_bytes()


@pytest.fixture
def change(house, github, fake, monkeypatch):
    """A pull request that changes nothing yet; no comment is asked for."""
    house.start()
    found = Change(house, github, fake, monkeypatch)
    found.text("gate.toml", found.POLICY)
    (house.folder / ".git").mkdir()
    more = {"GITHUB_WORKSPACE": str(house.folder), "INPUT_COMMENT": "off"}
    for name, value in {**runner(house, github), **more}.items():
        monkeypatch.setenv(name, value)
    found.happens()
    found.commit(*found.RULES)
    return found
