"""The whole report, as GitHub's own engine renders it: hostile text changes none of its tags."""

import json
import re
from pathlib import Path

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options

from gate.report.fit import LEAST, fitted
from gate.report.markdown import render_markdown

DATA = Path(__file__).parents[2] / "data" / "hostile_markdown.json"
HOSTILE = [text for text in json.loads(DATA.read_text("utf-8")) if text != "\ud800"]
"""Without a lone surrogate, which no record takes."""


def tags(markdown):
    """Give every tag but those of code, raw ones among them, and every comment."""
    page = cmarkgfm.markdown_to_html_with_extensions(
        markdown,
        options=Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES,
        extensions=["table", "strikethrough", "autolink", "tasklist"],
    )
    return [
        tag for tag in re.findall(r"<[^>]*>", page) if tag not in {"<code>", "</code>", "<br />"}
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_changes_no_tag_of_a_report(build, text):
    assert tags(render_markdown(build.saying(text))) == tags(render_markdown(build.saying("x")))


def test_a_narrowed_report_is_made_of_whole_tags(build):
    text = "`</details> | **" * 50
    cases = tuple(build.failing(f"{at}{text}", text, labels=(text,)) for at in range(99))
    found = tags(fitted(build.report(cases=cases, comparison=None), limit_bytes=LEAST))
    for name in ("details", "ul", "li", "table", "blockquote", "h2", "h3"):
        opened = sum(bool(re.match(rf"<{name}\b", tag)) for tag in found)
        assert opened == found.count(f"</{name}>") > 0
