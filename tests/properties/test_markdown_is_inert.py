"""No text of others makes any markup, as GitHub's own engine renders it.

``FUZZ_MARKDOWN`` says how many texts are generated (``make fuzz-markdown``: 100,000).
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

from gate.report.bounds import block, code, say
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


NEUTRAL = tree(everywhere("x")).tags
LINKED = re.compile(
    r"""@\w                       # a mention
      | \#\d | \bGH-\d            # an issue
      | \b[0-9a-f]{7,40}\b        # a commit
      | ://|www\.|\w@\w|mailto:   # an address
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
    plain = "\n".join(found.texts).replace("[!WARNING]", "")
    assert LINKED.findall(plain) == []


DATA = Path(__file__).parents[1] / "data" / "hostile_markdown.json"
HOSTILE = json.loads(DATA.read_text("utf-8"))
"""Texts that are markup, links, mentions, commands or hidden, alone or where they stand."""


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_inert(text):
    for around in ("{}", "a {}", "{} b", "a {} b", "({})", '"{}",', "{}.", "{0} {0}", "x\n{}\n"):
        assert_inert(around.format(text))


PIECES = st.one_of(
    st.sampled_from(HOSTILE),
    st.sampled_from(list("`~*_#@|\\<>&[]()!-+=:.,;$^'\"{}%/?0123456789abcdefx \n\t\r")),
    st.text(max_size=6),
    st.characters(categories=("Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Po", "Sm", "Nd", "Nl")),
)


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@pytest.mark.timeout(0)
@given(st.lists(PIECES, max_size=8).map("".join) | st.lists(PIECES, max_size=6).map(" ".join))
def test_no_generated_text_makes_markup(text):
    assert_inert(text)


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
