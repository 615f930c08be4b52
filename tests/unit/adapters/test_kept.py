"""What cannot be read twice is kept: pipes and compressed files, in bounds."""

import gzip
import io
import os

import pytest
from backports import zstd

from gate.adapters import kept as module
from gate.adapters.files import Disk
from gate.errors import FileUnreadable

PACKERS = {"gz": gzip.compress, "zst": zstd.compress}
TEXT = b'{"id": "a"}\n' * 1000


@pytest.fixture
def piped():
    """Write to this process's standard input, which is a pipe."""
    before = os.dup(0)
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    os.close(reading)

    def write(data):
        with os.fdopen(writing, "wb") as file:
            file.write(data)

    yield write
    os.dup2(before, 0)
    os.close(before)


@pytest.mark.parametrize("kind", PACKERS)
def test_a_compressed_file_is_given_unpacked_as_often_as_wanted(tmp_path, kind):
    path = tmp_path / "p.jsonl"
    path.write_bytes(PACKERS[kind](TEXT))
    disk = Disk()
    with disk.open(str(path)) as one, disk.open(str(path)) as other:
        assert one.read(12) == other.readline() == TEXT[:12]
        assert one.seek(-12, io.SEEK_END) == len(TEXT) - 12
        assert one.read() == TEXT[-12:]
        assert other.tell() == 12
    assert list(disk.lines(str(path), limit=100)) == TEXT.splitlines(keepends=True)


def test_a_plain_file_is_given_as_it_is(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(TEXT)
    with Disk().open(str(path)) as file:
        assert file.read() == TEXT


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_standard_input_may_be_read_again(piped, name, pack):
    piped(pack(TEXT[:120]))
    disk = Disk()
    with disk.open(name) as file:
        assert file.read() == TEXT[:120]
    assert b"".join(disk.lines("-", limit=100)) == TEXT[:120]


def test_a_golden_set_may_come_through_the_standard_input(piped):
    piped(TEXT[:24])
    assert Disk().read("-", limit=24) == TEXT[:24]


@pytest.mark.parametrize("kind", PACKERS)
def test_a_damaged_file_says_so(tmp_path, kind):
    path = tmp_path / "p"
    path.write_bytes(PACKERS[kind](os.urandom(1000))[:-10])
    with pytest.raises(FileUnreadable, match="is damaged"):
        Disk().open(str(path))


def test_what_grows_beyond_every_ratio_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FREE", 1024 * 1024)
    path = tmp_path / "p"
    path.write_bytes(zstd.compress(b"0" * 5_000_000))
    with pytest.raises(FileUnreadable, match="more than 250 times its own size and more than 1 M"):
        Disk().open(str(path))


def test_more_than_the_limit_is_refused_whatever_the_ratio(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 1000)
    path = tmp_path / "p"
    path.write_bytes(gzip.compress(os.urandom(5000)))
    with pytest.raises(FileUnreadable, match="holds more than 0 GiB"):
        Disk().open(str(path))


def test_a_pipe_of_more_than_the_limit_is_refused(piped, monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 100)
    piped(TEXT)
    with pytest.raises(FileUnreadable, match="more than 0 GiB came"):
        Disk().open("-")


def test_a_place_before_the_beginning_is_refused(tmp_path):
    path = tmp_path / "p"
    path.write_bytes(gzip.compress(b"x"))
    with Disk().open(str(path)) as file, pytest.raises(ValueError, match="before the beginning"):
        file.seek(-5, io.SEEK_CUR)
