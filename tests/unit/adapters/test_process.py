import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gate.adapters.process import SPARED, leave, lighten

ROOT = Path(__file__).parents[3]
WAITING = """
import os, sys
from gate.cli import main
def wait(*_args, **_kwargs):
    print("waiting", flush=True)
    sys.stdin.read()
if sys.argv[1] == "inside":
    main.cli.main = wait
else:
    main.main = wait
main.run()
"""


@pytest.fixture(autouse=True)
def _collector_as_it_was():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def test_a_process_is_spared_threads_and_plugins():
    environ = {}
    lighten(environ)
    assert environ == SPARED


def test_what_somebody_has_set_stays():
    environ = {"OPENBLAS_NUM_THREADS": "4"}
    lighten(environ)
    assert environ["OPENBLAS_NUM_THREADS"] == "4"


HEAVY = """
import os, sys
from gate.adapters.process import lighten
lighten(os.environ)
from gate.records.policy import Overrides
Overrides()
print("importlib.metadata" in sys.modules)
from pydantic.plugin import _loader
print(_loader.get_plugins(), callable(_loader.entry_points))
from pydantic.plugin._loader import get_plugins
print(list(get_plugins()), "importlib.metadata" in sys.modules)
"""


def told(environ):
    environ = {**os.environ, "PYTHONPATH": str(ROOT), **environ}
    command = [sys.executable, "-c", HEAVY]
    found = subprocess.run(command, env=environ, check=True, capture_output=True, text=True)
    return found.stdout.splitlines()


def test_what_looks_for_plugins_is_not_even_loaded_and_answers_whatever_else_it_is_asked():
    assert told({"PYDANTIC_DISABLE_PLUGINS": "__all__"}) == ["False", "() True", "[] True"]


def test_whoever_wants_plugins_has_them_looked_for():
    assert told({"PYDANTIC_DISABLE_PLUGINS": "one"})[0] == "True"


def test_memory_is_swept_rarely_and_still_swept():
    lighten({})
    assert gc.isenabled()
    assert gc.get_threshold()[0] > 100_000


def test_leaving_takes_everything_out_of_the_last_sweeps():
    leave()
    assert gc.get_freeze_count() > 0


@pytest.mark.parametrize("where", ["inside", "around"])
def test_a_process_that_is_asked_to_end_ends_at_once_in_143(where):
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, where],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout.readline() == b"waiting\n"
        process.send_signal(signal.SIGTERM)
        said = process.stderr.read()
        assert process.wait(timeout=60) == 143
    assert said == (b"error: terminated\n" if where == "inside" else b"")


def test_a_check_loads_no_masked_arrays():
    probe = (
        "import sys; from gate.statistics.bootstrap import compute_confidence_intervals as c; "
        "c([0.0, 0.25, 1.0] * 200); c([0.123456789 * n / 700 for n in range(700)]); "
        "sys.exit('numpy.ma' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", probe], check=False, timeout=120)
    assert done.returncode == 0
