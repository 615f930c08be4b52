"""What is looked at of a folder, and what is not."""

import os

import pytest

from gate.adapters import folder
from gate.errors import UsageInvalid


def test_no_link_is_followed_and_no_hidden_folder_looked_into(house, tmp_path_factory):
    away = tmp_path_factory.mktemp("away")
    (away / "out.csv").write_text("id,output\na,x\n")
    (house.folder / "link").symlink_to(away)
    (house.folder / "one.csv").symlink_to(away / "out.csv")
    for name in (".hidden", "node_modules"):
        house.text(f"{name}/out.csv", "id,output\na,x\n")
    os.mkfifo(house.folder / "pipe.csv")
    assert folder.listing(".").files == ()


def test_the_names_are_bounded_too(house, monkeypatch):
    monkeypatch.setattr(folder, "MAX_ENTRIES", 4)
    for number in range(6):
        house.text(f"{number}.py", "")
    assert not folder.listing(".").whole


def test_folders_deep_below_are_not_looked_into(house):
    house.text("1/2/3/here.csv", "id,output\na,x\n")
    house.text("1/2/3/4/there.csv", "id,output\na,x\n")
    assert [one.path for one in folder.listing(".").files] == ["1/2/3/here.csv"]


def test_files_come_in_one_order_each_with_its_beginning(house):
    for name in ("b.json", "a/z.json", "a.json"):
        house.text(name, name)
    found = [(one.path, one.opening) for one in folder.listing(".").files]
    assert found == [("a.json", b"a.json"), ("b.json", b"b.json"), ("a/z.json", b"a/z.json")]


def test_a_configuration_is_known_by_its_name_and_a_repository_by_its_folder(house):
    house.text("promptfooconfig.yaml", "")
    house.text("sub/promptfooconfig.yaml", "")
    assert folder.listing(".").configs == ("promptfooconfig.yaml",)
    assert not folder.listing(".").is_repository
    (house.folder / ".git").mkdir()
    assert folder.listing(".").is_repository


def test_a_file_that_may_not_be_read_is_passed_over(house, monkeypatch):
    house.text("a.json", "{}")

    def refused(*_):
        raise PermissionError

    monkeypatch.setattr(os, "open", refused)
    assert folder.listing(".").files == ()


def test_what_is_no_folder_is_refused(house):
    house.text("file", "")
    for path in ("file", "absent"):
        with pytest.raises(UsageInvalid, match="no such folder"):
            folder.listing(path)


def test_the_look_is_bounded(house, monkeypatch):
    monkeypatch.setattr(folder, "MAX_OPENED", 3)
    for number in range(5):
        house.text(f"{number}.csv", "id,output\na,x\n")
    found = folder.listing(".")
    assert len(found.files) == 3
    assert not found.whole


def test_a_large_or_a_compressed_file_is_not_looked_at(house, monkeypatch):
    monkeypatch.setattr(folder, "MAX_BYTES", 100)
    house.text("large.csv", "id,output\na," + "x" * 200)
    (house.folder / "packed.csv").write_bytes(b"\x1f\x8b\x08\x00")
    assert folder.listing(".").files == ()
