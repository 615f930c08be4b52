from gate.inputs.seen import MAX_REPEAT, Seen


def test_different_ids_are_fine():
    seen = Seen(unit="line")
    assert seen.add("a", place=1, numeric=False) is None
    assert seen.add("A", place=2, numeric=False) is None
    assert seen.add("a ", place=3, numeric=False) is None


def test_a_second_one_names_the_first():
    seen = Seen(unit="case")
    seen.add("a", place=1, numeric=False)
    for _ in range(2):
        assert seen.add("a", place=9, numeric=False) == (
            "id 'a' appears twice; the first is case 1"
        )


def test_repeats_are_different_and_each_is_remembered():
    seen = Seen(unit="line")
    repeats = (3, 0, MAX_REPEAT, 7)
    for place, repeat in enumerate(repeats, start=1):
        assert seen.add("a", place=place, numeric=False, repeat=repeat) is None
    for place, repeat in enumerate(repeats, start=1):
        message = seen.add("a", place=99, numeric=False, repeat=repeat)
        assert message is not None
        assert message.endswith(f"the first is line {place}")
        assert (f"with repeat {repeat} " in message) is (repeat > 0)


def test_a_number_and_a_text_that_would_be_one_case_collide():
    seen = Seen(unit="line")
    seen.add("1", place=2, numeric=True)
    assert seen.add("1", place=5, numeric=False) == (
        "id 1 as a number and id '1' as a text would be one case; the other is line 2"
    )


def test_they_collide_in_different_repeats_and_the_other_way_round():
    seen = Seen(unit="line")
    seen.add("1", place=2, numeric=False)
    seen.add("1", place=3, numeric=False, repeat=1)
    message = seen.add("1", place=5, numeric=True, repeat=2)
    assert message is not None
    assert message.endswith("the other is line 2")
