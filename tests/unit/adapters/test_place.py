"""Where a path lies in its repository: as it is written, below the runner's workspace."""

import pytest

from gate.adapters.files import Disk
from gate.adapters.place import Place, Repository, Straight
from gate.errors import BaseUnreadable, FileAbsent, FileUnreadable


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    (tmp_path / "real" / ".git").mkdir(parents=True)
    (tmp_path / "named").symlink_to("real")
    monkeypatch.chdir(tmp_path / "real")
    return tmp_path


def test_a_workspace_that_is_reached_by_a_link_is_one(workspace):
    place = Place(str(workspace / "named"))
    assert place.name("evals/gate.toml") == "evals/gate.toml"
    assert place.name(str(workspace / "named" / "gate.toml")) == "gate.toml"
    assert place.name(str(workspace / "real" / "gate.toml")) == "gate.toml"


@pytest.mark.parametrize("path", ["..", "../real", ".", "", "/", "../realm/gate.toml", "a\0"])
def test_what_is_no_file_below_the_root_is_refused(workspace, path):
    with pytest.raises(BaseUnreadable):
        Place(str(workspace / "named")).name(path)


def test_a_name_may_begin_with_two_dots(workspace):
    assert Place(str(workspace / "real")).name("..evals/gate.toml") == "..evals/gate.toml"


def test_the_first_folder_that_no_commit_holds_is_named(workspace):
    root = workspace / "real"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "link").symlink_to("b")
    (root / "a" / "b" / ".git").write_text("gitdir: elsewhere")
    place = Place(str(root))
    assert place.detour("a/gate.toml") is None
    assert place.detour("a/link/gate.toml") == "a/link"
    assert place.detour("a/b/c/gate.toml") == "a/b"
    assert place.detour("a/link/../gate.toml") is None


def test_a_file_is_read_only_where_its_path_says(workspace):
    root = workspace / "real"
    (root / "a").mkdir()
    (root / "a" / "gate.toml").write_bytes(b"x")
    (root / "link").symlink_to("a")
    files = Straight(Disk(), place=Place(str(root)))
    assert files.read("a/gate.toml", limit=1) == b"x"
    assert files.exists("link/gate.toml")
    with pytest.raises(FileUnreadable, match="link is a link"):
        files.read("link/gate.toml", limit=1)
    with pytest.raises(FileAbsent):
        files.read("a/none.toml", limit=1)
    with pytest.raises(FileUnreadable, match="limit"):
        files.read("a/gate.toml", limit=0)


@pytest.mark.parametrize(
    "target", ["a/gate.toml", "link/gate.toml", "sub/gate.toml", "../outside.toml", "nowhere"]
)
def test_a_file_that_is_a_link_is_not_read_wherever_it_leads(workspace, target):
    root = workspace / "real"
    for folder in ("a", "sub/.git"):
        (root / folder).mkdir(parents=True)
    for path in (root / "a" / "gate.toml", root / "sub" / "gate.toml", workspace / "outside.toml"):
        path.write_bytes(b"x")
    (root / "link").symlink_to("a")
    (root / "gate.toml").symlink_to(target)
    files = Straight(Disk(), place=Place(str(root)))
    assert files.exists("gate.toml")
    with pytest.raises(FileUnreadable, match=r"^gate\.toml: is a link") as caught:
        files.read("gate.toml", limit=1)
    assert "the file itself" in caught.value.remedy


OCTO = Repository(("octo/agent", "mallory/agent"), "https://github.example:8443")


def checkout(folder, url=None):
    (folder / ".git").mkdir(parents=True)
    if url is not None:
        (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
    return folder


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """A workspace that is no checkout, with this repository's below it."""
    checkout(tmp_path / "agent", "https://github.example/octo/agent")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "url",
    [
        *("https://github.example/octo/agent.git", "https://x:y@github.example/OCTO/Agent/"),
        *("git@github.example:octo/agent.git", "ssh://git@github.example:22/octo/agent"),
        "https://github.example/mallory/agent",
    ],
)
def test_a_checkout_that_is_seen_to_be_of_this_repository_or_of_the_head_counts(beside, url):
    checkout(beside / "src", url)
    place = Place(str(beside), of=OCTO)
    assert place.name("src/evals/gate.toml") == "evals/gate.toml"
    assert place.name("agent/gate.toml") == "gate.toml"


@pytest.mark.parametrize(
    "url",
    [
        *("https://github.example/octo/policies", "https://elsewhere.example/octo/agent"),
        *("https://github.example/octo/agent/../policies", "/srv/octo/agent", "agent", None),
        "https://github.example.evil.example/octo/agent",
    ],
)
def test_a_checkout_of_another_repository_is_refused(beside, url):
    checkout(beside / "policies", url)
    place = Place(str(beside), of=OCTO)
    for ask in (place.name, place.detour):
        with pytest.raises(BaseUnreadable, match="checkout") as caught:
            ask("policies/gate.toml")
        assert "working-directory" in caught.value.remedy


@pytest.mark.parametrize("kind", ["worktree", "linked", "large"])
def test_of_a_checkout_that_cannot_be_told_nothing_is_believed(beside, kind):
    (beside / "src").mkdir()
    if kind == "worktree":
        (beside / "src" / ".git").write_text("gitdir: ../agent/.git\n")
    elif kind == "linked":
        (beside / "src" / ".git").symlink_to("../agent/.git")
    else:
        checkout(beside / "large", "https://github.example/octo/agent\n" + "#" * 70_000)
        (beside / "large").rename(beside / "src" / "x")
        (beside / "src" / "x" / ".git").rename(beside / "src" / ".git")
    with pytest.raises(BaseUnreadable, match=r"another checkout \(src\)"):
        Place(str(beside), of=OCTO).name("src/gate.toml")


def test_the_checkout_around_the_working_directory_needs_no_proof(beside, monkeypatch):
    (beside / "src").mkdir()
    (beside / "src" / ".git").write_text("gitdir: ../agent/.git/worktrees/src\n")
    mirror = checkout(beside / "mirror", "/srv/mirror/agent.git")
    for folder in (beside / "src", mirror):
        monkeypatch.chdir(folder)
        assert Place(str(beside), of=OCTO).name("gate.toml") == "gate.toml"
        other = "mirror" if folder.name == "src" else "src"
        with pytest.raises(BaseUnreadable):
            Place(str(beside), of=OCTO).name(f"../{other}/gate.toml")


def test_but_one_that_is_seen_to_be_anothers_is_refused(beside, monkeypatch):
    monkeypatch.chdir(checkout(beside / "policies", "https://github.example/octo/policies"))
    with pytest.raises(BaseUnreadable, match="octo/policies, another repository"):
        Place(str(beside), of=OCTO).name("gate.toml")


def test_an_address_of_a_server_that_is_none_shows_nothing(beside):
    with pytest.raises(BaseUnreadable):
        Place(str(beside), of=Repository(("octo/agent",), "https://[::1")).name("agent/gate.toml")
