"""The table of providers: each is loaded when a run first asks it, and closed at the end."""

import re
import subprocess
import sys
from importlib import import_module
from typing import get_args

import pytest

from gate.adapters.clock import today
from gate.adapters.judges.table import PROVIDERS, asking
from gate.errors import GateError
from gate.ports import Asker, Provider
from gate.records.judge_options import JudgeOptions
from gate.records.judge_words import Provider as Name


def test_the_table_has_every_provider_of_the_options():
    assert set(PROVIDERS) == set(get_args(Name))


@pytest.mark.parametrize("name", PROVIDERS)
def test_every_module_connects(name):
    assert callable(import_module(PROVIDERS[name]).connect)


def test_the_table_alone_loads_no_provider():
    code = (
        "import sys; import gate.adapters.judges.table; "
        "print([name for name in sys.modules if name.startswith(('google', 'httpx2')) or "
        "name.endswith('.provider')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class Closing(Provider):
    closed = 0

    def ask(self, question, *, timeout):
        raise NotImplementedError

    def close(self):
        self.closed += 1


@pytest.fixture
def provider(monkeypatch):
    held = Closing()
    module = import_module(PROVIDERS["gemini"])
    monkeypatch.setattr(module, "connect", lambda *_, **__: held)
    return held


def test_who_asks_is_an_asker_and_the_provider_is_closed_at_the_end(provider):
    with asking(JudgeOptions(provider="gemini"), "m", "{}", {}) as asker:
        assert isinstance(asker, Asker)
        assert provider.closed == 0
    assert provider.closed == 1


def test_the_provider_is_closed_whatever_happens(provider):
    with pytest.raises(KeyboardInterrupt), asking(JudgeOptions(provider="gemini"), "m", "{}", {}):
        raise KeyboardInterrupt
    assert provider.closed == 1


@pytest.mark.parametrize(("name", "sent"), [("gemini", "{}"), ("anthropic", '{"max_tokens":9}')])
def test_without_a_key_it_is_said_before_the_first_question(name, sent):
    with (
        pytest.raises(GateError, match=r"(?i)key"),
        asking(JudgeOptions(provider=name, model="m"), "m", sent, {}),
    ):
        pytest.fail("it must not connect")


def test_the_day_is_a_day():
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", today())
