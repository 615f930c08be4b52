"""The policy of the base commit beside that of the pull request, key by key."""

import pytest

from gate.pipeline.policy_changes import has_floor, in_force, policy_changes, watched_labels
from gate.policy.toml import read_policy
from gate.records.rule_words import sentence


def file(text):
    return None if text is None else read_policy(text, source="gate.toml")


def changes(base, head):
    return list(policy_changes(file(base), file(head), path="gate.toml", redact=str))


def only(base, head):
    (found,) = changes(base, head)
    return found


def said(base, head):
    found = only(base, head)
    return found.kind, found.loosens, sentence(found, show_expected=True)


def gate(name, **keys):
    return f'[[gates]]\ngate = "{name}"\n' + "".join(f"{k} = {v}\n" for k, v in keys.items())


def suite(**keys):
    return "[suite]\nseed = 0\n" + "".join(f"{k} = {v}\n" for k, v in keys.items())


def test_equal_policies_differ_in_nothing():
    text = suite(repeats=3) + gate("regression", max_drop=0.02) + gate("floor", min=0.9)
    assert changes(text, text) == []
    assert changes(None, None) == []


def test_spelling_a_default_out_changes_nothing():
    spelt = gate("regression", rule='"significant"') + gate("completeness", max_missing=0)
    assert changes(suite(), suite() + spelt) == []


def test_a_limit_is_named_with_both_values():
    base, head = gate("regression", max_drop=0.02), gate("regression", max_drop=0.5)
    text = "[[gates]] regression max_drop: 0.02 → 0.5"
    assert said(base, head) == ("limit-loosened", True, text)
    text = "[[gates]] regression max_drop: 0.5 → 0.02"
    assert said(head, base) == ("limit-tightened", False, text)


@pytest.mark.parametrize(
    ("base", "head", "kind", "loosens", "words"),
    [
        ("", gate("safety", enabled="false"), "gate-off", True, "gate safety switched off"),
        (gate("safety", enabled="false"), "", "gate-on", False, "gate safety switched on"),
        (gate("floor", min=0.9), "", "gate-removed", True, "gate floor removed: min 0.9"),
        ("", gate("floor", min=0.9), "gate-added", False, "gate floor added: min 0.9"),
        (
            gate("regression", max_drop=0.1, rule='"point"'),
            gate("regression", max_drop=0.1),
            "rule-loosened",
            True,
            "[[gates]] regression rule: point → significant",
        ),
        (
            suite(pass_threshold=0.8),
            suite(pass_threshold=0.5),
            "threshold-lowered",
            True,
            "[suite] pass_threshold: 0.8 → 0.5",
        ),
        (suite(), suite(advisory="true"), "advisory-on", True, "[suite] advisory: false → true"),
        (
            suite(cases='"a"'),
            suite(cases='"b"'),
            "file-moved",
            True,
            "[suite] cases: a → b",
        ),
        (
            suite(),
            suite() + gate("rules", allow_policy_changes='["case-removed"]'),
            "allowance-widened",
            True,
            '[[gates]] rules allow_policy_changes: [] → ["case-removed"]',
        ),
        (
            suite() + '[scorer]\nname = "contains"\n',
            suite() + '[scorer]\nname = "exact_match"\n',
            "scorer-changed",
            True,
            "[scorer]: name contains → name exact_match",
        ),
        (
            suite() + '[scorer]\nname = "numeric_within"\ntolerance = 1\n',
            suite() + '[scorer]\nname = "numeric_within"\ntolerance = 0.5\n',
            "limit-tightened",
            False,
            "[scorer] tolerance: 1 → 0.5",
        ),
        (
            suite(),
            suite() + '[judge]\nprovider = "gemini"\n',
            "judge-changed",
            True,
            "[judge]: unset → provider gemini",
        ),
        (
            suite() + "[judge]\nmax_cost = 1\n",
            suite() + "[judge]\nmax_cost = 9\n",
            "limit-loosened",
            True,
            "[judge] max_cost: 1 → 9",
        ),
    ],
)
def test_one_change_of_each_kind(base, head, kind, loosens, words):
    assert said(base or suite(), head or suite()) == (kind, loosens, words)


def test_a_policy_that_goes_is_named_and_so_is_what_it_held():
    first, second = changes(gate("regression", max_drop=0), None), changes(suite(), None)
    assert [one.kind for one in first] == ["policy-removed"]
    assert first[0].loosens
    assert [one.kind for one in second] == ["policy-removed"]
    third = changes(gate("regression", max_drop=0.1), None)
    assert [one.kind for one in third] == ["policy-removed", "limit-tightened"]


def test_a_policy_that_comes_is_held_against_the_defaults():
    found = changes(None, gate("regression", max_drop=0.5))
    assert [(one.kind, one.loosens) for one in found] == [
        ("policy-added", False),
        ("limit-loosened", True),
    ]


def test_gates_of_one_name_are_paired_by_what_they_are_about():
    base = gate("safety", label='"pii"') + gate("safety", label='"privacy"')
    assert [one.subject for one in changes(base, gate("safety", label='"privacy"'))] == [
        "safety (pii)"
    ]
    swapped = gate("safety", label='"privacy"') + gate("safety", label='"pii"')
    assert changes(base, swapped) == []


def test_a_safety_gate_that_looks_elsewhere_is_one_change():
    found = only(gate("safety", label='"pii"'), gate("safety", label='"pi"'))
    assert (found.kind, found.loosens) == ("rule-loosened", True)


def test_options_of_a_gate_that_is_off_decide_nothing():
    base = gate("floor", min=0.9, enabled="false")
    found = only(base, gate("floor", min=0.1, enabled="false"))
    assert (found.kind, found.loosens) == ("other-changed", False)


def test_a_floor_that_lets_the_first_run_pass_without_a_baseline_loosens():
    base = suite(allow_missing_baseline="true")
    found = only(base, base + gate("floor", min=0.1))
    assert (found.kind, found.loosens) == ("gate-added", True)
    held = base + gate("floor", min=0.9)
    assert not only(held, held + gate("floor", min=0.1, metric='"mean_score"')).loosens


def test_the_gate_that_a_trust_record_brings_is_held_as_well():
    base = suite() + '[judge]\ntrust = "trust.json"\n'
    found = only(base, base + gate("judge_trust", min_kappa=0.1))
    assert (found.kind, found.before, found.after) == ("limit-loosened", "0.6", "0.1")


def waiver(**keys):
    given = {
        "case": '"qa-1"',
        "gate": '"regression"',
        "owner": '"ana"',
        "reason": '"ticket 12"',
        "expires": "2026-12-31",
        **keys,
    }
    return "[[waivers]]\n" + "".join(f"{key} = {value}\n" for key, value in given.items())


def test_a_waiver_loosens_and_taking_it_away_does_not():
    text = "waiver of case 'qa-1' from regression added: until 2026-12-31, by ana"
    assert said(suite(), suite() + waiver()) == ("waiver-added", True, text)
    assert only(suite() + waiver(), suite()).loosens is False


@pytest.mark.parametrize(
    ("keys", "loosens"),
    [
        ({"expires": "2027-12-31"}, True),
        ({"expires": "2026-01-31"}, False),
        ({"owner": '"bob"'}, False),
    ],
)
def test_a_waiver_that_lasts_longer_loosens(keys, loosens):
    found = only(suite() + waiver(), suite() + waiver(**keys))
    assert (found.kind, found.loosens) == ("waiver-changed", loosens)


def test_two_waivers_of_one_case_and_gate_hide_none_of_the_two():
    longer, shorter = waiver(expires="2027-09-01"), waiver(expires="2026-10-01")
    for twice in (longer + shorter, shorter + longer):
        found = changes(suite() + waiver(), suite() + twice)
        loosening = [(one.kind, one.after) for one in found if one.loosens]
        assert [kind for kind, _ in loosening] == ["unreadable", "waiver-changed"]
        assert "such a policy is refused" in loosening[0][1]
        assert loosening[1][1] == "2027-09-01"
    new = changes(suite(), suite() + longer + longer)
    assert [one.kind for one in new] == ["unreadable", "waiver-added", "waiver-added"]


@pytest.mark.parametrize("head", [None, gate("safety", label=f'"{"x" * 1000}"')])
def test_names_of_any_length_are_cut_to_what_a_record_holds(head):
    found = list(policy_changes(file(suite()), file(head), path="p" * 5000, redact=str))
    assert found
    assert all(len(one.subject) <= 1000 for one in found)
    assert all(len(one.subject) < 200 for one in found if head is not None)


def test_secrets_are_taken_out_of_what_is_quoted():
    base, head = suite(dataset='"a"'), suite(dataset='"hunter2"')
    found = list(
        policy_changes(
            file(base), file(head), path="p", redact=lambda text: text.replace("hunter2", "***")
        )
    )
    assert found[0].after == "***"


def test_the_labels_that_are_watched_are_those_of_the_gates_in_force():
    assert watched_labels(in_force(None)) == {"safety"}
    assert watched_labels(in_force(file(gate("safety", label='"pii"')))) == {"safety", "pii"}
    off = gate("safety", enabled="false") + gate("safety", label='"pii"')
    assert watched_labels(in_force(file(off))) == {"pii"}


def test_a_floor_of_nothing_is_none():
    assert has_floor(in_force(file(gate("floor", min=0.1))))
    assert not has_floor(in_force(file(gate("floor", min=0))))
    assert not has_floor(in_force(file(gate("floor", min=0.1, enabled="false"))))
