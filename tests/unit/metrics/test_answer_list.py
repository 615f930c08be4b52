import pytest

from gate.metrics.answer_list import find_answer_list


@pytest.mark.parametrize(
    "answer",
    [
        '["Lima", 154]',
        '  ["Lima",\n  154\n]  ',
        '```json\n["Lima", 154]\n```',
        '```\n["Lima", 154]\n```',
        'Sure! Here it is:\n\n```json\n["Lima", 154]\n```\nAnything else?',
        'The answer is ["Lima", 154].',
        '**["Lima", 154]**',
        '`["Lima", 154]`',
        '\\boxed{["Lima", 154]}',
        '{"answer": ["Lima", 154]}',
        '["Lima", 154,]',
        "['Lima', 154]",
        "[“Lima”, 154]",
        "[Lima, 154]",
        "Interval [0, 1) aside, it is [Lima, 154]",
        'I think [see note: ["Lima", 154]] is right',
        '[["Lima", 154] and that is all',
    ],
)
def test_the_list_is_found_in_a_real_answer(answer):
    assert find_answer_list(answer, length=2) == ["Lima", "154"]


@pytest.mark.parametrize(
    "answer", ["", "no list", "[", "]", "[[[", '["', "] [", '["Lima" "154"]', "[Lima"]
)
def test_an_answer_without_a_whole_element_has_no_list(answer):
    assert find_answer_list(answer, length=2) is None


def test_of_several_lists_the_last_counts():
    assert find_answer_list('["Oslo"] no: ["Lima"]', length=1) == ["Lima"]


def test_of_several_lists_the_last_of_the_wanted_length_counts():
    answer = 'Candidates ["Oslo"], then ["Lima", 154], see [1] and [2, 3, 4].'
    assert find_answer_list(answer, length=2) == ["Lima", "154"]


def test_without_a_list_of_the_wanted_length_the_last_counts():
    assert find_answer_list('["Oslo"] or ["Lima"]', length=3) == ["Lima"]


def test_an_aside_in_brackets_does_not_replace_a_quoted_list():
    assert find_answer_list('["Lima"] [citation needed]', length=1) == ["Lima"]


@pytest.mark.parametrize(
    "answer",
    [
        '["Lima"] as in the atlas[1].',
        '["Lima"]\n[1] https://example.org',
        '["Lima"]\n- [2] an atlas',
        '["Lima"]\n[1]: https://example.org',
        '["Lima"] from [2](https://example.org)',
        '["Lima"], see [the atlas](https://example.org)',
    ],
)
def test_footnotes_and_links_do_not_replace_the_answer(answer):
    assert find_answer_list(answer, length=1) == ["Lima"]


def test_a_single_number_in_brackets_is_an_answer_all_the_same():
    assert find_answer_list("First [30], corrected: [42].", length=1) == ["42"]
    assert find_answer_list("[42] is my answer", length=1) == ["42"]


def test_a_closed_list_counts_before_one_that_is_cut_off():
    assert find_answer_list('["Lima", 154] or ["Oslo", 23', length=2) == ["Lima", "154"]


def test_a_closed_list_counts_even_where_the_cut_off_one_has_the_right_length():
    answer = '["Lima", 154, 9] or ["Oslo", 23, '
    assert find_answer_list(answer, length=2) == ["Lima", "154", "9"]


def test_an_aside_that_is_never_closed_does_not_swallow_the_list():
    answer = '[Note the following, ["Lima", 154], which I looked up'
    assert find_answer_list(answer, length=2) == ["Lima", "154"]


def test_a_list_that_is_cut_off_keeps_the_elements_that_are_whole():
    assert find_answer_list('["Lima", 154, 12', length=3) == ["Lima", "154"]
    assert find_answer_list('["Lima", "154", "unfini', length=3) == ["Lima", "154"]
    assert find_answer_list('[["Lima", 1], ["Oslo", ', length=2) == [["Lima", "1"], ["Oslo"]]


def test_thousands_separators_do_not_shred_a_list_of_the_right_length():
    assert find_answer_list("[1,000,000, 500,000]", length=2) == ["1,000,000", "500,000"]
    assert find_answer_list("[$80,000]", length=1) == ["$80,000"]
    assert find_answer_list("[-1,234, 5]", length=2) == ["-1,234", "5"]


def test_a_comma_is_a_separator_of_elements_where_that_gives_the_right_length():
    assert find_answer_list("[1,234]", length=2) == ["1", "234"]
    assert find_answer_list("[1,234]", length=4) == ["1", "234"]
    assert find_answer_list("[1,2345]", length=1) == ["1", "2345"]
