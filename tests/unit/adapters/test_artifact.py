"""An artifact on the disk: an archive, or the folder that was made of one."""

import os
from zipfile import ZipFile

import pytest

from gate.adapters.artifact import from_artifact
from gate.errors import ArtifactRefused, FileAbsent, FileUnreadable


def test_of_an_archive_the_member_is_read(tmp_path):
    with ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("result.json", "{}")
    assert from_artifact(str(tmp_path / "a.zip"), "result.json") == b"{}"
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_of_a_folder_the_file_is_read(tmp_path):
    (tmp_path / "result.json").write_text("{}")
    assert from_artifact(str(tmp_path), "result.json") == b"{}"


@pytest.mark.parametrize("target", ["/etc/passwd", "there.json", "nowhere"])
def test_a_link_in_its_place_is_not_followed(tmp_path, target):
    (tmp_path / "there.json").write_text("{}")
    (tmp_path / "result.json").symlink_to(target)
    with pytest.raises(ArtifactRefused, match="a link"):
        from_artifact(str(tmp_path), "result.json")


def test_a_pipe_or_a_folder_in_its_place_is_refused(tmp_path):
    for made in (os.mkfifo, os.mkdir):
        folder = tmp_path / made.__name__
        folder.mkdir()
        made(folder / "result.json")
        with pytest.raises(ArtifactRefused, match="no file"):
            from_artifact(str(folder), "result.json")


@pytest.mark.parametrize("name", ["", "nowhere.zip"])
def test_what_is_not_there_is_said(tmp_path, name):
    with pytest.raises(FileAbsent):
        from_artifact(str(tmp_path / name), "result.json")


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr("gate.adapters.artifact.MAX_RESULT", 3)
    (tmp_path / "result.json").write_text("[1, 2]")
    with pytest.raises(FileUnreadable, match="larger than the limit"):
        from_artifact(str(tmp_path), "result.json")
