"""All that a pull request changes in its rules, bounded, what loosens first."""

from pathlib import Path

import pytest

from gate.baseline.store import read_baseline
from gate.pipeline.rule_changes import LISTED, Kept, RuleFiles, rule_changes
from gate.policy.toml import read_policy
from gate.records.case import EvalCase
from gate.records.rule_words import sentence

GOLDEN = Path(__file__).resolve().parents[3] / "baselines" / "golden.json"


def policy(text="[suite]\nseed = 0\n"):
    return read_policy(text, source="gate.toml")


def cases(number, **keys):
    return [EvalCase(id=f"c{at:03}", input="?", **keys) for at in range(number)]


def kept(base, head, **fields):
    return Kept("a-file", base, head, **fields)


def test_rules_that_stay_change_nothing():
    baseline = read_baseline(GOLDEN.read_bytes(), source="golden.json")
    files = RuleFiles(
        kept(policy(), policy()),
        kept(cases(3), cases(3)),
        kept(baseline, baseline),
        (("prompt", kept(b"be fair", b"be fair")),),
    )
    assert rule_changes(files) == ()
    assert not files.new


def test_a_base_without_rules_has_nothing_to_change():
    baseline = read_baseline(GOLDEN.read_bytes(), source="golden.json")
    loose = policy("[suite]\nadvisory = true\n")
    files = RuleFiles(kept(None, loose), kept(None, cases(1)), kept(None, baseline))
    assert files.new
    assert rule_changes(files) == ()


def test_a_base_with_a_baseline_is_held_to_what_is_usual():
    thing = read_baseline(GOLDEN.read_bytes(), source="golden.json")
    loose = policy("[suite]\nadvisory = true\n")
    files = RuleFiles(kept(None, loose), baseline=kept(thing, thing))
    assert not files.new
    assert [one.kind for one in rule_changes(files)] == ["advisory-on", "policy-added"]


def test_a_base_with_cases_alone_is_held_to_those():
    """The pull request brings what judges them: nothing there said how."""
    loose = policy('[suite]\nadvisory = true\n[judge]\nprovider = "gemini"\n')
    texts = (("prompt", kept(None, b"be fair")),)
    files = RuleFiles(kept(None, loose), kept(cases(3), cases(2)), texts=texts)
    assert not files.new
    found = rule_changes(files)
    assert [(one.kind, one.loosens) for one in found] == [
        ("case-removed", True),
        ("policy-added", False),
    ]


def test_what_loosens_stands_first():
    files = RuleFiles(
        kept(policy(), policy()),
        kept(cases(2), [*cases(3)[1:], EvalCase(id="a", input="?")]),
    )
    found = rule_changes(files)
    assert [(one.kind, one.subject) for one in found] == [
        ("case-removed", "c000"),
        ("case-added", "a"),
        ("case-added", "c002"),
    ]


def test_the_labels_of_the_bases_own_gates_are_watched():
    base = policy('[[gates]]\ngate = "safety"\nlabel = "pii"\n')
    files = RuleFiles(kept(base, policy()), kept(cases(1, labels=("pii",)), cases(1, labels=())))
    assert [one.kind for one in rule_changes(files)] == ["gate-removed", "safety-label-removed"]


@pytest.mark.parametrize(
    ("role", "kind", "words"),
    [
        ("prompt", "prompt-changed", "[judge] prompt a-file: sha256:"),
        ("tools", "prompt-changed", "[judge] tools a-file: sha256:"),
        ("trust", "trust-changed", "[judge] trust a-file: sha256:"),
    ],
)
def test_a_text_of_the_judges_is_told_by_its_digests(role, kind, words):
    files = RuleFiles(kept(policy(), policy()), texts=((role, kept(b"a", b"b")),))
    (found,) = rule_changes(files)
    assert (found.kind, found.loosens) == (kind, True)
    assert sentence(found, show_expected=True).startswith(words)


def test_a_file_that_the_head_breaks_loosens_and_says_why():
    files = RuleFiles(
        kept(policy(), None, unread="gate.toml:3: not TOML"),
        kept(cases(1), None, unread="not JSON"),
    )
    found = rule_changes(files)
    assert [(one.kind, one.loosens) for one in found] == [("unreadable", True)] * 2
    assert sentence(found[0], show_expected=True) == "a-file cannot be read: gate.toml:3: not TOML"


def test_many_changes_of_a_kind_are_counted():
    files = RuleFiles(kept(policy(), policy()), kept(cases(500), cases(0) or None))
    *listed, rest = rule_changes(files)
    assert len(listed) == LISTED
    assert (rest.subject, rest.number, rest.loosens) == ("", 500 - LISTED, True)
    assert rest.case_ids == ("c020", "c021", "c022", "c023", "c024")
    assert sentence(rest, show_expected=True) == (
        "480 more changes of the kind case-removed ('c020', 'c021', 'c022', 'c023', 'c024' and "
        "475 more)"
    )


def test_what_is_quoted_holds_no_secret():
    files = RuleFiles(
        kept(policy(), policy()), kept(cases(1, reference="x"), cases(1, reference="hunter2"))
    )
    (found,) = rule_changes(files, redact=lambda text: text.replace("hunter2", "***"))
    assert found.after == "***"
