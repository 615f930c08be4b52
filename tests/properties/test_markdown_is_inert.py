"""No text of others makes any markup, as GitHub's own engine renders it.

``FUZZ_MARKDOWN`` says how many texts are generated (``make fuzz-markdown``: 100,000, in rounds,
since what renders them gives no memory back).
"""

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.records.report import Report
from gate.records.rule_change import RuleChange, RulesFrom
from gate.records.verdict import GateVerdict
from gate.records.waiver import WaiverUse
from gate.report.bounds import Limits, block, code, say
from gate.report.markdown import render_markdown
from gate.report.result_json import read_result
from gate.report.sanitize import Inert, fenced
from gate.report.tables import Table, render

EXAMPLES = int(os.environ.get("FUZZ_MARKDOWN", "300"))
MOST = 10_000
"""Characters that any text here may have, and so no excerpt is cut."""


class Tree(HTMLParser):
    """What a page renders to: its tags but for code, and the text outside code."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts, self._code = [], [], 0
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "code":
            self._code += 1
        else:
            self.tags.append((tag, *attrs))

    def handle_endtag(self, tag):
        if tag == "code":
            self._code -= 1
        else:
            self.tags.append(("/", tag))

    def handle_comment(self, data):
        self.tags.append(("comment", data))

    def handle_decl(self, decl):
        self.tags.append(("declaration", decl))

    def handle_pi(self, data):
        self.tags.append(("instruction", data))

    def handle_data(self, data):
        if not self._code:
            self.texts.append(data)


def tree(markdown):
    """Render as GitHub does; raw HTML is let through, so that none of it can hide."""
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    page = cmarkgfm.markdown_to_html_with_extensions(
        markdown,
        options=options,
        extensions=["table", "strikethrough", "autolink", "tasklist"],
    )
    return Tree(page)


def everywhere(text):
    """Give a page with a text in every place in which a report may show one."""
    said, named = say(text, MOST), code(text, MOST)
    cells = Table(
        ("a", "b", "c"), "<><", ((named, said, "x"), (said, Inert(f"{said} ({named})"), named))
    )
    return "\n".join(
        (
            "<!-- agent-eval-gate -->",
            f"## x · {named}",
            "",
            f"**Why:** {said}",
            "",
            f"{said}",
            "",
            "> [!WARNING]",
            f"> **{said}**",
            ">",
            f"> **{said}**",
            "",
            f"- {named} · {named}, {named} · x",
            f"  - got: {named} (contains invisible characters)",
            f"- {said}",
            f"- in {named}",
            "",
            render(cells),
            "",
            "<details>",
            "<summary>x</summary>",
            "",
            f"- {said}",
            "",
            fenced(text, language="json"),
            "",
            block(text, limit=MOST),
            "",
            "</details>",
        )
    )


GOLDEN = Path(__file__).parents[1] / "golden" / "result.json"
REPORT = read_result(GOLDEN.read_bytes(), source="result.json")
UNBOUNDED = Limits(
    **{name: MOST for name in Limits.__dataclass_fields__ if name not in {"cases", "policy"}},
    cases=1,
    policy=0,
)
"""A page that cuts nothing, and shows little besides what is made of a text."""
NUMBERS = {"refused": ["limit-loosened", "reference-changed"]}


def of_a_pull_request(text):
    """Give the page of a pull request that changes rules: a text wherever one may stand.

    Its notice is that of a stranger's result; gaps and remarks are an importer's. A record holds
    no half of a surrogate pair.
    """
    text = text.encode("utf-8", "replace").decode()
    name, words = text or "x", text[:400]
    beside = {"before": words, "after": words, "loosens": True}
    changes = (
        *(
            RuleChange(kind=kind, subject=name, **beside)
            for kind in (
                *("limit-loosened", "reference-changed", "input-changed", "label-changed"),
                *("waiver-changed", "baseline-changed", "prompt-changed", "file-moved"),
                "safety-label-removed",
            )
        ),
        *(
            RuleChange(kind=kind, subject=name, after=words, loosens=False)
            for kind in ("policy-added", "gate-on", "waiver-added", "unreadable")
        ),
        RuleChange(kind="case-added", subject="", loosens=False, number=9, case_ids=(name, name)),
        RuleChange(kind="baseline-changed", subject=name, case_ids=(name,), loosens=True),
    )
    said = {"gate": "regression", "expires": "2026-12-31", "days_left": 3}
    waivers = tuple(
        WaiverUse(case=name, owner=name, reason=name, said=text, used=used, **said)
        for used in (True, False)
    )
    gates = (
        GateVerdict(gate="rules", outcome="fail", because=text, numbers=json.dumps(NUMBERS)),
        GateVerdict(gate="safety", outcome="pass", because=text, waived=(name,), case_ids=(name,)),
    )
    report = Report(
        **{
            **dict(REPORT),
            "cases": (),
            "gates": gates,
            "rule_changes": changes,
            "rules_from": RulesFrom(source="base", commit="a" * 40, file=name, brought=(name,)),
            "waivers": waivers,
            "waived_on": "2026-12-28",
            "gaps": (text,),
            "notes": (text,),
            "conditions": (text,),
            "warnings": (text,),
        }
    )
    return render_markdown(report, suite=name, notice=(text, name), limits=UNBOUNDED)


NEUTRAL = tree(everywhere("x")).tags
NEUTRAL_PULL = tree(of_a_pull_request("x"))
LINKED = re.compile(
    r"""@\w                       # a mention
      | \#\d | \bGH-\d            # an issue
      | \b[0-9a-f]{7,40}\b        # a commit
      | ://|\bwww\.|\w@\w|\bmailto:   # an address
      | :[a-z0-9_+-]+:            # an emoji
      | \$[^ ] | `                # a formula; code that did not close
      | \[[ xX]\]|\[\^|\]\(|!\[   # a task, a footnote, a link, an image
      | <[a-z!/?]                 # a tag
    """,
    re.VERBOSE | re.IGNORECASE,
)


def assert_inert(text):
    found = tree(everywhere(text))
    assert found.tags == NEUTRAL
    assert linked(found) == []


def assert_inert_on_a_pull_request(text):
    found = tree(of_a_pull_request(text))
    assert found.tags == NEUTRAL_PULL.tags
    assert linked(found) == linked(NEUTRAL_PULL)


def linked(found):
    plain = "\n".join(found.texts).replace("[!WARNING]", "").replace("[!CAUTION]", "")
    return LINKED.findall(plain)


DATA = Path(__file__).parents[1] / "data" / "hostile_markdown.json"
HOSTILE = json.loads(DATA.read_text("utf-8"))
"""Texts that are markup, links, mentions, commands or hidden, alone or where they stand."""


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_inert(text):
    for around in ("{}", "a {}", "{} b", "a {} b", "({})", '"{}",', "{}.", "{0} {0}", "x\n{}\n"):
        assert_inert(around.format(text))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_inert_in_what_is_said_of_a_pull_request(text):
    for around in ("{}", "a {} b"):
        assert_inert_on_a_pull_request(around.format(text))


PIECES = st.one_of(
    st.sampled_from(HOSTILE),
    st.sampled_from(list("`~*_#@|\\<>&[]()!-+=:.,;$^'\"{}%/?0123456789abcdefx \n\t\r")),
    st.text(max_size=6),
    st.characters(categories=("Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Po", "Sm", "Nd", "Nl")),
)


TEXTS = st.lists(PIECES, max_size=8).map("".join) | st.lists(PIECES, max_size=6).map(" ".join)
many = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))


@many
@pytest.mark.timeout(0)
@given(TEXTS)
def test_no_generated_text_makes_markup(text):
    assert_inert(text)


@many
@pytest.mark.timeout(0)
@given(TEXTS)
def test_no_generated_text_makes_markup_in_what_is_said_of_a_pull_request(text):
    assert_inert_on_a_pull_request(text)


def test_what_finds_markup_would_find_it():
    for said in ("@octocat", "see #1", "deadbeef1", "www.x.y", ":tada:", "[ ]", "$x$"):
        assert LINKED.search(said)
    for said in (
        "<b>x</b>",
        "![b](x)",
        "# x",
        "https://evil.example",
        "- [ ] x",
        "a[^1]\n\n[^1]: x",
    ):
        assert tree(said).tags != tree("x").tags
