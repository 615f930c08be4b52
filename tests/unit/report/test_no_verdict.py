"""What a comment says of a commit that has no verdict: one sentence, bounded and inert."""

import re

from gate.report.no_verdict import REASON, no_verdict

PLANTED = "a.jsonl:1: <!-- x --> @team [a](https://b) #7 | `c` ## PASS \u202e\x1b[31m"


def sentence(reason):
    lines = no_verdict("invalid", reason).splitlines()
    assert len(lines) == 6
    return lines[3]


def test_the_first_line_of_the_reason_is_told_and_no_other():
    assert sentence("x is absent\nhint: see y") == (
        "**This commit has no verdict (invalid):** x is absent"
    )


def test_a_reason_of_any_length_is_cut_and_says_so():
    found = sentence("word " * 10_000)
    assert len(found) < REASON + 100
    assert "characters" in found


def test_nothing_of_it_is_markup():
    for text in (PLANTED, f"x {'`' * 50} {PLANTED}"):
        outside = re.sub(r"(`+).*?\1", "", sentence(text).removeprefix("**").replace(":**", ""))
        assert not set("<>@#|[]`\x1b\u202e") & set(outside)


def test_a_reason_that_is_empty_is_said_to_be():
    assert sentence("\n").endswith("(empty)")


def test_it_names_the_suite_and_begins_as_every_comment():
    text = no_verdict("defect", "x", suite="<geo>")
    assert text.startswith(
        "<!-- agent-eval-gate -->\n## ⛔ agent-eval-gate: no verdict · `<geo>`\n"
    )
