from gate.judges.command import Seen, command_digest

FILES = {
    "judge.py": Seen(7, "aa", here=True),
    "./judge.py": Seen(7, "aa", here=True),
    "/srv/judge.py": Seen(7, "aa", here=False),
    "bin/judge": Seen(9, "bb", here=True),
    "bin/python": Seen(9, "cc", here=False),
    "weights": Seen(65_000_000, None, here=True),
    "python": Seen(9, "dd", here=True),
}


def digest(*command, **files):
    return command_digest(command, {**FILES, **files}.get)


def test_a_file_stands_for_its_name_and_content_wherever_it_lies():
    assert digest("python", "judge.py") == digest("python", "./judge.py")
    assert digest("python", "judge.py") == digest("python", "/srv/judge.py")


def test_another_content_size_word_or_order_is_another_judge():
    others = {
        digest("python", "judge.py", "weights"),
        digest("python", "weights", "judge.py"),
        digest("python", "judge.py", "weights", "--strict"),
        digest("python", "judge.py", "weights", weights=Seen(65_000_001, None, here=True)),
        digest("python", "judge.py", "weights", **{"judge.py": Seen(7, "ab", here=True)}),
        digest("python3", "judge.py", "weights"),
    }
    assert len(others) == 6


def test_a_program_is_a_file_only_by_a_path_within_the_working_directory():
    assert digest("python") == digest("/usr/bin/python") == digest("bin/python")
    changed = {"bin/judge": Seen(9, "b0", here=True), "python": Seen(9, "d0", here=True)}
    assert digest("bin/judge") != digest("bin/judge", **changed)
    assert digest("python") == digest("python", **changed)


def test_a_program_of_the_working_directory_is_a_file_however_it_is_named():
    one, other = (Seen(9, content, here=True) for content in ("a0", "b0"))
    for path in ("/checkout/judge", "./judge"):
        first = command_digest((path,), {path: one}.get)
        assert first != command_digest((path,), {path: other}.get)
        assert first == command_digest(("judge",), {path: one}.get, program=path)


def test_a_word_is_never_taken_for_the_file_of_another_command():
    assert digest("python", "judge") != digest("python", "judge", judge=Seen(0, "", here=True))


def test_the_digest_stays_what_it_is():
    pinned = "sha256:97737f9a885fcbda476adac89a90f97d93f07224f47193ca0c833e5449dc99e6"
    assert digest("python3", "judge.py", "--x") == pinned
