import pytest

from gate.inputs import lines
from gate.inputs.lines import BOM, MAX_LINE_BYTES, Unreadable, decode, numbered


def said(raw):
    """Give the one complaint about a file of these lines."""
    found = [text for _, text in numbered(raw) if isinstance(text, Unreadable)]
    assert len(found) == 1
    return found[0]


def test_lines_count_from_one_and_blank_lines_count():
    raw = [b"a\n", b"\n", b" \t\r\n", b"b"]
    assert list(numbered(raw)) == [(1, "a\n"), (4, "b")]


def test_a_file_of_more_blank_lines_than_the_limit_ends_there(monkeypatch):
    monkeypatch.setattr(lines, "MAX_BLANK_LINES", 2)
    held = [b"a\n", b"\n", b" \n", b"b\n"]
    assert [text for _, text in numbered(held)] == ["a\n", "b\n"]
    found = list(numbered([*held, b"\n", b"c\n"]))
    assert found[-1][0] == 5
    assert found[-1][1].endswith("blank lines, the limit of one file")


def test_an_empty_file_has_no_lines():
    assert list(numbered([])) == []


def test_a_file_of_a_byte_order_mark_alone_has_no_lines():
    assert list(numbered([BOM])) == []


def test_a_byte_order_mark_is_dropped_from_the_first_line():
    assert list(numbered([BOM + b"a\n"])) == [(1, "a\n")]


def test_a_byte_order_mark_inside_the_file_is_named():
    assert said([b"a\n", BOM + b"b\n"]) == "a byte order mark inside the file at offset 2"


def test_carriage_returns_and_a_missing_final_newline_are_accepted():
    assert [text.strip() for _, text in numbered([b"a\r\n", b"b"])] == ["a", "b"]


def test_a_line_of_a_form_feed_is_not_blank():
    assert list(numbered([b"\x0c\n"])) == [(1, "\x0c\n")]


@pytest.mark.parametrize("inside", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_only_a_newline_ends_a_line(inside):
    raw = f'"a{inside}b"\n'.encode()
    assert list(numbered([raw])) == [(1, raw.decode())]


def test_bad_utf8_is_named_by_its_offset_in_the_file():
    raw = [b"abc\n", b"\n", b"de\xff\n", b"ok\n"]
    assert list(numbered(raw)) == [
        (1, "abc\n"),
        (3, "not UTF-8: byte 0xff at offset 7"),
        (4, "ok\n"),
    ]


def test_the_offset_counts_the_byte_order_mark():
    assert said([BOM + b"a\xff"]) == "not UTF-8: byte 0xff at offset 4"


def test_an_encoded_surrogate_is_not_utf8():
    assert "offset 1" in said([b"a\xed\xa0\x80"])


def test_a_nul_byte_is_named_by_its_offset():
    assert said([b"abc\n", b"d\x00"]) == "a NUL byte at offset 5"


def test_bad_utf8_and_nul_in_one_line_are_both_named():
    assert said([b"x\xff\xfe\x00"]) == ("not UTF-8: byte 0xff at offset 1; a NUL byte at offset 3")


def test_a_line_of_exactly_the_limit_is_read():
    line = b"x" * MAX_LINE_BYTES + b"\n"
    assert [len(text) for _, text in numbered([line])] == [MAX_LINE_BYTES + 1]


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_longer_line_is_refused_by_the_named_limit_and_reading_goes_on(end):
    raw = [b"x" * (MAX_LINE_BYTES + 1) + end, b"ok\n"]
    assert list(numbered(raw)) == [
        (1, "longer than 16 MiB, the limit of one line"),
        (2, "ok\n"),
    ]


def test_offsets_after_a_cut_line_count_within_the_line(monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 4)
    found = list(numbered([b"xxxxx", b"a\xff\n"]))
    assert found[1] == (2, "not UTF-8: byte 0xff at byte 1 of the line")


def test_offsets_after_a_long_whole_line_stay_exact(monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 4)
    found = list(numbered([b"xxxxx\n", b"a\xff\n"]))
    assert found[1] == (2, "not UTF-8: byte 0xff at offset 7")


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"PK\x03\x04....", "zip"),
        (b"PK\x05\x06....", "zip"),
        (b"PAR1....", "Parquet"),
        (b"\x28\xb5\x2f\xfd..", "Zstandard"),
        (b"\xfd7zXZ\x00..", "xz"),
        (b"BZh91AY", "bzip2"),
        ('{"id"'.encode("utf-16"), "UTF-16"),
        ('{"id"'.encode("utf-16-le"), "UTF-16"),
        ('{"id"'.encode("utf-16-be"), "UTF-16"),
        ('[{"id"'.encode("utf-16-le"), "UTF-16"),
        ('[{"id"'.encode("utf-16-be"), "UTF-16"),
        (b"\xfe\xff\x00{", "UTF-16"),
    ],
)
def test_another_format_is_recognised_once_for_the_whole_file(start, name):
    found = list(numbered([start + b"\n", b"\xff\n", b"ok\n"]))
    assert len(found) == 1
    assert found[0][0] == 1
    assert f"this looks like {name}" in found[0][1].replace("a zip", "zip").replace(
        "an empty zip", "zip"
    )


def test_gzip_is_told_to_be_decompressed():
    assert said([b"\x1f\x8b"]) == "this looks like gzip; decompress first (`gunzip`)"


def test_magic_bytes_after_the_first_line_are_no_format():
    assert list(numbered([b"a\n", b"PK\x03\x04\n"])) == [(1, "a\n"), (2, "PK\x03\x04\n")]


def test_decode_without_an_offset_counts_within_the_line():
    assert decode(b"a\xff", offset=None) == "not UTF-8: byte 0xff at byte 1 of the line"
