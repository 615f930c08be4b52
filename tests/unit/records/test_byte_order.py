"""A text in another encoding is called by its name."""

import pytest

from gate.records.byte_order import other_encoding, undecoded


@pytest.mark.parametrize("text", ["{}", "[1]"])
@pytest.mark.parametrize("name", ["utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_json_in_another_encoding_is_told_how_to_convert(text, name):
    wanted = name.upper().replace("-LE", "LE").replace("-BE", "BE")
    assert f"`iconv -f {wanted} -t UTF-8`" in other_encoding(text.encode(name))


def test_a_mark_of_utf_32_is_not_taken_for_one_of_utf_16():
    assert "looks like UTF-32;" in other_encoding("x".encode("utf-32"))


@pytest.mark.parametrize("data", [b"", b"{}", b"\xef\xbb\xbf{}", "é".encode()])
def test_utf_8_is_no_other_encoding(data):
    assert other_encoding(data) is None


def test_what_is_no_encoding_known_is_told_by_its_byte():
    with pytest.raises(UnicodeDecodeError) as error:
        b"caf\xe9".decode()
    assert undecoded(b"caf\xe9", error.value) == "not UTF-8 at byte 3"
