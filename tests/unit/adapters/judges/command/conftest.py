"""Real programs as judges, small and often hostile, and a look at what they leave behind."""

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gate.adapters.judges.command.provider import connect
from gate.records.judge_options import JudgeOptions
from gate.records.judging import Question

PREAMBLE = """
import json, os, signal, subprocess, sys, threading, time
def say(value):
    os.write(1, json.dumps(value).encode() + b"\\n")
def hello(**more):
    say({"hello": {"protocol": 1, "name": "w", "version": "1", "concurrency": 4, **more}})
def requests():
    for line in sys.stdin:
        yield json.loads(line)
def serve(text="2"):
    for request in requests():
        say({"id": request["id"], "text": text})
def leave(path, **how):
    sleeping = [sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)"]
    child = subprocess.Popen(sleeping, **how)
    with open(path, "w") as file:
        file.write(str(child.pid))
"""


def a_question(number=1, *, prompt="<query>", params="{}"):
    return Question(
        key=f"sha256:{number:064x}",
        case_id=f"case-{number}",
        repeat=0,
        run=1,
        system="Grade.",
        prompt=prompt,
        schema_text='{"type":"object"}',
        params=params,
    )


class Place:
    """Where programs are written, connected as judges, and asked."""

    def __init__(self, folder):
        self.folder = folder
        self._providers = []

    def script(self, body, name="judge.py"):
        path = self.folder / name
        path.write_text(PREAMBLE + body, "utf-8")
        return (sys.executable, "-S", "-E", str(path))

    def judge(self, body="", *, command=None, environ=None, params="{}", **options):
        given = {"timeout": 20, **options}
        provider = connect(
            JudgeOptions(command=command or self.script(body), **given),
            {"PATH": os.environ["PATH"]} if environ is None else environ,
            model="m",
            params=params,
        )
        self._providers.append(provider)
        return provider

    def answer(self, body, *, timeout=20, **options):
        return self.judge(body, **options).ask(a_question(), timeout=timeout).answer

    @staticmethod
    def ask_many(provider, count, *, timeout=20):
        with ThreadPoolExecutor(count) as pool:
            asked = [
                pool.submit(provider.ask, a_question(n), timeout=timeout) for n in range(count)
            ]
            return [future.result().answer for future in asked]

    @property
    def left(self):
        return self.folder / "left"

    def is_gone(self):
        """Say whether the process whose number ``leave`` wrote is no more."""
        number = int(self.left.read_text())
        wait_until(lambda: not runs(number))
        return True

    def end_what_left(self):
        """End a process that got away: nobody but a test can know of it."""
        os.kill(int(self.left.read_text()), signal.SIGKILL)
        return self.is_gone()

    def close(self):
        for provider in self._providers:
            provider.close()


def wait_until(found):
    until = time.monotonic() + 20
    while not found():
        assert time.monotonic() < until
        time.sleep(0.01)


def runs(number):
    try:
        stat = Path(f"/proc/{number}/stat").read_text("utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}


def children():
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.add(int(stat.parent.name))
    return found


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture
def place(tmp_path):
    """Close every judge at the end, and see that no process, thread or descriptor is left."""
    before = children(), set(threading.enumerate()), descriptors()
    here = Place(tmp_path)
    yield here
    here.close()
    assert children() <= before[0]
    assert set(threading.enumerate()) <= before[1]
    assert descriptors() <= before[2]


@pytest.fixture
def until():
    """Wait for something that happens in another thread or process."""
    return wait_until


@pytest.fixture
def question():
    return a_question
