"""Where a path lies in its repository: as it is written, below the runner's workspace."""

import pytest

from gate.adapters.files import Disk
from gate.adapters.place import Place, Straight
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
    (root / "gate.toml").symlink_to("a/gate.toml")
    files = Straight(Disk(), workspace=str(root))
    assert files.read("a/gate.toml", limit=1) == files.read("gate.toml", limit=1) == b"x"
    assert files.exists("link/gate.toml")
    with pytest.raises(FileUnreadable, match="link is a link"):
        files.read("link/gate.toml", limit=1)
    with pytest.raises(FileAbsent):
        files.read("a/none.toml", limit=1)
    with pytest.raises(FileUnreadable, match="limit"):
        files.read("a/gate.toml", limit=0)
