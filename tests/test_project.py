"""The project's own promises: locks, layers, notebooks' form, README."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK = (ROOT / "requirements.lock").read_text()
PINS = dict(re.findall(r"^([a-z0-9._-]+)(?:\[[a-z,-]+\])?==([^\s;\\]+)", LOCK, re.MULTILINE))


def test_every_dependency_is_locked_with_hashes():
    wanted = PYPROJECT["project"]["dependencies"] + PYPROJECT["project"]["optional-dependencies"]["dev"]
    for requirement in wanted:
        name = re.match(r"[A-Za-z0-9._-]+", requirement).group().lower()
        assert name in PINS, f"{name} is not in requirements.lock: make lock"
        if "==" in requirement:
            assert PINS[name] == requirement.split("==")[1]
    entries = re.split(r"^(?=[a-z0-9])", LOCK, flags=re.MULTILINE)
    assert all("--hash=sha256:" in entry for entry in entries if "==" in entry.split("\n")[0])


def test_the_lock_names_no_index():
    for name in ("requirements.lock", "bootstrap.lock"):
        text = (ROOT / name).read_text()
        assert not re.search(r"https?://|--index-url|--find-links|file:", text)


def test_the_litellm_releases_with_the_stolen_token_are_not_locked():
    # 1.82.7 and 1.82.8 carried a credential stealer (OSV MAL-2026-2144).
    assert PINS["litellm"] not in ("1.82.7", "1.82.8")


def test_conda_users_get_the_same_pins():
    text = (ROOT / "environment.yml").read_text()
    version = re.search(r"- python=(\d+)\.(\d+)$", text, re.MULTILINE)
    assert version.groups() == ("3", "11")
    assert PYPROJECT["project"]["requires-python"] == ">=3.11"
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert lines[-2:] == ["- pip:", "- -r requirements.lock"], "it wraps the lock file, nothing else"


def test_importing_the_package_loads_nothing_heavy():
    import subprocess
    import sys

    heavy = "litellm", "markitdown", "pandas", "matplotlib", "pymupdf", "sklearn"
    code = f"import sys, muddle_utils.inference.client as _; print([n for n in {heavy!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_a_command_loads_only_what_it_needs():
    import subprocess
    import sys

    # A figure's library, and the grammar of links that nbformat's validator would build.
    unused = "litellm", "markitdown", "matplotlib", "sklearn", "lark"
    code = f"import sys, muddle_utils.runs.pipeline, papermill; print([n for n in {unused!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_no_benchmark_is_called_as_a_module_that_others_import():
    # A script's own folder comes first on the path, also in the processes that it starts.
    import importlib.util

    for path in (ROOT / "benchmarks").glob("*.py"):
        spec = importlib.util.find_spec(path.stem)
        assert spec is None or spec.loader is None, f"{path.name} would be imported in place of {path.stem}"
