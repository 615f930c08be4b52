import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gate.report.sanitize import (
    EMPTY,
    Inert,
    excerpt,
    fenced,
    has_invisible,
    inert,
    marked,
    prose,
    uncommanded,
    visible,
)

GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"])
ANY = st.text(alphabet=st.characters(), max_size=60)
MARKUP = st.text(
    alphabet="`|*_~<>[]()!#@:/\\-+=.&;\"'$ \n\t19aAéw\u202e\U000e0041\u200d", max_size=60
)
TEXTS = ANY | MARKUP


def inline(markdown):
    """Give the leaves of ``markdown``, which must be one paragraph."""
    tokens = GITHUB.parse(markdown)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    return tokens[1].children


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x1b[2J", r"\u{1b}[2J"),
        ("\u202eevil\u2066", r"\u{202e}evil\u{2066}"),
        ("zero\u200b\u200d\ufeffwidth", r"zero\u{200b}\u{200d}\u{feff}width"),
        ("\U000e0041\U000e007f", r"\u{e0041}\u{e007f}"),
        ("\ufe0f\U000e0100", r"\u{fe0f}\u{e0100}"),
        ("\ue000\ud800\uffff", r"\u{e000}\u{d800}\u{ffff}"),
        ("\u2028\x85\u3164", r"\u{2028}\u{85}\u{3164}"),
        ("日本\u3000é 10\u00a0000", "日本\u3000é 10\u00a0000"),
    ],
)
def test_what_cannot_be_seen_is_spelt_out(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "::error::x",
        "  ::stop-commands::t",
        "\u00a0::add-mask::x",
        "\u3000::warning::x",
        "a ::set-output name=verdict::pass",
        "x ##[error] y",
        "###[group]",
        "##[##[a",
    ],
)
def test_no_workflow_command_survives(text):
    shown = visible(text)
    assert not any(part.startswith("::") for part in shown.split())
    assert "##[" not in shown
    assert uncommanded(shown) == shown


@given(TEXTS)
def test_visible_text_is_one_printable_line_and_stable(text):
    shown = visible(text)
    assert all(char.isprintable() or char in "\u00a0\u202f\u3000" for char in shown)
    assert "##[" not in shown
    assert not shown.lstrip().startswith("::")
    assert visible(shown) == shown
    assert not has_invisible(shown)


@given(TEXTS)
def test_inert_text_is_one_code_span_with_the_visible_text(text):
    (leaf,) = inline(inert(text))
    if not text:
        assert (leaf.type, leaf.content) == ("text", EMPTY)
    else:
        assert leaf.type == "code_inline"
        assert leaf.content == visible(text).replace("|", r"\u{7c}")


@given(TEXTS)
def test_inert_text_keeps_to_its_table_cell(text):
    tokens = GITHUB.parse(f"| a | b |\n|---|---|\n| {inert(text)} | {prose(text)} |\n")
    cells = [token for token in tokens if token.type == "td_open"]
    leaves = [leaf.type for token in tokens for leaf in token.children or ()]
    assert len(cells) == 2
    assert set(leaves) <= {"text", "code_inline"}


@given(TEXTS)
def test_prose_is_text_and_code_only_and_reads_as_the_visible_text(text):
    leaves = inline(prose(text))
    assert {leaf.type for leaf in leaves} <= {"text", "code_inline"}
    said = "".join(leaf.content for leaf in leaves)
    wanted = " ".join(word for word in visible(text).split(" ") if word)
    assert said == (wanted.replace("|", r"\u{7c}") or EMPTY)


@given(TEXTS)
def test_a_sentence_of_ours_is_text_and_code_only_and_loses_at_most_backticks(text):
    leaves = inline(marked(text))
    assert {leaf.type for leaf in leaves} <= {"text", "code_inline"}
    said = "".join(leaf.content for leaf in leaves)
    wanted = visible(text).replace("|", r"\u{7c}").replace("`", "").replace(" ", "")
    assert said.replace("`", "").replace(" ", "") == (wanted or said.replace("`", ""))


@given(st.text(alphabet="`(). ab", max_size=12))
def test_without_marks_a_sentence_of_ours_is_prose(text):
    if text.count("`") < 2:
        assert marked(text) == prose(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('say `a = ["b", "c"]` here', ['a = ["b", "c"]']),
        ("(`min`), `max`.", ["min", "max"]),
        ("case '`x`' and 'qa-2'", ["`x`", "qa-2"]),
        ("``a`` and `b", ["``a``", "`b"]),
        ("`@team`: `<b>`", ["@team", "<b>"]),
    ],
)
def test_two_backticks_of_ours_enclose_one_code_span(text, code):
    assert [leaf.content for leaf in inline(marked(text)) if leaf.type == "code_inline"] == code


@pytest.mark.parametrize("make", [prose, marked])
@given(TEXTS)
def test_prose_begins_no_block_even_inside_a_list(make, text):
    tokens = GITHUB.parse(f"- {make(text)}\n")
    assert [token.type for token in tokens] == [
        "bullet_list_open",
        "list_item_open",
        "paragraph_open",
        "inline",
        "paragraph_close",
        "list_item_close",
        "bullet_list_close",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "@user",
        "(@org/team)",
        "#123",
        "GH-1",
        "owner/repo#1",
        "owner/repo@0123456",
        "deadbeef",
        "0123456789",
        "TICKET-12",
        "http://evil.example",
        "www.evil.example",
        "mail@evil.example",
        "mailto:mail@evil.example",
        ":tada:",
        "$x$",
        "![x](http://evil.example/x.png)",
        "[x](javascript:alert)",
        "<img/src=x>",
        "&#64;user",
        "[^1]",
    ],
)
def test_what_github_links_in_rendered_text_is_code(text):
    leaves = inline(prose(f"see {text}, ok"))
    plain = "".join(leaf.content for leaf in leaves if leaf.type == "text")
    assert plain.translate(str.maketrans("", "", "():, ")) == "seeok"


def test_a_plain_sentence_stays_readable():
    said = "pass rate fell 0.333 (allowed 0.050), it's 4.5 % in well-known cases."
    assert prose(said) == said


@given(TEXTS)
def test_a_fence_holds_its_text_whole(text):
    tokens = GITHUB.parse(f"{fenced(text, language='json')}\n\nafter\n")
    assert [token.type for token in tokens] == [
        "fence",
        "paragraph_open",
        "inline",
        "paragraph_close",
    ]
    assert tokens[0].content == "".join(f"{visible(line)}\n" for line in text.split("\n"))


def test_a_fence_is_longer_than_the_longest_run_inside():
    assert fenced("a\n``````\nb").startswith("```````\n")


@given(TEXTS, st.integers(1, 40))
def test_an_excerpt_is_bounded_and_counts_what_it_cuts(text, limit):
    shown, _, cut = excerpt(text, limit=limit).partition(" … (+")
    if cut:
        missing = int(cut.split(" ")[0].replace(",", ""))
        assert shown == visible(text[: len(text) - missing])
    else:
        assert shown == visible(text)
    assert len(shown) <= limit


@pytest.mark.parametrize("char", ["\u200b", "\u202e", "\U000e0041", "\x1b", "\ufe0f", "\u3164"])
def test_invisible_characters_are_flagged(char):
    assert has_invisible(f"no idea{char}")


def test_line_ends_tabs_and_other_scripts_are_not_flagged():
    assert not has_invisible("a\r\n\tb \u00a0 日本語 é")


def test_adding_to_inert_text_makes_it_plain_again():
    assert type(inert("a") + "<b>") is str
    assert isinstance(inert("a"), Inert)
