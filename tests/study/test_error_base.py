"""What the kit raises on purpose has one base, so that the command line turns all of it into one line."""

import ast
from pathlib import Path

import pytest

import muddle_utils
from muddle_utils.runs import cli
from muddle_utils.study.errors import MuddleError

# What a provider states, or an embedded model refuses, is turned into a reply and never leaves the client.
INNER = {"StatedError", "MessageError"}


def test_every_error_class_of_the_package_derives_from_the_base():
    classes = [
        (node.name, [ast.unparse(base) for base in node.bases])
        for path in Path(muddle_utils.__file__).parent.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error") and node.name != "MuddleError"
    ]
    assert len(classes) > 15
    assert {name for name, bases in classes if "MuddleError" not in bases} == INNER


@pytest.mark.parametrize(("error", "code"), [(MuddleError("mend it"), 1), (OSError("mend it"), 1)])
def test_the_command_says_it_in_one_line(error, code, monkeypatch, capsys):
    def fail(arguments):
        raise error

    monkeypatch.setattr(cli, "_refuse_secrets", fail)
    assert cli.main(["doctor"]) == code
    assert capsys.readouterr().err == "muddle: mend it\n"


def test_a_fault_of_the_kit_is_no_one_line(monkeypatch):
    def fail(arguments):
        raise ValueError("a fault")

    monkeypatch.setattr(cli, "_refuse_secrets", fail)
    with pytest.raises(ValueError, match="a fault"):
        cli.main(["doctor"])
