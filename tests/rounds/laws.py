"""The forms of every analysis of a store, and a plain store of nothing but what counts."""

from pathlib import Path
from typing import Any
from warnings import catch_warnings

import cranfield as package

ANALYSES = {  # the words after the store
    "evaluate": [], "compare": [], "curve": [], "correlate": [], "reusability": [], "depths": [], "stability": [],
    "diagnose": ["a"], "pool show": [], "pool show --by run": [], "pool show --by pair": [], "pool verify": [],
    "pool diff": ["2", "3"], "pool estimate": ["--pool", "1"],
    "pool simulate": ["--budgets", "2", "--method", "mtf", "--workers", "1"],
    "pool tune": ["--method", "rrf", "--folds", "2"],
    "pool forecast": [], "agreement": [], "agreement --pool 2": [], "diff": ["ada", "bob"], "topics hardness": [],
    "topics next": ["--run", "a", "--run", "b"], "rehearse": ["--repeats", "2"], "progress": [],
    "model audit report": ["--model", "gpt"],
}  # fmt: skip
Rankings = dict[str, dict[str, dict[str, float]]]
Grades = dict[str, dict[str, int]]


def words_of(command: str, path: Path, *more: object) -> list[object]:
    """A form as it is typed."""
    words = command.split()
    group = {"pool": 2, "topics": 2, "model": 3}.get(words[0], 1)
    return [*words[:group], path, *words[group:], *ANALYSES[command], *more, "--format", "json"]


def build_pools(path: Path, runs: list[str], documents: int, depth: int, **options: Any) -> None:
    """A sample of everything, and two pools of depth k."""
    with catch_warnings(action="ignore"):  # what was judged earlier, and that all is drawn
        package.pooling.build_pool(path, method="uniform", budget=documents, runs=runs, **options)
        for deep in (depth - 1, depth):
            package.pooling.build_pool(path, depth=deep, runs=runs, **options)
