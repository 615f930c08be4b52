"""Where a checkout begins."""

from gate.adapters.checkout import is_within, root


def test_it_begins_at_the_nearest_git_folder_upwards(tmp_path, monkeypatch):
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    deep = tmp_path / "repo" / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert root() == str((tmp_path / "repo").resolve())
    assert is_within("../../judge", root())
    assert not is_within(str(tmp_path), root())


def test_without_one_it_is_the_workspace_or_the_working_directory(tmp_path, monkeypatch):
    deep = tmp_path / "a"
    deep.mkdir()
    monkeypatch.chdir(deep)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    assert root() == str(deep.resolve())
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert root() == str(tmp_path.resolve())
    monkeypatch.setenv("GITHUB_WORKSPACE", "/somewhere/else")
    assert root() == str(deep.resolve())
