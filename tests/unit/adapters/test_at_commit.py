"""Files at a commit: by the paths of the checkout, and never from it."""

import pytest

from gate.adapters.at_commit import AtCommit
from gate.adapters.place import Place, Repository
from gate.errors import BaseUnreadable, FileAbsent, FileUnreadable, HostFailed

BASE = "2" * 40


class Holding:
    """A host that holds files at one commit, and counts what it is asked."""

    def __init__(self, **held):
        self.held = held
        self.asked = []

    def file_at(self, path, commit, *, limit):
        assert commit == BASE
        self.asked.append(path)
        found = self.held.get(path)
        if isinstance(found, Exception):
            raise found
        assert found is None or len(found) <= limit
        return found


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_path_is_that_of_the_checkout_below_the_root_of_the_repository(workspace, monkeypatch):
    (workspace / "evals").mkdir()
    monkeypatch.chdir(workspace / "evals")
    host = Holding(**{"evals/gate.toml": b"base", "cases.jsonl": b"cases"})
    files = AtCommit(host, BASE, place=Place(str(workspace)))
    assert files.read("gate.toml", limit=10) == b"base"
    assert files.read("../cases.jsonl", limit=10) == b"cases"
    assert files.read(str(workspace / "evals" / "gate.toml"), limit=10) == b"base"
    assert host.asked == ["evals/gate.toml", "cases.jsonl"]


def test_what_stands_in_the_checkout_is_never_read(workspace):
    (workspace / "gate.toml").write_text("the pull request's")
    files = AtCommit(Holding(), BASE, place=Place(str(workspace)))
    assert not files.exists("gate.toml")
    with pytest.raises(FileAbsent, match=r"gate\.toml.*222222222222"):
        files.read("gate.toml", limit=10)


def test_a_link_in_the_checkout_leads_nowhere_else(workspace):
    (workspace / "other").mkdir()
    (workspace / "evals").symlink_to("other")
    host = Holding(**{"evals/gate.toml": b"base", "other/gate.toml": b"other"})
    files = AtCommit(host, BASE, place=Place(str(workspace)))
    assert files.read("evals/gate.toml", limit=10) == b"base"


def test_a_checkout_below_the_workspace_is_the_repository(tmp_path, monkeypatch):
    (tmp_path / "src" / ".git").mkdir(parents=True)
    (tmp_path / "src" / ".git" / "config").write_text(
        '[remote "origin"]\n\turl = https://github.com/octo/agent\n'
    )
    monkeypatch.chdir(tmp_path)
    place = Place(str(tmp_path), of=Repository(("octo/agent",)))
    files = AtCommit(Holding(**{"gate.toml": b"base"}), BASE, place=place)
    assert files.read("src/gate.toml", limit=10) == b"base"


def test_a_repository_planted_inside_the_checkout_moves_no_path(workspace, monkeypatch):
    (workspace / "evals" / ".git").mkdir(parents=True)
    monkeypatch.chdir(workspace / "evals")
    files = AtCommit(Holding(**{"evals/gate.toml": b"base"}), BASE, place=Place(str(workspace)))
    assert files.read("gate.toml", limit=10) == b"base"


@pytest.mark.parametrize("path", ["../gate.toml", "/etc/passwd", "/dev/stdin", ".", "a\0b", ""])
def test_what_lies_outside_is_refused_and_asked_of_nobody(workspace, path):
    host = Holding()
    files = AtCommit(host, BASE, place=Place(str(workspace)))
    with pytest.raises(BaseUnreadable):
        files.exists(path)
    assert host.asked == []


def test_a_host_that_fails_is_unreadable_and_its_words_are_told(workspace):
    failed = HostFailed("GitHub: 403: no `contents: read`")
    failed.cause = "token"
    files = AtCommit(Holding(**{"gate.toml": failed}), BASE, place=Place(str(workspace)))
    with pytest.raises(BaseUnreadable, match=r"gate\.toml.*403") as caught:
        files.exists("gate.toml")
    assert caught.value.status == 2
    assert "`contents: read`" in caught.value.remedy


@pytest.mark.parametrize("cause", ["token", "outage", "other"])
def test_only_what_a_token_mends_speaks_of_it_and_nothing_of_doing_without_rules(workspace, cause):
    failed = HostFailed("GitHub: said")
    failed.cause = cause
    files = AtCommit(Holding(**{"gate.toml": failed}), BASE, place=Place(str(workspace)))
    with pytest.raises(BaseUnreadable) as caught:
        files.exists("gate.toml")
    remedy = caught.value.remedy
    assert ("github-token" in remedy) == (cause == "token")
    assert ("run it again" in remedy) == (cause == "outage")
    assert "policy-from" not in remedy


def test_a_pointer_to_a_large_file_is_not_the_file(workspace):
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    files = AtCommit(Holding(**{"cases.jsonl": pointer}), BASE, place=Place(str(workspace)))
    with pytest.raises(BaseUnreadable, match="Git LFS"):
        files.read("cases.jsonl", limit=1000)


def test_a_file_beyond_its_limit_is_refused_with_the_limit(workspace):
    files = AtCommit(Holding(**{"gate.toml": b"x" * 11}), BASE, place=Place(str(workspace)))
    with pytest.raises(FileUnreadable, match="10 bytes"):
        files.read("gate.toml", limit=10)


def test_the_text_of_a_link_is_not_the_file(workspace):
    (workspace / "gate.toml").symlink_to("suite={advisory=true}#")
    host = Holding(**{"gate.toml": b"suite={advisory=true}#"})
    with pytest.raises(BaseUnreadable, match="holds a link"):
        AtCommit(host, BASE, place=Place(str(workspace))).exists("gate.toml")


def test_what_the_host_gives_for_a_link_that_it_follows_is_the_file(workspace):
    (workspace / "gate.toml").symlink_to("real.toml")
    files = AtCommit(Holding(**{"gate.toml": b"base"}), BASE, place=Place(str(workspace)))
    assert files.read("gate.toml", limit=10) == b"base"
