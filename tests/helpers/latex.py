"""Compile LaTeX where there is an engine, and say what does not fit."""

import re
import shutil
import subprocess

import pytest

from muddle_utils.figures.latex import PACKAGES

PREAMBLE = rf"\documentclass{{article}}\usepackage{{{','.join(PACKAGES)},graphicx}}"


def too_wide(tables, folder, document=None):
    """Return how many points each line is too wide that LaTeX sets of the tables; fail where it does not compile."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed (Debian: texlive-latex-recommended)")
    inputs = "\n".join(rf"\input{{{path}}}\clearpage" for path in tables)
    paper = folder / "paper.tex"
    paper.write_text(document or f"{PREAMBLE}\\begin{{document}}\n{inputs}\n\\end{{document}}\n")
    # A second time for the widths of long tables.
    for _ in range(2):
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", paper.name]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=300)
        assert done.returncode == 0, done.stdout[-2000:]
    return [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", done.stdout)]
