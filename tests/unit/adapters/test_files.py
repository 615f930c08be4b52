"""Files on a disk: whole or not at all, and every failure in words."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gate.adapters.files import Disk
from gate.errors import FileAbsent, FileUnreadable, ResultUnwritable

ROOT = Path(__file__).parents[3]
FULL = Path("/dev/full")
MANY = 1 << 20


@pytest.fixture
def disk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Disk()


def left():
    return sorted(str(path) for path in Path.cwd().rglob("*"))


def test_what_is_written_is_read(disk):
    disk.write("deep/er/a.txt", ["é", "\n", "x" * 3 * MANY])
    assert disk.read("deep/er/a.txt", limit=4 * MANY) == ("é\n" + "x" * 3 * MANY).encode()
    assert disk.exists("deep/er/a.txt")


def test_nothing_but_the_file_is_left(disk):
    disk.write("a.txt", ["one"])
    disk.write("a.txt", ["two"])
    assert [os.path.basename(path) for path in left()] == ["a.txt"]  # noqa: PTH119


def test_a_write_that_breaks_midway_leaves_what_was_there(disk):
    disk.write("a.txt", ["before"])

    def chunks():
        yield "after" * MANY
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        disk.write("a.txt", chunks())
    assert Path("a.txt").read_text() == "before"
    assert len(left()) == 1


@pytest.mark.parametrize("make", ["file", "directory"])
def test_a_target_that_cannot_be_one_is_unwritable_and_leaves_nothing(disk, make):
    if make == "file":
        Path("in").write_text("a file, no folder")
        target = "in/result.json"
    else:
        Path("result.json").mkdir()
        target = "result.json"
    before = left()
    with pytest.raises(ResultUnwritable, match=target):
        disk.write(target, ["x"])
    assert left() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_unwritable(disk):
    Path("locked").mkdir(mode=0o500)
    with pytest.raises(ResultUnwritable):
        disk.write("locked/a.txt", ["x"])
    assert list(Path("locked").iterdir()) == []


def test_a_name_that_no_file_can_have_is_unwritable(disk):
    for name in ("a\0b", "x" * 5000):
        with pytest.raises(ResultUnwritable):
            disk.write(name, ["x"])
        with pytest.raises(ResultUnwritable):
            disk.append(name, "x")
    assert left() == []


def test_a_symbolic_link_is_replaced_and_its_target_stays(disk):
    Path("elsewhere").write_text("precious")
    Path("link").symlink_to("elsewhere")
    disk.write("link", ["new"])
    assert Path("elsewhere").read_text() == "precious"
    assert Path("link").read_text() == "new"
    assert not Path("link").is_symlink()


def test_lone_surrogates_do_not_break_a_write(disk):
    disk.write("a.txt", ["\ud800"])
    assert Path("a.txt").read_bytes() == rb"\ud800"


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_a_full_disk_is_unwritable_for_the_runners_files(disk):
    with pytest.raises(ResultUnwritable, match="No space left"):
        disk.append(str(FULL), "x")


def test_append_adds_and_a_directory_is_unwritable(disk):
    disk.append("a.txt", "one\n")
    disk.append("a.txt", "two\n")
    assert Path("a.txt").read_text() == "one\ntwo\n"
    Path("folder").mkdir()
    with pytest.raises(ResultUnwritable):
        disk.append("folder", "x")


def add(disk, how, path):
    with pytest.raises(ResultUnwritable) as error:
        getattr(disk, how)(path, "x\n")
    return str(error.value)


def test_keep_adds_to_a_file_that_it_makes_with_its_folders(disk):
    disk.keep("new/folder/ledger.jsonl", "one\n")
    disk.keep("new/folder/ledger.jsonl", "two \ud800\n")
    assert Path("new/folder/ledger.jsonl").read_text() == "one\ntwo \\ud800\n"
    assert Path("new/folder/ledger.jsonl").stat().st_mode & 0o111 == 0


def test_keep_follows_no_link_and_append_does(disk):
    Path("elsewhere").write_text("precious\n")
    Path("link").symlink_to("elsewhere")
    Path("dangling").symlink_to("nowhere")
    for name in ("link", "dangling"):
        assert add(disk, "keep", name) == (
            f"{name}: cannot be written: it is a link, which may lead anywhere"
        )
    assert Path("elsewhere").read_text() == "precious\n"
    assert not Path("nowhere").exists()
    disk.append("link", "x\n")
    assert Path("elsewhere").read_text() == "precious\nx\n"


def test_a_pipe_that_nobody_reads_is_an_error_and_not_waited_for(disk):
    os.mkfifo("pipe")
    assert "cannot be written" in add(disk, "append", "pipe")
    assert add(disk, "keep", "pipe") == "pipe: cannot be written: it is no regular file"


def test_a_pipe_that_somebody_reads_is_written_and_never_kept_in(disk):
    os.mkfifo("pipe")
    reading = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert "it is no regular file" in add(disk, "keep", "pipe")
        disk.append("pipe", "x\n")
        assert os.read(reading, 9) == b"x\n"
    finally:
        os.close(reading)


@pytest.mark.parametrize("name", ["/dev/null", ".", "a\0b", "file/below"])
def test_nothing_is_kept_in_what_is_no_file(disk, name):
    Path("file").write_text("x")
    assert "cannot be written" in add(disk, "keep", name)


def test_remove_takes_away_and_absence_is_fine(disk):
    disk.write("a.txt", ["x"])
    disk.remove("a.txt")
    disk.remove("a.txt")
    disk.remove("no/such/folder/a.txt")
    assert not disk.exists("a.txt")


def test_remove_takes_a_link_and_never_its_target(disk):
    Path("elsewhere").write_text("precious")
    Path("link").symlink_to("elsewhere")
    disk.remove("link")
    assert left() == [str(Path.cwd() / "elsewhere")]


def test_a_directory_cannot_be_removed_as_a_file(disk):
    Path("result.json").mkdir()
    with pytest.raises(ResultUnwritable):
        disk.remove("result.json")


@pytest.mark.parametrize("name", ["gone", "gone/deeper", ""])
def test_what_is_not_there_is_absent(disk, name):
    assert not disk.exists(name)
    with pytest.raises(FileAbsent):
        disk.read(name, limit=1)
    with pytest.raises(FileAbsent):
        list(disk.lines(name, limit=1))


@pytest.mark.parametrize("name", [".", "/dev/null", "a\0b", "x" * 5000])
def test_what_is_no_regular_file_is_unreadable(disk, name):
    with pytest.raises(FileUnreadable):
        disk.read(name, limit=1)
    with pytest.raises(FileUnreadable):
        list(disk.lines(name, limit=1))


def test_a_link_that_leads_in_a_circle_is_unreadable(disk):
    Path("a").symlink_to("b")
    Path("b").symlink_to("a")
    with pytest.raises(FileUnreadable):
        disk.read("a", limit=1)


def test_a_file_larger_than_the_limit_is_refused_by_the_limit(disk):
    disk.write("a.txt", ["12345"])
    assert disk.read("a.txt", limit=5) == b"12345"
    with pytest.raises(FileUnreadable, match="larger than the limit of 4 bytes"):
        disk.read("a.txt", limit=4)


def test_lines_end_at_newlines_only_and_keep_them(disk):
    raw = "a\u2028b\x85c\x0bd\r\ne\r".encode() + b"\nlast"
    Path("a.txt").write_bytes(raw)
    lines = list(disk.lines("a.txt", limit=1000))
    assert b"".join(lines) == raw
    assert len(lines) == 3


@pytest.mark.parametrize("end", [b"\n", b""])
def test_an_over_long_line_comes_cut_and_the_next_one_whole(disk, end):
    Path("a.txt").write_bytes(b"x" * 10 + b"\n" + b"y" * 5 * MANY + end + b"z\n" * len(end))
    lines = list(disk.lines("a.txt", limit=10))
    assert lines[0] == b"x" * 10 + b"\n"
    assert lines[1] == b"y" * 11
    assert lines[2:] == [b"z\n"] * len(end)


def test_a_line_of_exactly_the_limit_and_its_newline_is_whole(disk):
    Path("a.txt").write_bytes(b"x" * 10 + b"\n" + b"yy")
    assert list(disk.lines("a.txt", limit=10)) == [b"x" * 10 + b"\n", b"yy"]


READ = """
import sys
from gate.adapters.files import Disk
sys.stdout.buffer.write(b"".join(Disk().lines(sys.argv[1], limit=9)))
sys.stdout.buffer.write(Disk().read(sys.argv[1], limit=9))
"""


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "link"])
def test_the_standard_input_is_read_by_its_name_though_it_is_a_pipe(disk, name):
    assert not disk.exists("link")
    Path("link").symlink_to("/dev/stdin")
    done = subprocess.run(
        [sys.executable, "-c", READ, name],
        input=b"a\nb",
        capture_output=True,
        check=True,
        timeout=60,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert done.stdout == b"a\nb"


def test_a_pipe_that_nobody_writes_is_refused_and_not_waited_for(disk):
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    for name in ("pipe", "link"):
        for read in (lambda: disk.read(name, limit=9), lambda: list(disk.lines(name, limit=9))):  # noqa: B023 - called here
            with pytest.raises(FileUnreadable, match="neither a regular file nor the standard"):
                read()


@pytest.mark.parametrize("number", [1, 2])
def test_the_other_streams_are_no_input(disk, number):
    assert disk.exists("/dev/fd")
    done = subprocess.run(
        [sys.executable, "-c", READ, f"/dev/fd/{number}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert b"FileUnreadable" in done.stderr


def test_a_name_of_several_lines_is_said_in_one(disk):
    with pytest.raises(FileAbsent) as error:
        disk.read("a\nerror: b", limit=9)
    assert str(error.value) == r"a\nerror: b: no such file"


def test_what_root_makes_belongs_to_the_owner_of_the_folder_it_stands_in(tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("os.chown", lambda made, *owner: given.append((made, owner)))
    Disk().write(str(tmp_path / "a" / "b" / "c.json"), ["x"])
    there = tmp_path.stat()
    Disk().keep(str(tmp_path / "ledger.jsonl"), "x")
    Disk().keep(str(tmp_path / "ledger.jsonl"), "not made again")
    assert [made for made, _ in given[:2]] == [str(tmp_path / "a"), str(tmp_path / "a" / "b")]
    assert [owner for _, owner in given] == [(there.st_uid, there.st_gid)] * 4


def test_a_file_system_that_lets_nobody_hand_files_over_changes_nothing(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("os.chown", refuse)
    Disk().write(str(tmp_path / "c.json"), ["x"])
    assert (tmp_path / "c.json").read_text() == "x"
