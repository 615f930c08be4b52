"""One member of a stranger's archive: honest ones are read, whatever is odd is refused whole."""

import stat
import struct
import warnings
import zlib
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ArtifactRefused
from gate.publish import artifact
from gate.publish.artifact import member

LIMIT = 5_000_000


def packed(*members, method=ZIP_DEFLATED, comment=b""):
    """Make an archive of (name, bytes), where a name may be a whole ``ZipInfo``."""
    made = BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that appear twice
        with ZipFile(made, "w", method) as archive:
            for name, data in members:
                archive.writestr(name, data, None if isinstance(name, str) else method)
            archive.comment = comment
    return made.getvalue()


def read(data, *, limit=LIMIT):
    return member(data, "result.json", source="a.zip", limit=limit)


def refusal(data, *, limit=LIMIT):
    with pytest.raises(ArtifactRefused) as caught:
        read(data, limit=limit)
    said = str(caught.value)
    assert said.startswith("a.zip: ")
    assert said.isprintable()
    return said


@pytest.mark.parametrize("method", [ZIP_STORED, ZIP_DEFLATED])
def test_the_member_of_that_name_is_given_whatever_lies_beside_it(method):
    data = packed(
        ("junit.xml", b"<x/>"), ("result.json", b'{"a": 1}'), ("logs/", b""), method=method
    )
    assert read(data) == b'{"a": 1}'


def test_an_archive_that_was_streamed_is_read():
    """As the host's own action uploads it: sizes stand behind each member."""

    class Stream(BytesIO):
        def seekable(self):
            return False

        def seek(self, *_):
            raise OSError

    made = Stream()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        archive.writestr("result.json", b"{}")
    assert read(made.getvalue()) == b"{}"


def test_an_archive_without_it_is_refused():
    assert "no result.json at its top" in refusal(packed(("out/result.json", b"{}")))


@pytest.mark.parametrize(
    "name",
    [
        *("../../baselines/main.json", "/abs.txt", "a/../b", "./a", "a//b", "..", "/"),
        *("C:/a", "a\\b", "..\\a", "a\x1b[31m", "a\nb", "a\u202eb"),
    ],
)
def test_a_name_that_could_lead_anywhere_refuses_the_whole_archive(name):
    said = refusal(packed((name, b"x"), ("result.json", b"{}")))
    assert "has a name that leads out of it" in said


def test_a_name_is_read_to_its_end():
    data = packed(("result.jsonXevil", b"{}")).replace(b"result.jsonXevil", b"result.json\0evil")
    assert "leads out of it" in refusal(data)


def test_a_name_that_appears_twice_is_refused():
    data = packed(("result.json", b'{"verdict": "fail"}'), ("result.json", b'{"verdict": "pass"}'))
    assert "appears twice" in refusal(data)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFBLK, stat.S_IFDIR])
def test_what_is_no_file_is_refused_beside_it_and_in_its_place(kind):
    for name in ("result.json", "other"):
        odd = ZipInfo(name)
        odd.external_attr = (kind | 0o644) << 16
        rest = [] if name == "result.json" else [("result.json", b"{}")]
        assert "a link, or another thing" in refusal(packed((odd, b"/etc/passwd"), *rest))


@pytest.mark.parametrize("bit", [0x1, 0x40, 0x2000])
def test_an_encrypted_member_is_refused(bit):
    data = bytearray(packed(("result.json", b"{}")))
    for at, offset in ((data.index(b"PK\x03\x04"), 6), (data.index(b"PK\x01\x02"), 8)):
        flags = struct.unpack_from("<H", data, at + offset)[0] | bit
        struct.pack_into("<H", data, at + offset, flags)
    assert "is encrypted" in refusal(bytes(data))


def test_another_way_of_packing_is_refused():
    assert "not known" in refusal(packed(("result.json", b"{}"), method=ZIP_BZIP2))


def test_a_bomb_beside_it_refuses_it_before_anything_is_unpacked():
    said = refusal(packed(("result.json", b"{}"), ("big", bytes(3_000_000))))
    assert "swells to more than 500 times" in said


def test_a_large_result_is_refused_by_what_it_says():
    assert "more than 1,000 bytes" in refusal(packed(("result.json", b"ab" * 501)), limit=1_000)


def test_a_result_that_lies_about_its_size_is_never_read_beyond_the_limit():
    real = zlib.compress(bytes(10_000_000))[2:-4]
    data = bytearray(packed(("result.json", real), method=ZIP_STORED))
    for at, offset in ((data.index(b"PK\x03\x04"), 8), (data.index(b"PK\x01\x02"), 10)):
        struct.pack_into("<H", data, at + offset, ZIP_DEFLATED)
    assert "it is damaged" in refusal(bytes(data), limit=100_000)


def test_a_checksum_that_is_wrong_is_found():
    data = packed(("result.json", b'{"verdict": "fail"}'), method=ZIP_STORED)
    assert "it is damaged" in refusal(data.replace(b'"fail"', b'"pass"'))


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"PK", bytes(22), packed(("result.json", b"{}"), comment=b"more")],
    ids=["empty", "no archive", "two bytes", "zeros", "a comment"],
)
def test_what_is_no_archive_or_has_something_behind_it_is_refused(data):
    assert "no zip archive" in refusal(data)


def test_too_many_members_are_refused():
    names = [f"m{number}" for number in range(artifact.MAX_MEMBERS)]
    assert "201 members" in refusal(packed(*((name, b"") for name in [*names, "result.json"])))


def test_a_list_of_members_that_is_long_is_refused_unread():
    data = packed(*((f"{'m' * 200}{number}", b"") for number in range(1_500)))
    assert "list of members" in refusal(data)


def test_an_archive_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(artifact, "MAX_ARCHIVE", 100)
    assert "more than 100 bytes" in refusal(packed(("result.json", b"{}" * 40)))


def test_the_records_of_larger_archives_are_refused():
    data = packed(("result.json", b"{}"))
    locator = b"PK\x06\x07" + bytes(16)
    assert "four gigabytes" in refusal(data[:-22] + locator + data[-22:])


WHOLE = packed(("result.json", b'{"a": [1, 2, 3]}'), ("report.md", b"# x"))


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_whatever_byte_is_changed_it_is_read_as_it_was_or_refused(at, by):
    data = bytearray(WHOLE)
    data[at] ^= by
    try:
        assert read(bytes(data)) == b'{"a": [1, 2, 3]}'
    except ArtifactRefused:
        return


@given(st.binary(max_size=300))
def test_whatever_stands_before_an_end_record_it_is_refused(noise):
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(noise), 0, 0)
    refusal(noise + end)
