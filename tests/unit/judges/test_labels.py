"""Labels of people are read strictly, and every line that is not one is named."""

import pytest

from gate.errors import LabelsInvalid
from gate.judges import labels
from gate.judges.labels import MAX_BYTES, MAX_LABELS, read_labels


def read(text, reply="rating"):
    data = text if isinstance(text, bytes) else text.encode()
    return read_labels(data, source="h.jsonl", reply=reply)


def refused(text, reply="rating"):
    with pytest.raises(LabelsInvalid) as caught:
        read(text, reply)
    return str(caught.value)


def test_labels_are_held_by_case_and_repeat():
    text = '{"id": "a", "label": 2}\n{"id": "a", "repeat": 1, "label": 0}\n{"id": 7, "label": 1.0}'
    assert read(text).values == {("a", 0): 2.0, ("a", 1): 0.0, ("7", 0): 1.0}
    assert read(text).source == "h.jsonl"


def test_a_mark_line_ends_of_windows_blank_lines_and_null_are_accepted():
    text = b'\xef\xbb\xbf{"id": "a", "label": 2}\r\n\r\n  \n{"id":"b","repeat":null,"label":0}\r\n'
    assert read(text).values == {("a", 0): 2.0, ("b", 0): 0.0}


def test_scores_lie_anywhere_from_0_to_1():
    text = '{"id": "a", "label": 0.25}\n{"id": "b", "label": 1}\n{"id": "c", "label": -0.0}'
    assert str(read(text, "elements").values["c", 0]) == "0.0"
    assert refused('{"id": "a", "label": 1.5}', "elements") == (
        "h.jsonl:1: `label` 1.5 does not lie between 0 and 1, as scores do"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "a", "label": 3}', "`label` 3 is none of 0, 1 and 2, the judge's ratings"),
        ('{"id": "a", "label": 0.5}', "`label` 0.5 is none of 0, 1 and 2, the judge's ratings"),
        ('{"id": "a", "label": true}', "`label` expected a number"),
        ('{"id": "a", "label": "2"}', "`label` expected a number"),
        ('{"id": "a", "label": null}', "`label` expected a number"),
        ('{"id": "a", "label": NaN}', "NaN is not JSON"),
        ('{"id": "a", "label": 1e999}', "the number 1e999 is beyond the range of a 64-bit float"),
        ('{"id": "a"}', "`label` is required"),
        ('{"label": 1}', "`id` is required"),
        ('{"id": "", "label": 1}', "`id` string should have at least 1 character"),
        ('{"id": true, "label": 1}', "`id` expected a text"),
        ('{"id": "a", "lable": 1, "label": 1}', "unknown key 'lable'; did you mean 'label'?"),
        ('{"id": "a", "repeat": 1.0, "label": 1}', "`repeat` expected a whole number"),
        ('{"id": "a", "repeat": true, "label": 1}', "`repeat` expected a whole number"),
        ('{"id": "a", "id": "b", "label": 1}', "key 'id' appears twice in one object"),
        ("[]", "expected a JSON object"),
        ("id,label", "not JSON: Expecting value at column 1"),
    ],
)
def test_a_line_that_is_no_label_says_what_is_wrong_with_it(line, said):
    text = '\n{"id": "z", "label": 1}\n' + line
    assert refused(text) == f"h.jsonl:3: {said}"


def test_all_problems_are_listed_and_the_rest_is_counted():
    lines = refused("{}\n" * 30).split("\n")
    assert lines[:2] == ["h.jsonl:1: `id` is required", "h.jsonl:1: `label` is required"]
    assert len(lines) == 21
    assert lines[-1] == "... and 40 more"


def test_a_response_is_labelled_once():
    text = '{"id": "a", "label": 1}\n{"id": "a", "repeat": 0, "label": 1}\n'
    assert refused(text) == "h.jsonl:2: 'a' is labelled on line 1 already"
    text = '{"id": "a", "repeat": 2, "label": 1}\n' * 2
    assert refused(text) == "h.jsonl:2: 'a', repeat 2, is labelled on line 1 already"


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_a_label_is_refused(text):
    assert refused(text) == "h.jsonl: holds no label"


def test_too_many_labels_are_refused_before_one_is_read(monkeypatch):
    def unread(*_, **__):
        raise AssertionError("a line was read")

    monkeypatch.setattr(labels, "loads", unread)
    assert refused("{}\n" * (MAX_LABELS + 1)) == "h.jsonl: more than the limit of 100,000 labels"
    assert refused(b" " * (MAX_BYTES + 1)) == (
        "h.jsonl: larger than the limit of 16,777,216 bytes"
    )


def test_as_many_labels_as_may_be_are_read_and_blank_lines_are_none(monkeypatch):
    monkeypatch.setattr(labels, "MAX_LABELS", 2)
    text = '\n{"id": "a", "label": 1}\n\n \n{"id": "b", "label": 1}\n\n'
    assert len(read(text).values) == 2
    assert refused(text + '{"id": "c", "label": 1}') == "h.jsonl: more than the limit of 2 labels"
    assert refused('{"id": "a", "label": 1}\n\n\n[]') == "h.jsonl:4: expected a JSON object"


def test_a_file_that_is_not_utf_8_is_refused():
    assert refused("{}".encode("utf-16")).startswith("h.jsonl: this looks like UTF-16")
    assert refused(b'{"id": "\xe9"}') == "h.jsonl: not UTF-8 at byte 8"


def test_the_digest_is_that_of_the_content():
    one = read('{"id": "a", "label": 1}\n{"label": 2.0, "id": "b"}')
    other = read('{"id": "b", "repeat": 0, "label": 2}\n{"id": "a", "label": 1}')
    assert one.digest == other.digest
    assert one.digest != read('{"id": "a", "label": 1}').digest


def test_before_the_scale_is_known_any_number_will_do():
    assert read('{"id": "a", "label": 7}', None).values == {("a", 0): 7.0}
    assert "is required" in refused('{"id": "a"}', None)
