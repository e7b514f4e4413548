"""Imports: no module and no package imports itself through others, not even for types."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.test_project import PROJECT


def imported_modules(code: str, package: str, modules: set[str]) -> Iterator[str]:
    """The modules that code imports, in functions and for type checkers as well; `package` is where it stands."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            source = ".".join([*parents, *filter(None, [node.module])]) if node.level else str(node.module)
            for name in node.names:
                inner = f"{source}.{name.name}"
                yield inner if inner in modules else source


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder, in linked folders as well."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            yield from python_files(path)
        elif path.suffix == ".py":
            yield path


def import_graph() -> dict[str, set[str]]:
    """The modules of the program by name, and what each imports of them."""
    files = {}
    for path in python_files(ROOT / "cranfield"):
        relative = path.relative_to(ROOT).with_suffix("")
        files[".".join(part for part in relative.parts if part != "__init__")] = path
    names = {*files}
    return {
        name: {
            one
            for one in imported_modules(
                path.read_text("utf-8"), name if path.stem == "__init__" else name.rpartition(".")[0], names
            )
            if one in names and one != name
        }
        for name, path in files.items()
    }


def test_no_module_imports_itself_through_others() -> None:
    """A package counts as its `__init__.py`, which import-linter's contract does not see."""
    graph = import_graph()
    assert len(graph) > 500
    assert "cranfield.arrays" in graph["cranfield.metrics.evaluate"] | graph["cranfield.source"]
    TopologicalSorter(graph).prepare()


def test_a_circle_is_found() -> None:
    """Imports in functions and relative imports count."""
    modules = {"a", "a.b", "a.c"}
    graph = {
        "a.b": {*imported_modules("def f():\n    from a import c", "a", modules)},
        "a.c": {*imported_modules("from . import b", "a", modules)},
    }
    with pytest.raises(CycleError):
        TopologicalSorter(graph).prepare()


def test_no_circle_is_ignored() -> None:
    """The contract has no exception, and imports for type checkers count."""
    settings = PROJECT["tool"]["importlinter"]
    [contract] = [one for one in settings["contracts"] if one["type"] == "acyclic_siblings"]
    assert contract == {"name": "No circles", "type": "acyclic_siblings", "ancestors": ["cranfield"]}
    assert settings["exclude_type_checking_imports"] is False
