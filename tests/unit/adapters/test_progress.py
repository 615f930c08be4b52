"""A waiting person is told how far a judge is; a short run is silent."""

import io

import pytest

from gate.adapters import progress
from gate.records.judge_run import Progress


class Clock:
    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


class Broken(io.StringIO):
    def write(self, text):
        raise BrokenPipeError(text)


@pytest.fixture
def clock(monkeypatch):
    held = Clock()
    monkeypatch.setattr(progress, "time", held)
    return held


def test_a_short_run_is_silent(clock):
    stream = io.StringIO()
    told = progress.asked(stream=stream, live=False)
    for done in range(1, 11):
        clock.now += 0.1
        told(Progress(done, 10, None))
    assert stream.getvalue() == ""


def test_a_log_gets_a_line_every_ten_seconds_and_a_last_one(clock):
    stream = io.StringIO()
    told = progress.asked(stream=stream, live=False)
    for done in range(1, 31):
        clock.now += 1
        told(Progress(done, 30, 0.01 * done))
    lines = stream.getvalue().splitlines()
    assert len(lines) == 4
    assert lines[0] == "judge [#                   ] 2 of 30, 1.0 a second, $0.0200, 28 s left"
    assert lines[-1].startswith("judge [####################] 30 of 30")
    assert lines[-1].endswith(", 0 s left")


def test_a_terminal_gets_one_line_that_changes_and_ends(clock):
    stream = io.StringIO()
    told = progress.asked(stream=stream, live=True)
    for done in range(1, 31):
        clock.now += 0.2
        told(Progress(done, 30, None))
    said = stream.getvalue()
    assert said.count("\r") > 5
    assert said.count("\n") == 1
    assert said.endswith("\n")
    assert "$" not in said


def test_a_log_that_cannot_be_written_changes_nothing(clock):
    told = progress.asked(stream=Broken(), live=False)
    clock.now += 60
    told(Progress(1, 2, None))


def test_a_run_whose_first_answers_come_at_once_divides_by_nothing(clock):
    stream = io.StringIO()
    told = progress.asked(stream=stream, live=False)
    clock.now += progress.PATIENCE
    told(Progress(0, 5, None))
    assert "0 of 5, 0.0 a second, 0 s left" in stream.getvalue()
