"""The house: which room may import which, what each shows, and what is sealed."""

import ast
import graphlib
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import muddle_utils

PACKAGE = Path(muddle_utils.__file__).parent
# What each room may import beside itself.
MAY_IMPORT = {
    "study": set(),
    "stats": set(),
    "scoring": {"study"},
    "rendering": {"study"},
    "corpus": {"study", "scoring", "rendering"},
    "inference": {"study", "scoring", "rendering"},
    "judging": {"study", "stats", "scoring", "corpus", "inference"},
    "analysis": {"study", "stats", "scoring", "rendering"},
    "figures": {"study", "analysis", "scoring", "rendering"},
    "runs": {"study", "stats", "scoring", "rendering", "corpus", "inference", "judging", "analysis", "figures"},
}
# Reached through their face alone, so that each could become a package of its own.
SEALED = ("scoring.rule_judge", "inference.local")
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = ("litellm", "markitdown", "pandas", "matplotlib", "pymupdf", "sklearn", "scipy", "statsmodels")


def name_of(path):
    """Return a module's name below the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports_of(path):
    """Return every (module, name) below the package that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "muddle_utils":
            yield from ((node.module.removeprefix("muddle_utils").lstrip("."), alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            names = (alias.name for alias in node.names if alias.name.startswith("muddle_utils."))
            yield from ((name.removeprefix("muddle_utils."), "") for name in names)


def imported(path):
    """Return the modules below the package that a module imports."""
    for module, name in imports_of(path):
        below = f"{module}.{name}".strip(".")
        is_module = (PACKAGE / f"{below.replace('.', '/')}.py").is_file() or (
            PACKAGE / below.replace(".", "/")
        ).is_dir()
        yield below if is_module else module


def test_the_package_shows_ten_rooms_and_no_more_than_twelve_entries():
    entries = {path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"}
    assert {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()} == set(MAY_IMPORT)
    assert len(entries) <= 12


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_where_they_may(path):
    here = name_of(path)
    room = here.split(".")[0]
    for other in imported(path):
        if other and room:
            assert other.split(".")[0] in {room, *MAY_IMPORT[room]}, f"{here} imports {other}"
        for sealed in SEALED:
            if other.startswith(f"{sealed}."):
                assert here.startswith(sealed), f"{here} imports {other} past the face of {sealed}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_private_is_imported(path):
    assert [name for _, name in imports_of(path) if name.startswith("_") and not name.startswith("__")] == []


def test_no_import_goes_round():
    graph = {name_of(path): {other for other in imported(path) if other} for path in MODULES}
    # The client loads its own embedded models when one is asked; everything else is free of cycles.
    graph["inference.client"].discard("inference.local")
    # A face names its parts and loads them when they are asked for.
    graphlib.TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_says_what_it_is_for_and_shows_what_it_names(room):
    module = importlib.import_module(f"muddle_utils.{room}")
    assert len(module.__doc__.splitlines()) >= 3
    for name in sorted(MAY_IMPORT[room] if room != "runs" else ()):
        assert f"``{name}``" in module.__doc__, f"{room} does not say that it may import {name}"
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        module.no_such_name  # noqa: B018


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_importing_a_room_loads_nothing_heavy(room):
    code = f"import sys, muddle_utils.{room}; print([n for n in {HEAVY!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_notebook_imports_from_at_most_three_rooms():
    for path in sorted((PACKAGE.parent / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text())["cells"]
        source = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        rooms = set()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("muddle_utils"):
                parts = node.module.split(".")[1:]
                rooms |= {parts[0]} if parts else {alias.name for alias in node.names}
        assert len(rooms) <= 3, f"{path.name} imports from {sorted(rooms)}"
