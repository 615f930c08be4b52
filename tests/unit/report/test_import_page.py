"""What `import` says of a file, in figures that agree with each other."""

from gate.report.import_page import Found, Written, found_lines, written_lines

FOUND = Found(
    source="log.eval",
    read_as="a file of inspect_ai",
    n_cases=3,
    n_bare=1,
    n_answers=1_006,
    n_errors=1,
    runs=(1, 2),
    scores=(("match", 4, True), ("style", 2, False)),
    gaps=("the run stopped",),
    remarks=("one is odd",),
    by_place="7",
)


def test_the_page_counts_everything_once():
    assert list(found_lines(FOUND)) == [
        "log.eval: read as a file of inspect_ai",
        "  cases     3, 1 of them known by their ids alone",
        "  answers   1,006, 1 error among them",
        "  runs      1 to 2 of each case",
        "  scores    match (4, says whether a case passed); style (2)",
        "  gap       the run stopped",
        (
            "  mind      some ids are positions in the file (such as '7'): name the cases, or "
            "pass --id-field"
        ),
        "  mind      one is odd",
    ]


def test_a_file_of_cases_has_no_answers_to_speak_of():
    lines = list(found_lines(Found("c", "cases of our own", n_cases=2)))
    assert lines == ["c: read as cases of our own", "  cases     2"]


def test_many_names_of_scores_are_counted():
    names = tuple((f"s{number}", 1, False) for number in range(25))
    (line,) = [one for one in found_lines(FOUND._replace(scores=names)) if "scores" in one]
    assert line.endswith("; and 5 more")
    assert line.count("; ") == 20


def test_what_is_written_says_what_stayed_behind():
    done = (Written("p", "predictions", unchanged=False), Written("c", "cases", unchanged=True))
    lines = list(written_lines(FOUND, done))
    assert lines[0] == "written: p (1,006 answers)"
    assert lines[1] == "is so already: c (3 cases)"
    assert lines[2].startswith("note: the recorded scores are not in it")
    assert lines[3].startswith("note: 1 case has an empty `input`")


def test_cases_alone_have_no_scores_to_leave_behind():
    lines = list(
        written_lines(FOUND._replace(n_bare=0), (Written("c", "cases", unchanged=False),))
    )
    assert lines == ["written: c (3 cases)"]
    assert list(written_lines(FOUND._replace(gaps=()), ())) == []


def test_a_look_at_a_file_with_a_gap_warns_of_it():
    (line,) = written_lines(FOUND._replace(gaps=("cut",)), ())
    assert line.startswith("warning: the file may not hold all that was run")
    assert "--allow-gaps" in line
