import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jinja2 import UndefinedError
from jinja2.sandbox import SecurityError
from markdown_it import MarkdownIt

from gate.records.result import ScorerIdentity
from gate.records.verdict import DropInterval
from gate.report.markdown import MARKER, USUAL, Limits, _environment, render_markdown

GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = [
    "x\n\n</td></tr></table></details>\n\n# ✅ agent-eval-gate: PASSED\n",
    "| pass rate | 100% |\n|---|---|\n<!-- agent-eval-gate -->\n<!-- agent-eval-gate:state {} -->",
    "a\n```\n# out\n````````````\n# out2\n~~~\n# out3\n</code></pre><h1>out4</h1>",
    "## ✅ agent-eval-gate: PASS",
    "✅ agent-eval-gate: PASS\n=====",
    "<!-- agent-eval-gate -->",
    "@octocat and @org/team, see #1, GH-1, owner/repo#2 and 0123456789abcdef",
    "http://evil.example www.evil.example mail@evil.example <https://evil.example>",
    "![beacon](https://evil.example/x.png) [click](https://evil.example)",
    "[x]: https://evil.example\n\n[x]",
    "| a | b |\n|---|---|\n| c | d |",
    "a\\|b\\\\|c|d`|`e",
    "` `` ``` `` ` |",
    "*a* _b_ **c** ~~d~~ <b>e</b> &lt;i&gt; &#64;user",
    "1. one\n2. two\n- three\n+ four\n> five\n    six\n---\n***",
    "{{ 7 * 7 }} {% raw %} {# c #} ${{ secrets.TOKEN }}",
    "no idea\U000e0027\U000e0029\u200b[END\u00a0DATA]\u202e C",
    "qa-2\nEOF\nverdict=pass\nghadelimiter_x",
    "::error::x\n##[error]y",
    "$\\href{https://evil.example}{x}$ :tada: [^1] - [ ] task",
    "<details open><summary>PASS</summary>",
    "\\",
    " ",
    "1.",
    "-",
    "\t# x",
]
_GROUPS = ("Other failing cases", "Failing cases", "Newly passing", "Wrong paths")
TITLES = (
    "How this was measured",
    "Slices that did not move",
    "Notes",
    "Votes",
    "The judge",
    "The golden set against the baseline",
    *(f"{title} ([0-9]+)" for title in _GROUPS),
    "[0-9]+ more",
)
SUMMARIES = "|".join(title.replace("(", r"\(").replace(")", r"\)") for title in TITLES)
OURS = re.compile(rf"{MARKER}\n|</details>\n|<details>\n<summary>(?:{SUMMARIES})</summary>\n")


def leaves(tokens):
    return [leaf for token in tokens for leaf in token.children or ()]


def text_of(token):
    return "".join(leaf.content for leaf in token.children)


def assert_only_ours(markdown):
    """Hold that nothing in ``markdown`` but the template made any structure."""
    assert markdown.startswith(f"{MARKER}\n## ")
    tokens = GITHUB.parse(markdown)
    blocks = [token.content for token in tokens if token.type == "html_block"]
    assert [block for block in blocks if not OURS.fullmatch(block)] == []
    assert blocks.count(f"{MARKER}\n") == 1
    assert blocks.count("</details>\n") == sum(block.startswith("<details>") for block in blocks)
    assert sum(token.type == "heading_open" and token.tag == "h2" for token in tokens) == 1
    assert not any(token.type == "heading_open" and token.tag == "h1" for token in tokens)
    kinds = {leaf.type for leaf in leaves(tokens)}
    assert kinds <= {"text", "code_inline", "strong_open", "strong_close", "softbreak"}
    plain = "\n".join(leaf.content for leaf in leaves(tokens) if leaf.type == "text")
    linked = r"@\w|#\d|\bGH-\d|://|www\.|\w@\w|\b[0-9a-f]{7,40}\b|:\w+:|evil"
    assert re.findall(linked, plain) == []
    assert all(
        char.isprintable() or char == "\n"
        for char in re.sub("[\ufe0f\u00a0\u202f\u3000]", "", markdown)
    )


def headings(markdown):
    tokens = GITHUB.parse(markdown)
    return [
        text_of(tokens[at + 1]) for at, token in enumerate(tokens) if token.type == "heading_open"
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_makes_no_structure(build, text):
    markdown = render_markdown(build.saying(text))
    assert_only_ours(markdown)
    assert headings(markdown)[0] == "❌ agent-eval-gate: FAIL"
    assert [one for one in headings(markdown) if "PASS" in one] == []


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.sampled_from(HOSTILE) | st.text(max_size=8), max_size=4).map("\n".join))
def test_no_mixture_of_hostile_text_makes_structure(build, text):
    assert_only_ours(render_markdown(build.saying(text)))


@pytest.mark.parametrize("text", HOSTILE)
def test_every_table_keeps_its_columns(build, text):
    tokens = GITHUB.parse(render_markdown(build.saying(text)))
    rows, tables = 0, []
    for token in tokens:
        if token.type == "table_open":
            tables.append([])
        if token.type == "tr_open":
            tables[-1].append(0)
            rows += 1
        if token.type in {"td_open", "th_open"}:
            tables[-1][-1] += 1
    assert [set(table) for table in tables] == [{8}, {5}, {3}, {6}]
    assert rows == (1 + 2) + (1 + 1) + (1 + 1) + (1 + 1)


def test_the_marker_is_at_byte_0_and_the_verdict_is_the_first_heading(build):
    markdown = render_markdown(build.report())
    assert markdown.encode().startswith(MARKER.encode())
    assert headings(markdown)[0] == "❌ agent-eval-gate: FAIL"


@pytest.mark.parametrize(
    ("verdict", "status", "heading"),
    [
        ("pass", 0, "✅ agent-eval-gate: PASS"),
        ("undecided", 3, "⚠️ agent-eval-gate: UNDECIDED"),
        (None, 0, "📊 agent-eval-gate: SCORE ONLY"),
    ],
)
def test_each_verdict_has_its_heading(build, verdict, status, heading):
    report = build.report(verdict=verdict, exit_status=status)
    assert headings(render_markdown(report))[0] == heading


def test_an_advisory_verdict_is_shown_as_it_is_and_loudly_qualified(build):
    markdown = render_markdown(build.report(advisory=True, exit_status=0))
    assert headings(markdown)[0] == "❌ agent-eval-gate: FAIL"
    assert "> **Advisory run: the verdict is FAIL, yet the exit status is 0" in markdown


def test_without_a_baseline_the_report_says_so_and_has_no_columns_for_it(build):
    markdown = render_markdown(build.report(comparison=None))
    assert "> **No baseline: nothing was compared" in markdown
    assert "| change |" not in markdown
    assert "Newly failing" not in markdown
    assert "### Failing cases (3)" in markdown


def test_what_is_needed_at_a_glance_comes_first_and_what_explains_it_is_folded(build):
    markdown = render_markdown(build.report())
    open_to_see, _, folded = markdown.partition("<details>")
    order = ["**Why:**", "> [!WARNING]", "### Newly failing", "### Slices", "### Measures"]
    places = [open_to_see.index(part) for part in (*order, "### Gates")]
    assert places == sorted(places)
    for title in ("Other failing cases (1)", "Newly passing (1)", "Notes", "How this was"):
        assert f"<summary>{title}" in folded
    assert open_to_see.count("\n") < 55


def test_the_change_stands_right_below_the_reason_and_its_step(build):
    markdown = render_markdown(build.repeated())
    reason, said = markdown.index("**Why:**"), markdown.index("**Full runs:** pass rate over 3")
    assert reason < said < markdown.index("### ")


def test_a_change_is_stressed_with_its_interval_beside_it(build):
    between = DropInterval(method="newcombe", level=0.95, low=0.1, high=0.6)
    base = build.report().comparison
    compared = base.model_copy(update={"interval": between, "p_value": 0.03, "n_worse": 2})
    markdown = render_markdown(build.report(comparison=compared))
    assert (
        "\n**Change of the pass rate: −33.3 points** (95 % interval −60.0 to −10.0 points; "
        "2 cases worse, 0 better)." in markdown
    )


def test_a_sentence_without_a_lead_is_plain(build):
    base = build.report().comparison
    compared = base.model_copy(update={"n_compared": 0})
    markdown = render_markdown(build.report(comparison=compared))
    assert "\nNo case stands unchanged in both runs, so nothing was compared.\n" in markdown


def failing(build, number, **fields):
    cases = tuple(build.failing(f"c-{at:02d}", f"said {at:02d}") for at in range(number))
    return build.report(cases=cases, comparison=None, **fields)


def test_the_first_failing_cases_are_open_and_the_others_folded(build):
    open_to_see, _, folded = render_markdown(failing(build, 20)).partition("<details>")
    assert re.findall("`said ([0-9]+)`", open_to_see) == ["00", "01", "02"]
    assert folded.startswith("\n<summary>17 more</summary>")
    assert re.findall("`said ([0-9]+)`", folded) == [f"{at:02d}" for at in range(3, 15)]
    assert "- … and 5 more, in the result file\n\n</details>" in folded


def test_few_failing_cases_need_no_fold(build):
    assert "more</summary>" not in render_markdown(failing(build, 3))


def test_cases_that_failed_all_along_do_not_lead_where_the_verdict_is_a_pass(build):
    markdown = render_markdown(failing(build, 4, verdict="pass", exit_status=0))
    assert "<summary>Failing cases (4)</summary>" in markdown
    assert "### Failing cases" not in markdown


def test_all_warnings_stand_in_one_box_and_very_many_are_counted(build):
    warnings = tuple(f"Number {at}." for at in range(12))
    markdown = render_markdown(build.report(warnings=warnings))
    assert markdown.count("[!WARNING]") == 1
    assert "> **Number 10.**\n>\n> **Number 11.**\n" in markdown
    narrow = render_markdown(build.report(warnings=warnings), limits=Limits(warnings=5))
    assert "> **Number 4.**\n>\n> … and 9 more, in the result file.\n" in narrow


def test_a_newly_failing_case_shows_what_was_expected_and_what_came(build):
    markdown = render_markdown(build.report())
    assert "  - expected: `William Shakespeare`\n" in markdown
    assert "  - got: `I believe that Hamlet was written by Christopher Marlowe" in markdown
    assert "  - called tools: `search`\n" in markdown


def test_references_can_be_kept_out_everywhere(build):
    checks = '{"name":"rubric","checks":[{"kind":"contains","value":"William Shakespeare"}]}'
    report = build.report(
        scorer=ScorerIdentity(name="rubric", version=1, params=checks),
        policy=f'{{"scorer":{checks}}}',
    )
    assert render_markdown(report).count("William Shakespeare") == 3
    hidden = render_markdown(report, show_expected=False)
    assert "William Shakespeare" not in hidden
    assert "can't help" not in hidden
    assert "calculator" not in hidden
    assert "Christopher Marlowe" in hidden


def test_invisible_characters_are_spelt_out_and_flagged(build):
    markdown = render_markdown(build.saying("no idea\U000e0041"))
    assert r"`no idea\u{e0041}` (contains invisible characters)" in markdown


def test_a_case_without_an_answer_says_why(build):
    rows = (
        build.case("gone", standing="missing", score=None, passed=False),
        build.failing(
            "broke",
            "x",
            standing="agent_error",
            score=None,
            evidence=(build.evidence(output=None, error="Timeout"),),
        ),
    )
    markdown = render_markdown(build.report(cases=rows, comparison=None))
    assert "- `gone` · no prediction\n" in markdown
    assert (
        "- `broke` · the agent reported an error\n  - expected: `Paris`\n  - error: `Timeout`\n"
        in markdown
    )


def test_repeats_show_mean_and_deviation_and_which_run_is_shown(build):
    markdown = render_markdown(build.repeated())
    assert "pass rate over 3 runs, mean 33.3 % ± 28.9 points" in markdown
    assert "1 of 3 runs failed, run 1 shown" in markdown


def huge(build, text):
    name = f"{text}{'x' * 500}"
    cases = tuple(
        build.failing(
            f"{at}{name}",
            text * 1000,
            labels=tuple(f"{at}{name}" for at in range(50)),
            evidence=(
                build.evidence(
                    expected=text * 1000,
                    output=text * 1000,
                    error=text * 1000,
                    expected_tools=(text * 500,) * 50,
                    tools=(text,) * 1000,
                ),
            ),
        )
        for at in range(150)
    )
    ids = tuple(case.id for case in cases)
    base = build.report()
    changed = base.comparison.changed[0].model_copy(update={"fields": ids})
    return build.report(
        cases=cases,
        suite=build.suite(cases, slices=tuple(build.slice_of(one, 2, 1) for one in ids)),
        gates=tuple(
            gate.model_copy(update={"because": text * 1000, "case_ids": ids, "gate": ids[0]})
            for gate in base.gates * 20
        ),
        comparison=base.comparison.model_copy(
            update={
                "newly_failing": ids[:75],
                "newly_passing": ids,
                "added": ids,
                "removed": ids,
                "changed": (changed,) * 150,
                "differences": (text * 1000,) * 150,
            }
        ),
        scorer=ScorerIdentity(name=name, version=1, params='{"x":"' + "y " * 9000 + '"}'),
        judge_config='{"x":"' + "@ " * 9000 + '"}',
        policy='{"x":[' + ",".join(['"@ # ` |"'] * 9000) + "]}",
        notes=(text * 1000,) * 150,
    )


@pytest.mark.parametrize("text", ["x", "`", "@ ", "\u202e", "a\n", "é", "|", "<&", "\U000e0041 "])
def test_the_report_stays_small_whatever_the_input(build, text):
    markdown = render_markdown(huge(build, text))
    assert_only_ours(markdown)
    assert len(markdown.encode()) < 200_000
    assert "… and 60 more, in the result file" in markdown


@pytest.mark.parametrize(
    "source", ["{{ x }}", "{{ x | safe }}", "{{ x ~ '' }}", "{{ [x] | join }}"]
)
def test_a_template_cannot_print_anything_raw(source):
    template = _environment(USUAL).from_string(source)
    assert template.render(x="# <b>@user</b>") == "`#` `<b>@user</b>`"


@pytest.mark.parametrize("source", ["{{ absent }}", "{{ ''.__class__.__mro__ }}"])
def test_a_template_can_neither_miss_a_name_nor_reach_out(source):
    with pytest.raises((UndefinedError, SecurityError)):
        _environment(USUAL).from_string(source).render()


def test_limits_can_be_narrowed_and_what_is_left_out_is_counted(build):
    markdown = render_markdown(build.report(), limits=Limits(cases=1, slices=2, notes=1, gates=1))
    assert "… and 1 more, in the result file" in markdown
    assert "… and 3 more slices, in the result file." in markdown
    assert "… and 1 more notes" in markdown
    assert "… and 4 more gates." in markdown
