"""A report fits where it is to stand: detail goes in the stated order, and the page says which."""

import pytest
from markdown_it import MarkdownIt

from gate.records.verdict import ChangedCase
from gate.report.bounds import USUAL
from gate.report.fit import COMMENT, LEAST, STAGES, SUMMARY, _narrowing, fitted
from gate.report.markdown import MARKER, render_markdown

GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"])
REFUSED = 65_536


def wide(text, size):
    """Give ``size`` characters of ``text``, over and over."""
    return (text * (size // len(text) + 1))[:size]


def worst(build, text, *, number, gates=20):
    """Make a report of ``number`` failing cases whose every text is as long as may be."""

    def name(at):
        return f"{at}{wide(text, 990)}"

    evidence = build.evidence(
        expected=wide(text, 1_000),
        output=wide(text, 1_000),
        error=wide(text, 1_000),
        expected_tools=(wide(text, 100),) * 20,
        tools=(wide(text, 100),) * 30,
    )
    cases = tuple(
        build.failing(
            name(at), "", labels=tuple(name(one) for one in range(5)), evidence=(evidence,)
        )
        for at in range(number)
    )
    ids = tuple(case.id for case in cases)
    base = build.report()
    return build.report(
        cases=cases,
        suite=build.suite(
            cases, slices=tuple(build.slice_of(one, 2, 1) for one in ids[: number // 2])
        ),
        gates=tuple(
            gate.model_copy(
                update={"because": wide(text, 3_000), "case_ids": ids[:50], "gate": name(at)}
            )
            for at, gate in enumerate((base.gates * gates)[:gates])
        ),
        comparison=base.comparison.model_copy(
            update={
                "newly_failing": ids,
                "newly_passing": ids[:100],
                "added": ids,
                "removed": ids,
                "changed": tuple(ChangedCase(id=one, fields=ids[:9]) for one in ids[:200]),
                "differences": (wide(text, 3_000),) * 50,
                "fallen_slices": ids[:20],
                "baseline_reason": wide(text, 3_000),
            }
        ),
        policy='{"x":[' + ",".join(['"@ # ` |"'] * 3_000) + "]}",
        notes=(wide(text, 3_000),) * 40,
        warnings=(wide(text, 3_000),) * 40,
        waivers=(build.waiver_use(name(0)),) * 100,
        waived_on="2026-06-30",
    )


SCRIPTS = ["x", "é", "語", "😀", "`", "``x", "@ ", "| ", "\u202e", "<&>", "\n", "a1-"]


@pytest.mark.parametrize("text", SCRIPTS)
def test_the_worst_report_fits_a_comment_whatever_its_script(build, text):
    markdown = fitted(worst(build, text, number=60))
    assert len(markdown.encode()) <= COMMENT < REFUSED
    assert markdown.startswith(f"{MARKER}\n## ")


@pytest.mark.parametrize("text", SCRIPTS)
def test_the_narrowest_report_is_under_the_least_limit(build, text):
    report = worst(build, text, number=60)
    markdown = fitted(report, limit_bytes=LEAST)
    assert len(markdown.encode()) <= LEAST
    assert "... 57 more" not in markdown
    assert "<summary>57 more</summary>" in markdown or "and 57 more" in markdown


def test_ten_thousand_failing_cases_fit(build):
    report = worst(build, "é", number=10_000)
    for limit in (COMMENT, LEAST):
        markdown = fitted(report, limit_bytes=limit)
        assert len(markdown.encode()) <= limit
        assert "### Newly failing (10000)" in markdown
    assert len(fitted(report, limit_bytes=SUMMARY).encode()) <= SUMMARY


def test_a_limit_that_nothing_fits_raises(build):
    with pytest.raises(ValueError, match="needs 20,000 bytes"):
        fitted(build.report(), limit_bytes=LEAST - 1)


def test_what_fits_is_left_as_it_is(build):
    assert fitted(build.report()) == render_markdown(build.report())
    named = fitted(build.report(), suite="geo", show_expected=False)
    assert named == render_markdown(build.report(), suite="geo", show_expected=False)


def test_the_stages_go_in_the_stated_order(build):
    report = worst(build, "é", number=60)
    limit, gone, seen = len(render_markdown(report).encode()), [], 0
    while limit >= LEAST:
        markdown = fitted(report, limit_bytes=limit)
        assert len(markdown.encode()) <= limit
        said = [stage.what for stage in STAGES if stage.what in markdown]
        assert said[: len(gone)] == gone
        gone, seen = said, seen + 1
        limit = len(markdown.encode()) - 1
    absent = {"the judge's votes", "the slices that did not move"}
    assert gone == [stage.what for stage in STAGES if stage.what not in absent][: len(gone)]
    assert len(gone) >= 4


def test_what_was_left_out_is_said_once_with_the_place_where_it_stands(build):
    report = worst(build, "é", number=60)
    last = fitted(report, elsewhere="the attic").rstrip().splitlines()[-2:]
    assert last[0] == "> [!NOTE]"
    assert last[1].startswith("> Left out, to fit here: the text of the policy; ")
    assert last[1].endswith(". All of it is in the attic.")


def test_what_was_not_there_is_not_said_to_be_left_out(build):
    bulky = build.report(policy='{"x":[' + ",".join(["1234567"] * 900) + "]}")
    small = len(fitted(bulky).encode())
    markdown = fitted(bulky, limit_bytes=max(LEAST, small - 1))
    assert "Left out" not in markdown
    longer = worst(build, "x", number=2, gates=2)
    assert "the judge's votes" not in fitted(longer, limit_bytes=LEAST)


def test_the_first_stage_takes_the_policy_alone(build):
    report = worst(build, "é", number=60)
    whole = len(render_markdown(report).encode())
    markdown = fitted(report, limit_bytes=whole - 1)
    assert "Left out, to fit here: the text of the policy. All" in markdown
    assert "- policy in force: in the result file" in markdown
    assert "```json" not in markdown


def test_narrower_limits_never_become_wider():
    before = USUAL
    for _, now in _narrowing(USUAL):
        for name in USUAL.__slots__:
            assert getattr(now, name) <= getattr(before, name)
        before = now


@pytest.mark.parametrize("text", ["x", "é", "``x", "| ", "<&>"])
@pytest.mark.parametrize("limit", [LEAST, COMMENT])
def test_no_markup_is_cut_in_its_middle(build, text, limit):
    tokens = GITHUB.parse(fitted(worst(build, text, number=30), limit_bytes=limit))
    blocks = [token.content for token in tokens if token.type == "html_block"]
    opened = sum(block.startswith("<details>") for block in blocks)
    assert opened == blocks.count("</details>\n") > 0
    inline = [leaf for token in tokens for leaf in token.children or ()]
    assert {leaf.type for leaf in inline} <= {
        *("text", "code_inline", "strong_open", "strong_close", "softbreak", "text_special"),
    }
    assert sum(token.type == "heading_open" and token.tag == "h2" for token in tokens) == 1


def test_the_verdict_its_reason_and_the_measures_never_go(build):
    markdown = fitted(worst(build, "é", number=60), limit_bytes=LEAST)
    for part in ("## ❌ agent-eval-gate: FAIL", "**Why:** ", "### Measures", "| pass rate |"):
        assert part in markdown
