"""What is in the image, and what is not."""

import json
import re

import pytest

PYTHON = "/opt/venv/bin/python"
SITE = "import sysconfig; site = sysconfig.get_path('purelib')\n"


@pytest.fixture(scope="module")
def config(engine, image):
    return json.loads(engine.ask("image", "inspect", image))[0]["Config"]


def inside(engine, image, code, *arguments):
    """Run Python in the image, the way the image runs it."""
    done = engine.run(image, "-I", "-c", code, *arguments, options=("--entrypoint", PYTHON))
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_it_starts_by_absolute_paths_and_as_nobody_in_particular(config):
    interpreter, isolated, script = config["Entrypoint"]
    assert interpreter == PYTHON
    assert isolated == "-I"
    assert script.startswith("/")
    assert not config["User"]
    assert not config.get("Cmd")
    assert config["WorkingDir"] == "/github/workspace"


def test_it_says_what_it_is(config):
    said = {name.rsplit(".", 1)[-1]: text for name, text in config["Labels"].items()}
    assert said["licenses"] == "Apache-2.0"
    assert said["title"] == "agent-eval-gate"
    assert said["description"]
    assert said["version"]
    assert said["source"].startswith("https://")


def test_there_is_no_installer_and_no_test_of_a_dependency(engine, image):
    code = (
        SITE
        + """
import pathlib
for path in pathlib.Path(site).rglob("*"):
    if path.is_dir() and path.name in {"tests", "test", "pip", "setuptools", "wheel", "f2py"}:
        print(path)
for path in pathlib.Path("/opt/venv/bin").iterdir():
    if not path.name.startswith("python"):
        print(path)
"""
    )
    assert inside(engine, image, code) == []


def test_what_is_installed_is_what_is_locked(engine, image, request):
    code = """
from importlib.metadata import distributions
for one in distributions():
    print(one.metadata["Name"] + "==" + one.version)
"""
    lock = (request.config.rootpath / "requirements" / "run.lock").read_text()
    locked = {plain(line.split()[0]) for line in lock.splitlines() if "==" in line[:60]}
    found = {plain(line) for line in inside(engine, image, code)}
    assert len(found) > 20
    assert found <= locked


def plain(requirement):
    """Spell a name as the index does: it is written in several ways."""
    name, version = requirement.lower().split("==")
    return re.sub(r"[-_.]+", "-", name), version


def test_everything_that_is_declared_can_be_imported(engine, image):
    code = """
import sys
for name in sys.argv[1:]:
    __import__(name)
"""
    names = ("click", "google.genai", "re2", "jinja2", "nltk.stem.porter", "numpy.random")
    more = ("numpy.linalg", "pydantic", "rouge_score.rouge_scorer", "gate.cli.main")
    assert inside(engine, image, code, *names, *more) == []


def test_every_module_that_a_check_loads_was_compiled_before(engine, image, runner):
    """On a read-only root nobody can keep a .pyc file: a missing one costs every run."""
    code = """
import sys, os
from gate.cli.main import main
status = main(sys.argv[1:], {})
for name, module in sys.modules.items():
    spec = getattr(module, "__spec__", None)
    if spec and spec.cached and not os.path.exists(spec.cached):
        print("MISSING", name, spec.cached)
sys.exit(status)
"""
    golden = ["check", "--cases=/w/examples/golden/cases.jsonl", "--max-drop=0.05", "--out=/out"]
    golden += ["--baseline=/w/baselines/golden.json"]
    golden += ["--predictions=/w/examples/golden/good.jsonl"]
    options = ("--entrypoint", PYTHON, "-v", f"{runner.workspace}:/w:ro", "--tmpfs", "/out")
    done = engine.run(image, "-I", "-c", code, *golden, options=options)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("MISSING")] == []


def test_a_check_loads_no_client_and_no_language_tool(engine, image, runner):
    code = """
import sys
from gate.cli.main import main
status = main(sys.argv[1:], {})
print("LOADED", *sorted({name.partition(".")[0] for name in sys.modules}))
sys.exit(status)
"""
    golden = ["check", "--cases=/w/examples/golden/cases.jsonl", "--max-drop=0.05", "--out=/out"]
    golden += ["--baseline=/w/baselines/golden.json"]
    golden += ["--predictions=/w/examples/golden/good.jsonl"]
    options = ("--entrypoint", PYTHON, "-v", f"{runner.workspace}:/w:ro", "--tmpfs", "/out")
    done = engine.run(image, "-I", "-c", code, *golden, options=options)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.rpartition("LOADED ")[2].split()
    assert "gate" in loaded
    assert not {"google", "nltk", "requests", "rouge_score", "httpx2", "socket"} & set(loaded)


def test_nothing_of_the_tree_but_what_runs_is_in_it(engine, image):
    code = """
import pathlib
for path in sorted(pathlib.Path("/opt/agent-eval-gate").iterdir()):
    print(path.name)
for folder in ("/build", "/github/workspace"):
    path = pathlib.Path(folder)
    for inner in path.rglob("*") if path.exists() else ():
        print(inner)
"""
    assert inside(engine, image, code) == ["LICENSE", "entrypoint.py"]
