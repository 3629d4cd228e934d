"""The project's own promises: locks, layers, notebooks' form, README."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK = (ROOT / "requirements.lock").read_text()
PINS = dict(re.findall(r"^([a-z0-9._-]+)(?:\[[a-z,-]+\])?==([^\s;\\]+)", LOCK, re.MULTILINE))

# Imports go to the same or a lower floor only.
FLOORS = {
    "agreement": 0,
    "records": 0,
    "stats": 0,
    "workers": 0,
    "faults": 1,
    "limiter": 1,
    "replies": 1,
    "study": 1,
    "pages": 1,
    "prompts": 1,
    "quantities": 1,
    "scoring": 1,
    "lexicon": 1,
    "wording": 1,
    "answer_text": 1,
    "moments": 1,
    "names": 1,
    "amounts": 1,
    "polarity": 1,
    "answer_lists": 1,
    "rules": 1,
    "store": 2,
    "pdf": 2,
    "annotations": 2,
    "downloads": 2,
    "questions_file": 2,
    "reader_search": 2,
    "reader_rules": 2,
    "corpora": 2,
    "retrieval": 2,
    "routes": 2,
    "models": 2,
    "dispatch": 2,
    "judges": 2,
    "embedded": 2,
    "local_reader": 2,
    "ocr": 2,
    "curation": 3,
    "cells": 3,
    "rendering": 3,
    "inference": 3,
    "canary": 3,
    "calibration": 3,
    "judging": 3,
    "estimates": 3,
    "frames": 4,
    "reliability": 4,
    "status": 4,
    "doctor": 4,
    "tables": 4,
    "printing": 4,
    "plots": 4,
    "explorer": 4,
    "style": 4,
    "diagram": 4,
    "comparisons": 4,
    "sensitivity": 4,
    "published": 4,
    "implied": 4,
    "claims": 4,
    "length": 4,
    "planning": 4,
    "provenance": 4,
    "settings": 4,
    "statements": 4,
    "differences": 4,
    "report": 4,
    "bundle_files": 3,
    "datasheet": 5,
    "bundles": 5,
    "replays": 5,
    "pipeline": 5,
    "mmlongbench_v1": 1,
    "predictions": 2,
    "gold": 2,
    "corrections": 2,
    "mmlongbench_v2": 3,
    "scores": 4,
    "score_figures": 4,
    "score_tables": 4,
    "score_commands": 5,
    "cli": 5,
}


def package_imports(path: Path) -> set[str]:
    """Return the names of this package's modules that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "muddle_utils":
            found |= {alias.name for alias in node.names if alias.name != "__version__"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("muddle_utils."):
            found.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("muddle_utils.")}
    return found


def modules() -> list[Path]:
    return sorted(path for path in (ROOT / "muddle_utils").rglob("*.py") if path.stem != "__init__")


def room(path: Path) -> str:
    """Return the name that a module has a floor under: its own, or that of the folder it shares."""
    return path.relative_to(ROOT / "muddle_utils").parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.stem)
def test_imports_point_down(path):
    assert room(path) in FLOORS, "a new module needs a floor"
    for name in package_imports(path):
        assert FLOORS[name] <= FLOORS[room(path)], f"{path.stem} imports {name} from a higher floor"


def test_no_import_goes_round():
    graph: dict[str, set[str]] = {}
    for path in modules():
        graph[room(path)] = graph.get(room(path), set()) | package_imports(path) - {room(path)}
    # models loads its own embedded provider at the first request; everything else is free of cycles.
    graph["models"] = graph["models"] - {"embedded"}

    def reach(name, seen):
        for other in graph[name]:
            assert other not in seen, f"import cycle: {' -> '.join((*seen, other))}"
            reach(other, (*seen, other))

    for name in graph:
        reach(name, (name,))


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
    code = f"import sys, muddle_utils, muddle_utils.models; print([n for n in {heavy!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_a_command_loads_only_what_it_needs():
    import subprocess
    import sys

    # A figure's library, and the grammar of links that nbformat's validator would build.
    unused = "litellm", "markitdown", "matplotlib", "sklearn", "lark"
    code = f"import sys, muddle_utils.cli, papermill; print([n for n in {unused!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_no_benchmark_is_called_as_a_module_that_others_import():
    # A script's own folder comes first on the path, also in the processes that it starts.
    import importlib.util

    for path in (ROOT / "benchmarks").glob("*.py"):
        assert importlib.util.find_spec(path.stem) is None, f"{path.name} would be imported in place of {path.stem}"
