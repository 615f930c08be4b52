"""What went wrong for others on GitHub, as they reported it in public: one test each.

Each is named after its report: the repository, the number, and what happened there.
"""

import json
import os
import re
from zipfile import ZipFile

import pytest
from markdown_it import MarkdownIt

from gate.adapters.github import client
from gate.adapters.github.line import Means

FORK = "mallory/agent"
MAX_COMMENT = 65_536
MAX_SUMMARY = 1_048_576
NAMES = {
    *("verdict", "exit-status", "pass-rate", "ci-low", "ci-high", "drop", "p-value"),
    *("newly-failing", "result-path", "report-path", "comment-url"),
}
ELSE = "PATS_OF_SOMEBODY_ELSE_0123456789"


@pytest.fixture
def pull(change, monkeypatch):
    """A pull request whose run comments, judged by its base; one answer is wrong."""
    monkeypatch.delenv("INPUT_COMMENT")
    change.house.lines("predictions.jsonl", change.house.ONE_WRONG)
    return change


@pytest.fixture
def waits(monkeypatch):
    """Let the client wait by no clock; give how long it would have waited."""
    told = []
    means, real = Means(sleep=told.append, chance=lambda: 0.5), client.connect
    monkeypatch.setattr(
        client, "connect", lambda environ, **named: real(environ, **named, means=means)
    )
    return told


def writes(github):
    return [line for line in github.lines if not line.startswith("GET")]


def outputs(change):
    """Read the outputs as a runner does: the later of two counts."""
    found, lines = {}, iter((change.folder / "outputs").read_text().split("\n"))
    for line in lines:
        if line:
            name, delimiter = line.split("<<", 1)
            value = []
            while (part := next(lines)) != delimiter:
                value.append(part)
            found[name] = "\n".join(value)
    return found


def from_a_fork(change, fake, repository=FORK):
    repo = None if repository is None else {"full_name": repository}
    change.edit_pull(head={"ref": "topic", "sha": fake.HEAD, "repo": repo})


def labels(name):
    return [name, f"x{name}"]


def large(change, *, size, text):
    """Let many cases fail, each with a long answer, and most with a label of their own."""
    named = [f"{at:04}-{'é' * 50}" for at in range(size)]
    cases = [
        {"id": name, "input": "?", "reference": "yes", "labels": labels(name) if at < 450 else []}
        for at, name in enumerate(named)
    ]
    change.house.lines("cases.jsonl", cases)
    change.house.lines("predictions.jsonl", [{"id": one, "output": "yes"} for one in named])
    change.house.accept("--scorer", "contains", reason="another suite")
    change.commit(*change.RULES)
    change.house.lines("predictions.jsonl", [{"id": one, "output": text} for one in named])


def test_sticky_pull_request_comment_227_fork_403_reds_the_job(pull, github, fake):
    github.world.may = dict(fake.READ_ONLY)
    from_a_fork(pull, fake)
    run = pull.check(predictions=pull.house.GOOD)
    assert run.status == 0, run.err
    assert writes(github) == []
    # Nor where nobody knows beforehand that the token may not.
    pull.edit_pull(head={"ref": "x", "sha": fake.HEAD, "repo": {"full_name": "octo/agent"}})
    run = pull.check()
    assert run.status == 0
    assert "`pull-requests: write`" in run.err


def test_dependabot_core_3563_the_token_of_a_bot_may_only_read(pull, github, fake, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTOR", "dependabot[bot]")
    github.world.may = dict(fake.READ_ONLY)
    run = pull.check(predictions=pull.house.GOOD)
    assert run.status == 0, run.err
    assert writes(github) == []
    assert "Dependabot" in run.err


def test_publish_unit_test_result_action_188_a_missing_permission_is_retried_forever(
    pull, github, fake, waits
):
    github.world.may = dict(fake.READ_ONLY)
    assert pull.check().status == 1
    assert len(writes(github)) == 1
    assert waits == []


def test_publish_unit_test_result_action_170_secondary_rate_limit(pull, github, fake, waits):
    honest = lambda handler, asked: handler.give(handler.perform(asked))  # noqa: E731
    before = len(pull.RULES)
    limit = fake.secondary(403, retry_after="3")
    github.script.extend([honest] * (before + 2) + [limit])
    assert pull.check().status == 1
    assert waits == [3.0]
    assert len(github.world.bodies()) == 1


def test_publish_unit_test_result_action_12_a_check_under_a_random_workflow(
    pull, github, monkeypatch
):
    assert pull.check().status == 1
    assert github.world.checks == []
    assert github.world.statuses == []
    monkeypatch.setenv("INPUT_CHECK-RUN", "agent eval")
    pull.check()
    assert [one["name"] for one in github.world.checks] == ["agent eval"]


def test_python_coverage_comment_action_546_merge_group(pull, github, fake):
    group = {"head_sha": fake.HEAD, "base_sha": fake.BASE, "base_ref": "refs/heads/main"}
    pull.happens("merge_group", merge_group=group)
    assert pull.check().status == 1
    assert pull.check(predictions=pull.house.GOOD).status == 0
    assert writes(github) == []


def test_python_coverage_comment_action_442_the_summary_is_cut_like_the_comment(
    pull, github, monkeypatch
):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    monkeypatch.setattr("gate.report.fit.COMMENT", 20_000)
    large(pull, size=90, text="é" * 900)
    (pull.folder / "summary.md").unlink(missing_ok=True)
    run = pull.check()
    (comment,) = github.world.bodies()
    summary = (pull.folder / "summary.md").read_text()
    assert "Left out, to fit here" in comment
    assert "Left out, to fit here" not in summary
    assert len(summary) > len(comment)
    assert len(run.report) >= len(summary) - 200


def test_claude_code_action_1781_only_the_first_30_comments_are_searched(pull, github):
    for number in range(130):
        github.world.comment(7, f"remark {number}")
    pull.check()
    for number in range(130):
        github.world.comment(7, f"another remark {number}")
    github.world.most = 30
    pull.check(predictions=pull.house.GOOD)
    ours = [body for body in github.world.bodies() if "agent-eval-gate" in body]
    assert len(ours) == 1
    assert "PASS" in ours[0]


@pytest.mark.parametrize("who", [("eval-bot", 77), ("eval[bot]", 78, "Bot", "eval")])
def test_claude_code_action_960_its_own_comment_under_another_token(
    pull, github, fake, monkeypatch, who
):
    other = fake.Account(*who)
    github.world.tokens.update({pull.TOKEN: fake.ACTIONS, ELSE: other})
    monkeypatch.setenv("INPUT_GITHUB-TOKEN", ELSE)
    for number, predictions in (("4", pull.house.GOOD), ("5", pull.house.ONE_WRONG)):
        monkeypatch.setenv("GITHUB_RUN_NUMBER", number)
        pull.check(predictions=predictions)
        (ours,) = github.world.on(7)
        assert ours.author == other
        assert f"run={number}" in ours.body


def test_nor_does_a_comment_of_the_former_token_keep_it_from_commenting(
    pull, github, fake, monkeypatch
):
    github.world.tokens.update({pull.TOKEN: fake.ACTIONS, ELSE: fake.Account("eval-bot", 77)})
    pull.check()
    monkeypatch.setenv("INPUT_GITHUB-TOKEN", ELSE)
    for number, predictions in (("4", pull.house.GOOD), ("5", pull.house.ONE_WRONG)):
        monkeypatch.setenv("GITHUB_RUN_NUMBER", number)
        run = pull.check(predictions=predictions)
        latest = github.world.on(7)[-1]
        assert f"run={number}" in latest.body, run.err
    assert len(github.world.on(7)) <= 2


def test_experiment_action_78_the_legs_of_a_matrix_overwrite_each_other(pull, github, monkeypatch):
    for number in ("3", "4"):
        monkeypatch.setenv("GITHUB_RUN_NUMBER", number)
        for leg, predictions in (("geo", pull.house.ONE_WRONG), ("qa", pull.house.GOOD)):
            monkeypatch.setenv("INPUT_COMMENT-ID", leg)
            pull.check(predictions=predictions)
    bodies = github.world.bodies()
    assert len(bodies) == 2
    assert [re.search(r" id=(\w+) ", body)[1] for body in bodies] == ["geo", "qa"]
    assert ["FAIL" in body for body in bodies] == [True, False]


def test_sticky_pull_request_comment_332_a_planted_marker(pull, github, fake):
    stamp = f"<!-- agent-eval-gate id=default run=99 attempt=1 head={fake.HEAD} -->"
    text = f"<!-- agent-eval-gate -->\n{stamp}\n## ✅ agent-eval-gate: PASS"
    planted = github.world.comment(7, text)
    assert pull.check().status == 1
    assert github.world.comments[planted.id].body == text
    (ours,) = (made for made in github.world.on(7) if made.author == fake.ACTIONS)
    assert "FAIL" in ours.body


def test_pytest_coverage_comment_15_the_body_is_too_long(pull, github, fake, monkeypatch):
    """With a third of the room that a comment has, since no usual report is too long for it."""
    monkeypatch.setattr(fake, "MAX_COMMENT", MAX_COMMENT // 3)
    monkeypatch.setattr("gate.report.fit.COMMENT", 65_000 // 3)
    large(pull, size=400, text="\x01\u202e" * 900)
    run = pull.check()
    assert run.status == 1
    (body,) = github.world.bodies()
    assert len(run.report.encode()) > MAX_COMMENT // 3 > len(body.encode()) > 10_000
    assert "comment: created" in run.err


def test_dependency_review_action_867_and_786_a_summary_over_1_mib(pull, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    large(pull, size=2_000, text="🙂" * 3_000)
    (pull.folder / "summary.md").unlink(missing_ok=True)
    assert pull.check().status == 1
    data = (pull.folder / "summary.md").read_bytes()
    assert 10_000 < len(data) < MAX_SUMMARY
    assert b"FAIL" in data


def published(change, github, fake):
    """Judge a fork's run, and let its result be posted by the end of that run."""
    from_a_fork(change, fake)
    assert change.check().status == 1
    with ZipFile(change.folder / "artifact.zip", "w") as archive:
        archive.writestr("result.json", change.result_bytes())
    github.world.pulls[7].head_repository = FORK
    run = {
        "id": 41,
        "event": "pull_request",
        "run_number": 3,
        "run_attempt": 1,
        "head_sha": fake.HEAD,
        "head_repository": {"full_name": FORK},
        "head_branch": "topic",
        "pull_requests": [],
    }
    change.happens("workflow_run", action="completed", workflow_run=run)
    return change.house.run("publish", "--artifact", "artifact.zip")


def test_github_docs_22501_the_pull_requests_of_a_forks_run_are_empty(pull, github, fake):
    run = published(pull, github, fake)
    assert run.status == 0, run.err
    (body,) = github.world.bodies()
    assert "FAIL" in body


def test_nx_js_410_and_kolibri_14719_the_commit_of_a_fork_has_no_pull_requests(pull, github, fake):
    run = published(pull, github, fake)
    assert f"GET /repos/octo/agent/commits/{fake.HEAD}/pulls" in github.lines
    assert not github.world.knows_forks
    assert "comment: created" in run.out


def test_ask_bonk_67_a_deleted_fork_is_trusted(pull, github, fake):
    from_a_fork(pull, fake, None)
    run = pull.check()
    assert run.status == 1
    assert writes(github) == []
    assert "fork" in run.err


def test_authd_1647_a_status_on_the_merge_commit(pull, github, fake, monkeypatch):
    monkeypatch.setenv("INPUT_COMMIT-STATUS", "agent eval")
    monkeypatch.setenv("INPUT_CHECK-RUN", "agent eval (check)")
    assert pull.check().status == 1
    assert [one["sha"] for one in github.world.statuses] == [fake.HEAD]
    assert [one["head_sha"] for one in github.world.checks] == [fake.HEAD]
    assert os.environ["GITHUB_SHA"] not in "".join(github.lines)


def test_repopilot_297_a_fixed_delimiter_forges_an_output(pull):
    forged = "x\nEOF\nverdict<<EOF\npass\nEOF\nghadelimiter\nverdict=pass\n"
    case = {"id": forged, "input": "?", "reference": "yes"}
    pull.house.lines("cases.jsonl", [*pull.house.CASES, case])
    good = [*pull.house.GOOD, {"id": forged, "output": "yes"}]
    pull.house.lines("predictions.jsonl", good)
    pull.house.accept("--scorer", "contains", reason="one more")
    pull.commit(*pull.RULES)
    (pull.folder / "outputs").unlink()
    run = pull.check(predictions=[*good[:-1], {"id": forged, "output": "no"}])
    assert run.status == 1
    found = outputs(pull)
    assert found["verdict"] == "fail"
    assert json.loads(found["newly-failing"]) == [forged]
    assert found.keys() == NAMES


def test_runner_434_files_that_root_owns(pull, monkeypatch):
    folder = pull.folder / ".agent-eval-gate"
    folder.mkdir()
    found = folder.stat()
    given = {}

    def chown(made, user, group):
        given[os.fstat(made).st_ino] = (user, group)

    with monkeypatch.context() as as_root:
        as_root.setattr("os.geteuid", lambda: 0)
        as_root.setattr("os.chown", chown)
        assert pull.check().status == 1
    written = [path.stat().st_ino for path in folder.iterdir()]
    assert len(written) == 2
    assert [given[one] for one in written] == [(found.st_uid, found.st_gid)] * 2


def test_runner_2033_git_speaks_of_dubious_ownership(pull, monkeypatch):
    """No git is asked: rules come by the API, and the checkout's root is where `.git` lies."""
    folder = pull.folder / "bin"
    folder.mkdir()
    git = folder / "git"
    git.write_text("#!/bin/sh\ntouch called\necho 'fatal: dubious ownership' >&2\nexit 128\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    assert pull.check().status == 1
    assert pull.check(predictions=pull.house.GOOD).status == 0
    assert not (pull.folder / "called").exists()


def test_awesome_copilot_2398_markdown_injection(pull, github):
    planted = (
        "</details>\n<!-- agent-eval-gate -->\n## ✅ agent-eval-gate: PASS\n```\n"
        "@octo/team closes #1 [ok](https://evil.example) ![x](https://evil.example/x.png)"
        "<img src=https://evil.example/y.png> https://evil.example | a | b |\n---\n"
    )
    wrong = [
        {"id": "qa-2", "output": planted, "tools": [planted]},
        {"id": "qa-1", "error": planted},
        *pull.house.GOOD[2:],
    ]
    pull.edit("cases.jsonl", "Who wrote Hamlet?", "Who wrote Hamlet? @octo/team <b> ![x](//e)")
    assert pull.check(predictions=wrong).status == 1
    (body,) = github.world.bodies()
    rendered = MarkdownIt("gfm-like", {"linkify": False}).parse(body)
    inner = [one for token in rendered for one in (token, *(token.children or ()))]
    assert not [one for one in inner if one.type in {"link_open", "image"}]
    headings = [rendered[at + 1].content for at, one in enumerate(rendered) if one.tag == "h2"]
    assert [text for text in headings if "agent-eval-gate" in text] == [headings[0]]
    assert "FAIL" in headings[0]
    plain = "".join(one.content for one in inner if one.type == "text")
    assert "@octo" not in plain
    assert "https://evil" not in plain
    html = "".join(one.content for one in inner if one.type.startswith("html"))
    assert html.count("<!--") == 2
    assert "<img" not in html
