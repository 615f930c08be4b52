import gc
import subprocess
import sys

import pytest

from gate.adapters.process import SPARED, leave, lighten


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


def test_memory_is_swept_rarely_and_still_swept():
    lighten({})
    assert gc.isenabled()
    assert gc.get_threshold()[0] > 100_000


def test_leaving_takes_everything_out_of_the_last_sweeps():
    leave()
    assert gc.get_freeze_count() > 0


def test_a_check_loads_no_masked_arrays():
    probe = (
        "import sys; from gate.statistics.bootstrap import compute_confidence_intervals as c; "
        "c([0.0, 0.25, 1.0] * 200); c([0.123456789 * n / 700 for n in range(700)]); "
        "sys.exit('numpy.ma' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", probe], check=False, timeout=120)
    assert done.returncode == 0
