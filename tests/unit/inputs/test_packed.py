"""Compressed data are unpacked in bounds, and damage is said."""

import gzip

import pytest
from backports import zstd

from gate.errors import FileUnreadable
from gate.inputs.packed import packing, unpacked

PACKERS = {"gzip": gzip.compress, "Zstandard": zstd.compress}


@pytest.mark.parametrize("how", PACKERS)
def test_data_come_back_in_one_or_several_parts(how):
    packed = PACKERS[how](b"[1") + PACKERS[how](b"]")
    assert packing(packed[:4]) == how
    assert unpacked(packed, source="c", limit=3) == b"[1]"


@pytest.mark.parametrize("data", [b"", b"[]", b"\x1f", b"PK\x03\x04"])
def test_other_data_stay_as_they_are(data):
    assert unpacked(data, source="c", limit=0) == data


@pytest.mark.parametrize("how", PACKERS)
def test_more_than_the_limit_is_refused_by_its_number(how):
    with pytest.raises(FileUnreadable, match=f"c: this {how} holds more than 10 bytes"):
        unpacked(PACKERS[how](b"0" * 1_000_000), source="c", limit=10)


@pytest.mark.parametrize("how", PACKERS)
@pytest.mark.parametrize("cut", [5, -3])
def test_what_is_cut_is_damaged(how, cut):
    whole = PACKERS[how](bytes(range(256)) * 4)
    with pytest.raises(FileUnreadable, match=f"c: looks like {how} and is damaged"):
        unpacked(whole[:cut], source="c", limit=10_000)
