"""The features that a test file needs: it is not collected where one of them was deleted.

Imports in functions do not count: a test that needs a feature in another way has the marker `needs`.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FEATURES = ROOT / "cranfield" / "features"
FEATURE_NAMES = (
    "answers",
    "briefing",
    "collecting",
    "documents",
    "models",
    "online",
    "organising",
    "preferences",
    "publishing",
    "tasks",
)  # of all that may be deleted
EVERY_FEATURE = pytest.mark.needs(*FEATURE_NAMES)  # of a test with a table of all commands
TABLE_OF_DESIGNS = ROOT / "benchmarks" / "designs" / "table.py"


@cache
def needed_features(path: Path) -> frozenset[str]:
    """The features that a file of tests imports, itself or through files of tests and benchmarks.

    >>> sorted(needed_features(ROOT / "tests" / "files.py"))
    []
    """
    return frozenset(feature for file in reached_files(path) for feature in _imported(file)[0])


def reached_files(path: Path) -> set[Path]:
    found, waiting = set[Path](), {path}
    while waiting:
        found |= waiting
        waiting = {file for one in waiting for file in _imported(one)[1]} - found
    return found


@cache
def _imported(path: Path) -> tuple[frozenset[str], frozenset[Path]]:
    """The features and the files of tests and benchmarks that a file imports when it is imported."""
    features, files = set[str](), set[Path]()
    for node in ast.parse(path.read_text("utf-8")).body:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for parts in (name.split(".") for name in names):
            if parts[1:2] == ["features"] and len(parts) > 2:
                features.add(parts[2])
            if parts[0] in ("tests", "benchmarks"):
                files |= _files_of(parts)
    if path == TABLE_OF_DESIGNS:
        files |= {*path.parent.glob("*.py")}  # which it imports by their names
    return frozenset(features), frozenset(files)


def _files_of(parts: list[str]) -> set[Path]:
    """The files that are run to import a module."""
    places = [ROOT.joinpath(*parts[: n + 1]) for n in range(len(parts))]
    return {path for place in places for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()}


def missing_features(path: Path) -> list[str]:
    """The features that a file of tests needs and that were deleted."""
    return sorted(name for name in needed_features(path) if not (FEATURES / name).is_dir())
